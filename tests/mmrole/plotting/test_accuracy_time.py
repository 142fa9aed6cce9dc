import pytest

from mmrole.core.errors import UsageError
from mmrole.core.scores import Score
from mmrole.plotting import AccuracyTimeDisplay


def score(value, ci=(0.1, 0.6), n=20):
    return Score(
        metric="accuracy", part="p", value=value, n=n, ci=ci if value is not None else None, definition="d", bounds=(0, 1),
        direction="up", reason=None if value is not None else "no_items", details={"chance": 0.25},
    )  # fmt: skip


def test_every_point_has_its_interval():
    shown = AccuracyTimeDisplay({"bm25": {1.0: score(0.5), 0.2: score(0.3), 0.6: score(None)}}).plot()
    curve, *others = shown.ax_.lines
    assert list(curve.get_xdata()) == [0.2, 1.0]  # in order; what has no value is no point
    assert list(curve.get_ydata()) == [0.3, 0.5]
    intervals = [list(line.get_ydata()) for line in others if len(set(line.get_xdata())) == 1]
    assert intervals == [[0.1, 0.6]] * 2
    assert [text.get_text() for text in shown.ax_.get_legend().get_texts()] == ["bm25  (n = 20)"]
    assert any(list(line.get_ydata()) == [0.25, 0.25] for line in others)


def test_methods_stand_apart():
    shown = AccuracyTimeDisplay({"a": {0.5: score(0.5)}, "b": {0.5: score(0.5)}}).plot()
    places = {float(line.get_xdata()[0]) for line in shown.ax_.lines if line.get_marker() != "None"}
    assert len(places) == 2


def test_what_cannot_be_drawn():
    with pytest.raises(UsageError, match="build with --prefixes"):
        AccuracyTimeDisplay({"bm25": {}})
    with pytest.raises(UsageError, match="6 methods at most, not 7"):
        AccuracyTimeDisplay({str(n): {1.0: score(0.5)} for n in range(7)})
