# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""The notebooks run top to bottom, and what they store is what they show."""

import copy
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[3] / "examples"
NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))
NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")


def test_there_is_one_for_each_note():
    assert [name[:7] for name in NOTEBOOKS] == [f"note_{n}_" for n in range(5)]


def shown(cell):
    """All text, and how many pictures."""
    outputs = cell.get("outputs", [])
    data = [output.get("data", {}) for output in outputs]
    # Objects of other libraries tell where they lie.
    text = [output.get("text", "") for output in outputs] + [re.sub(r"<.*>", "", one.get("text/plain", "")) for one in data]
    return "".join(text), sum(any(kind.startswith("image/") for kind in one) for one in data)


def numbers(text):
    return [float(x) for x in NUMBER.findall(text)]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook(name, tmp_path):
    stored = nbformat.read(FOLDER / name, as_version=4)
    fresh = copy.deepcopy(stored)
    NotebookClient(fresh, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    pictures = 0
    for a, b in zip(stored.cells, fresh.cells):
        (text, drawn), (expected, other) = shown(a), shown(b)
        assert NUMBER.sub("0", text) == NUMBER.sub("0", expected) and drawn == other, a.source
        assert numbers(text) == pytest.approx(numbers(expected), rel=1e-3, abs=1e-3)
        pictures += drawn
    calls = sum(cell.source.count(f"{call}(") for cell in stored.cells for call in ("show_heatmaps", "d2l.plot", "heed.Chart"))
    assert pictures == calls
    for cell in fresh.cells:
        if "heed.show_heatmaps" in cell.source:
            (data,) = (o.data for o in cell.outputs if "data" in o)
            assert data["image/svg+xml"].lstrip().startswith(("<svg", "<?xml")) and data["image/png"]
