import subprocess
import sys
import zipfile

import numpy as np
import pytest

from extractors.video.litert_model import LiteRtModel, read_bundle, read_model, sigmoid
from mmrole.core.errors import MissingExtraError, ModelFileError


@pytest.fixture(scope="module")
def blendshapes(model_files):
    (model,) = read_bundle(model_files["face_landmarker.task"], "face_blendshapes.tflite")
    return LiteRtModel(model, "face_blendshapes.tflite")


def test_model_runs_and_repeats_itself(blendshapes):
    assert blendshapes.input_shape == (146, 2)
    points = np.random.default_rng(1).random((146, 2), np.float32) * 100
    (first,) = (output.copy() for output in blendshapes(lambda given: np.copyto(given, points)))
    assert first.shape == (52,)
    (again,) = (output.copy() for output in blendshapes(lambda given: np.copyto(given, points)))
    assert np.array_equal(first, again)


def test_a_kept_view_is_an_error_not_a_wrong_number(blendshapes):
    views = blendshapes(lambda given: given.fill(1))
    with pytest.raises(RuntimeError, match="reference to internal data"):
        blendshapes(lambda given: given.fill(2))
    del views
    blendshapes(lambda given: given.fill(2))


def test_an_error_while_filling_leaves_the_model_usable(blendshapes):
    def fill(given):
        kept = given[:5]
        raise ValueError(f"a bad picture: {kept.shape}")

    with pytest.raises(ValueError, match="a bad picture") as caught:
        blendshapes(fill)
    assert blendshapes(lambda given: given.fill(2))[0].shape == (52,)
    assert caught.value.__traceback__ is not None  # the error is still held here


def test_one_thread_and_a_quiet_standard_error(model_files):
    code = (
        "import sys, pathlib, threading, os\n"
        "from extractors.video.litert_model import LiteRtModel, read_model\n"
        "model = LiteRtModel(read_model(pathlib.Path(sys.argv[1])), 'model')\n"
        "model(lambda given: given.fill(0))\n"
        "print(len(os.listdir('/proc/self/task')), 'jax' in sys.modules, 'tensorflow' in sys.modules)\n"
        "print('heard', file=sys.stderr)\n"
    )
    path = str(model_files["face_detection_full_range.tflite"])
    run = subprocess.run(
        [sys.executable, "-c", code, path],
        capture_output=True,
        text=True,
        check=True,
        env={"OPENBLAS_NUM_THREADS": "1", "PATH": "/usr/bin:/bin"},
    )
    assert run.stderr == "heard\n"
    assert run.stdout.split() == ["1", "False", "False"]


def test_damaged_model():
    with pytest.raises(ModelFileError, match=r"the model some\.tflite cannot be loaded .*fetch it again"):
        LiteRtModel(b"TFL3 is not enough" * 10, "some.tflite")


def test_missing_runtime(monkeypatch):
    monkeypatch.setitem(sys.modules, "ai_edge_litert.interpreter", None)
    with pytest.raises(MissingExtraError, match=r"pip install ai-edge-litert, or .*pip install 'mmrole\[mediapipe\]'"):
        LiteRtModel(b"", "any")


def test_missing_files(tmp_path):
    for read in (read_bundle, read_model):
        with pytest.raises(ModelFileError, match=r"nothing\.task: no such model file; fetch it with `mmrole models"):
            read(tmp_path / "nothing.task")


def test_unreadable_files(tmp_path):
    page = tmp_path / "page.task"
    page.write_bytes(b"<html>")
    with pytest.raises(ModelFileError, match=r"page\.task: not the model file that it should be"):
        read_bundle(page, "a.tflite")
    other = tmp_path / "other.task"
    with zipfile.ZipFile(other, "w") as bundle:
        bundle.writestr("b.tflite", b"")
    with pytest.raises(ModelFileError, match=r"other\.task: not the model file .*a\.tflite"):
        read_bundle(other, "a.tflite")
    with pytest.raises(ModelFileError, match="cannot be read"):
        read_model(tmp_path)


def test_sigmoid_without_overflow():
    values = sigmoid(np.array([-1000, -1, 0, 1, 1000], np.float32))
    # 1 / (1 + e) by hand: 0.268941
    np.testing.assert_allclose(values, [0, 0.268941, 0.5, 0.731059, 1], atol=1e-6)
    assert values.dtype == np.float32
