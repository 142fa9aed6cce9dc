import json

import pytest

from mmrole.core.errors import InputError
from mmrole.jobs.judge_inputs import read_judge_inputs


def read(judged, responses=None, aspects=("exp", "rel", "cha"), lang=None, **files):
    paths = {name: getattr(judged, name) for name in ("dialogues", "roles", "previous")} | files
    return read_judge_inputs(responses or judged.responses, **paths, aspects=aspects, lang=lang, format="auto")


def rewrite(judged, name, line, old, new):
    path = getattr(judged, name)
    lines = path.read_text().splitlines()
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new)
    path.write_text("\n".join(lines) + "\n")


def test_a_file_or_the_folder_that_holds_it(judged):
    assert len(read(judged).samples) == 5
    assert read(judged, responses=judged.folder).inputs["responses"]["name"] == "responses.jsonl"
    (judged.folder / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty/responses\.jsonl is missing: make it with mmrole respond"):
        read(judged, responses=judged.folder / "empty")


def test_the_language_is_that_of_the_dialogues(judged):
    assert read(judged).language == "en"
    assert read(judged, lang="zh").language == "zh"
    dialogue = {
        "dialogue_id": "d1",
        "utterances": [
            {"utterance_id": "d1_0", "speaker": "Ann", "text": "你去哪儿了"},
            {"utterance_id": "d1_1", "speaker": "Bo", "text": "码头"},
        ],
    }
    judged.dialogues.write_text(json.dumps(dialogue))
    judged.responses.write_text(judged.responses.read_text().splitlines()[0])
    found = read(judged)
    assert found.language == "zh"
    assert set(found.prompts(["cha"], "evidence")) == {"judge/evidence.zh", "judge/cha.zh"}


def test_what_has_to_be_said(judged):
    assert read(judged).notes == [
        "1 of 5 responses are not judged: their roles have no profile", "1 of 5 responses are not judged: there is no response",
    ]  # fmt: skip
    without = (
        "3 of 3 responses are judged for exp, rel against the profile alone: no file of previous information was given"
    )
    assert read(judged, previous=None).notes[0] == without
    assert read(judged, previous=None, aspects=["cha"]).notes == read(judged).notes
    judged.previous.write_text(judged.previous.read_text().splitlines()[0])
    assert (
        read(judged)
        .notes[0]
        .startswith("2 of 3 responses are judged for exp, rel against the profile alone: they have no")
    )


@pytest.mark.parametrize(
    ("name", "line", "old", "new", "message"),
    [
        ("responses", 2, '"d1"', '"d7"', r"responses\.jsonl, line 2: field dialogue_id: there is no dialogue 'd7'"),
        ("responses", 1, '"Bo"', '"Ann"', r"responses\.jsonl, line 1: field role: the turn 'd1_1' is one of 'Bo'"),
        ("responses", 1, '"d1_1"', '"d1_2"', r"responses\.jsonl, line \d: .*'d1_2'"),
        ("responses", 3, '"refusal"', '"ok"', r"responses\.jsonl, line 3: status 'ok' with 0 utterances"),
        ("roles", 1, '"name"', '"nome"', r"roles\.jsonl, line 1: field name"),
        ("roles", 2, '"Bo"', '"Ann"', r"roles\.jsonl, line 2: role 'Ann' of show None is there a second time"),
        ("previous", 1, '"9"', "9", r"previous\.jsonl, line 1: field episode: input should be a valid string, got 9"),
        ("previous", 3, "{", "", r"previous\.jsonl, line 3: no JSON object"),
        ("dialogues", 1, '"speaker"', '"who"', r"dialogues\.jsonl, line 1"),
    ],
)  # fmt: skip
def test_one_line_says_what_is_wrong(judged, name, line, old, new, message):
    rewrite(judged, name, line, old, new)
    with pytest.raises(InputError, match=message) as caught:
        read(judged)
    assert "\n" not in str(caught.value)
