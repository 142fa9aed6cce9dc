import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from mmrole.core.errors import UsageError
from textbench.incharacter.rater_agreement import annotator_kappa, interviewer_agreement


def sheets_of(**ratings):
    columns = zip(*ratings.values(), strict=True)
    return {"BFI": {(str(n), "Openness"): dict(zip(ratings, column, strict=True)) for n, column in enumerate(columns)}}


def test_kappa_of_two_annotators_by_hand():
    # squared distances: observed 0 1 0 1, sum 2; expected over all 16 pairs of (1 2 5 4) and (1 3 5 5):
    # 0 4 16 16 / 1 1 9 9 / 16 4 0 0 / 9 1 1 1 = 88, so 1 - (2 / 4) / (88 / 16)
    got = annotator_kappa(sheets_of(p=[1, 2, 5, 4], q=[1, 3, 5, 5]), "BFI")
    assert got.value == pytest.approx(1 - (2 / 4) / (88 / 16))
    assert (got.n, got.part, got.excluded) == (4, "BFI", {"not_rated_by_two": 0})


def test_three_annotators_are_the_mean_of_the_pairs():
    rng = np.random.default_rng(0)
    ratings = {name: rng.integers(1, 6, 30).tolist() for name in "pqr"}
    got = annotator_kappa(sheets_of(**ratings), "BFI")
    pairs = {
        f"{a}+{b}": cohen_kappa_score(ratings[a], ratings[b], labels=[1, 2, 3, 4, 5], weights="quadratic")
        for a, b in (("p", "q"), ("p", "r"), ("q", "r"))
    }
    assert {name: pair["kappa"] for name, pair in got.details["pairs"].items()} == pytest.approx(pairs)
    assert got.value == pytest.approx(sum(pairs.values()) / 3)


def test_not_shown_is_missing_and_counted():
    got = annotator_kappa(sheets_of(p=[1, 5, None, 3], q=[1, 5, 4, None]), "BFI")
    assert (got.value, got.n, got.excluded) == (1.0, 2, {"not_rated_by_two": 2})


@pytest.mark.parametrize(
    ("sheets", "reason"),
    [
        ({}, "no_ratings"),
        (sheets_of(p=[1, 2]), "fewer_than_two_annotators"),
        (sheets_of(p=[1, None], q=[None, 2]), "no_pairs"),
        (sheets_of(p=[3, 3], q=[3, 3]), "no_variation"),
    ],
)
def test_undefined_kappas_say_why(sheets, reason):
    got = annotator_kappa(sheets, "BFI", bootstrap=10)
    assert (got.value, got.reason, got.ci) == (None, reason, None)


def test_the_label_list_is_explicit():
    sheets = sheets_of(p=[1, 2, 5, 4], q=[1, 3, 5, 5])
    assert "labels=1,2,3,4,5" in annotator_kappa(sheets, "BFI").definition
    got = annotator_kappa(sheets, "BFI", labels=[1, 2, 3])
    assert got.details["pairs"]["p+q"]["n"] == 2  # ratings of 4 and 5 are none of the labels


def test_interviewer_accuracy_by_hand():
    # apart by 0, 0.5, 1, 1 (in binary a little less), 1.5 and one missing: 2 right, 2 close, 1 wrong
    got = interviewer_agreement([1, 2.5, 4, 3.3, 5, None], [1, 2, 5, 2.3, 3.5, 4])
    assert got["accuracy"].value == pytest.approx((2 + 2 * 0.5) / 5)
    assert got["accuracy"].details == {"right": 2, "close": 2, "wrong": 1}
    assert (got["accuracy"].n, got["accuracy"].excluded) == (5, {"missing": 1})


def test_interviewer_correlations_by_hand():
    got = interviewer_agreement([1, 2, 3], [1, 3, 2])
    assert (got["pearson"].value, got["spearman"].value) == (pytest.approx(0.5), pytest.approx(0.5))
    assert got["kendall"].value == pytest.approx(1 / 3)  # two pairs agree, one does not


def test_no_pairs_and_unequal_lists():
    assert interviewer_agreement([None], [1])["accuracy"].reason == "no_pairs"
    with pytest.raises(UsageError, match="two lists of one length"):
        interviewer_agreement([1], [1, 2])
