import random
from collections import Counter

import numpy as np
import pytest

from emotion.judgements import Evidence, Judgement
from emotion.metrics import rc
from emotion.metrics.rc import judgement_score, rated_samples
from mmrole.core.agreement import krippendorff_alpha  # itself checked against the package krippendorff
from mmrole.core.errors import UsageError


def judgement(sample="u", judge="j", support=0, against=0, aspect="exp", verified=True, strength=1, **fields):
    return Judgement(
        utterance_id=sample,
        aspect=aspect,
        judge=judge,
        supporting=tuple(Evidence(quote="q", verified=verified, strength=strength) for _ in range(support)),
        contradicting=tuple(Evidence(quote="q", strength=strength) for _ in range(against)),
        **fields,
    )


# the table of the specification
@pytest.mark.parametrize(
    ("support", "against", "score", "reason"),
    [(2, 0, 5, None), (1, 3, 3, None), (0, 1, 1, None), (0, 0, None, "no_evidence")],
)
def test_the_table(support, against, score, reason):
    assert judgement_score(judgement(support=support, against=against)) == (score, reason)


def test_unverified_evidence_does_not_count():
    assert judgement_score(judgement(support=2, verified=False)) == (None, "no_evidence")
    assert judgement_score(judgement(support=2, against=1, verified=False)) == (1, None)


# 3 + s - c
@pytest.mark.parametrize(("s", "c", "score"), [(2, 0, 5), (1, 0, 4), (2, 2, 3), (1, 2, 2), (0, 2, 1), (0, 0, None)])
def test_graded(s, c, score):
    both = Judgement(
        utterance_id="u",
        aspect="exp",
        judge="j",
        supporting=(Evidence(quote="q", strength=s),),
        contradicting=(Evidence(quote="q", strength=c),),
    )
    assert judgement_score(both, "graded")[0] == score


def test_subjective_and_failed():
    assert judgement_score(judgement(rating=4), "subjective") == (4, None)
    assert judgement_score(judgement(rating=6), "subjective") == (None, "no_rating")
    assert judgement_score(judgement(), "subjective") == (None, "no_rating")
    assert judgement_score(judgement(support=1, reason="refusal")) == (None, "refusal")


def test_mean_over_samples_of_the_mean_of_judges():
    found = [
        judgement("u1", "a", support=1), judgement("u1", "b", support=1, against=1),  # 5, 3
        judgement("u2", "a", against=1), judgement("u2", "b"),  # 1, nothing
        judgement("u3", "a", reason="unparsed"), judgement("u3", "b", support=1, verified=False),
        judgement("u4", "a", support=1, aspect="rel"),
    ]  # fmt: skip
    score = rc(found, "exp", bootstrap=100)
    # by hand: (4 + 1) / 2
    assert (score.value, score.n, score.metric, score.part, score.direction) == (2.5, 2, "exp", "evidence", "up")
    assert score.excluded == {
        "no_valid_judgement": 1, "judgement_no_evidence": 2, "judgement_unparsed": 1, "unverified_evidence": 1,
    }  # fmt: skip
    assert score.details["coverage"] == pytest.approx(2 / 3)
    assert score.details["scored_by_one_judge"] == 1
    assert score.details["judges"] == {"a": {"mean": 3.0, "n": 2}, "b": {"mean": 3.0, "n": 1}}
    # one pair, (5, 3): Do = De, alpha 0
    assert score.details["alpha"] == pytest.approx(0)
    assert rc(found, "rel").value == 5.0


def test_a_later_judgement_replaces_an_earlier_one():
    assert rc([judgement(reason="error"), judgement(support=1)], "exp").value == 5.0


def test_undefined():
    nothing = rc([], "cha")
    assert (nothing.value, nothing.reason, nothing.details["coverage"]) == (None, "no_samples", None)
    invalid = rc([judgement()], "exp", bootstrap=5)
    assert (invalid.value, invalid.reason, invalid.n, invalid.ci) == (None, "no_valid_judgement", 0, None)


def test_interval_over_dialogues():
    found = [judgement(f"u{i}", support=1, against=i % 2) for i in range(40)]
    alike = rc(found, "exp", clusters={f"u{i}": f"d{i // 2}" for i in range(40)}, bootstrap=50)
    assert alike.ci == pytest.approx((4.0, 4.0))
    low, high = rc(found, "exp", bootstrap=100).ci
    assert low < 4 < high


def test_usage():
    with pytest.raises(UsageError, match="aspect has to be one of exp, rel, cha"):
        rc([], "x")
    with pytest.raises(UsageError, match="method has to be one of"):
        judgement_score(judgement(), "x")
    with pytest.raises(UsageError, match="strengths of evidence are 0, 1 or 2"):
        judgement_score(judgement(support=1, strength=3), "graded")


