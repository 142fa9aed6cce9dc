import numpy as np
import pytest
from sklearn.decomposition import PCA

from mmrole.core.errors import UsageError
from textbench.incharacter.distinctiveness_metrics import distinctiveness, personality_map
from textbench.incharacter.scales import scale


def test_distinctiveness_by_hand():
    scores = {
        "Ann": {"Openness": [1.0, 2.0], "Neuroticism": [3.0, 3.0]},
        "Bob": {"Openness": [5.0, 2.0], "Neuroticism": [4.0, 3.0]},
    }
    got = distinctiveness(scores)
    # run 0: population std 2 and 0.5, run 1: 0 and 0
    assert got.value == pytest.approx(((2 + 0.5) / 2 + 0) / 2)
    assert got.details["dimensions"] == {
        "Extraversion": None, "Agreeableness": None, "Conscientiousness": None, "Neuroticism": 0.25, "Openness": 1.0,
    }  # fmt: skip
    assert distinctiveness(scores, unit="range").value == pytest.approx(got.value / 4)


def test_one_character_is_not_distinct():
    got = distinctiveness({"Ann": {"Openness": [1.0]}, "Bob": {"Openness": [None]}})
    assert (got.value, got.reason, got.n, got.excluded) == (None, "fewer_than_two_characters", 1, {"not_measured": 1})


def test_unit():
    with pytest.raises(UsageError, match="unit is one of score, range, not 'points'"):
        distinctiveness({}, unit="points")


def drawn(count=12, seed=0):
    rng = np.random.default_rng(seed)
    bfi = {str(c): {d: rng.uniform(1, 5, 2).tolist() for d in scale("BFI").dimensions} for c in range(count)}
    epq = {str(c): {d: rng.uniform(0, 1, 2).tolist() for d in scale("EPQ-R").dimensions} for c in range(count)}
    return {"BFI": bfi, "EPQ-R": epq}


def test_the_map_is_that_of_scikit_learn_up_to_the_sign():
    scores = drawn()
    got = personality_map(scores)
    table = np.array(
        [
            [(np.mean(v) - 1) / 4 for v in scores["BFI"][c].values()]
            + [np.mean(v) for v in scores["EPQ-R"][c].values()]
            for c in scores["BFI"]
        ]
    )
    pca = PCA(2, svd_solver="full").fit(table)
    signs = np.sign((pca.components_ * got.loadings).sum(axis=1))
    np.testing.assert_allclose(got.points, pca.transform(table) * signs, atol=1e-12)
    np.testing.assert_allclose(got.explained, pca.explained_variance_ratio_, atol=1e-12)
    assert got.features[0] == "BFI/Extraversion"
    assert got.features[-1] == "EPQ-R/Lying"


def test_the_largest_loading_of_each_axis_is_positive():
    for seed in range(8):
        loadings = personality_map(drawn(seed=seed)).loadings
        assert (loadings[[0, 1], np.abs(loadings).argmax(axis=1)] > 0).all()


def test_names_without_all_scores_are_left_out_and_named():
    scores = drawn()
    del scores["EPQ-R"]["3"]
    scores["BFI"]["5"]["Openness"] = [None, None]
    got = personality_map(scores)
    assert got.left_out == ("3", "5")
    assert len(got.names) == len(got.points) == 10


def test_too_little_for_a_map():
    with pytest.raises(
        UsageError, match="a map needs 3 characters with all scores and 2 dimensions; there are 2 of 2 and 9"
    ):
        personality_map(drawn(2))
    nothing = {"BFI": {str(c): {"Openness": [None], "Neuroticism": [None]} for c in range(4)}}
    with pytest.raises(UsageError, match="a map needs scores: not one of 4 characters has any"):
        personality_map(nothing)
    same = {"BFI": {str(c): {"Openness": [3.0], "Neuroticism": [2.0]} for c in range(4)}}
    with pytest.raises(UsageError, match="all characters have the same scores"):
        personality_map(same)
