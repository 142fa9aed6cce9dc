from emotion.playing.material import Lack
from emotion.playing.outcome import answer_in, blocked, response_of, unplayed
from emotion.playing.targets import targets_of
from emotion.response_records import AgentUtterance

SAID = {"text": "Hi.", "face": "smiles", "body": None, "speech": None}


def record(**fields):
    return {"status": "ok", "reason": None, "rule": "strict_json", "value": {"utterances": [SAID]}, **fields}


def test_a_reply_becomes_a_response(dialogues):
    target = targets_of(dialogues).targets[0]
    found = response_of(target, record(), condition="all", agent="a")
    assert (found.utterance_id, found.dialogue_id, found.role) == ("d1_1", "d1", "Bo")
    assert (found.status, found.reason, found.utterances) == ("ok", None, (AgentUtterance(text="Hi.", face="smiles"),))


def test_what_is_no_answer_says_why(dialogues):
    target = targets_of(dialogues).targets[0]
    cut = record(status="truncated", reason="length", value=None, rule=None)
    assert response_of(target, cut, condition="none", agent="a").reason == "length"
    tangled = record(status="unparsed", reason=None, value=None, rule="empty")
    found = response_of(target, tangled, condition="none", agent="a")
    assert (found.utterances, found.status, found.reason) == (None, "unparsed", "empty")
    assert answer_in(None) is None


def test_what_was_not_played_says_why(dialogues):
    target = targets_of(dialogues).targets[2]
    found = unplayed(target, Lack(status="no_profile", reason="no 'Bo'"), condition="prof", agent="a")
    assert (found.utterances, found.status, found.reason) == (None, "no_profile", "no 'Bo'")
    lack = blocked("d1_1", "unparsed")
    assert (lack.status, lack.reason) == (
        "no_own_answer",
        "there is no answer to the same role's turn 'd1_1' before it (unparsed)",
    )
