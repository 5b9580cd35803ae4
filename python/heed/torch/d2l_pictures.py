# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""The notes' pictures, drawn by Matplotlib. A notebook shows them; elsewhere plt.show() or plt.savefig() does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import torch
from matplotlib.axes import Axes

FORMATS = ("-", "m--", "g-.", "r:")


def _numbers(x: Any) -> Any:
    return x.detach().cpu().numpy() if isinstance(x, torch.Tensor) else x


def show_heatmaps(
    matrices: torch.Tensor,
    xlabel: str,
    ylabel: str,
    titles: Sequence[str] | None = None,
    figsize: tuple[float, float] = (2.5, 2.5),
    cmap: str = "Reds",
) -> None:
    """A grid of matrices (rows, columns, Lq, Lk) in shades of any of Matplotlib's colour maps.

    >>> d2l.show_heatmaps(torch.eye(10).reshape((1, 1, 10, 10)), xlabel="Keys", ylabel="Queries")
    """
    rows, columns = matrices.shape[:2]
    figure, axes = plt.subplots(
        rows, columns, figsize=figsize, sharex=True, sharey=True, squeeze=False, layout="constrained"
    )
    image = None
    for i in range(rows):
        for j in range(columns):
            image = axes[i, j].imshow(_numbers(matrices[i, j]), cmap=cmap)
            if i == rows - 1:
                axes[i, j].set_xlabel(xlabel)
            if j == 0:
                axes[i, j].set_ylabel(ylabel)
            if titles:
                axes[i, j].set_title(titles[j])
    figure.colorbar(image, ax=axes, shrink=0.6)


def _lines(x: Any) -> list[Any]:
    """One line, or several."""
    x = _numbers(x)
    single = getattr(x, "ndim", None) == 1 or isinstance(x, (list, tuple)) and not (x and hasattr(x[0], "__len__"))
    return [x] if single else [_numbers(line) for line in x]


def _dress(axes: Axes, xlabel: Any, ylabel: Any, xlim: Any, ylim: Any, xscale: str, yscale: str, legend: Any) -> None:
    axes.set_xlabel(xlabel or "")
    axes.set_ylabel(ylabel or "")
    axes.set_xscale(xscale)
    axes.set_yscale(yscale)
    if xlim is not None:
        axes.set_xlim(*xlim)
    if ylim is not None:
        axes.set_ylim(*ylim)
    if legend:
        axes.legend(legend)
    axes.grid()


def plot(
    X: Any,
    Y: Any = None,
    xlabel: str | None = None,
    ylabel: str | None = None,
    legend: Sequence[str] | None = None,
    xlim: Sequence[float] | None = None,
    ylim: Sequence[float] | None = None,
    xscale: str = "linear",
    yscale: str = "linear",
    fmts: Sequence[str] = FORMATS,
    figsize: tuple[float, float] = (3.5, 2.5),
    axes: Axes | None = None,
) -> None:
    """Lines: each row of Y over X, or over the positions where X alone is given.

    >>> d2l.plot(torch.arange(3), torch.eye(3), xlabel="n", legend=["a", "b", "c"])
    """
    first = _lines(X)
    lines = first if Y is None else _lines(Y)
    if axes is None:
        axes = plt.subplots(figsize=figsize, layout="constrained")[1]
    axes.cla()
    for n, y in enumerate(lines):
        style = fmts[n % len(fmts)]
        if Y is None:
            axes.plot(y, style)
        else:
            axes.plot(first[n % len(first)], y, style)
    _dress(axes, xlabel, ylabel, xlim, ylim, xscale, yscale, legend)


class Animator:
    """Curves that grow while something is trained. add(x, y) gives each curve its next point, None leaves one out; a notebook
    shows the picture anew each time.

    >>> animator = d2l.Animator(xlabel="epoch", ylabel="loss", xlim=[1, 5])
    >>> for epoch in range(5):
    ...     animator.add(epoch + 1, 1 / (epoch + 1))
    """

    def __init__(
        self,
        xlabel: str | None = None,
        ylabel: str | None = None,
        legend: Sequence[str] | None = None,
        xlim: Sequence[float] | None = None,
        ylim: Sequence[float] | None = None,
        xscale: str = "linear",
        yscale: str = "linear",
        fmts: Sequence[str] = FORMATS,
        nrows: int = 1,
        ncols: int = 1,
        figsize: tuple[float, float] = (3.5, 2.5),
    ) -> None:
        self.fig, axes = plt.subplots(nrows, ncols, figsize=figsize, squeeze=False, layout="constrained")
        self.axes = list(axes.flat)
        self.fmts = fmts
        self.X: list[list[float]] = []
        self.Y: list[list[float]] = []
        self._dress = xlabel, ylabel, xlim, ylim, xscale, yscale, legend
        self._shown: Any = None

    def add(self, x: Any, y: Any) -> None:
        """The next point of each curve: numbers, or a sequence with one for each."""
        ys = list(y) if hasattr(y, "__len__") else [y]
        xs = list(x) if hasattr(x, "__len__") else [x] * len(ys)
        while len(self.X) < len(ys):
            self.X.append([])
            self.Y.append([])
        for n, (a, b) in enumerate(zip(xs, ys)):
            if a is not None and b is not None:
                self.X[n].append(float(a))
                self.Y[n].append(float(b))
        axes = self.axes[0]
        axes.cla()
        for n, (a, b) in enumerate(zip(self.X, self.Y)):
            axes.plot(a, b, self.fmts[n % len(self.fmts)])
        _dress(axes, *self._dress)
        self._show()

    def _show(self) -> None:
        try:
            from IPython import display, get_ipython  # type: ignore[import-not-found,unused-ignore]
        except ModuleNotFoundError:
            return
        if get_ipython() is None:
            return
        if self._shown is None:
            plt.close(self.fig)  # or the notebook shows it once more at the end of the cell
            self._shown = display.display(self.fig, display_id=True)
        else:
            self._shown.update(self.fig)
