import json

import pytest

from emotion.descriptions import Description, descriptions_of, read_descriptions
from mmrole.core.errors import InputError, UsageError

RECORDS = [
    {"utterance_id": "u1", "modality": "face", "text": "She smiles.", "describer": "embedded.en", "reason": None},
    {"utterance_id": "u2", "modality": "face", "text": None, "describer": "embedded.en", "reason": "no_face"},
    {"utterance_id": "u1", "modality": "speech", "text": "Loud.", "describer": "m", "reason": None},
]


def write(path, records):
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return path


def test_records_come_back_by_utterance_and_modality(tmp_path):
    found = read_descriptions(write(tmp_path / "descriptions.jsonl", RECORDS))
    assert {name: list(each) for name, each in found.items()} == {"u1": ["face", "speech"], "u2": ["face"]}
    assert found["u2"]["face"] == Description(
        utterance_id="u2", modality="face", text=None, describer="embedded.en", reason="no_face"
    )
    assert [each.to_record() for of_one in found.values() for each in of_one.values()] == [
        RECORDS[0],
        RECORDS[2],
        RECORDS[1],
    ]
    assert descriptions_of(each for of_one in found.values() for each in of_one.values()) == found


def test_a_reason_may_be_left_out_where_there_is_a_text():
    record = {"utterance_id": "u", "modality": "text", "text": "Says no.", "describer": "m"}
    assert descriptions_of([record])["u"]["text"].reason is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"modality": "smell"}, "field modality"),
        ({"text": None}, "null without a reason"),
        ({"text": None, "reason": ""}, "null without a reason"),
        ({"text": " \n"}, "a description is blank"),
        ({"reason": "no_face"}, "needs no reason"),
        ({"text": 3}, "field text"),
        ({"utterance_id": ""}, "field utterance_id"),
        ({"describer": None}, "field describer"),
    ],
)
def test_a_bad_record_is_named(tmp_path, change, said):
    path = write(tmp_path / "descriptions.jsonl", [RECORDS[1], {**RECORDS[0], **change}])
    with pytest.raises(InputError, match=rf"descriptions\.jsonl, line 2: .*{said}"):
        read_descriptions(path)


def test_a_field_that_is_missing_is_named():
    with pytest.raises(InputError, match="description 1: field text"):
        descriptions_of([{"utterance_id": "u", "modality": "face", "describer": "m", "reason": "no_face"}])


def test_two_describers_of_one_modality_are_refused(tmp_path):
    path = tmp_path / "descriptions.jsonl"
    write(path, [*RECORDS, {**RECORDS[1], "describer": "other"}])
    with pytest.raises(InputError, match=r"line 4: face of 'u2' .*'other'.* line 2 \(by 'embedded.en'\)"):
        read_descriptions(path)


def test_a_path_is_no_records(tmp_path):
    with pytest.raises(UsageError, match="read_descriptions"):
        descriptions_of(str(tmp_path))
    with pytest.raises(InputError, match="empty"):
        read_descriptions(write(tmp_path / "none.jsonl", []))
