"""The notebook runs top to bottom and shows its pictures."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).resolve().parents[3] / "examples" / "attention.ipynb"


def test_notebook(tmp_path):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not kept in the repository"
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    pictures = [
        output.data
        for cell in notebook.cells
        if "show_heatmaps" in cell.source
        for output in cell.outputs
        if output.output_type == "execute_result"
    ]
    assert len(pictures) == sum("show_heatmaps" in cell.source for cell in notebook.cells) == 4
    for data in pictures:
        assert data["image/svg+xml"].lstrip().startswith(("<svg", "<?xml"))
        assert data["image/png"] and "heat" in data["text/plain"].lower()
