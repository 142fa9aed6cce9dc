import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score, jaccard_score, multilabel_confusion_matrix
from sklearn.preprocessing import MultiLabelBinarizer

from emotion.metrics import mec
from emotion.metrics.mec import indicator, set_confusion
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, label_set

CPED = label_set("cped-13")
TRUTH = [{"anger", "sadness"}, {"neutral"}, {"happy"}, {"worried", "fear"}]
PREDICTION = [{"anger"}, {"relaxed"}, {"happy", "relaxed"}, {"fear", "worried"}]
SETS = st.sets(st.sampled_from(CPED.labels), min_size=1, max_size=4)
RESPONSES = st.lists(st.tuples(SETS, SETS), min_size=1, max_size=15)


def test_golden_values():
    # by hand: lower TP 4 FP 2 FN 2, upper TP 3 FP 1 FN 1
    lower = mec(truth=TRUTH, prediction=PREDICTION, level="lower")
    assert lower.value == pytest.approx(2 / 3, abs=1e-15)
    assert mec(truth=TRUTH, prediction=PREDICTION, level="upper").value == 0.75
    assert (lower.n, lower.direction, lower.bounds) == (4, "up", (0.0, 1.0))
    assert lower.definition == "mec/set-micro-f1/v1 empty=excluded labels=cped-13"
    classes = lower.details["classes"]
    assert classes["relaxed"] == {"precision": 0.0, "recall": None, "f1": 0.0, "tp": 0, "fp": 2, "fn": 0}
    assert classes["grateful"]["f1"] is None


@settings(max_examples=60, deadline=None)
@given(RESPONSES, st.sampled_from(["micro", "macro", "jaccard"]))
def test_equal_to_scikit_learn(pairs, average):
    truth, prediction = [g for g, _ in pairs], [p for _, p in pairs]
    binarizer = MultiLabelBinarizer(classes=CPED.labels).fit([CPED.labels])
    g, p = binarizer.transform(truth), binarizer.transform(prediction)
    value = mec(truth=truth, prediction=prediction, average=average).value
    if average == "jaccard":
        wanted = jaccard_score(g, p, average="samples", zero_division=0)
    else:
        there = [k for k in range(13) if g[:, k].any() or p[:, k].any()]
        wanted = f1_score(g[:, there], p[:, there], average=average, zero_division=0)
    assert value == pytest.approx(wanted, abs=1e-12)
    assert set_confusion(g > 0, p > 0).tolist() == multilabel_confusion_matrix(g, p).tolist()


@settings(max_examples=60, deadline=None)
@given(RESPONSES)
def test_identity_is_best_and_exact(pairs):
    truth = [g for g, _ in pairs]
    for level in ("lower", "upper"):
        for average in ("micro", "macro", "jaccard"):
            assert mec(truth=truth, prediction=truth, level=level, average=average).value == 1.0


@settings(max_examples=60, deadline=None)
@given(RESPONSES, st.permutations(CPED.labels))
def test_renaming_the_labels_changes_nothing(pairs, order):
    to = dict(zip(CPED.labels, order, strict=True))
    renamed = [tuple({to[x] for x in side} for side in pair) for pair in pairs]
    first = mec(truth=[g for g, _ in pairs], prediction=[p for _, p in pairs]).value
    assert mec(truth=[g for g, _ in renamed], prediction=[p for _, p in renamed]).value == pytest.approx(
        first, abs=1e-15
    )


def test_empty_predictions_leave_or_miss():
    truth, prediction = [*TRUTH, {"happy"}, set()], [*PREDICTION, {None}, {"happy"}]
    left = mec(truth=truth, prediction=prediction)
    assert left.value == pytest.approx(2 / 3)
    assert (left.n, left.excluded["all_ambiguous"], left.excluded["no_truth"]) == (4, 1, 1)
    assert left.details["coverage"] == 0.8
    # by hand: FN 3
    missed = mec(truth=truth, prediction=prediction, empty="miss")
    assert missed.value == pytest.approx(8 / 13)
    assert (missed.n, missed.excluded["all_ambiguous"]) == (5, 0)


def test_labels_outside_the_set_are_counted_never_mapped():
    score = mec(truth=[{"anger", "rage"}, {"joy"}], prediction=[{"Angry", "furious", "mad"}, {"happy"}])
    assert score.value == 1.0
    assert score.excluded == {"no_truth": 1, "all_ambiguous": 0, "invalid_truth": 2, "invalid_prediction": 2}


@pytest.mark.parametrize(
    ("truth", "prediction", "reason"),
    [
        ([], [], "no_responses"),
        ([{"happy"}], [set()], "no_scorable_responses"),
        ([set()], [{"happy"}], "no_scorable_responses"),
    ],
)
def test_undefined(truth, prediction, reason):
    for level in ("lower", "upper"):
        score = mec(truth=truth, prediction=prediction, level=level, bootstrap=10)
        assert (score.value, score.reason, score.n, score.ci) == (None, reason, 0, None)


def test_upper_needs_an_exact_map():
    score = mec(truth=[{"joy"}], prediction=[{"joy"}], level="upper", labels="meld-7")
    assert (score.value, score.reason) == (None, "no_sentiment_map")
    own = LabelSet(name="two", labels=("a", "b"), sentiments={"x": ("a",), "y": ("b",)})
    assert mec(truth=[{"a"}], prediction=[{"a", "b"}], level="upper", labels=own).value == pytest.approx(2 / 3)


def test_interval_over_dialogues():
    truth, prediction = TRUTH * 10, PREDICTION * 10
    score = mec(truth=truth, prediction=prediction, clusters=[i // 4 for i in range(40)], bootstrap=100)
    assert score.ci == pytest.approx((2 / 3, 2 / 3))  # all dialogues are alike
    score = mec(truth=truth, prediction=prediction, bootstrap=100)
    assert score.ci[0] < 2 / 3 < score.ci[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"truth": [{"happy"}], "prediction": []}, "1 and 0"),
        ({"truth": ["happy"], "prediction": [{"happy"}]}, "not the text 'happy'"),
        ({"truth": [], "prediction": [], "average": "mean"}, "average is one of"),
        ({"truth": [], "prediction": [], "level": "middle"}, "level has to be"),
        ({"truth": [], "prediction": [], "labels": "x"}, "no label set 'x'"),
    ],
)
def test_usage(arguments, message):
    with pytest.raises(UsageError, match=message):
        mec(**arguments)


def test_indicator():
    sets, invalid = indicator([{"anger"}, [], ["angry", "x", None]], CPED)
    assert sets.sum(axis=1).tolist() == [1, 0, 1]
    assert invalid == 1
