import pytest

from textbench.rolecde import judge_agreement

LABELS = ("compromise", "following")


def judge(text):
    names = {"c": "compromise", "f": "following", "-": None}
    return {f"item {n}": names[letter] for n, letter in enumerate(text)}


def found(**judges):
    return {(s.metric, s.part): s for s in judge_agreement({k: judge(v) for k, v in judges.items()}, labels=LABELS)}


def test_the_same_proportions_can_agree_on_nothing():
    """What distributions alone do not show. Kappa by hand: observed 0, expected .5: -1."""
    scores = found(x="cfcf", y="fcfc")
    assert scores["kappa_cohen", "x+y"].value == -1.0
    shares = scores["alpha", "nominal"].details["distributions"]
    assert shares["x"] == shares["y"] == {"compromise": 0.5, "following": 0.5}


def test_alpha_by_hand():
    """Krippendorff: two judges, 4 items, one disagreement. Coincidences cc 4, ff 2, cf 1 + fc 1; n = 8, n_c = 5, n_f = 3.

    Do = 2 / 8, De = 2 * 5 * 3 / (8 * 7): alpha = 1 - 0.25 / 0.535714 = 0.533333
    """
    scores = found(x="ccff", y="cccf")
    assert scores["alpha", "nominal"].value == pytest.approx(0.533333, abs=1e-6)
    assert scores["kappa_cohen", "x+y"].details["observed_agreement"] == 0.75


def test_three_judges_and_missing_labels():
    scores = found(x="ccf-", y="cf-f", z="ccff")
    assert {part for metric, part in scores if metric == "kappa_cohen"} == {"x+y", "x+z", "y+z"}
    assert scores["kappa_cohen", "x+y"].n == 2


def test_cases_without_a_number():
    assert found(x="cc", y="cc")["alpha", "nominal"].reason == "no_variation"
    assert found(x="cc")["alpha", "nominal"].reason == "no_pairable_units"
    assert found(x="c-", y="-c")["kappa_cohen", "x+y"].reason == "no_pairs"
