import pytest

from mmrole.core.errors import InputError, StoreError
from mmrole.jobs.judge import judge
from mmrole.jobs.judge_folder import read_judge_folder


@pytest.fixture
def folder(judged):
    files = {name: getattr(judged, name) for name in ("dialogues", "roles", "previous")}
    judge(judged.responses, **files, judges=[judged.judge("a", {})], out=judged.folder / "out", aspects=["cha"])
    return judged.folder / "out"


def test_what_was_judged(judged, folder):
    found = read_judge_folder(folder)
    assert (found.method, found.aspects, found.judges, len(found.records)) == ("evidence", ["cha"], ["a"], 5)
    assert len(found.inputs({}).samples) == 5


def test_files_that_were_moved_or_changed(judged, folder):
    found = read_judge_folder(folder)
    moved = judged.roles.rename(judged.folder / "moved.jsonl")
    with pytest.raises(
        InputError, match=r"roles\.jsonl: the roles of .* cannot be read .*: say where they are with --roles"
    ):
        found.inputs({})
    assert len(found.inputs({"roles": moved, "responses": None}).samples) == 5
    moved.write_text(moved.read_text() + "\n")
    with pytest.raises(InputError, match=r"moved\.jsonl: not the roles that .* is of, it has other bytes"):
        found.inputs({"roles": moved})


def test_folders_that_are_none(judged, folder, world):
    for place, message in (
        (judged.folder / "nothing", "is no folder of judgements: make it with mmrole judge"),
        (world.folder / "happy", "holds the results of mmrole score, not of mmrole judge"),
        (judged.folder, r"manifest\.json is missing"),
    ):
        with pytest.raises(StoreError, match=message):
            read_judge_folder(place)
    judgements, manifest = folder / "judgements.jsonl", folder / "manifest.json"
    judgements.write_text(judgements.read_text().replace("cha", "exp"))
    with pytest.raises(StoreError, match=r"judgements\.jsonl: has other bytes than when it was made"):
        read_judge_folder(folder)
    judgements.unlink()
    with pytest.raises(StoreError, match="is damaged"):
        read_judge_folder(folder)
    manifest.write_text(manifest.read_text().replace('"judgements.jsonl":', '"other":'))
    with pytest.raises(StoreError, match="a judge is not through: run mmrole judge again"):
        read_judge_folder(folder)
