import json
import shutil

import numpy as np
import pytest

from emotion.score_folder import read_score_folder
from mmrole.core.canonical import file_sha256
from mmrole.core.errors import StoreError, UsageError
from mmrole.plotting.folder_tables import confusion_of, transitions_of


@pytest.fixture
def damaged(world, tmp_path):
    """A folder of scores in which a file was replaced, and the manifest with it."""

    def build(name, change):
        folder = tmp_path / "out"
        shutil.copytree(world.folder / "attentive", folder)
        content = json.loads((folder / name).read_text("utf-8"))
        (folder / name).write_text(json.dumps(change(content)), "utf-8")
        manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
        manifest["files"][name] = file_sha256(folder / name)
        (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
        return read_score_folder(folder)

    return build


def test_confusion_of_both_commands(world):
    table = confusion_of(read_score_folder(world.folder / "attentive"))
    assert (table.what, table.counts.shape, table.labels.name) == ("mec", (13, 2, 2), "cped-13")
    assert confusion_of(read_score_folder(world.folder / "attentive"), "upper").counts.shape == (3, 2, 2)
    recognised = confusion_of(read_score_folder(world.folder / "recognised"))
    assert (recognised.what, recognised.counts.shape) == ("erc", (13, 15))
    # by hand: ten utterances, of which one was predicted null, one not at all, and one with a label that does not exist
    assert recognised.counts.sum() == 10
    assert recognised.counts[:, 13:].sum(axis=0).tolist() == [2, 1]


def test_transitions_of_all_roles_are_the_sum(world):
    folder = read_score_folder(world.folder / "happy")
    whole = transitions_of(folder, "inter")
    parts = [transitions_of(folder, "inter", role) for role in ("Ann", "Bo")]
    for side in ("truth", "prediction"):
        assert np.array_equal(getattr(whole, side).counts, sum(getattr(part, side).counts for part in parts))
    # by hand: the agent lands on happy from sadness, anger (Ann), happy, happy (Bo), relaxed (Bo)
    assert whole.prediction.total == whole.prediction.counts[:, 0].sum() == 5


def test_what_is_not_there_is_said(world):
    with pytest.raises(UsageError, match="holds recognition of level lower: leave --level out"):
        confusion_of(read_score_folder(world.folder / "recognised"), "upper")
    with pytest.raises(UsageError, match=r"results of mmrole erc: there is no transitions\.json to draw"):
        transitions_of(read_score_folder(world.folder / "recognised"), "inter")
    folder = read_score_folder(world.folder / "happy")
    with pytest.raises(UsageError, match="role 'Cleo' has no response; there are 2: Ann, Bo"):
        transitions_of(folder, "inter", "Cleo")
    with pytest.raises(UsageError, match="one of intra, inter, same_speaker, not 'outer'"):
        transitions_of(folder, "outer")


@pytest.mark.parametrize(
    ("name", "change", "read"),
    [
        ("confusion.json", lambda content: {}, confusion_of),
        ("confusion.json", lambda content: [1], confusion_of),
        ("confusion.json", lambda content: {**content, "mec": {"lower": [[1]]}}, confusion_of),
        ("transitions.json", lambda content: {}, lambda folder: transitions_of(folder, "inter")),
        (
            "transitions.json",
            lambda content: {"inter": {"Ann": {"truth": [[0.5]], "prediction": [[1]]}}},
            lambda folder: transitions_of(folder, "inter"),
        ),
    ],
)
def test_a_damaged_file_is_named(damaged, name, change, read):
    with pytest.raises(StoreError, match=f"{name} is damaged .* run mmrole score again") as caught:
        read(damaged(name, change))
    assert "\n" not in str(caught.value)


def test_another_file_than_when_it_was_made(world, tmp_path):
    folder = tmp_path / "out"
    shutil.copytree(world.folder / "happy", folder)
    (folder / "confusion.json").write_text("{}")
    with pytest.raises(StoreError, match=r"confusion\.json: has other bytes"):
        confusion_of(read_score_folder(folder))
