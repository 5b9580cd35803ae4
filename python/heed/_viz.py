"""Pictures in a notebook."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from heed import _core
from heed._typing import ArrayLike


class Heatmap(_core.Heatmap):
    __doc__ = _core.Heatmap.__doc__

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_png_(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "heatmap.png"
            self.save(path)
            return path.read_bytes()


def show_heatmaps(
    matrices: ArrayLike,
    xlabel: str = "",
    ylabel: str = "",
    titles: Sequence[str] = (),
    cmap: str = "Reds",
) -> Heatmap:
    """Attention weights as a picture that a notebook shows: (rows, columns, Lq, Lk), or less of these.

    >>> heed.show_heatmaps(heed.eye(10).reshape((1, 1, 10, 10)), xlabel="Keys", ylabel="Queries").values.shape
    (1, 1, 10, 10)
    """
    return Heatmap(matrices, x_label=xlabel, y_label=ylabel, panel_titles=list(titles), colours=cmap)
