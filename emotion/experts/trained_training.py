"""Training of the text expert: logistic regression on character n-grams, scored by cross-validation over groups.

All utterances of a group (a dialogue, or a whole show) are on one side of every split, so that the scores do not profit from
neighbours that talk of the same thing. Classes weigh the same, however rare: macro F1 is what such data are compared by.
"""

from __future__ import annotations

import platform
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from emotion.experts.trained_features import TextFeatures, Texts
from emotion.experts.trained_model import FORMAT, VERSION, TrainedText
from emotion.experts.trained_scores import validation_scores
from mmrole.core.canonical import Record
from mmrole.core.errors import InputError, MissingExtraError, UsageError
from mmrole.core.labels import LabelSet
from mmrole.core.manifest import library_versions

if TYPE_CHECKING:
    from sklearn.linear_model import LogisticRegression

IntArray = npt.NDArray[np.int64]

LIBRARIES: Final = ("mmrole", "numpy", "scikit-learn", "scipy")
_ROUNDS: Final = 300


@dataclass(frozen=True, kw_only=True)
class TrainingOptions:
    """How an expert is trained.

    Attributes:
        ngrams: characters of the longest n-gram
        context: utterances before the one in question that are read
        context_weight: of the utterance before, beside 1 for the utterance itself; the one before that has its square, and so on
        fewest: n-grams in fewer texts than this are left out
        strength: inverse of the regularisation (C of scikit-learn)
        folds: of the cross-validation
        seed: of the folds

    Raises:
        UsageError: a value that makes no sense
    """

    ngrams: int = 2
    context: int = 2
    context_weight: float = 0.5
    fewest: int = 2
    strength: float = 3.0
    folds: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("ngrams", self.ngrams, 1, 8),
            ("context", self.context, 0, 8),
            ("fewest", self.fewest, 1, 1000),
            ("folds", self.folds, 2, 100),
            ("seed", self.seed, 0, 2**32 - 1),
        ):
            if not low <= value <= high:
                raise UsageError(f"--{name} has to be a whole number from {low} to {high}, not {value}")
        for name, number, top in (("strength", self.strength, 1e6), ("context-weight", self.context_weight, 10.0)):
            if not 1e-3 <= number <= top:
                raise UsageError(f"--{name} has to be a number from 0.001 to {top:,.0f}, not {number}")

    @property
    def weights(self) -> tuple[float, ...]:
        """Weight of the utterance and of each before it."""
        return tuple(self.context_weight**number for number in range(self.context + 1))

    def to_record(self) -> Record:
        """The options as JSON values."""
        return {
            "ngrams": self.ngrams,
            "context": self.context,
            "weights": list(self.weights),
            "fewest": self.fewest,
            "strength": self.strength,
            "folds": self.folds,
            "seed": self.seed,
            "classifier": "logistic regression, L2, lbfgs, balanced classes",
        }


@dataclass(frozen=True, kw_only=True)
class Example:
    """One labelled utterance.

    Attributes:
        texts: the utterance and those before it, the nearest first, `context` + 1 of them
        label: a label of the set
        group: what stays together in cross-validation
    """

    texts: Texts
    label: str
    group: str


def train_text_expert(
    examples: Sequence[Example],
    labels: LabelSet,
    *,
    options: TrainingOptions,
    data: Sequence[Record],
    counts: Mapping[str, Any],
    groups: str = "dialogue",
    tell: Callable[[str], None] = lambda _line: None,
) -> TrainedText:
    """Trains an expert and scores it by cross-validation.

    Args:
        examples: the training data
        labels: their label set
        options: see there
        data: what the header says of each file
        counts: what it says of the number of utterances
        groups: what a group is, for the header
        tell: takes a line about each step

    Raises:
        MissingExtraError: scikit-learn is not installed
        InputError: too little to learn from
        UsageError: more folds than groups
    """
    require_sklearn()
    from threadpoolctl import threadpool_limits

    codes = np.array(labels.codes(example.label for example in examples), dtype=np.int64)
    present = np.unique(codes)
    if len(present) < 2:
        seen = ", ".join(labels.labels[code] for code in present) or "none"
        raise InputError(f"an expert needs two labels or more to learn from, the data have {seen}")
    numbers: dict[str, int] = {}
    owner = np.array([numbers.setdefault(example.group, len(numbers)) for example in examples], dtype=np.int64)
    if len(numbers) < options.folds:
        raise UsageError(
            f"{options.folds} folds need as many groups, the data have {len(numbers)} ({groups}): see --folds and --groups"
        )
    # one thread: sums in another order would make another file
    with threadpool_limits(1):
        predicted = _cross_validated(examples, codes, owner, options, tell)
        tell(f"training on all {len(examples):,} utterances")
        model, notes = _fitted(examples, codes, labels, options)
    header: Record = {
        "format": FORMAT,
        "version": VERSION,
        "label_set": labels.to_record(),
        "classes": list(model.classes),
        "settings": options.to_record(),
        "data": list(data),
        "counts": {**counts, "by_label": {labels.labels[code]: int((codes == code).sum()) for code in present}},
        "libraries": {"python": platform.python_version(), **library_versions(*LIBRARIES)},
        "validation": {
            "folds": options.folds,
            "groups": groups,
            "number_of_groups": len(numbers),
            **validation_scores(codes, predicted, owner, labels, seed=options.seed),
        },
        "notes": notes,
    }
    return replace(model, header=header)


