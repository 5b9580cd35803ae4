# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Lines, points and bands, and the curve of a training that is under way."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from heed import _core, _drawing, _matplotlib
from heed._viz import png_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes  # type: ignore[import-not-found,unused-ignore]
    from matplotlib.figure import Figure  # type: ignore[import-not-found,unused-ignore]


class Chart(_core.Chart):
    __doc__ = _core.Chart.__doc__

    def svg(self, *, width: int = 0, height: int = 0) -> str:
        """An SVG document; sizes of 0 suit the figure."""
        if _drawing.has_matplotlib():
            return _drawing.rendered(self.figure(), "svg", width, height).decode()
        _drawing.check_gnuplot("Chart.svg")
        return super().svg(width=width, height=height)

    def save(self, path: str | os.PathLike[str], *, width: int = 0, height: int = 0) -> None:
        """To a .svg, .png or .pdf file."""
        if _drawing.has_matplotlib():
            _drawing.save(path, "Chart", self.figure, width, height)
        else:
            _drawing.check_gnuplot("Chart.save")
            super().save(path, width=width, height=height)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_png_(self) -> bytes:
        return png_of(self)

    def figure(self) -> Figure:
        """The picture as a figure of Matplotlib's, which must be installed.

        >>> heed.Chart([heed.Series([0, 1], [2.0, 3.0], name="a")]).figure().axes[0].lines[0].get_label()  # by matplotlib
        'a'
        """
        return _matplotlib.new_chart_figure(self)

    def draw(self, axes: Axes) -> None:
        """Into axes of Matplotlib's that are there.

        >>> from matplotlib.figure import Figure
        >>> heed.Chart([heed.Series([0, 1], [2.0, 3.0])]).draw(Figure().subplots())
        """
        _matplotlib.draw_chart(self, axes)


class TrainingCurve:
    """Curves that grow while something is trained, one for each name. A notebook draws them anew with each point, a terminal
    writes them over; elsewhere nothing is shown, and chart() has them.

    >>> curve = heed.TrainingCurve(["train", "test"], x_label="epoch", y_label="loss")
    >>> for epoch in range(3):
    ...     curve.add(epoch, 1 / (epoch + 1), 2 / (epoch + 1))
    >>> curve.chart().series[1].y.tolist()
    [2.0, 1.0, 0.6666666666666666]
    """

    def __init__(
        self,
        names: Sequence[str] = ("",),
        *,
        x_label: str = "",
        y_label: str = "",
        x_range: tuple[float, float] | None = None,
        y_scale: str = "linear",
    ) -> None:
        self._points: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in names}
        self._options: dict[str, Any] = dict(x_label=x_label, y_label=y_label, x_range=x_range, y_scale=y_scale)
        self._shown: Any = None
        self._lines = 0
        self.chart()  # what is wrong with the options is said now

    def add(self, x: float, *values: float | None) -> None:
        """The next point of each curve; None leaves one out."""
        if len(values) != len(self._points):
            raise _core.Error(f"TrainingCurve.add: expected {len(self._points)} values, found {len(values)}")
        for (xs, ys), value in zip(self._points.values(), values):
            if value is not None:
                xs.append(float(x))
                ys.append(float(value))
        self._show()

    def chart(self) -> Chart:
        """What there is so far."""
        return Chart([_core.Series(xs, ys, name=name) for name, (xs, ys) in self._points.items() if xs], **self._options)

    def _show(self) -> None:
        shell: Any = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
        if shell is not None and shell.has_trait("kernel"):
            display: Any = __import__("IPython.display", fromlist=["display"]).display
            if self._shown is None:
                self._shown = display(self.chart(), display_id=True)
            else:
                self._shown.update(self.chart())
        elif sys.stdout.isatty():
            text = self.chart().text()
            sys.stdout.write(f"\x1b[{self._lines}A\x1b[J{text}" if self._lines else text)
            sys.stdout.flush()
            self._lines = text.count("\n")
