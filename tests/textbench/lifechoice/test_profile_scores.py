import random

import numpy as np
import pytest
from scipy.stats import pearsonr
from sklearn.metrics import cohen_kappa_score

from mmrole.core.agreement import krippendorff_alpha  # itself checked against the package krippendorff
from mmrole.core.errors import InputError
from mmrole.llm import ChatReply
from textbench.lifechoice.plan import LifeChoicePlan
from textbench.lifechoice.profile_scores import profile_scores, read_human_scores, read_verdict

PLAN = LifeChoicePlan(methods=("human", "bm25"))


def rating(score, method="human", item="a", book="b", status="ok"):
    return {"item_id": item, "method": method, "book": book, "score": score, "status": status}


@pytest.mark.parametrize(
    ("reply", "status", "value"),
    [
        ('{"reason": "x", "score": 2}', "ok", 2),
        ('{"score": ３}', "ok", 3),
        ('{"score": 0}', "unparsed", None),
        ('{"score": 2.5}', "unparsed", None),
        ('{"reason": "x"}', "unparsed", None),
        ("2", "unparsed", None),
    ],
)
def test_verdicts(reply, status, value):
    found = read_verdict(None, ChatReply(text=reply, finish_reason="stop"))
    assert (found.status.value, found.value) == (status, value)


def test_means_by_method():
    ratings = [rating(1), rating(3, item="c"), rating(None, item="d", status="refusal"), rating(2, "bm25")]
    first, second = profile_scores(PLAN, ratings, None, bootstrap=0)
    assert (first.method, first.score.value, first.score.n, first.score.excluded) == ("human", 2.0, 2, {"refusal": 1})
    assert second.score.details["counts"] == {"1": 0, "2": 1, "3": 0}
    [undefined] = profile_scores(PLAN, [rating(None, status="error")], None)
    assert (undefined.score.value, undefined.score.reason) == (None, "no_items")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("item_id,method\na,human\n", "column score is missing"),
        ("item_id,method,score\na,human,4\n", "line 2: score '4' is none of 1, 2, 3"),
        ("item_id,method,score\na,human,1\na,human,2\n", "line 3: a under human is scored twice"),
        ("item_id,method,score\n", "there are no scores"),
        ("item_id,method,score\na,human\n", "line 2: score '' is none"),
    ],
)
def test_a_sheet_that_cannot_be_used(tmp_path, text, said):
    path = tmp_path / "people.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=said):
        read_human_scores(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_human_scores(tmp_path / "none.csv")


def test_people_have_to_have_scored_what_the_judge_scored():
    with pytest.raises(InputError, match="none of people's scores"):
        profile_scores(PLAN, [rating(1)], {("z", "human"): 1})


def test_agreement_with_people_is_that_of_other_packages():
    """Over what both have scored; what the judge could not be read on, and what people left out, is no pair."""
    rng = random.Random(0)
    ratings = [rating(rng.choice([1, 2, 3, 3, None]), item=str(number), status="ok") for number in range(60)]
    people = {(str(number), "human"): rng.choice([1, 2, 3]) for number in range(60) if rng.random() < 0.8}
    people |= {("0", "bm25"): 1, ("60", "human"): 2}  # profiles that the judge never saw
    found = {part.score.metric: part.score for part in profile_scores(PLAN, ratings, people, bootstrap=0)}
    judge = [each["score"] for each in ratings]
    human = [people.get((str(number), "human")) for number in range(60)]
    both = [(one, other) for one, other in zip(judge, human, strict=True) if one and other]
    assert {found[f"profile_{name}"].n for name in ("pearson", "kappa", "alpha")} == {len(both)}
    assert {found[f"profile_{name}"].excluded["not_judged"] for name in ("pearson", "kappa", "alpha")} == {2}
    assert found["profile_pearson"].value == pytest.approx(pearsonr(*zip(*both, strict=True)).statistic)
    kappa = cohen_kappa_score(*zip(*both, strict=True), weights="quadratic")
    assert found["profile_kappa"].value == pytest.approx(kappa)
    table = np.array([judge, human], dtype=float)
    assert found["profile_alpha"].value == pytest.approx(krippendorff_alpha(table.tolist(), level="ordinal").value)


def test_books_that_are_all_alike_are_no_certainty():
    ratings = [rating(2, item=str(number), book=str(number % 3)) for number in range(9)]
    [part] = profile_scores(PLAN, ratings, None, bootstrap=50)
    assert (part.score.value, part.score.ci) == (2.0, None)
