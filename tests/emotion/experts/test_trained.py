import numpy as np
import pytest

from emotion.experts.expert import Case, Line, votes_on
from emotion.experts.trained import TrainedExpert, texts_of
from emotion.experts.trained_model import TrainedText
from mmrole.core.errors import UsageError


def case(text, *history):
    return Case(
        utterance_id="u", speaker="Ann", text=text, history=tuple(Line(speaker="Bo", text=line) for line in history)
    )


def test_votes(trained_file):
    expert = TrainedExpert(trained_file)
    cases = [case("我好开心"), case("  "), case("滚开，混蛋", "明天星期四", "今天星期三")]
    happy, nothing, angry = votes_on(expert, cases, "text", 0)
    assert (happy.label, angry.label) == ("happy", "anger")
    assert list(happy.detail["scores"]) == ["happy", "anger", "neutral"]
    assert sum(happy.detail["scores"].values()) == pytest.approx(1.0, abs=3e-6)
    assert (nothing.label, nothing.status, nothing.reason) == (None, "absent", "no_text")
    assert expert.vote(cases[2], "text", 1) == angry  # one by one is the same
    assert expert.can_give == ("happy", "anger", "neutral")
    assert not expert.baseline
    assert expert.identity["model"] == expert.model.sha256


def test_the_nearest_line_comes_first():
    assert texts_of(case("now", "third", "second", "first"), 2) == ("now", "first", "second")
    assert texts_of(case("now", "first"), 2) == ("now", "first", "")
    assert texts_of(case("now", "first"), 0) == ("now",)


def test_the_context_matters(trained):
    expert = TrainedExpert(trained)
    alone, after = (expert.vote(each, "text", 0) for each in (case("开会"), case("开会", "滚！别烦我")))
    assert alone.detail["scores"] != after.detail["scores"]


def test_equal_shares_are_ambiguous(trained):
    flat = TrainedText(
        labels=trained.labels,
        classes=trained.classes,
        features=trained.features,
        weights=np.zeros_like(trained.weights),
        bias=np.array([1.0, 1.0, 0.0]),
        header={},
    )
    vote = TrainedExpert(flat).vote(case("好"), "text", 0)
    assert (vote.label, vote.status, vote.reason) == (None, "ambiguous", "tie")


def test_what_makes_no_sense_is_refused(trained_file):
    with pytest.raises(UsageError, match="reads all and text, not face"):
        TrainedExpert(trained_file, streams=("face",))
    with pytest.raises(UsageError, match="was trained on the label set cped-13, the run has meld-7"):
        TrainedExpert(trained_file, labels="meld-7")
    assert TrainedExpert(trained_file, streams=("text", "all")).streams == ("all", "text")
