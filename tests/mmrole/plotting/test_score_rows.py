import pytest

from mmrole.core.errors import UsageError
from mmrole.core.scores import Score
from mmrole.plotting.score_rows import groups, short_names


def score(metric, part, value, *, definition=None, bounds=(0.0, 1.0), direction="up", ci=None, **more):
    reason = "no_variation" if value is None else None
    return Score(
        metric=metric, part=part, value=value, n=5, ci=ci, definition=definition or f"{metric}/f/v1", bounds=bounds,
        direction=direction, reason=reason, **more,
    )  # fmt: skip


def test_parts_of_a_metric_share_an_axis_and_runs_stand_side_by_side():
    runs = {
        "one": [score("mec", "lower", 0.4), score("mec", "upper", None), score("edd", "intra", 0.5)],
        "two": [score("edd", "intra", 0.7), score("mec", "lower", 0.6)],
    }
    mec, edd = groups(runs)
    assert (mec.name, edd.name) == ("MEC", "EDD")
    assert (mec.unit, edd.unit) == ("responses", "roles")
    lower, upper = mec.rows
    assert [row.name for row in mec.rows] == ["lower", "upper"]
    assert [s.value for s in lower.scores] == [0.4, 0.6]
    assert (upper.scores[0].reason, upper.scores[1]) == ("no_variation", None)
    assert not any(row.differs for row in mec.rows)


def test_the_two_kinds_of_rcd_are_told_apart():
    pairwise = score("rcd", "intra", 0.1, definition="rcd/pairwise/v1 x=1", direction="zero", bounds=(-1.0, 1.0))
    margin = score("rcd", "intra", 0.2, definition="rcd/margin/v1 x=1", bounds=(-1.0, 1.0))
    first, second = groups({"": [pairwise, margin]})
    assert (first.name, first.direction, first.unit) == ("RCD, pairwise", "zero", "pairs of roles")
    assert (second.name, second.direction, second.unit) == ("RCD, margin", "up", "roles")
    # in one direction they are two rows
    (both,) = groups(
        {"": [score("cec", "lower", 0.1, definition="cec/a/v1"), score("cec", "lower", 0.2, definition="cec/b/v1")]}
    )
    assert [row.name for row in both.rows] == ["lower, a", "lower, b"]


def test_aspects_of_role_consistency_are_rows_of_one_axis():
    (group,) = groups({"": [score(aspect, "evidence", 3.0, bounds=(1.0, 5.0)) for aspect in ("exp", "rel", "cha")]})
    assert group.name == "role consistency"
    assert [row.name for row in group.rows] == ["Exp", "Rel", "Cha"]
    assert group.limits == (1, 5)


def test_other_options_are_noticed():
    runs = {name: [score("ed", "all", 0.5, definition=f"ed/f/v1 labels={name}")] for name in ("a", "b")}
    assert groups(runs)[0].rows[0].differs


def test_metrics_can_be_chosen_and_words_are_for_people():
    scores = [score("erc", "macro_f1_all", 0.5), score("mec", "lower", 0.5)]
    (group,) = groups({"": scores}, metrics=["erc"])
    assert group.rows[0].name == "macro F1 all"
    assert groups({"": scores}, metrics=["ed"]) == []


@pytest.mark.parametrize(
    ("value", "ci", "bounds", "direction", "limits"),
    [  # by hand
        (0.5, None, (0.0, 1.0), "up", (0, 1)),
        (None, None, (0.0, 1.0), "up", (0, 1)),
        (0.5, None, (None, 1.0), "up", (0, 1)),  # alpha: no lower bound
        (-0.03, (-0.15, 0.02), (None, 1.0), "up", (-0.2, 1)),
        (-3.0, None, (None, 1.0), "up", (-3, 1)),
        (0.04, (0.01, 0.08), (-1.0, 1.0), "zero", (-0.1, 0.1)),
        (-0.04, (-0.3, 0.0), (-1.0, 1.0), "zero", (-0.5, 0.5)),
        (None, None, (-1.0, 1.0), "zero", (-1, 1)),
        (0.3, None, (-1.0, 1.0), "up", (0, 1)),
    ],
)
def test_limits_of_the_axis(value, ci, bounds, direction, limits):
    (group,) = groups({"": [score("x", "p", value, ci=ci, bounds=bounds, direction=direction)]})
    assert group.limits == pytest.approx(limits)


def test_biased_intervals_are_noticed():
    assert groups({"": [score("edd", "intra", 0.5, details={"ci_note": "biased"})]})[0].biased
    assert not groups({"": [score("edd", "intra", 0.5)]})[0].biased


def test_short_names():
    assert short_names(["runs/a"]) == ["a"]
    assert short_names(["x/a/prof", "x/b/prof/", "y"]) == ["a/prof", "b/prof", "y"]
    with pytest.raises(UsageError, match=r"a folder is there twice: a, b/\.\./a"):
        short_names(["a", "b/../a"])
