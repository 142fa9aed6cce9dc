"""What many tests share: the fixture clips, the model files, and one extraction of the clips."""

import importlib.util
from pathlib import Path

import hypothesis
import pytest

# a busy machine is no defect: no test depends on time
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def fixture_clips():
    return ROOT / "fixtures" / "clips"


@pytest.fixture(scope="session")
def model_files():
    """Paths of the model files; tests fetch nothing themselves."""
    from mmrole.core.model_files import MODEL_FILES, models_folder, state

    folder = models_folder()
    lacking = [model.name for model in MODEL_FILES if state(model, folder) != "ok"]
    if lacking:
        pytest.fail(f"{', '.join(lacking)} not in {folder}: run `mmrole models fetch` first (it needs a network)")
    return {model.name: folder / model.name for model in MODEL_FILES}


@pytest.fixture(scope="session")
def fixture_features(fixture_clips, model_files, tmp_path_factory):
    """Features of the fixture clips, made by the real command's function with two workers."""
    import mmrole

    out = tmp_path_factory.mktemp("features") / "out"
    mmrole.extract(fixture_clips, out=out, jobs=2, dialogues=ROOT / "fixtures" / "dialogues.csv")
    return out


def pytest_collection_modifyitems(items):
    """Tests that need an extra say so when they are left out."""
    for item in items:
        if item.get_closest_marker("conformance") and importlib.util.find_spec("mediapipe") is None:
            item.add_marker(pytest.mark.skip(reason="needs the extra `mediapipe`"))
