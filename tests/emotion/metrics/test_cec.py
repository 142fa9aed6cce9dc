import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emotion.metrics import cec
from mmrole.core.agreement import krippendorff_alpha
from mmrole.core.errors import UsageError
from mmrole.core.labels import label_set

CPED = label_set("cped-13")
STREAMS = {
    "face": ["happy", "anger", "neutral", "sadness", None],
    "body": ["happy", "anger", "relaxed", "sadness", "fear"],
    "speech": ["relaxed", "anger", "neutral", None, None],
}
UNITS = st.lists(st.tuples(*[st.none() | st.sampled_from(CPED.labels)] * 3), min_size=1, max_size=20)


def test_golden_values():
    # by hand (see the definition of nominal alpha): lower 7/12, upper 14/19
    lower = cec(STREAMS, level="lower")
    assert lower.value == pytest.approx(7 / 12, abs=1e-12)
    assert cec(STREAMS, level="upper").value == pytest.approx(14 / 19, abs=1e-12)
    assert (lower.n, lower.excluded["fewer_than_two_labels"]) == (4, 1)
    assert lower.details["pairs"]["face+body"] == {"agreement": 0.75, "n": 4}
    # by hand: shares 1/3, 1, 1/3, 1
    assert lower.details["pairwise"] == pytest.approx(2 / 3)
    assert cec(STREAMS, measure="pairwise").value == lower.details["pairwise"]


@settings(max_examples=60, deadline=None)
@given(UNITS)
def test_equal_to_alpha_of_a_table(units):
    columns = [list(column) for column in zip(*units, strict=True)]
    score = cec(dict(zip("abc", columns, strict=True)))
    alpha = krippendorff_alpha(columns)
    assert score.value == (None if alpha.value is None else pytest.approx(alpha.value, abs=1e-12))
    assert (score.n, score.reason) == (alpha.n, alpha.reason)
    assert score.details["observed_agreement"] == (
        None if not alpha.n else pytest.approx(alpha.details["observed_agreement"], abs=1e-12)
    )


@settings(max_examples=60, deadline=None)
@given(UNITS)
def test_upper_is_lower_of_the_sentiments(units):
    sentiments = {label: s for s, labels in CPED.sentiments.items() for label in labels}
    columns = {name: [u[i] for u in units] for i, name in enumerate("abc")}
    mapped = {name: [x and sentiments[x] for x in column] for name, column in columns.items()}
    assert cec(columns, level="upper").value == cec(mapped, labels="sentiment-3").value


def test_undefined_is_said():
    nothing = cec({"face": ["happy", None], "body": [None, "anger"]})
    assert (nothing.value, nothing.reason, nothing.n) == (None, "no_pairable_units", 0)
    single = cec({"face": ["happy"] * 3, "body": ["happy"] * 3}, bootstrap=10)
    assert (single.value, single.reason, single.ci) == (None, "no_variation", None)
    assert single.details["observed_agreement"] == 1.0
    assert cec({}).reason == "no_pairable_units"
    assert cec({"a": ["joy"], "b": ["joy"]}, level="upper", labels="meld-7").reason == "no_sentiment_map"


def test_invalid_labels_are_missing_and_counted():
    score = cec({"a": ["happy", "banana"], "b": ["happy", "anger"]})
    assert score.excluded == {"fewer_than_two_labels": 1, "invalid_labels": 1}


def test_interval_over_dialogues():
    many = {name: column * 20 for name, column in STREAMS.items()}
    score = cec(many, clusters=[i // 5 for i in range(100)], bootstrap=50)
    assert score.ci == pytest.approx((score.value, score.value), abs=0.01)  # all dialogues are alike
    low, high = cec(many, bootstrap=200).ci
    assert low < score.value < high


@pytest.mark.parametrize(
    ("streams", "options", "message"),
    [
        ({"a": ["happy"], "b": []}, {}, r"lengths are \{'a': 1, 'b': 0\}"),
        ({"a": "happy", "b": "anger"}, {}, "labels of a have to be a list"),
        ({}, {"measure": "kappa"}, "measure has to be one of alpha, pairwise"),
    ],
)
def test_usage(streams, options, message):
    with pytest.raises(UsageError, match=message):
        cec(streams, **options)
