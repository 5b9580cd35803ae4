"""A heatmap in a figure of matplotlib's, for pictures that go on: more axes, other fonts, a paper's style."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heed import _core

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure  # type: ignore[import-not-found,unused-ignore]

GAP = "#b0b0b0"  # where there is no number, as in the other pictures
PANEL_INCHES, MARGIN_INCHES = 2.5, 1.0
# Labels are data: a dollar is a dollar.
PLAIN: dict[str, Any] = {"parse_math": False}


def new_figure(heatmap: _core.Heatmap) -> Figure:
    """One with the heatmap in it. Not pyplot's: nothing keeps it, and no window opens."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise ImportError("Heatmap.figure: needs matplotlib, which is not installed: pip install matplotlib") from error

    rows, columns = grid(heatmap).shape[:2]
    size = (PANEL_INCHES * columns + MARGIN_INCHES, PANEL_INCHES * rows + MARGIN_INCHES / 2)
    figure = Figure(figsize=size, layout="constrained")
    draw(heatmap, figure)
    return figure


def draw(heatmap: _core.Heatmap, figure: Figure | SubFigure) -> None:
    """Fills a figure with the heatmap: its panels, their names, and one colour bar for all."""
    import numpy as np
    from matplotlib.patches import Rectangle

    low, high = heatmap.range
    panels = grid(heatmap)
    axes = figure.subplots(*panels.shape[:2], sharex=True, sharey=True, squeeze=False)
    for panel, matrix, masked in zip(axes.flat, matrices(panels), matrices(masked_cells(heatmap))):
        image = panel.imshow(np.ma.masked_array(matrix, masked), cmap=heatmap.colours, vmin=low, vmax=high)
        image.set_cmap(image.get_cmap().with_extremes(bad=GAP))
        for row, column in np.argwhere(masked):
            cell = (column - 0.5, row - 0.5)
            panel.add_patch(Rectangle(cell, 1, 1, facecolor="white", edgecolor=GAP, hatch="////", linewidth=0))
    for panel, title in zip(axes.flat, heatmap.panel_titles):  # row by row; few titles are those of the first row
        panel.set_title(title, **PLAIN)
    for panel in axes[-1]:
        panel.set_xlabel(heatmap.x_label, **PLAIN)
    for panel in axes[:, 0]:
        panel.set_ylabel(heatmap.y_label, **PLAIN)
    if heatmap.keys:
        axes[0, 0].set_xticks(range(len(heatmap.keys)), heatmap.keys, rotation="vertical", **PLAIN)
    if heatmap.queries:
        axes[0, 0].set_yticks(range(len(heatmap.queries)), heatmap.queries, **PLAIN)
    if heatmap.title:
        figure.suptitle(heatmap.title, **PLAIN)
    figure.colorbar(image, ax=axes, shrink=0.6)


def matrices(panels: Any) -> Any:
    """One after the other, row by row of the grid."""
    return panels.reshape(-1, *panels.shape[2:])


def masked_cells(heatmap: _core.Heatmap) -> Any:
    """Where nothing is attended to, as (rows, columns, Lq, Lk)."""
    import numpy as np

    shape = heatmap.values.shape
    attended = np.True_ if heatmap.mask is None else heatmap.mask.numpy()
    return ~np.broadcast_to(attended, shape).reshape(grid(heatmap).shape)


def grid(heatmap: _core.Heatmap) -> Any:
    """The values as (rows, columns, Lq, Lk)."""
    values = heatmap.values.numpy()
    return values.reshape((1,) * (4 - values.ndim) + values.shape)
