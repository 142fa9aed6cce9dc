"""Expected numbers are by hand, or from a plain loop over the definitions."""

import random
from collections import Counter

import pytest

from textbench.rolecde.evaluation import (
    decision_of,
    decision_records,
    evaluate,
    marker_disagreement,
    outcomes,
    shares_by,
)
from textbench.rolecde.role_options import RoleOption


def rating(
    persona="ann", level="easy", order="AB", option="B", form="following", form_status="ok", status="ok", **more
):
    given = {
        "persona": persona, "level": level, "order": order, "run": 0, "status": status, "option": option,
        "first": None if option is None else option == order[0], "form": form, "form_status": form_status, "markers": [],
    }  # fmt: skip
    return given | more


def option(persona, level, option="B", doubts=()):
    return RoleOption(persona=persona, level=level, option=option, source="file", doubts=doubts)


OPTIONS = [
    option("ann", "easy"), option("ann", "hard", "A", ("differs_from_default",)), option("bob", "easy"),
]  # fmt: skip
RATINGS = [
    rating(),  # RF
    rating(order="BA", option="A", form="compromise"),  # AC
    rating(level="hard", option="A", form="compromise"),  # RC, flagged
    rating(level="hard", order="BA", option=None, form=None, form_status=None, status="refusal"),
    rating("bob", form=None, form_status="unparsed"),
    rating("bob", order="BA", form=None, form_status="no_reasoning"),
]


@pytest.fixture
def records():
    return decision_records(RATINGS, OPTIONS, {"ann": "C4", "bob": "C8"}, {"ann": "en", "bob": "zh"})


def scores(records, **more):
    found = evaluate(records, RATINGS, bootstrap=0, **more)
    return {(each.score.metric, each.by, each.score.part, each.items): each.score for each in found}


@pytest.mark.parametrize(
    ("chosen", "role_option", "form", "expected"),
    [
        ("B", "B", "following", "RF"), ("B", "B", "compromise", "RC"), ("A", "B", "compromise", "AC"),
        ("A", "B", "following", "AF"), ("A", "A", "following", "RF"), ("B", "A", "compromise", "AC"),
        (None, "B", None, None), ("A", "B", None, None),
    ],
)  # fmt: skip
def test_the_direction_follows_from_the_option(chosen, role_option, form, expected):
    assert decision_of(chosen, role_option, form) == expected


def test_decisions_with_the_reasons_why_there_is_none(records):
    assert [each["decision"] for each in records] == ["RF", "AC", "RC", None, None, None]
    assert [each["reason"] for each in records[3:]] == ["choice_refusal", "judge_unparsed", "no_reasoning"]
    assert [each["side"] for each in records] == ["role", "alignment", "role", None, "role", "role"]
    assert [each["flagged"] for each in records] == [False, False, True, True, False, False]


def test_the_denominators_are_explicit(records):
    found = scores(records)
    all_of = found["dbr", "all", "all", "all"]
    assert (all_of.value, all_of.n) == (pytest.approx(2 / 3), 3)
    assert all_of.excluded == {"choice_refusal": 1, "judge_unparsed": 1, "no_reasoning": 1}
    share = found["role_share", "all", "all", "all"]
    assert (share.value, share.n) == (0.8, 5)  # the judge's failures have a side, a refusal has none
    coverage = found["coverage", "all", "all", "all"]
    assert (coverage.value, coverage.n) == (0.5, 6)
    assert coverage.details["with_option"] == 5
    assert coverage.details["missing"] == {"choice_refusal": 1, "judge_unparsed": 1, "no_reasoning": 1}
    # what role_share counts and DBR does not: 5 - 3
    assert coverage.details["lost_after_option"] == {"judge_unparsed": 1, "no_reasoning": 1}


def test_without_flagged_dilemmas(records):
    found = scores(records)["dbr", "all", "all", "without_flagged"]
    assert (found.value, found.n, found.excluded["flagged"]) == (0.5, 2, 2)
    assert found.definition.endswith("items=without_flagged")


def test_flagged_dilemmas_were_not_to_be_decided(records):
    """Of 6 two are flagged, one of which has no decision: 2 of the other 4 have one."""
    found = scores(records)
    coverage = found["coverage", "all", "all", "without_flagged"]
    assert (coverage.value, coverage.n, coverage.excluded) == (0.5, 4, {"flagged": 2})
    assert coverage.details["missing"] == {"judge_unparsed": 1, "no_reasoning": 1}
    assert coverage.details["with_option"] == found["role_share", "all", "all", "without_flagged"].n == 4
    assert found["coverage", "all", "all", "all"].excluded == {}
    nothing = found["coverage", "level", "hard", "without_flagged"]
    assert (nothing.value, nothing.n, nothing.reason) == (None, 0, "no_items")
    whole = [each for each in records if each["decision"] is not None]
    assert scores(whole)["coverage", "all", "all", "without_flagged"].value == 1.0


