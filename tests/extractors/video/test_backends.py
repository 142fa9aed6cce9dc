import pytest

from extractors.video.backends import make_observer
from extractors.video.observer import LiteRtObserver
from mmrole.core.errors import ModelFileError
from mmrole.core.extraction import ExtractSettings


def test_observer_of_the_settings(model_files):
    observer = make_observer(model_files, ExtractSettings())
    assert isinstance(observer, LiteRtObserver)
    with pytest.raises(ModelFileError, match=r"model files pose_landmarker_lite\.task are missing"):
        make_observer(model_files, ExtractSettings(pose="lite"))
