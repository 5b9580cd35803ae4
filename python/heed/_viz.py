# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Pictures in a notebook."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heed import _core, _drawing, _matplotlib
from heed._typing import ArrayLike

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure  # type: ignore[import-not-found,unused-ignore]

_GNUPLOT_MAPS = (None, "Reds", "Blues", "viridis", "RdBu_r")


class Heatmap(_core.Heatmap):
    """Matrices in shades of colour, query down and key across: (Lq, Lk), (n, Lq, Lk) or (rows, columns, Lq, Lk). A notebook
    shows it. Matplotlib draws it where it is installed, with any of its colour maps, and gnuplot else.

    >>> print(heed.Heatmap(heed.eye(2)).text(columns=40).count("\\n") > 1)
    True
    """

    def __init__(
        self, values: ArrayLike, *, colours: str | None = None, figsize: tuple[float, float] | None = None, **options: Any
    ) -> None:
        self._colours = colours if isinstance(colours, str) and colours not in _GNUPLOT_MAPS else None
        if self._colours:
            _matplotlib.check_colours(self._colours)
        super().__init__(values, colours=None if self._colours else colours, **options)
        self._figsize = figsize

    @property
    def colours(self) -> str:
        """The colour map."""
        return self._colours or super().colours

    def svg(self, *, width: int = 0, height: int = 0) -> str:
        """An SVG document; sizes of 0 suit the figure."""
        if _drawing.has_matplotlib():
            return _drawing.rendered(self.figure(), "svg", width, height).decode()
        _drawing.check_gnuplot("Heatmap.svg")
        return super().svg(width=width, height=height)

    def save(self, path: str | os.PathLike[str], *, width: int = 0, height: int = 0) -> None:
        """To a .svg, .png or .pdf file."""
        if _drawing.has_matplotlib():
            _drawing.save(path, "Heatmap", self.figure, width, height)
        else:
            _drawing.check_gnuplot("Heatmap.save")
            super().save(path, width=width, height=height)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_png_(self) -> bytes:
        return png_of(self)

    def figure(self) -> Figure:
        """The picture as a figure of Matplotlib's, which must be installed. It is not pyplot's: no window opens.

        >>> figure = heed.show_heatmaps(heed.eye(3), titles=["Weights"]).figure()
        >>> figure.axes[0].get_title()
        'Weights'
        >>> figure.savefig(tmp / "weights.png", dpi=200)  # by matplotlib
        """
        return _matplotlib.new_figure(self, self._figsize)

    def draw(self, figure: Figure | SubFigure) -> None:
        """Into a figure of Matplotlib's that is there, pyplot's for example, or a part of it.

        >>> from matplotlib.figure import Figure
        >>> left, right = Figure(layout="constrained").subfigures(1, 2)
        >>> heed.show_heatmaps(heed.eye(3)).draw(left)
        """
        _matplotlib.draw(self, figure)


def png_of(picture: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        picture.save(path)
        return path.read_bytes()


def show_heatmaps(
    matrices: ArrayLike,
    xlabel: str = "",
    ylabel: str = "",
    titles: Sequence[str] | None = None,
    figsize: tuple[float, float] | None = None,
    cmap: str | None = None,
) -> Heatmap:
    """Attention weights as a picture that a notebook shows: (rows, columns, Lq, Lk), or less of these. The arguments are those
    of d2l.show_heatmaps; without cmap it is red, or of two colours where there are numbers of both signs. Matplotlib draws it where it is installed, gnuplot else; figure() makes a figure of Matplotlib's of it.

    >>> heed.show_heatmaps(heed.eye(10).reshape(1, 1, 10, 10), xlabel="Keys", ylabel="Queries").values.shape
    (1, 1, 10, 10)
    """
    return Heatmap(matrices, x_label=xlabel, y_label=ylabel, panel_titles=list(titles or ()), colours=cmap, figsize=figsize)