def test_parts(records):
    found = scores(records)
    assert found["dbr", "level", "hard", "all"].value == 1.0
    assert found["dbr", "category", "C8", "all"].reason == "no_decisions"
    assert found["dbr", "level_category", "easy/C4", "all"].value == 0.5
    assert found["dbr", "order", "BA", "all"].value == 0.0
    assert found["dbr", "language", "en", "all"].n == 3
    assert found["debiased_dbr", "level", "easy", "all"].value == 0.5
    assert ("debiased_dbr", "order", "BA", "all") not in found
    assert ("dbr", "category", "C1", "all") not in found  # nobody of that category


def test_the_markers_are_a_cross_check():
    made = [
        rating(form="compromise", markers=["but"]), rating(form="compromise"), rating(form="following", markers=["but", "yet"]),
        rating(form="following"), rating(form=None, markers=["but"]),
    ]  # fmt: skip
    found = marker_disagreement(made)
    assert (found.value, found.n, found.excluded) == (0.5, 4, {"not_judged": 1})
    assert found.details["compromise_without_marker"] == found.details["following_with_marker"] == 1
    assert found.details["markers"] == {"but": 2, "yet": 1}
    assert marker_disagreement([]).reason == "nothing_judged"


def test_outcomes_for_comparisons(records):
    found = list(outcomes(records))
    assert found[0] == {
        "item_id": "ann/easy/AB/0", "cluster": "ann", "metric": "dbr", "value": 1.0, "reason": None, "flagged": False
    }  # fmt: skip
    assert [each["value"] for each in found] == [1.0, 0.0, 1.0, None, None, None]
    assert found[3]["reason"] == "choice_refusal"


def test_counts_for_pictures(records):
    assert shares_by(records, "category") == {
        "C4": {"RF": 1, "RC": 1, "AC": 1, "AF": 0}, "C8": {"RF": 0, "RC": 0, "AC": 0, "AF": 0}
    }  # fmt: skip
    assert list(shares_by(records, "level")) == ["easy", "hard"]


def at_random(rng):
    """Ratings, role options and categories of twelve personas in both orders and two runs, much of it unread."""
    ratings, options, categories = [], [], {}
    for persona in map(str, range(12)):
        categories[persona] = rng.choice(["C1", "C4", "C8"])
        for level in ("easy", "hard"):
            options.append(option(persona, level, rng.choice("AB"), rng.choice([(), ("unsettled",)])))
            for order in ("AB", "BA"):
                for run in (0, 1):
                    chosen = rng.choice(["A", "B", "B", None])
                    form = rng.choice(["following", "compromise", None]) if chosen else None
                    status = {"status": "ok" if chosen else "refusal", "form_status": "ok" if form else "unparsed"}
                    ratings.append(rating(persona, level, order, chosen, form, run=run, **status))
    return ratings, options, categories


@pytest.mark.parametrize("seed", range(4))
def test_every_part_against_a_plain_loop(seed):
    ratings, options, categories = at_random(random.Random(seed))
    roles = {(each.persona, each.level): each for each in options}
    languages = dict.fromkeys(categories, "en")
    found = evaluate(decision_records(ratings, options, categories, languages), ratings, bootstrap=0)
    belongs = {
        "all": lambda each: "all",
        "level": lambda each: each["level"],
        "category": lambda each: categories[each["persona"]],
        "level_category": lambda each: f"{each['level']}/{categories[each['persona']]}",
        "order": lambda each: each["order"],
    }
    for rated in (each for each in found if each.score.metric != "marker_disagreement"):
        score, some = rated.score, [each for each in ratings if belongs[rated.by](each) == rated.score.part]
        kept = [each for each in some if rated.items == "all" or not roles[each["persona"], each["level"]].doubts]
        sides = {
            id(each): each["option"] == roles[each["persona"], each["level"]].option for each in kept if each["option"]
        }
        decided = [each for each in kept if each["form"]]
        pairs = {}
        for each in decided:
            pairs.setdefault((each["persona"], each["level"], each["run"]), []).append(each)
        both = [each for each in pairs.values() if len(each) == 2]
        values = {
            "dbr": [sides[id(each)] for each in decided],
            "role_share": list(sides.values()),
            "coverage": [each["form"] is not None for each in kept],
            "debiased_dbr": [(sides[id(one)] + sides[id(other)]) / 2 for one, other in both],
            "flip_rate": [sides[id(one)] != sides[id(other)] for one, other in both],
            "position_bias": [(one["first"] + other["first"]) / 2 - 0.5 for one, other in both],
        }[score.metric]
        assert score.n == len(values)
        assert score.value == (pytest.approx(sum(values) / len(values)) if values else None)
        units = len(some) if score.metric in ("dbr", "role_share", "coverage") else len(some) // 2
        assert score.n + sum(score.excluded.values()) == units
        if score.metric == "dbr":
            forms = Counter("AR"[sides[id(each)]] + "FC"[each["form"] == "compromise"] for each in decided)
            assert score.details["counts"] == {name: forms[name] for name in ("RF", "RC", "AC", "AF")}
    assert len({(each.by, each.score.part, each.items) for each in found}) == 2 * (1 + 2 + 3 + 6 + 2)
