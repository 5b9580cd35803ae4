# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Who draws: Matplotlib where it is installed, gnuplot else."""

from __future__ import annotations

import importlib.util
import io
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from heed import _core

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # type: ignore[import-not-found,unused-ignore]

PIXELS_PER_INCH = 100.0


def has_matplotlib() -> bool:
    try:
        return importlib.util.find_spec("matplotlib") is not None
    except ValueError:  # somebody has put something else in its place
        return False


def check_gnuplot(what: str) -> None:
    if shutil.which("gnuplot") is None:
        raise _core.Error(f"{what}: needs Matplotlib (pip install matplotlib) or gnuplot (apt install gnuplot-nox), found neither")


def rendered(figure: Figure, kind: str, width: int = 0, height: int = 0) -> bytes:
    """A figure as the bytes of a file; sizes in pixels, 0 for those it has."""
    if width > 0 or height > 0:
        own_width, own_height = figure.get_size_inches()
        figure.set_size_inches(width / PIXELS_PER_INCH or own_width, height / PIXELS_PER_INCH or own_height)
    file = io.BytesIO()
    figure.savefig(file, format=kind, dpi=2 * PIXELS_PER_INCH)
    return file.getvalue()


def save(path: str | os.PathLike[str], what: str, figure: Callable[[], Figure], width: int, height: int) -> None:
    """By Matplotlib, to a file that is replaced in one step."""
    kind = Path(path).suffix.removeprefix(".").lower()
    if kind not in ("svg", "png", "pdf"):
        raise _core.Error(f"{what}.save: path must end in .svg, .png or .pdf, found {Path(path).suffix!r}")
    _core.save_bytes(path, rendered(figure(), kind, width, height))
