import json

import numpy as np
import pytest

from emotion.evaluate import score
from mmrole.core.errors import UsageError


@pytest.fixture
def report(large):
    return score(*large, bootstrap=10)


def test_short_on_the_screen(report):
    # of two dozen responses or thousands: a line, never the label set and the arrays
    assert repr(report).startswith("ScoreReport(cped-13, ")
    assert repr(report.labels) == "LabelSet(cped-13, 13 labels)"
    pair = report.transitions("inter")
    assert repr(pair.truth) == f"TransitionMatrix(cped-13, {pair.truth.total:,} transitions)"
    assert len(repr(pair)) < 200


def test_confusion_counts_are_those_of_mec(report):
    for level, size in (("lower", 13), ("upper", 3)):
        confusion = report.confusion(level)
        found = report["mec", level]
        assert confusion.shape == (size, 2, 2)
        assert (confusion.sum(axis=(1, 2)) == found.n).all()
        (_, fp), (fn, tp) = confusion.sum(axis=0)
        assert found.value == pytest.approx(2 * tp / (2 * tp + fp + fn))
        assert report.classes(level) == found.details["classes"]


def test_confusion_with_empty_predictions_as_misses(large):
    report = score(*large, bootstrap=0, empty="miss")
    assert (report.confusion().sum(axis=(1, 2)) == report["mec", "lower"].n).all()


def test_transitions_of_a_role_and_of_all(report):
    whole = report.transitions("inter")
    roles = list(report.matrices["inter"].truth)
    parts = [report.transitions("inter", role=role) for role in roles]
    assert "其他" not in roles
    assert whole.truth.total == sum(part.truth.total for part in parts)
    assert np.array_equal(whole.prediction.counts, sum(part.prediction.counts for part in parts))
    assert parts[0].role == roles[0]
    details = report["edd", "inter"].details["roles"]
    assert details[roles[0]]["truth"] == parts[0].truth.total


def test_usage(report, large):
    with pytest.raises(UsageError, match="kind has to be one of"):
        report.transitions("x")
    with pytest.raises(UsageError, match="role 'Zoe' has no response; there are "):
        report.transitions("intra", role="Zoe")
    meld = score(*large, labels="meld-7", bootstrap=0)
    for method in (meld.confusion, meld.classes):
        with pytest.raises(UsageError, match="meld-7 has no map"):
            method("upper")
    with pytest.raises(KeyError):
        report["mec", "middle"]


def test_records_are_json(report):
    record = json.loads(json.dumps(report.transitions_record(), allow_nan=False))
    assert set(record) == {"label_set", "labels", "intra", "inter", "same_speaker"}
    role, sides = next(iter(record["intra"].items()))
    assert np.array_equal(sides["truth"], report.transitions("intra", role=role).truth.counts)
    for found in report.scores:
        json.dumps(found.to_record(), allow_nan=False)


def test_label_records_are_of_every_vote(report, large):
    _, votes = large
    keys = [(r["utterance_id"], r["stream"]) for r in report.label_records()]
    assert len(keys) == len(set(keys))
    assert set(keys) == {(v["utterance_id"], v["stream"]) for v in votes}


def test_table(report):
    frame = report.to_frame()
    assert len(frame) == len(report.scores)
    assert list(frame.columns) == [
        "metric", "part", "value", "ci_low", "ci_high", "n", "direction", "reason", "excluded", "definition",
    ]  # fmt: skip
    assert frame["value"].dtype == "float64"
    assert frame["value"][0] == report.scores[0].value


def test_coverage(report, large):
    dialogues, _ = large
    coverage = report.coverage()
    assert coverage["dialogues"] == len(dialogues)
    assert coverage["turns"] == sum(len(d.turns) for d in dialogues)
    assert coverage["answered"] <= coverage["played_turns"]
    assert coverage["no_predecessor"] > 0
