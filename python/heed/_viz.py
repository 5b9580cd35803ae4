"""Pictures in a notebook."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from heed import _core, _matplotlib
from heed._typing import ArrayLike

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure  # type: ignore[import-not-found,unused-ignore]


class Heatmap(_core.Heatmap):
    __doc__ = _core.Heatmap.__doc__

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_png_(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "heatmap.png"
            self.save(path)
            return path.read_bytes()

    def figure(self) -> Figure:
        """The same picture as a figure of matplotlib's, which must be installed. It is not pyplot's: no window opens.

        >>> figure = heed.show_heatmaps(heed.eye(3), titles=["Weights"]).figure()
        >>> figure.axes[0].get_title()
        'Weights'
        >>> figure.savefig(tmp / "weights.png", dpi=200)  # by matplotlib
        """
        return _matplotlib.new_figure(self)

    def draw(self, figure: Figure | SubFigure) -> None:
        """Into a figure of matplotlib's that is there, pyplot's for example, or a part of it.

        >>> from matplotlib.figure import Figure
        >>> left, right = Figure(layout="constrained").subfigures(1, 2)
        >>> heed.show_heatmaps(heed.eye(3)).draw(left)
        """
        _matplotlib.draw(self, figure)


def show_heatmaps(
    matrices: ArrayLike,
    xlabel: str = "",
    ylabel: str = "",
    titles: Sequence[str] = (),
    cmap: str | None = None,
) -> Heatmap:
    """Attention weights as a picture that a notebook shows: (rows, columns, Lq, Lk), or less of these. figure() makes one
    of matplotlib's of it.

    >>> heed.show_heatmaps(heed.eye(10).reshape((1, 1, 10, 10)), xlabel="Keys", ylabel="Queries").values.shape
    (1, 1, 10, 10)
    """
    return Heatmap(matrices, x_label=xlabel, y_label=ylabel, panel_titles=list(titles), colours=cmap)
