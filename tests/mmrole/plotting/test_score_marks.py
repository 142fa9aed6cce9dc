import pytest
from matplotlib.figure import Figure

from mmrole.core.scores import Score
from mmrole.plotting.score_marks import draw_score, look
from mmrole.plotting.wording import wording


def score(value, ci=None):
    reason = "no_roles" if value is None else None
    return Score(
        metric="edd", part="intra", value=value, n=1234, ci=ci, definition="edd/f/v1", bounds=(0.0, 1.0), direction="up",
        reason=reason,
    )  # fmt: skip


def drawn(given):
    ax = Figure().subplots()
    return ax, draw_score(ax, given, 0, 0.5, (0.0, 1.0), wording("en"), 1.0)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (score(0.4567), ".457  n = 1,234"),
        (score(0.4567, (0.4, 0.5)), ".457  [.400, .500]  n = 1,234"),
        (score(-0.02, (-0.1, 0.0)), "−.020  [−.100, .000]  n = 1,234"),
        (score(-0.0001), ".000  n = 1,234"),
        (score(4.2), "4.200  n = 1,234"),
    ],
)
def test_a_value_is_a_point_and_its_interval_a_line(given, said):
    ax, text = drawn(given)
    assert text == said
    *bars, point = ax.lines
    assert point.get_data() == ([given.value], [0.5])
    assert [tuple(bar.get_xdata()) for bar in bars] == ([given.ci] if given.ci else [])
    assert not ax.patches


def test_an_undefined_score_is_an_empty_line_with_the_reason():
    ax, text = drawn(score(None))
    assert text == "no value: no_roles"
    assert len(ax.lines) == 0
    (band,) = ax.patches
    assert band.get_hatch()
    assert (band.get_x(), band.get_width()) == (0, 1)


def test_a_score_that_a_run_has_not_is_nothing():
    ax, text = drawn(None)
    assert text == "not scored"
    assert not ax.lines
    assert not ax.patches


def test_runs_look_different():
    looks = [(look(k)["color"], look(k)["marker"]) for k in range(8)]
    assert len(set(looks)) == 8
    assert look(8) == look(0)
