# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Heatmaps and charts in figures of Matplotlib's, for pictures that go on: more axes, other fonts, a paper's style."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heed import _core
from heed._text import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes  # type: ignore[import-not-found,unused-ignore]
    from matplotlib.figure import Figure, SubFigure  # type: ignore[import-not-found,unused-ignore]

GAP = "#b0b0b0"  # where there is no number, as in the other pictures
PANEL_INCHES, MARGIN_INCHES = 2.5, 1.0
# Labels are data: a dollar is a dollar.
PLAIN: dict[str, Any] = {"parse_math": False}


def blank_figure(size: tuple[float, float], what: str) -> Figure:
    """Not pyplot's: nothing keeps it, and no window opens."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise ImportError(f"{what}: needs matplotlib, which is not installed: pip install matplotlib") from error

    return Figure(figsize=size, layout="constrained")


def check_colours(name: str) -> None:
    """An Error unless Matplotlib is there and has a colour map of that name."""
    try:
        from matplotlib import colormaps  # type: ignore[import-not-found,unused-ignore]
    except ModuleNotFoundError as error:
        found = shortened(name)
        raise _core.Error(
            f'Heatmap: colours must be "Reds", "Blues", "viridis" or "RdBu_r", or one of Matplotlib\'s where it is installed, found "{found}"'
        ) from error
    if name not in colormaps:
        raise _core.Error(f'Heatmap: colours must be a colour map of Matplotlib\'s, found "{shortened(name)}"')


def new_figure(heatmap: _core.Heatmap, size: tuple[float, float] | None = None) -> Figure:
    """One with the heatmap in it."""
    rows, columns = grid(heatmap).shape[:2]
    own = (PANEL_INCHES * columns + MARGIN_INCHES, PANEL_INCHES * rows + MARGIN_INCHES / 2)
    figure = blank_figure(size or own, "Heatmap.figure")
    draw(heatmap, figure)
    return figure


def draw(heatmap: _core.Heatmap, figure: Figure | SubFigure) -> None:
    """Fills a figure with the heatmap: its panels, their names, and one colour bar for all."""
    import numpy as np
    from matplotlib.patches import Rectangle  # type: ignore[import-not-found,unused-ignore]

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


CHART_INCHES = (5.0, 3.2)
STYLES = {"line": "-", "dashes": "--", "points": "o"}


def new_chart_figure(chart: _core.Chart) -> Figure:
    figure = blank_figure(CHART_INCHES, "Chart.figure")
    draw_chart(chart, figure.subplots())
    return figure


def draw_chart(chart: _core.Chart, axes: Axes) -> None:
    for series in chart.series:
        x, y = series.x.numpy(), series.y.numpy()
        # A name that begins with an underscore is none for Matplotlib.
        name = {"label": series.name} if series.name else {}
        if series.upper is not None:
            axes.fill_between(x, y, series.upper.numpy(), alpha=0.3, linewidth=0, **name)
        else:
            axes.plot(x, y, STYLES[series.style], **name)
    if any(series.name for series in chart.series):
        for text in axes.legend().get_texts():
            text.set_parse_math(False)
    for label, set_label in ((chart.x_label, axes.set_xlabel), (chart.y_label, axes.set_ylabel), (chart.title, axes.set_title)):
        set_label(label, **PLAIN)
    if chart.x_range:
        axes.set_xlim(chart.x_range)
    if chart.y_range:
        axes.set_ylim(chart.y_range)
    axes.set_yscale(chart.y_scale)
