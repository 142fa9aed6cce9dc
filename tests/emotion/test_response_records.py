import json

import pytest

from emotion.response_records import AgentUtterance, read_responses, responses_from
from emotion.responses import responses_of
from mmrole.core.errors import InputError

GIVEN = {
    "utterance_id": "d_1", "dialogue_id": "d", "role": "Ann", "condition": "all", "agent": "a", "status": "ok", "reason": None,
    "utterances": [{"text": "Hi.", "face": "smiles", "body": None}, {"text": "Sit down.", "face": " ", "mood": "good"}],
}  # fmt: skip
NONE = {**GIVEN, "utterance_id": "d_3", "utterances": None, "status": "refusal", "reason": "the model declined"}


def written(path, *records):
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def test_records_are_read_and_written(tmp_path):
    first, second = read_responses(written(tmp_path / "responses.jsonl", GIVEN, NONE))
    assert first.utterances == (AgentUtterance(text="Hi.", face="smiles"), AgentUtterance(text="Sit down."))
    assert first.utterance_ids() == ("d_1/0", "d_1/1")
    assert (second.utterances, second.utterance_ids(), second.status) == (None, (), "refusal")
    again = written(tmp_path / "again.jsonl", first.to_record(), second.to_record())
    assert read_responses(again) == [first, second]
    assert responses_from([first]) == [first]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"utterances": []}, "status 'ok' with 0 utterances"),
        ({"utterances": None}, "status 'ok' with 0 utterances"),
        ({"status": "refusal", "reason": "x"}, "status 'refusal' with 2 utterances"),
        ({"utterances": None, "status": "refusal"}, "status 'refusal' without a reason"),
        ({"utterances": [{"text": " "}]}, r"field utterances\.0\.text: value error, it is blank"),
        ({"utterances": [{"face": "smiles"}]}, r"field utterances\.0\.text: field required"),
        ({"utterances": "Hi."}, "field utterances: input should be a valid list"),
        ({"utterance_id": ""}, "field utterance_id"),
        ({"role": 3}, "field role: input should be a valid string, got 3"),
    ],
)
def test_broken_records_are_told_with_file_and_line(tmp_path, change, message):
    path = written(tmp_path / "responses.jsonl", NONE, {**GIVEN, **change})
    with pytest.raises(InputError, match=rf"responses\.jsonl, line 2: {message}"):
        read_responses(path)


def test_a_turn_has_one_response(tmp_path):
    with pytest.raises(InputError, match=r"line 2: a second response to the turn 'd_1', the first: .*line 1"):
        read_responses(written(tmp_path / "responses.jsonl", GIVEN, GIVEN))


def test_an_empty_file_is_told(tmp_path):
    with pytest.raises(InputError, match="there are no responses in it"):
        read_responses(written(tmp_path / "responses.jsonl"))


def test_scoring_reads_the_same_records():
    from emotion.corpus import corpus_of
    from emotion.votes import count_votes
    from mmrole.core.dialogue import Dialogue, Utterance
    from mmrole.core.labels import label_set

    said = [("d_0", "Bo"), ("d_1", "Ann"), ("d_2", "Bo"), ("d_3", "Ann")]
    dialogue = Dialogue(
        dialogue_id="d",
        utterances=tuple(Utterance(utterance_id=u, speaker=s, text="...", emotion="happy") for u, s in said),
    )
    labels = label_set("cped-13")
    vote = {"utterance_id": "d_1/0", "stream": "all", "expert": "e", "round": 0, "label": "happy"}
    votes = count_votes([vote], labels)
    given = [record.to_record() for record in responses_from([GIVEN, {**GIVEN, "utterance_id": "d_2"}, NONE])]
    left_out = responses_of(corpus_of([dialogue], labels), votes, given=given).left_out
    assert (left_out["no_votes"], left_out["no_response"]) == (1, 1)  # by hand: one answer without votes, one refusal
