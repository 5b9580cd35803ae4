# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Pictures: what a heatmap says of itself, and what it needs to be drawn."""

import io
import shutil
import sys

import numpy as np
import pytest

import heed


def test_a_heatmap_says_what_it_draws():
    heatmap = heed.Heatmap(
        np.eye(2), title="t", x_label="x", y_label="y", panel_titles=["p"], queries=["a", "b"], keys=["c", "d"],
        colours="viridis", range=(-1, 2),
    )  # fmt: skip
    np.testing.assert_array_equal(heatmap.values.numpy(), np.eye(2))
    assert (heatmap.title, heatmap.x_label, heatmap.y_label) == ("t", "x", "y")
    assert (heatmap.panel_titles, heatmap.queries, heatmap.keys) == (["p"], ["a", "b"], ["c", "d"])
    assert (heatmap.colours, heatmap.range) == ("viridis", (-1.0, 2.0))


def test_the_range_of_colours_follows_the_values():
    assert heed.show_heatmaps(np.array([[0.25, 0.75]])).range == (0.0, 0.75)
    assert heed.show_heatmaps(np.array([[0.5, 0.75], [np.nan, np.inf]])).range == (0.5, 0.75)


def test_figures_say_what_to_install(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as if it were not installed
    with pytest.raises(ImportError, match="Heatmap.figure: needs matplotlib.*pip install matplotlib"):
        heed.show_heatmaps(np.eye(2)).figure()


@pytest.fixture
def without_matplotlib(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)


CHART = [heed.Series([0, 1, 2], [1.0, 4.0, 9.0], name="a"), heed.Series([0, 1], [1.0, 2.0], upper=[2.0, 3.0], style="line")]


def test_without_either_the_error_names_both(without_matplotlib, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    for picture in (heed.show_heatmaps(np.eye(2)), heed.Chart(CHART)):
        for call in (picture.svg, lambda: picture.save(tmp_path / "x.png")):
            with pytest.raises(heed.Error, match=r"needs Matplotlib \(pip install matplotlib\) or gnuplot \(apt install gnuplot-nox\), found neither"):
                call()
    with pytest.raises(heed.Error, match='colours must be "Reds", "Blues", "viridis" or "RdBu_r", or one of Matplotlib'):
        heed.show_heatmaps(np.eye(2), cmap="magma")


@pytest.mark.skipif(shutil.which("gnuplot") is None, reason="no gnuplot")
def test_gnuplot_draws_where_matplotlib_is_missing(without_matplotlib, tmp_path):
    for picture in (heed.show_heatmaps(np.eye(2)), heed.Chart(CHART)):
        assert "gnuplot" in picture.svg().lower()
        assert picture._repr_png_().startswith(b"\x89PNG")
        picture.save(tmp_path / "x.pdf", width=300, height=200)
        assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF")


def test_a_chart_says_what_it_draws():
    chart = heed.Chart(CHART, title="t", x_label="x", y_label="y", x_range=(0, 3), y_range=(1, 10), y_scale="log")
    assert (chart.title, chart.x_label, chart.y_label) == ("t", "x", "y")
    assert (chart.x_range, chart.y_range, chart.y_scale) == ((0.0, 3.0), (1.0, 10.0), "log")
    first, band = chart.series
    assert first.name == "a" and first.y.tolist() == [1, 4, 9] and first.upper is None and band.upper.tolist() == [2, 3]
    assert "a" in chart.text() and "chart" in repr(chart).lower()


def test_downsampling_keeps_what_stands_out():
    matrix = np.zeros((1000, 300))
    matrix[517, 211] = 5
    small = heed.downsample(matrix, height=10, width=30)
    assert small.shape == (10, 30) and small.max().item() == 5
    assert abs(heed.downsample(matrix, height=10, width=30, pool="mean").sum().item() * 1000 - 5) < 1e-9


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_training_curve_grows(monkeypatch):
    out = Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    curve = heed.TrainingCurve(["train", "test"], x_label="epoch", y_scale="log")
    curve.add(1, 4.0, None)
    lines = out.getvalue().count("\n")
    curve.add(2, heed.tensor(2.0), 3.0)
    monkeypatch.undo()
    assert f"\x1b[{lines}A" in out.getvalue()  # over what was written
    train, test = curve.chart().series
    assert train.x.tolist() == [1, 2] and train.y.tolist() == [4, 2] and test.x.tolist() == [2] and test.name == "test"
    with pytest.raises(heed.Error, match="TrainingCurve.add: expected 2 values, found 1"):
        curve.add(3, 1.0)


def test_tables(tmp_path):
    table = heed.Table()
    table.add("name", ["Ann", "Bob"])
    table.add("waist", [51.0, 56.0])
    heed.save_table(tmp_path / "t.csv", table)
    read = heed.load_table(tmp_path / "t.csv")
    assert read.names == ["name", "waist"] and (read.rows, read.columns) == (2, 2)
    assert read.text("name") == ["Ann", "Bob"] and read.numbers("waist").tolist() == [51, 56] and read.cell(1, 0) == "Bob"
    assert read.is_numeric("waist") and not read.is_numeric("name")
    assert heed.load_table(tmp_path / "t.csv", header=False).rows == 3
    with pytest.raises(heed.Error, match="separator must be one character"):
        heed.load_table(tmp_path / "t.csv", separator=";;")
    (tmp_path / "german.csv").write_text("a;b\n1,5;2\nkeine;3\n")
    german = heed.load_table(tmp_path / "german.csv", separator=";", decimal=",", missing=["keine"])
    assert german.numbers("a")[0].item() == 1.5 and german.numbers("b").tolist() == [2, 3]