def require_sklearn() -> None:
    """Makes sure that scikit-learn is there.

    Raises:
        MissingExtraError: it is not
    """
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise MissingExtraError("training an expert needs scikit-learn: pip install 'mmrole[train]'") from None


def folds_of(owner: IntArray, folds: int, seed: int) -> IntArray:
    """Fold of each example, shape (n,); whole groups, about equally many examples in each.

    The groups are shuffled, then each goes to the smallest fold so far, the largest groups first.

    Args:
        owner: number of each example's group, from 0, shape (n,)
        folds: number of folds
        seed: of the shuffle
    """
    sizes = np.bincount(owner)
    shuffled = np.random.default_rng(seed).permutation(len(sizes))
    order = shuffled[np.argsort(-sizes[shuffled], kind="stable")]
    filled = np.zeros(folds, dtype=np.int64)
    fold = np.zeros(len(sizes), dtype=np.int64)
    for group in order.tolist():
        fold[group] = filled.argmin()
        filled[fold[group]] += sizes[group]
    return fold[owner]


def _cross_validated(
    examples: Sequence[Example],
    codes: IntArray,
    owner: IntArray,
    options: TrainingOptions,
    tell: Callable[[str], None],
) -> IntArray:
    """Code that each example is given by an expert that saw nothing of its group, shape (n,)."""
    fold = folds_of(owner, options.folds, options.seed)
    predicted = np.full(len(codes), -1, dtype=np.int64)
    for number in range(options.folds):
        tell(f"cross-validation: fold {number + 1} of {options.folds}")
        inside, outside = (np.flatnonzero(mask).tolist() for mask in (fold != number, fold == number))
        if len(np.unique(codes[inside])) < 2:
            raise InputError(
                f"all utterances outside fold {number + 1} have one label: give more data or fewer --folds"
            )
        features, classifier = _learned([examples[n] for n in inside], codes[inside], options)
        predicted[outside] = classifier.predict(features.matrix([examples[n].texts for n in outside]))
    return predicted


def _learned(
    examples: Sequence[Example], codes: IntArray, options: TrainingOptions
) -> tuple[TextFeatures, LogisticRegression]:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    texts = [example.texts for example in examples]
    features = TextFeatures.learned(texts, longest=options.ngrams, weights=options.weights, fewest=options.fewest)
    if not features.size:
        raise InputError(f"no n-gram is in {options.fewest} utterances or more: give more data")
    classifier = LogisticRegression(C=options.strength, class_weight="balanced", max_iter=_ROUNDS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # whether it converged stands in the header
        classifier.fit(features.matrix(texts), codes)
    return features, classifier


def _fitted(
    examples: Sequence[Example], codes: IntArray, labels: LabelSet, options: TrainingOptions
) -> tuple[TrainedText, list[str]]:
    features, classifier = _learned(examples, codes, options)
    weights, bias = classifier.coef_, classifier.intercept_
    if len(weights) == 1:  # two classes: scikit-learn keeps the second one's, against 0
        weights, bias = np.vstack([np.zeros_like(weights), weights]), np.append(0.0, bias)
    notes = []
    if int(np.max(classifier.n_iter_)) >= _ROUNDS:
        notes.append(f"the training did not converge in {_ROUNDS} rounds; a smaller --strength may")
    model = TrainedText(
        labels=labels,
        classes=tuple(labels.labels[code] for code in classifier.classes_.tolist()),
        features=features,
        weights=np.ascontiguousarray(weights, dtype=np.float32),
        bias=np.ascontiguousarray(bias, dtype=np.float64),
        header={},
    )
    return model, notes
