# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Heatmaps as matplotlib's figures: the same numbers, names and colours as in heed's own pictures."""

import io
import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure

import heed

matplotlib.use("Agg")


@pytest.fixture
def weights(rng):
    return rng.random((2, 3, 4, 5))


def panels(figure):
    return [axes for axes in figure.axes if axes.images]


def test_every_panel_shows_its_matrix_on_one_scale(weights):
    heatmap = heed.show_heatmaps(weights, cmap="Blues")
    figure = heatmap.figure()
    assert isinstance(figure, Figure)
    for axes, matrix in zip(panels(figure), weights.reshape(6, 4, 5), strict=True):
        (image,) = axes.images
        np.testing.assert_array_equal(image.get_array(), matrix)
        assert image.get_clim() == heatmap.range
        assert image.get_cmap().name == "Blues"
    assert len(figure.axes) == 7  # and the colour bar


def test_names_stand_where_they_do_in_other_pictures(weights):
    heatmap = heed.Heatmap(
        weights, title="All", x_label="Keys", y_label="Queries", panel_titles=["a", "b", "c"],
        queries=list("wxyz"), keys=list("12345"),
    )  # fmt: skip
    figure = heatmap.figure()
    figure.canvas.draw()
    grid = np.array(panels(figure)).reshape(2, 3)
    assert figure.get_suptitle() == "All"
    assert [axes.get_title() for axes in grid.flat] == ["a", "b", "c", "", "", ""]
    assert [axes.get_xlabel() for axes in grid.flat] == [""] * 3 + ["Keys"] * 3
    assert [axes.get_ylabel() for axes in grid.flat] == ["Queries", "", ""] * 2
    assert [label.get_text() for label in grid[1, 0].get_xticklabels()] == list("12345")
    assert [label.get_text() for label in grid[1, 0].get_yticklabels()] == list("wxyz")


def test_one_title_per_panel(weights):
    figure = heed.show_heatmaps(weights, titles=list("abcdef")).figure()
    assert [axes.get_title() for axes in panels(figure)] == list("abcdef")


def test_one_matrix_and_a_row_of_them(weights):
    assert len(panels(heed.show_heatmaps(weights[0, 0]).figure())) == 1
    assert len(panels(heed.show_heatmaps(weights[0]).figure())) == 3
    assert len(panels(heed.show_heatmaps(np.eye(3, dtype=bool)).figure())) == 1


def test_gaps_are_grey(weights):
    weights[0, 0, 0, 0] = np.nan
    image = panels(heed.show_heatmaps(weights).figure())[0].images[0]
    assert matplotlib.colors.to_hex(image.to_rgba(image.get_array())[0, 0]) == "#b0b0b0"


def test_labels_are_data():
    names = ["$x", "\\frac{$"]
    heatmap = heed.Heatmap(np.eye(2), title="$\\nothing$", x_label="$\\", panel_titles=["$_$"], queries=names, keys=names)
    file = io.BytesIO()
    heatmap.figure().savefig(file, format="svg")  # mathtext would be an error
    assert b"<svg" in file.getvalue()


def test_it_draws_into_a_part_of_a_figure(weights):
    left, right = Figure(layout="constrained").subfigures(1, 2)
    heed.show_heatmaps(weights[0]).draw(right)
    assert (len(panels(left)), len(panels(right))) == (0, 3)


def test_mistakes_are_those_of_other_pictures():
    with pytest.raises(heed.Error, match="panel_titles: expected none, 1"):
        heed.show_heatmaps(np.eye(2), titles=["a", "b"]).figure()


def test_pyplot_is_left_alone():
    program = "import heed, sys; heed.show_heatmaps(heed.eye(2)).figure(); print('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "False\n"


def test_it_draws_where_it_is_installed(weights, tmp_path):
    heatmap = heed.show_heatmaps(weights, "Keys", "Queries", ["a", "b", "c"], (7, 4), "magma")
    assert heatmap.colours == "magma" and panels(heatmap.figure())[0].images[0].get_cmap().name == "magma"
    assert tuple(heatmap.figure().get_size_inches()) == (7, 4)
    assert "Matplotlib" in heatmap.svg() and heatmap._repr_png_().startswith(b"\x89PNG")
    for name in ("x.svg", "x.png", "x.pdf"):
        heatmap.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
    with pytest.raises(heed.Error, match="path must end in .svg, .png or .pdf, found '.gif'"):
        heatmap.save(tmp_path / "x.gif")
    with pytest.raises(heed.Error, match="colours must be a colour map of Matplotlib's, found \"nothing\""):
        heed.show_heatmaps(weights, cmap="nothing")


def test_charts():
    series = [
        heed.Series([0, 1, 2], [1.0, 4.0, 9.0], name="line"), heed.Series([0, 1], [1.0, 2.0], style="dashes"),
        heed.Series([0, 1], [1.0, 2.0], style="points", name="$x"), heed.Series([0, 1], [1.0, 2.0], upper=[2.0, 3.0], name="band"),
    ]  # fmt: skip
    chart = heed.Chart(series, title="$t$", x_label="x", y_label="y", x_range=(0, 3), y_range=(1, 10), y_scale="log")
    (axes,) = chart.figure().axes
    assert [(line.get_linestyle(), line.get_marker()) for line in axes.lines] == [("-", "None"), ("--", "None"), ("None", "o")]
    assert len(axes.collections) == 1 and [t.get_text() for t in axes.get_legend().get_texts()] == ["line", "$x", "band"]
    assert (axes.get_xlim(), axes.get_ylim(), axes.get_yscale(), axes.get_title()) == ((0, 3), (1, 10), "log", "$t$")
    assert "Matplotlib" in chart.svg()
