import pytest

from emotion.descriptions import Description
from emotion.experts.cases import ClipCases, ResponseCases, utterance_ids
from emotion.response_records import AgentUtterance, ResponseRecord
from mmrole.core.dialogue import Dialogue, Utterance
from mmrole.core.errors import InputError, UsageError


def dialogue(name="d", speakers="ABBA"):
    utterances = [
        Utterance(utterance_id=f"{name}_{n}", speaker=who, text=f"line {n}", index=n) for n, who in enumerate(speakers)
    ]
    return Dialogue(dialogue_id=name, utterances=tuple(utterances))


def description(utterance_id, modality="face", text="smiles", reason=None):
    return Description(utterance_id=utterance_id, modality=modality, text=text, describer="x", reason=reason)


def response(turn, *texts, role="B", **more):
    said = tuple(AgentUtterance(text=text, **more) for text in texts) or None
    return ResponseRecord(
        utterance_id=turn, dialogue_id="d", role=role, condition="none", agent="a", utterances=said,
        status="ok" if said else "refusal", reason=None if said else "declined",
    )  # fmt: skip


def said(case):
    return [f"{line.speaker}: {line.text}" for line in case.history]


def test_clips_come_in_order_with_the_lines_before_them():
    cases = ClipCases([dialogue(), dialogue("e", "AB")], history=2)
    assert len(cases) == 6
    assert [case.utterance_id for case in cases] == ["d_0", "d_1", "d_2", "d_3", "e_0", "e_1"]
    assert [said(case) for case in cases] == [
        [], ["A: line 0"], ["A: line 0", "B: line 1"], ["B: line 1", "B: line 2"], [], ["A: line 0"],
    ]  # fmt: skip
    assert list(ClipCases([dialogue()], history=0))[3].history == ()


def test_descriptions_that_are_missing_or_could_not_be_made():
    given = {
        "d_0": {"face": description("d_0"), "body": description("d_0", "body", None, "no_body")},
        "zzz": {"face": description("zzz")},
    }
    cases = ClipCases([dialogue()], descriptions=given)
    first, second = list(cases)[:2]
    assert (dict(first.descriptions), dict(first.undescribed)) == ({"face": "smiles"}, {"body": "no_body"})
    assert (dict(second.descriptions), dict(second.undescribed)) == ({}, {})
    assert (cases.undescribed, cases.strangers) == (3, ["zzz"])


def test_descriptions_of_other_dialogues_are_an_error():
    with pytest.raises(InputError, match=r"no description is of an utterance of the dialogues.*'zzz'"):
        ClipCases([dialogue()], descriptions={"zzz": {"face": description("zzz")}})


def test_a_response_sees_the_truth_before_its_turn_and_its_own_lines():
    cases = ResponseCases([dialogue()], [response("d_1", "one", "two", "three"), response("d_3", "bye", role="A")])
    assert len(cases) == 4
    assert [case.utterance_id for case in cases] == ["d_1/0", "d_1/1", "d_1/2", "d_3/0"]
    assert [said(case) for case in cases] == [
        ["A: line 0"],
        ["A: line 0", "B: one"],
        ["A: line 0", "B: one", "B: two"],
        ["A: line 0", "B: line 1", "B: line 2"],
    ]
    short = list(ResponseCases([dialogue()], [response("d_1", "one", "two", "three")], history=1))
    assert [said(case) for case in short] == [["A: line 0"], ["B: one"], ["B: two"]]


def test_what_the_agent_left_out_is_not_there():
    [case] = ResponseCases([dialogue()], [response("d_1", "one", face="frowns", speech=None)])
    assert dict(case.descriptions) == {"face": "frowns"}
    assert case.speaker == "B"


def test_responses_without_utterances_are_counted():
    cases = ResponseCases([dialogue()], [response("d_1"), response("d_3", "x", role="A")])
    assert (len(cases), dict(cases.without)) == (1, {"refusal": 1})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (response("d_2", "x"), "the response to 'd_2': no turn of the dialogues starts with that id"),
        (response("d_1", "x", role="A"), "the response to 'd_1' is by 'A', but the turn is by 'B'"),
    ],
)
def test_responses_to_other_dialogues_are_an_error(given, message):
    with pytest.raises(InputError, match=message):
        ResponseCases([dialogue()], [given])


def test_an_utterance_that_is_there_twice():
    with pytest.raises(InputError, match="'d_0' is there twice"):
        utterance_ids([dialogue(), dialogue()])


def test_a_negative_history_makes_no_sense():
    with pytest.raises(UsageError, match="-1 lines"):
        ClipCases([dialogue()], history=-1)


def test_a_long_dialogue_is_not_copied_over_and_over():
    cases = ClipCases([dialogue("d", "AB" * 5000)], history=3)
    assert max(len(case.history) for case in cases) == 3
