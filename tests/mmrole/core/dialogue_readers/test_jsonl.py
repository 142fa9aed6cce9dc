import json

import pytest

from mmrole.core.dialogue_readers import DefectKind, read_data_set, read_dialogues
from mmrole.core.dialogue_readers.jsonl import dialogue_record
from mmrole.core.errors import InputError

K = DefectKind
DIALOGUE = {
    "dialogue_id": "d1",
    "show": "S",
    "utterances": [
        {"utterance_id": "d1_0", "index": 0, "speaker": "Anna", "text": "None", "emotion": "happy"},
        {"utterance_id": "d1_1", "index": 1, "speaker": "Ben", "text": "Hi.\nYou", "face_box_px": [1, 2, 3, 4],
         "start_s": 1.5, "traits": {"Openness": "high"}},
    ],
}  # fmt: skip


@pytest.fixture
def lines(tmp_path):
    def write(*records):
        path = tmp_path / "d.jsonl"
        text = "".join((r if isinstance(r, str) else json.dumps(r, ensure_ascii=False)) + "\n" for r in records)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_read(lines):
    (dialogue,) = read_dialogues(lines(DIALOGUE))
    assert (dialogue.dialogue_id, dialogue.show, dialogue.speakers) == ("d1", "S", ("Anna", "Ben"))
    first, second = dialogue.utterances
    assert (first.text, first.emotion, second.emotion) == ("None", "happy", None)
    assert second.face_box_px == (1, 2, 3, 4)


def test_record_and_back(lines):
    (dialogue,) = read_dialogues(lines(DIALOGUE))
    assert dialogue_record(dialogue) == DIALOGUE
    assert read_dialogues(lines(dialogue_record(dialogue)))[0] == dialogue


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ('{"dialogue_id": "d2", ', r"line 2: no JSON"),
        ("[1, 2]", r"line 2: a list, not an object"),
        ({"dialogue_id": "d2", "utterances": []}, "line 2: field utterances: .*at least 1"),
        ({"dialogue_id": "d2", "utterances": [{"utterance_id": "x", "text": "y"}]}, r"field utterances\.0\.speaker: field required"),
        ({"dialogue_id": "d2", "utterances": [{**DIALOGUE["utterances"][0], "start_s": "NaN", "utterance_id": "n"}]},
         r"utterances\.0\.start_s"),
        ({**DIALOGUE, "dialogue_id": "d2"}, "line 2: utterance id 'd1_0' is there a second time"),
    ],
)  # fmt: skip
def test_broken_lines(lines, bad, message):
    path = lines(DIALOGUE, bad)
    with pytest.raises(InputError, match=message) as error:
        read_dialogues(path)
    assert "d.jsonl" in str(error.value)
    counts = read_data_set(path).report.counts
    if "second time" in message:
        assert counts[K.DUPLICATE_UTTERANCE] == 2
    else:
        assert counts[K.BAD_RECORD] == 1


def test_a_misspelt_field_is_reported(lines):
    record = json.loads(json.dumps(DIALOGUE))
    record["utterances"][0]["emotoin"] = record["utterances"][0].pop("emotion")
    report = read_data_set(lines(record)).report
    assert [d.value for d in report.first[K.UNKNOWN_COLUMN]] == ["emotoin"]
    assert report.counts[K.NO_EMOTION] == 2


def test_odd_values(lines):
    record = json.loads(json.dumps(DIALOGUE))
    record["utterances"][0] |= {"speaker": " ", "emotion": " happy"}
    record["utterances"][1]["face_box_px"] = [5, 5, 1, 1]
    data = read_data_set(lines(record))
    first, second = data.dialogues[0].utterances
    assert (first.speaker, first.emotion, second.face_box_px) == ("", "happy", None)
    assert {K.SPACES_IN_FIELD, K.EMPTY_FIELD, K.INVERTED_FACE_BOX} <= set(data.report.counts)
