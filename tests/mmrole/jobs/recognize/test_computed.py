from types import SimpleNamespace

import pytest

from emotion.experts.expert import Case, ExpertVote
from mmrole.core.errors import InputError, MissingExtraError
from mmrole.core.labels import label_set
from mmrole.jobs.recognize.computed import compute

CASES = [Case(utterance_id=f"u{n}", speaker="A", text=f"text {n}") for n in range(5)]
MEMBER = SimpleNamespace(name="mine", streams=("text",), rounds=1)


class Counting:
    """Says happy, or what `says` has for a text."""

    name, kind, baseline, streams = "mine", "test", False, ("text",)
    labels = label_set("cped-13")
    can_give = labels.labels

    def __init__(self, says=None, rule="v1"):
        self.says = says or {}
        self.identity = {"rule": rule}
        self.asked = []

    def vote(self, case, stream, round):  # noqa: A002
        self.asked.append(case.utterance_id)
        said = self.says.get(case.text, "happy")
        if isinstance(said, BaseException):
            raise said
        return said if isinstance(said, ExpertVote) else ExpertVote(label=said)


def votes(stage):
    return [stage.ballot(case, "text", 0) for case in CASES]


def run(expert, folder, cases=CASES):
    return compute(MEMBER, expert, cases, folder, progress=None)


def test_what_is_stored_is_not_computed_again(tmp_path):
    run(Counting(), tmp_path)
    again = Counting()
    stage = run(again, tmp_path)
    assert (again.asked, stage.fresh) == ([], 0)
    assert {vote.label for vote in votes(stage)} == {"happy"}


def test_another_rule_or_another_case_is_computed_anew(tmp_path):
    run(Counting(), tmp_path)
    other = Counting(rule="v2")
    assert run(other, tmp_path).fresh == 5
    changed = [*CASES[:4], Case(utterance_id="u4", speaker="A", text="another")]
    same = Counting(rule="v2")
    run(same, tmp_path, changed)
    assert same.asked == ["u4"]


def test_an_error_costs_its_case_and_is_tried_again(tmp_path):
    stage = run(Counting({"text 1": InputError("u1.mp4 is broken"), "text 2": KeyError("x")}), tmp_path)
    assert [vote.status for vote in votes(stage)] == ["ok", "error", "error", "ok", "ok"]
    assert votes(stage)[1].reason == "u1.mp4 is broken"
    assert votes(stage)[2].reason == "internal: KeyError: 'x'"
    mended = Counting()
    assert [vote.status for vote in votes(run(mended, tmp_path))] == ["ok"] * 5
    assert mended.asked == ["u1", "u2"]


@pytest.mark.parametrize("wrong", ["joyful", ExpertVote(label=None), ExpertVote(label="happy", status="error")])
def test_a_vote_that_makes_no_sense_is_an_error(tmp_path, wrong):
    assert votes(run(Counting({"text 3": wrong}), tmp_path))[3].status == "error"


def test_a_missing_part_ends_the_expert_and_is_told(tmp_path):
    stage = run(Counting({"text 0": MissingExtraError("pip install it")}), tmp_path)
    assert stage.stopped == "pip install it"
    assert {vote.reason for vote in votes(stage)} == {"not asked: pip install it"}


def test_an_interrupted_run_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr("mmrole.jobs.recognize.computed._AT_ONCE", 2)
    with pytest.raises(KeyboardInterrupt):
        run(Counting({"text 3": KeyboardInterrupt()}), tmp_path)
    rest = Counting()
    run(rest, tmp_path)
    assert rest.asked == ["u2", "u3", "u4"]


def test_many_cases_are_given_at_once_and_singly_when_that_fails(tmp_path):
    class Many(Counting):
        def votes(self, cases, stream, round):  # noqa: A002
            if any(case.text == "text 1" for case in cases):
                raise InputError("one of them is broken")
            return [ExpertVote(label="anger")] * len(cases)

    assert [vote.label for vote in votes(run(Many(), tmp_path))] == ["happy"] * 5
