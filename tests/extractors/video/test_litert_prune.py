import numpy as np
import pytest

from extractors.video.litert_model import LiteRtModel, read_bundle
from extractors.video.litert_prune import keep_outputs
from mmrole.core.errors import ModelFileError


@pytest.fixture(scope="module")
def pose_model(model_files):
    (model,) = read_bundle(model_files["pose_landmarker_full.task"], "pose_landmarks_detector.tflite")
    return model


def test_kept_outputs_are_the_same_bit_by_bit(pose_model):
    whole = LiteRtModel(pose_model, "whole")
    part = LiteRtModel(keep_outputs(pose_model, (0, 1, 3)), "part")
    picture = np.random.default_rng(1).random(whole.input_shape, np.float32)
    expected = whole(lambda given: np.copyto(given, picture))
    found = part(lambda given: np.copyto(given, picture))
    assert [output.shape for output in found] == [(1, 195), (1, 1), (1, 64, 64, 39)]
    for output, position in zip(found, (0, 1, 3), strict=True):
        assert np.array_equal(output, expected[position])


def test_operators_of_the_dropped_output_are_gone(pose_model):
    def operators(model):
        interpreter = LiteRtModel(model, "model")._interpreter
        return {entry["index"] for entry in interpreter._get_ops_details() if entry["op_name"] != "DELEGATE"}

    # counted from the file with LiteRT's own schema: 332 operators, 282 of which the three outputs need
    assert len(operators(pose_model)) - len(operators(keep_outputs(pose_model, (0, 1, 3)))) == 332 - 282


def test_all_outputs_change_nothing(pose_model):
    assert keep_outputs(pose_model, range(5)) == pose_model


@pytest.mark.parametrize("outputs", [(0, 5), (1, 0), (0, 0), (-1,)])
def test_outputs_that_are_not_there(pose_model, outputs):
    with pytest.raises(ModelFileError, match="has 5 outputs, not those that are needed"):
        keep_outputs(pose_model, outputs)


@pytest.mark.parametrize("content", [b"", b"<html>not found</html>"])
def test_no_model(content):
    with pytest.raises(ModelFileError, match="does not hold a LiteRT model: fetch it again"):
        keep_outputs(content, (0,))
