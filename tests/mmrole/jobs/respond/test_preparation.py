import json

import pytest

from emotion.playing import Material
from mmrole.core.errors import InputError, UsageError
from mmrole.jobs.respond.preparation import Setup, prepare
from mmrole.llm import ImagePart, ScriptedModel

NOBODY_ASKED = ScriptedModel([], name="agent")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"condition": "both"}, "--condition has to be one of none, prev, prof, all, not 'both'"),
        ({"condition": "none", "context": "video"}, "--context has to be one of text, images, audio, media"),
        ({"condition": "none", "lang": "de"}, "--lang has to be one of en, zh, not 'de'"),
        ({"condition": "none", "history": 0}, "--history 0 makes no sense"),
        ({"condition": "prof"}, "condition prof tells the role's profile: name a file with --roles"),
        ({"condition": "all", "roles": "r"}, "condition all tells what happened before: name a file with --previous"),
        ({"condition": "none", "context": "images"}, "--context images shows the clips: name their features folder"),
        ({"condition": "none", "features": "f"}, "--features is only used with --context images, audio or media"),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises(UsageError, match=message):
        Setup(dialogues="d", **options).check()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("roles", '{"name": "Ann"}\n{"name": "Ann"}\n', r"roles\.jsonl, line 2: role 'Ann' of show None is there a second time"),
        ("roles", '{"name": "Ann", "profile": "brave"}\n', r"roles\.jsonl, line 1: field profile"),
        ("roles", '{"name": "Ann"', r"roles\.jsonl, line 1: no JSON object"),
        ("roles", "", r"roles\.jsonl: the file is empty, there are no roles in it"),
        ("previous", '{"dialogue_id": "d1", "role": "Ann"}\n', r"previous\.jsonl, line 1: field text: field required"),
        ("dialogues", "no table", r"dialogues\.jsonl: neither a CPED nor a MELD table"),
        ("descriptions", '{"utterance_id": "x", "modality": "face", "text": "smiles", "describer": "a"}\n',
         r"descriptions\.jsonl describes no utterance of these dialogues \(it has 'x', \.\.\.; they have 'd1_0', \.\.\.\)"),
        ("descriptions", '{"utterance_id": "d1_0", "modality": "nose", "text": "red", "describer": "a"}\n',
         r"descriptions\.jsonl, line 1: field modality"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_used(world, name, content, message):
    path = world.folder / f"{name}.jsonl"
    path.write_text(content)
    files = {"dialogues": world.dialogues, "roles": world.roles, "previous": world.previous, name: path}
    with pytest.raises(InputError, match=message):
        prepare(Setup(condition="all", **files), NOBODY_ASKED)


def test_files_that_are_not_there(world):
    with pytest.raises(InputError, match=r"gone\.jsonl: cannot be read"):
        prepare(Setup(dialogues=world.dialogues, condition="prof", roles=world.folder / "gone.jsonl"), NOBODY_ASKED)


def test_a_picture_of_a_role_lies_beside_the_roles_file(world):
    features = world.folder / "features"
    features.mkdir()
    (features / "clips.jsonl").write_text('{"clip_id": "d1_0", "files": {}}\n')
    (features / "manifest.json").write_text('{"command": "extract"}')
    setup = Setup(dialogues=world.dialogues, condition="prof", roles=world.roles, features=features, context="images")
    play = prepare(setup, NOBODY_ASKED)
    assert play.stage.images == {
        "ann.png": ImagePart(data=(world.folder / "ann.png").read_bytes(), media_type="image/png")
    }
    (world.folder / "ann.png").unlink()
    with pytest.raises(
        InputError, match=r"roles\.jsonl: image of a role: .*ann\.png: cannot be read .*: correct the path"
    ):
        prepare(setup, NOBODY_ASKED)


def test_inputs_are_hashed_and_language_is_told_from_the_dialogues(world):
    play = prepare(Setup(dialogues=world.dialogues, condition="prev", previous=world.previous), NOBODY_ASKED)
    assert set(play.inputs) == {"dialogues", "previous"}
    assert play.stage.language == "en"
    lacking = [name for name, each in play.material.items() if not isinstance(each, Material)]
    assert lacking == ["d2_1"]  # Cleo
    chinese = json.loads(world.dialogues.read_text("utf-8").splitlines()[0])
    for utterance in chinese["utterances"]:
        utterance["text"] = "好"
    world.dialogues.write_text(json.dumps(chinese) + "\n", "utf-8")
    assert prepare(Setup(dialogues=world.dialogues, condition="none"), NOBODY_ASKED).stage.language == "zh"