def test_scores_of_samples_by_judge():
    rated = rated_samples(
        [
            judgement("u", "j", support=1),
            judgement("u", "k", against=1),
            judgement("v", "j"),
            judgement("w", "k", support=1),
        ],
        "exp",
    )
    assert (rated.samples, rated.judges) == (["u", "v", "w"], ["j", "k"])
    # u: 5 and 1; v: nothing; w: 5 by one judge
    assert [None if x != x else x for x in rated.means()] == [3.0, None, 5.0]
    assert rated.excluded == {"judgement_no_evidence": 1, "unverified_evidence": 0}


def test_samples_that_no_judge_was_asked_about_are_counted_apart():
    found = [judgement("u1", judge, support=1) for judge in "ab"]
    found += [judgement("u2", judge, reason="no_profile") for judge in "ab"]
    found += [judgement("u3", judge, reason="no_response") for judge in "ab"]
    found += [judgement("u4", judge, reason="unparsed") for judge in "ab"]
    score = rc(found, "exp")
    assert (score.value, score.n, score.details["coverage"]) == (5.0, 1, 0.25)
    # samples, but for the last: two judgements
    assert {key: count for key, count in score.excluded.items() if count} == {
        "no_profile": 1, "no_response": 1, "no_valid_judgement": 1, "judgement_unparsed": 2,
    }  # fmt: skip


def test_judgements_made_for_another_method_give_no_score():
    rated, quoted = judgement(rating=4, method="subjective"), judgement(support=1, method="evidence")
    assert judgement_score(rated, "subjective") == (4, None)
    assert [judgement_score(rated, method) for method in ("evidence", "graded")] == [(None, "other_method")] * 2
    assert judgement_score(quoted, "subjective") == (None, "other_method")
    assert [judgement_score(quoted, method)[0] for method in ("evidence", "graded")] == [5, 4]


def test_a_dialogue_without_a_score_makes_no_interval():
    found = [judgement("u1", support=1), judgement("u2", reason="no_profile"), judgement("u3", support=1)]
    # u1 alone is scored, in one dialogue; that of u2 would make it look as sure as two that agree
    assert rc(found[:2], "exp", clusters={"u1": "d1", "u2": "d2"}, bootstrap=20).ci is None
    assert rc(found, "exp", clusters={"u1": "d1", "u2": "d2", "u3": "d3"}, bootstrap=20).ci == (5.0, 5.0)


@pytest.mark.parametrize(("method", "seed"), [("evidence", 0), ("graded", 1), ("subjective", 2)])
def test_against_a_plain_loop(method, seed):
    """Scores, counts and alpha from the definitions, on three judges at random."""
    rng = random.Random(seed)
    made, scores, reasons = [], {}, Counter()
    for sample in range(40):
        for judge in "abc":
            sides = [[(rng.random() < 0.7, rng.choice([1, 2])) for _ in range(rng.randrange(3))] for _ in range(2)]
            failed = rng.choice([None] * 6 + ["refusal", "error"])
            rating = rng.randint(1, 5)
            supporting, contradicting = (
                tuple(Evidence(quote="q", verified=is_there, strength=strength) for is_there, strength in side)
                for side in sides
            )
            made.append(
                Judgement(
                    utterance_id=f"u{sample}", aspect="exp", judge=judge, supporting=supporting, contradicting=contradicting,
                    rating=rating, reason=failed,
                )
            )  # fmt: skip
            s, c = (max([strength for is_there, strength in side if is_there], default=0) for side in sides)
            if failed is not None:
                reasons[f"judgement_{failed}"] += 1
            elif method == "subjective":
                scores[sample, judge] = rating
            elif not s and not c:
                reasons["judgement_no_evidence"] += 1
            else:
                scores[sample, judge] = 3 + s - c if method == "graded" else 3 + 2 * bool(s) - 2 * bool(c)
    of = [[scores[sample, judge] for judge in "abc" if (sample, judge) in scores] for sample in range(40)]
    means = [sum(each) / len(each) for each in of if each]
    score = rc(made, "exp", method=method)
    assert (score.value, score.n) == (pytest.approx(sum(means) / len(means)), len(means))
    assert {name: score.excluded[name] for name in reasons} == reasons
    assert score.excluded["no_valid_judgement"] == 40 - len(means)
    assert score.details["scored_by_one_judge"] == sum(len(each) == 1 for each in of)
    assert score.details["coverage"] == len(means) / 40
    table = np.array([[scores.get((sample, judge), np.nan) for sample in range(40)] for judge in "abc"])
    assert score.details["alpha"] == pytest.approx(krippendorff_alpha(table.tolist(), level="ordinal").value)
