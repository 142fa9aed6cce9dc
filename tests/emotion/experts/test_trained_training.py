import builtins

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emotion.experts.trained_features import TextFeatures
from emotion.experts.trained_training import Example, TrainingOptions, folds_of, train_text_expert
from mmrole.core.errors import InputError, MissingExtraError, UsageError
from mmrole.core.labels import label_set

CPED = label_set("cped-13")


def train(examples, **options):
    return train_text_expert(examples, CPED, options=TrainingOptions(**options), data=[], counts={})


def test_probabilities_are_those_of_scikit_learn(examples, trained):
    from sklearn.linear_model import LogisticRegression

    texts = [example.texts for example in examples]
    features = TextFeatures.learned(texts, longest=2, weights=(1, 0.5, 0.25), fewest=2)
    classifier = LogisticRegression(C=3.0, class_weight="balanced", max_iter=300)
    classifier.fit(features.matrix(texts), [example.label for example in examples])
    order = [list(classifier.classes_).index(label) for label in trained.classes]
    wanted = classifier.predict_proba(features.matrix(texts))[:, order]
    # sorted by name there, by the set's order here: another order of the sums
    np.testing.assert_allclose(trained.probabilities(texts), wanted, atol=2e-3)


def test_two_classes(examples):
    from sklearn.linear_model import LogisticRegression

    two = [example for example in examples if example.label != "neutral"]
    model = train(two, folds=3, context=0)
    assert model.classes == ("happy", "anger")
    texts = [(example.texts[0],) for example in two]
    features = TextFeatures.learned(texts, longest=2, weights=(1.0,), fewest=2)
    classifier = LogisticRegression(C=3.0, class_weight="balanced", max_iter=300)
    classifier.fit(features.matrix(texts), [0 if example.label == "happy" else 1 for example in two])
    np.testing.assert_allclose(model.probabilities(texts), classifier.predict_proba(features.matrix(texts)), atol=1e-6)


def test_the_header_says_what_it_was_trained_on(trained):
    header = trained.header
    assert header["classes"] == ["happy", "anger", "neutral"]
    assert header["counts"]["by_label"] == {"happy": 24, "anger": 12, "neutral": 12}
    assert header["data"][0]["sha256"] == "0" * 64
    assert set(header["libraries"]) == {"python", "mmrole", "numpy", "scikit-learn", "scipy"}
    validation = header["validation"]
    assert (validation["folds"], validation["groups"], validation["number_of_groups"]) == (3, "dialogue", 12)
    # the words give the labels away
    assert validation["scores"]["lower"]["accuracy"]["value"] > 0.9
    # always happy: 24 of 48; F1 of happy 2 * 24 / (2 * 24 + 24) = 2/3, of the two others 0
    assert validation["majority"]["lower"]["accuracy"]["value"] == 0.5
    assert validation["majority"]["lower"]["macro_f1"]["value"] == pytest.approx(2 / 9)
    assert validation["majority"]["upper"]["macro_f1"]["value"] == pytest.approx(2 / 9)


def test_the_most_frequent_sentiment_need_not_be_that_of_the_most_frequent_label():
    rows = ["neutral"] * 4 + ["anger"] * 3 + ["fear"] * 3
    examples = [Example(texts=(f"{label} word",), label=label, group=str(n % 5)) for n, label in enumerate(rows)]
    majority = train(examples, folds=2, context=0).header["validation"]["majority"]
    assert majority["lower"]["accuracy"]["value"] == 0.4
    assert majority["upper"]["accuracy"]["value"] == 0.6


def test_cross_validation_never_sees_the_group():
    # every group has a word of its own that gives its labels away, and nothing else does: who saw the group scores 1
    examples = []
    for group in range(12):
        label = ("happy", "anger")[group % 2]
        word = chr(0x4E00 + 7 * group) * 3
        examples += [Example(texts=(word,), label=label, group=str(group))] * 4
    model = train(examples, folds=4, context=0, fewest=1)
    seen = model.probabilities([example.texts for example in examples]).argmax(axis=1)
    assert [model.classes[code] for code in seen] == [example.label for example in examples]
    assert model.header["validation"]["scores"]["lower"]["accuracy"]["value"] <= 0.5


@given(st.lists(st.integers(0, 9), min_size=10, max_size=60), st.integers(2, 4), st.integers(0, 5))
def test_folds_keep_groups_together_and_are_about_equal(owners, folds, seed):
    numbers = {name: number for number, name in enumerate(dict.fromkeys(owners))}
    owner = np.array([numbers[name] for name in owners])
    fold = folds_of(owner, folds, seed)
    for group in range(len(numbers)):
        assert len(set(fold[owner == group].tolist())) == 1
    sizes = np.bincount(fold, minlength=folds)
    # the largest group first into the smallest fold: no fold is ahead of another by more than one group
    assert sizes.max() - sizes.min() <= np.bincount(owner).max()
    assert (fold == folds_of(owner, folds, seed)).all()


def test_equal_trainings_are_equal_bytes(examples, trained):
    again = train_text_expert(
        examples,
        CPED,
        options=TrainingOptions(folds=3),
        data=trained.header["data"],
        counts={name: trained.header["counts"][name] for name in ("inputs", "done", "failed", "skipped")},
    )
    assert again.to_bytes() == trained.to_bytes()


def test_too_little_to_learn_from(examples):
    with pytest.raises(InputError, match="two labels or more to learn from, the data have happy"):
        train([example for example in examples if example.label == "happy"])
    with pytest.raises(InputError, match="the data have none"):
        train([])
    with pytest.raises(UsageError, match=r"20 folds need as many groups, the data have 12 \(dialogue\)"):
        train(examples, folds=20)
    with pytest.raises(InputError, match="no n-gram is in 1000 utterances or more"):
        train(examples, fewest=1000, folds=2)
    apart = [Example(texts=(text,), label=label, group=label) for text, label in (("a", "happy"), ("b", "anger")) * 3]
    with pytest.raises(InputError, match="outside fold 1 have one label"):
        train(apart, folds=2, context=0, fewest=1)


def test_training_that_does_not_converge_is_told(examples, monkeypatch):
    monkeypatch.setattr("emotion.experts.trained_training._ROUNDS", 2)
    assert "did not converge in 2 rounds" in train(examples, folds=2).header["notes"][0]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"ngrams": 0}, "--ngrams has to be a whole number from 1 to 8, not 0"),
        ({"context": -1}, "--context"),
        ({"folds": 1}, "--folds"),
        ({"seed": -1}, "--seed"),
        ({"strength": 0.0}, "--strength has to be a number from 0.001"),
        ({"strength": float("nan")}, "--strength"),
        ({"context_weight": -0.5}, "--context-weight"),
    ],
)
def test_options_that_make_no_sense(option, message):
    with pytest.raises(UsageError, match=message):
        TrainingOptions(**option)


def test_without_scikit_learn_one_line_says_what_to_install(examples, monkeypatch):
    real = builtins.__import__

    def refusing(name, *args, **more):
        if name.split(".")[0] == "sklearn":
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", refusing)
    with pytest.raises(
        MissingExtraError, match=r"training an expert needs scikit-learn: pip install 'mmrole\[train\]'"
    ):
        train(examples)
