"""ERC: plain recognition scores, utterance by utterance, against labels.

Conventions
    Truth and prediction are one label per utterance. An utterance without a valid truth leaves the count. A prediction is a label
    of the set, *ambiguous* (None, NaN, an empty string or the word ambiguous) or *invalid* (anything else); both are misses in the
    scores over all utterances, and leave the scores over the answered ones (``..._answered``).

    Averages of F1 are over the labels of the set: ``weighted_f1`` by the support in the truth; ``macro_f1`` over the labels
    that occur in truth or prediction, the others listed in ``details``; ``macro_f1_all`` over all labels, where one that does
    not occur counts 0. Equal to scikit-learn where both are defined.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from emotion.metrics.recognition import confusion_statistics
from mmrole.core.bootstrap import interval, resampled_sums
from mmrole.core.errors import UsageError
from mmrole.core.labels import INVALID, MISSING, LabelSet, Level, label_set
from mmrole.core.scores import Score, definition

IntArray = npt.NDArray[np.int64]

AMBIGUOUS: Final = "ambiguous"


@dataclass(frozen=True, kw_only=True, eq=False)
class ErcResult(Mapping[str, Score]):
    """Recognition scores by name, and the confusion counts.

    Attributes:
        scores: name -> score: accuracy, weighted_f1, macro_f1, macro_f1_all, each also as ..._answered; coverage; with
            labels to leave out also weighted_f1_without, micro_f1_without
        confusion: rows = truth, columns = the K labels, ambiguous, invalid; shape (K, K + 2)
        columns: names of the columns
        per_class: label -> precision, recall, f1 (None where undefined), support, predicted; over all utterances
        per_class_answered: the same over the answered utterances
    """

    scores: Mapping[str, Score]
    confusion: IntArray
    columns: tuple[str, ...]
    per_class: Mapping[str, Mapping[str, Any]]
    per_class_answered: Mapping[str, Mapping[str, Any]]

    def __getitem__(self, name: str) -> Score:
        return self.scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)


def erc(
    truth: Sequence[Any],
    prediction: Sequence[Any],
    labels: LabelSet | str = "cped-13",
    *,
    level: Level = "lower",
    without: Sequence[str] = (),
    clusters: Sequence[Hashable] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> ErcResult:
    """Scores predicted emotions of utterances.

    Args:
        truth: label of each utterance
        prediction: predicted label of each utterance; None where there is none
        labels: the label set or its name
        level: ``lower`` for the labels, ``upper`` for their sentiments
        without: labels to leave out of two more averages, such as neutral
        clusters: dialogue of each utterance, for the intervals
        bootstrap: draws of the intervals; 0 for none
        seed: of the draws

    Returns:
        scores in [0, 1], up; ``n`` utterances, ``excluded`` no_truth, invalid_truth, and in the answered ones ambiguous and
        invalid

    Raises:
        UsageError: lengths differ, a text in place of a list, a label to leave out that is not in the set
    """
    names = label_set(labels)
    for what, column in (("truth", truth), ("prediction", prediction)):
        if isinstance(column, str):
            raise UsageError(f"{what} has to be a list of labels, not the text {column[:40]!r}")
    if len(truth) != len(prediction):
        raise UsageError(f"truth and prediction are of the same utterances: {len(truth)} and {len(prediction)}")
    given = np.array(names.codes(truth), dtype=np.int64)
    answered = [None if label == AMBIGUOUS else label for label in prediction]
    fused = np.array(names.codes(answered), dtype=np.int64)
    numbers: dict[Hashable, int] = {}
    owners = None
    if clusters is not None:
        owners = np.array([numbers.setdefault(name, len(numbers)) for name in clusters], dtype=np.int64)
        if len(owners) != len(given):
            raise UsageError(f"{len(owners)} clusters were named for {len(given)} utterances")
    return erc_of_codes(
        given,
        fused,
        names,
        level=level,
        without=without,
        clusters=owners,
        bootstrap=bootstrap,
        seed=seed,
    )


def erc_of_codes(
    truth: IntArray,
    prediction: IntArray,
    labels: LabelSet,
    *,
    level: Level = "lower",
    without: Sequence[str] = (),
    clusters: IntArray | None = None,
    bootstrap: int = 0,
    seed: int = 0,
    maps: Sequence[str] = (),
) -> ErcResult:
    """`erc` on arrays.

    Args:
        truth: code of each utterance's label, shape (n,)
        prediction: code of its prediction; `MISSING` is ambiguous, `INVALID` invalid, shape (n,)
        labels: the label set
        level: see `erc`
        without: see `erc`
        clusters: number of each utterance's dialogue, from 0, shape (n,)
        bootstrap: see `erc`
        seed: see `erc`
        maps: names of the label maps that truth and prediction went through, for the definitions
    """
    names = labels.at(level)
    if names is None:
        nothing = {
            name: _score(name, None, 0, {}, "no_sentiment_map", labels, {})
            for name in ("accuracy", "weighted_f1", "macro_f1")
        }
        empty: IntArray = np.zeros((0, 2), dtype=np.int64)
        return ErcResult(
            scores=nothing, confusion=empty, columns=(AMBIGUOUS, "invalid"), per_class={}, per_class_answered={}
        )
    left_out = {"no_truth": int((truth == MISSING).sum()), "invalid_truth": int((truth == INVALID).sum())}
    if level == "upper":
        fold = np.array(labels.sentiment_codes, dtype=np.int64)
        truth = np.where(truth >= 0, fold[truth], truth)
        prediction = np.where(prediction >= 0, fold[prediction], prediction)
    size = len(names)
    width = size * (size + 2)
    kept = truth >= 0
    column = np.where(prediction >= 0, prediction, np.where(prediction == MISSING, size, size + 1))
    cells = truth[kept] * (size + 2) + column[kept]
    confusion = np.bincount(cells, minlength=width).reshape(size, size + 2).astype(np.int64)
    drawn, count = _resampled(cells, width, None if clusters is None else clusters[kept], bootstrap, seed)
    scores = {}
    for name, (statistic, answered_only) in confusion_statistics(names, without).items():
        whole = confusion.reshape(1, -1).astype(np.float64)
        value = float(statistic(whole)[0]) if kept.any() else np.nan
        n = int(confusion[:, :size].sum() if answered_only else confusion.sum())
        ci = None
        if len(drawn) and np.isfinite(value):
            ci = interval(statistic(drawn), clusters=count)
        excluded = dict(left_out)
        if answered_only:
            excluded |= {AMBIGUOUS: int(confusion[:, size].sum()), "invalid": int(confusion[:, size + 1].sum())}
        reason = None if np.isfinite(value) else "no_utterances" if not n else "no_class"
        scores[name] = _score(
            name,
            value if reason is None else None,
            n,
            excluded,
            reason,
            names,
            _details(confusion, names),
            ci=ci,
            without=without,
            maps=maps,
        )
    return ErcResult(
        scores=scores,
        confusion=confusion,
        columns=(*names.labels, AMBIGUOUS, "invalid"),
        per_class=_per_class(confusion, names),
        per_class_answered=_per_class(confusion[:, :size], names),
    )


def _resampled(
    cells: IntArray, width: int, owners: IntArray | None, draws: int, seed: int
) -> tuple[npt.NDArray[np.float64], int]:
    """Confusion counts of each draw, shape (draws, width), and the number of clusters."""
    if not draws or not len(cells):
        return np.zeros((0, width)), 0
    if owners is None:  # drawing utterances one by one gives multinomial counts
        shares = np.bincount(cells, minlength=width) / len(cells)
        return np.random.default_rng(seed).multinomial(len(cells), shares, size=draws).astype(np.float64), len(cells)
    numbers, owner = np.unique(owners, return_inverse=True)
    per_cluster = np.bincount(owner * width + cells, minlength=len(numbers) * width).reshape(-1, width)
    return resampled_sums(per_cluster, draws, seed), len(numbers)


def _details(confusion: IntArray, names: LabelSet) -> dict[str, Any]:
    size = len(names)
    there = (confusion.sum(axis=1) > 0) | (confusion[:, :size].sum(axis=0) > 0)
    return {"absent_classes": [label for label, is_there in zip(names.labels, there, strict=True) if not is_there]}


def _score(
    name: str,
    value: float | None,
    n: int,
    excluded: Mapping[str, int],
    reason: str | None,
    names: LabelSet,
    details: Mapping[str, Any],
    *,
    ci: tuple[float, float] | None = None,
    without: Sequence[str] = (),
    maps: Sequence[str] = (),
) -> Score:
    options: dict[str, Any] = {"labels": names.name, **({"maps": "+".join(maps)} if maps else {})}
    if name.endswith("_without"):
        options["without"] = "+".join(without)
    if name.startswith("macro_f1_all"):
        options["zero_division"] = 0
    if name != "coverage":
        options["unanswered"] = "excluded" if name.endswith("_answered") else "miss"
    return Score(
        metric="erc",
        part=name,
        value=value,
        n=n,
        excluded=excluded,
        ci=ci,
        definition=definition(
            f"erc/{name.removesuffix('_answered').removesuffix('_without').replace('_', '-')}/v1", **options
        ),
        bounds=(0.0, 1.0),
        direction="up",
        reason=reason,
        details=details if "macro" in name else {},
    )


def _per_class(confusion: IntArray, names: LabelSet) -> dict[str, dict[str, Any]]:
    out: dict[str, dict[str, Any]] = {}
    for k, label in enumerate(names.labels):
        hits, support, predicted = (int(x) for x in (confusion[k, k], confusion[k].sum(), confusion[:, k].sum()))
        out[label] = {
            "precision": hits / predicted if predicted else None,
            "recall": hits / support if support else None,
            "f1": 2 * hits / (support + predicted) if support + predicted else None,
            "support": support,
            "predicted": predicted,
        }
    return out
