import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix, f1_score, precision_recall_fscore_support

from emotion.metrics import erc
from mmrole.core.errors import UsageError
from mmrole.core.labels import label_set

SETS = st.sampled_from(["cped-13", "meld-7", "iemocap-4"]).map(label_set)


@st.composite
def cases(draw):
    labels = draw(SETS)
    some = st.sampled_from(labels.labels[: draw(st.integers(1, len(labels)))])
    answer = st.sampled_from([*labels.labels, "ambiguous", "junk"])
    pairs = draw(st.lists(st.tuples(some, answer), min_size=1, max_size=30))
    return labels, [t for t, _ in pairs], [p for _, p in pairs]


def theirs(truth, prediction, labels, average):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of labels that do not occur
        return f1_score(truth, prediction, labels=list(labels), average=average, zero_division=0)


@settings(max_examples=60, deadline=None)
@given(cases())
def test_equal_to_scikit_learn(case):
    labels, truth, prediction = case
    names = labels.labels
    result = erc(truth, prediction, labels, without=[names[0]])
    present = [x for x in names if x in truth or x in prediction]
    assert result["accuracy"].value == pytest.approx(accuracy_score(truth, prediction), abs=1e-12)
    assert result["weighted_f1"].value == pytest.approx(theirs(truth, prediction, names, "weighted"), abs=1e-12)
    assert result["macro_f1"].value == pytest.approx(theirs(truth, prediction, present, "macro"), abs=1e-12)
    assert result["macro_f1_all"].value == pytest.approx(theirs(truth, prediction, names, "macro"), abs=1e-12)
    assert result["macro_f1"].details["absent_classes"] == [x for x in names if x not in present]
    if any(x != names[0] for x in truth):
        for average in ("weighted", "micro"):
            ours = result[f"{average}_f1_without"].value
            assert ours == pytest.approx(theirs(truth, prediction, names[1:], average), abs=1e-12)
    answered = [(t, p) for t, p in zip(truth, prediction, strict=True) if p in names]
    assert result["coverage"].value == pytest.approx(len(answered) / len(truth))
    if answered:
        t, p = zip(*answered, strict=True)
        assert result["accuracy_answered"].value == pytest.approx(accuracy_score(t, p), abs=1e-12)
        assert result["weighted_f1_answered"].value == pytest.approx(theirs(t, p, names, "weighted"), abs=1e-12)
        assert result.confusion[:, : len(names)].tolist() == confusion_matrix(t, p, labels=list(names)).tolist()
    else:
        assert result["accuracy_answered"].reason == "no_utterances"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = precision_recall_fscore_support(truth, prediction, labels=list(names), zero_division=np.nan)
    for k, name in enumerate(names):
        ours = result.per_class[name]
        assert ours["support"] == scores[3][k]
        for key, column in (("precision", 0), ("recall", 1)):
            wanted = scores[column][k]
            assert ours[key] == (None if np.isnan(wanted) else pytest.approx(wanted, abs=1e-12))


def test_the_table_of_counts():
    result = erc(["happy", "happy", "anger", None, "banana"], ["happy", None, "x", "happy", "happy"])
    assert result.columns[-2:] == ("ambiguous", "invalid")
    assert result.confusion.shape == (13, 15)
    happy, anger = result.confusion[0], result.confusion[4]
    assert (happy[0], happy[13], anger[14], result.confusion.sum()) == (1, 1, 1, 3)
    accuracy = result["accuracy"]
    assert (accuracy.value, accuracy.n) == (pytest.approx(1 / 3), 3)
    assert accuracy.excluded == {"no_truth": 1, "invalid_truth": 1}
    answered = result["accuracy_answered"]
    assert (answered.value, answered.n) == (1.0, 1)
    assert answered.excluded == {"no_truth": 1, "invalid_truth": 1, "ambiguous": 1, "invalid": 1}
    assert result.per_class["happy"] == {"precision": 1.0, "recall": 0.5, "f1": 2 / 3, "support": 2, "predicted": 1}
    assert result.per_class["fear"]["recall"] is None
    assert len(result) == len(list(result)) == 9


def test_upper():
    result = erc(["happy", "anger"], ["relaxed", "neutral"], level="upper")
    assert (result["accuracy"].value, result.columns[:3]) == (0.5, ("positive", "neutral", "negative"))
    nothing = erc(["joy"], ["joy"], "meld-7", level="upper")
    assert {(s.value, s.reason) for s in nothing.values()} == {(None, "no_sentiment_map")}


def test_nothing_to_score():
    for truth, prediction in (([], []), ([None], ["happy"])):
        result = erc(truth, prediction, bootstrap=10)
        assert {(s.value, s.reason) for s in result.values()} == {(None, "no_utterances")}


def test_only_the_label_left_out():
    result = erc(["neutral"], ["happy"], without=["neutral"])
    assert result["weighted_f1_without"].reason == "no_class"
    assert result["micro_f1_without"].value == 0.0  # happy was predicted
    assert "without=neutral" in result["micro_f1_without"].definition


def test_intervals():
    truth = ["happy", "anger", "neutral", "happy"] * 50
    prediction = ["happy", "anger", "anger", None] * 50
    alike = erc(truth, prediction, clusters=[i // 4 for i in range(200)], bootstrap=50)["accuracy"]
    assert alike.ci == pytest.approx((0.5, 0.5))
    # closed form of a share of one half of 200
    low, high = erc(truth, prediction, bootstrap=4000)["accuracy"].ci
    assert (high - low) / 2 == pytest.approx(1.96 * np.sqrt(0.25 / 200), rel=0.1)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((["happy"], []), {}, "1 and 0"),
        (("happy", "anger"), {}, "not the text 'happy'"),
        ((["happy"], ["happy"]), {"without": ["joy"]}, "'joy' is no label of cped-13"),
        ((["happy"], ["happy"]), {"clusters": []}, "0 clusters were named for 1 utterances"),
    ],
)
def test_usage(arguments, options, message):
    with pytest.raises(UsageError, match=message):
        erc(*arguments, **options)
