"""The notebooks are stored without output, and run from top to bottom."""

import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from mmrole.plotting.fonts import chinese_family

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path):
    return nbformat.read(path, as_version=4)


def test_the_notebooks_are_there():
    assert {"01_extract", "02_score", "03_merry", "04_textbench"} <= {path.stem for path in NOTEBOOKS}


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


def warnings(cells):
    """What the cells wrote to standard error, but for the notice that a machine has no font with Chinese."""
    outputs = [output for cell in cells.values() for output in cell.get("outputs", [])]
    said = [output["text"] for output in outputs if output.get("name") == "stderr"]
    return said if chinese_family() else [text for text in said if "font" not in text]


def pictures(cell):
    return sum("image/png" in output.get("data", {}) for output in cell.outputs)


@pytest.mark.slow
def test_extract_runs(executed):
    cells = executed("01_extract.ipynb")
    assert warnings(cells) == []
    # fixtures/clips holds six clips; nothing else lies in it
    assert "'inputs': 6, 'done': 6, 'failed': 0" in texts(cells["extract"])
    assert "no_audio_stream" in texts(cells["reasons"])
    assert "no_face" in texts(cells["reasons"])
    assert [pictures(cells[name]) for name in ("prosody", "sheet", "sheet-none", "tables")] == [1, 1, 1, 1]


def test_score_runs(executed):
    cells = executed("02_score.ipynb")
    assert warnings(cells) == []
    # the fixtures' table has six utterances
    assert len(texts(cells["read"]).splitlines()) == 6
    # by hand: 7 of 10 reach seven tenths, 6 of 10 do not
    assert "{'happy': 7, 'anger': 3} -> happy None" in texts(cells["fuse"])
    assert "{'happy': 6, 'anger': 4} -> None no_majority" in texts(cells["fuse"])
    assert "mec/set-micro-f1/v1" in texts(cells["one-score"])
    drawn = ("scores", "confusion", "classes", "transitions", "timeline", "erc")
    assert [pictures(cells[name]) for name in drawn] == [1] * len(drawn)


@pytest.mark.slow
def test_merry_runs(executed):
    cells = executed("03_merry.ipynb")
    assert warnings(cells) == []
    assert "(no_face)" in texts(cells["descriptions"])
    assert "baseline, not for reporting" in texts(cells["recognize"])
    # 40 dialogues of eight turns, of which the first is no response
    assert texts(cells["agents"]).count("'done': 280") == 3
    # what the strict judge invents is counted
    assert "unverified_evidence" in texts(cells["judges"])
    drawn = ("classes", "transitions", "score-picture", "episodes")
    assert [pictures(cells[name]) for name in drawn] == [1] * len(drawn)
    table = next(line for line in texts(cells["compare"]).splitlines() if line.startswith("| copies"))
    # a copy is best in what is compared with the truth: MEC of both levels and EDD of both kinds are 1
    assert table.count("**1.000**") == 4


@pytest.mark.slow
def test_textbench_runs(executed):
    cells = executed("04_textbench.ipynb")
    assert warnings(cells) == []
    assert "from 2 books" in texts(cells["lifechoice-compare"])
    said = [line.split() for line in texts(cells["deciders"]).splitlines()[1:]]
    # what the three agents do is known: debiased DBR, position bias and flip rate by their definitions
    assert [float(value) for _, _, value in said] == [0.5, 0.5, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    drawn = ("lifechoice-picture", "rolecde-picture", "radar")
    assert [pictures(cells[name]) for name in drawn] == [1] * len(drawn)
