"""Pictures: what a heatmap says of itself, and what it needs to be drawn."""

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
