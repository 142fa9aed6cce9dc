"""The notebooks are stored without output, and run from top to bottom."""

import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path):
    return nbformat.read(path, as_version=4)


def test_the_notebook_of_extraction_is_there():
    assert "01_extract" in [path.stem for path in NOTEBOOKS]


@every_notebook
def test_is_valid_and_stored_without_output(path):
    notebook = read(path)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)


@pytest.fixture(scope="module")
def executed(model_files, tmp_path_factory):
    """Runs a notebook in a copy of the checkout's notebooks and fixtures; returns its cells by id."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in ("notebooks", "fixtures"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("features", "__pycache__"))

    def run(name):
        notebook = read(copy / "notebooks" / name)
        client = NotebookClient(
            notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(copy / "notebooks")}}
        )
        client.execute()
        return {cell.id: cell for cell in notebook.cells}

    return run


def texts(cell):
    return "".join(output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in cell.outputs)


def pictures(cell):
    return sum("image/png" in output.get("data", {}) for output in cell.outputs)


@pytest.mark.slow
def test_extract_runs(executed):
    cells = executed("01_extract.ipynb")
    outputs = [output for cell in cells.values() for output in cell.get("outputs", [])]
    assert [output for output in outputs if output.get("name") == "stderr"] == []  # warnings go there
    # fixtures/clips holds six clips; nothing else lies in it
    assert "'inputs': 6, 'done': 6, 'failed': 0" in texts(cells["extract"])
    assert "no_audio_stream" in texts(cells["reasons"])
    assert "no_face" in texts(cells["reasons"])
    assert [pictures(cells[name]) for name in ("prosody", "sheet", "sheet-none", "tables")] == [1, 1, 1, 1]
