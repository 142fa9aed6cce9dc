import random

import pytest

from emotion.compare import judgement_differences, paired_differences, response_differences
from emotion.evaluate import score
from mmrole.core.errors import UsageError


def thinner(votes, seed):
    """A run without the votes on some of the responses."""
    rng = random.Random(seed)
    turns = dict.fromkeys(v["utterance_id"].rpartition("/")[0] for v in votes)
    dropped = {turn for turn in turns if rng.random() < 0.2}
    return [v for v in votes if v["utterance_id"].rpartition("/")[0] not in dropped]


def changed(votes, seed):
    rng = random.Random(seed)
    return [{**v, "label": "neutral" if rng.random() < 0.3 else v["label"]} for v in votes]


def test_a_run_does_not_differ_from_itself(large):
    report = score(*large, bootstrap=0)
    rows = paired_differences(report, report, bootstrap=30)
    assert [(r.metric, r.part) for r in rows] == [(s.metric, s.part) for s in report.scores]
    for row in rows:
        assert (row.value, row.ci) == (0.0, (0.0, 0.0))
        assert row.definition.startswith("difference of ")


def test_differences_are_of_the_common_responses(large):
    dialogues, votes = large
    # all four roles have enough transitions everywhere
    first = score(dialogues, thinner(votes, 1), bootstrap=0, min_transitions=2)
    second = score(dialogues, changed(thinner(votes, 2), 3), bootstrap=0, min_transitions=2)
    rows = {(r.metric, r.part, r.definition.split(" ")[2]): r for r in paired_differences(first, second, bootstrap=50)}
    # once more by hand: both runs scored on the votes on common responses only
    turns = [{v["utterance_id"].rpartition("/")[0] for v in votes} for votes in (thinner(votes, 1), thinner(votes, 2))]
    common = turns[0] & turns[1]
    kept = [
        [v for v in run if v["utterance_id"].rpartition("/")[0] in common]
        for run in (thinner(votes, 1), changed(thinner(votes, 2), 3))
    ]
    one, two = (score(dialogues, run, bootstrap=0, min_transitions=2) for run in kept)
    assert one["edd", "intra"].n == two["edd", "intra"].n == 4
    for key in [("cec", "lower"), ("ed", "all"), ("ed", "face"), ("edd", "intra"), ("rcd", "inter")]:
        row = next(r for k, r in rows.items() if k[:2] == key)
        assert row.details["first"] == pytest.approx(one[key].value)
        assert row.value == pytest.approx(two[key].value - one[key].value)
        assert row.ci[0] < row.ci[1]
        assert row.excluded["only_in_first"] == len(first.responses.turn) - len(one.responses.turn)
    mec = next(r for k, r in rows.items() if k[:2] == ("mec", "lower"))
    of_one = one["mec", "lower"]
    whole = of_one.n + of_one.excluded["all_ambiguous"] + of_one.excluded["no_truth"]
    assert mec.n + mec.excluded["not_clear_in_both"] + mec.excluded["no_truth"] == whole
    assert mec.n < of_one.n
    assert mec.bounds == (-1.0, 1.0)


def test_roles_that_one_run_leaves_out_leave_both(large):
    dialogues, votes = large
    role_of = {t.turn_id: t.role for d in dialogues for t in d.turns}
    first = score(dialogues, votes, bootstrap=0)
    # Anna's responses of the second run have one utterance each: no transition inside
    second = score(
        dialogues,
        [
            v
            for v in votes
            if role_of[v["utterance_id"].rpartition("/")[0]] != "Anna" or v["utterance_id"].endswith("/0")
        ],
        bootstrap=0,
    )
    assert "Anna" in second["edd", "intra"].details["left_out"]
    rows = {(r.metric, r.part): r for r in paired_differences(first, second, bootstrap=5)}
    assert rows["edd", "intra"].n == first["edd", "intra"].n - 1
    assert rows["edd", "intra"].value == 0.0  # the others did not change
    assert rows["edd", "inter"].n == first["edd", "inter"].n


def test_what_cannot_be_compared(large):
    dialogues, votes = large
    report = score(dialogues, votes, bootstrap=0)
    with pytest.raises(UsageError, match="same options"):
        paired_differences(report, score(dialogues, votes, bootstrap=0, threshold=0.5))
    voted = {v["utterance_id"].rpartition("/")[0] for v in votes}
    fewer = [d for d in dialogues if d.dialogue_id != "d0"]
    rest = [v for v in votes if not v["utterance_id"].startswith("d0_")]
    assert voted
    with pytest.raises(UsageError, match="same dialogues"):
        paired_differences(report, score(fewer, rest, bootstrap=0))


def test_undefined_differences_say_why(large):
    dialogues, votes = large
    report = score(dialogues, [v for v in votes if v["stream"] == "all"], bootstrap=0)
    row = next(r for r in paired_differences(report, report, bootstrap=5) if r.metric == "cec")
    assert (row.value, row.reason, row.ci) == (None, "no_pairable_units", None)


def test_judgements_are_compared_on_the_samples_that_both_scored():
    first = {"exp": {"a": 5.0, "b": 1.0, "c": None, "d": 3.0, "e": 4.0}, "rel": {"a": 5.0}}
    second = {"exp": {"a": 3.0, "b": 2.0, "c": 4.0, "d": None, "f": 1.0}, "cha": {"a": 2.0}}
    [row] = judgement_differences(first, second, {"a": "d1", "b": "d2"}, bootstrap=500)
    # by hand: a -2 and b +1 -> -1/2; of the two dialogues a draw takes one twice or both
    assert (row.metric, row.value, row.n) == ("exp", -0.5, 2)
    assert row.ci == (-2.0, 1.0)
    assert row.excluded == {"only_in_first": 1, "only_in_second": 1, "not_scored_in_both": 2}
    assert row.details == {"first": 3.0, "second": 2.5}
    assert row.definition == "difference of rc/evidence/v1"


def test_judgements_without_a_common_score():
    [row] = judgement_differences({"exp": {"a": None}}, {"exp": {"a": 1.0}}, {}, bootstrap=5)
    assert (row.value, row.ci, row.reason, row.n) == (None, None, "no_samples", 0)


def test_runs_without_a_common_response(large):
    dialogues, votes = large
    report = score(dialogues, votes, bootstrap=0)
    turns = report.responses.turn
    one, two = (report.responses.only(turns % 2 == side) for side in (0, 1))
    for row in response_differences(one, two, report.options, bootstrap=5):
        assert (row.value, row.ci) == (None, None)
        assert row.reason
        assert row.excluded["only_in_first"] + row.excluded["only_in_second"] == len(turns)
