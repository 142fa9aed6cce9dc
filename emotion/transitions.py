"""Emotion transitions: which label follows which, counted per role.

Kinds
    ``intra``: neighbouring utterances inside a turn.
    ``inter``: last label of the turn just before -> first label of the turn; it belongs to the role of the later turn.
    ``same_speaker``: last label of the role's own previous turn -> first label of the turn.

An ambiguous or missing label, or a gap in the utterance ids, breaks the chain. Source: MERRY (arXiv 2602.21941), EDD.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from mmrole.core.counting import counted
from mmrole.core.dialogue import Dialogue, Turn, Utterance, follows
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, label_set

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Kind = Literal["intra", "inter", "same_speaker"]

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


@dataclass(frozen=True, kw_only=True, eq=False)
class TransitionMatrix:
    """Counts of transitions between labels; matrices of one label set add.

    Attributes:
        counts: number of transitions, shape (K, K), rows = origin, columns = landing
        labels: the label set, in the order of rows and columns
    """

    counts: IntArray
    labels: LabelSet

    def __post_init__(self) -> None:
        size = len(self.labels)
        if self.counts.shape != (size, size) or not np.issubdtype(self.counts.dtype, np.integer):
            raise UsageError(
                f"counts of {self.labels.name} have to be integers of the shape {(size, size)}, "
                f"not {self.counts.dtype} of {self.counts.shape}"
            )
        if (self.counts < 0).any():
            raise UsageError("counts of transitions cannot be negative")
        own = self.counts.astype(np.int64)  # a copy: adding must not change a summand, nor its maker a matrix
        own.flags.writeable = False
        object.__setattr__(self, "counts", own)

    def __repr__(self) -> str:
        return f"TransitionMatrix({self.labels.name}, {counted(self.total, 'transition')})"

    @classmethod
    def from_sequences(cls, sequences: Iterable[Sequence[Any]], labels: LabelSet | str = "cped-13") -> TransitionMatrix:
        """Counts the transitions between neighbours of each sequence.

        Args:
            sequences: labels in order; None, and a label outside the set, breaks the chain
            labels: the label set or its name

        Raises:
            UsageError: a sequence is a text

        >>> TransitionMatrix.from_sequences([["happy", "happy", None, "anger"]]).total
        1
        """
        names = label_set(labels)
        origins: list[int] = []
        landings: list[int] = []
        for sequence in sequences:
            if isinstance(sequence, str):
                raise UsageError(f"a sequence has to be a list of labels, not the text {sequence!r}")
            codes = names.codes(sequence)
            origins += codes[:-1]
            landings += codes[1:]
        return cls.from_codes(np.array(origins, dtype=np.int64), np.array(landings, dtype=np.int64), names)

    @classmethod
    def from_codes(cls, origins: IntArray, landings: IntArray, labels: LabelSet | str = "cped-13") -> TransitionMatrix:
        """Counts transitions given as codes; a pair with a negative code is none.

        Args:
            origins: code of the first label of each pair, shape (n,)
            landings: code of the second, shape (n,)
            labels: the label set or its name
        """
        names = label_set(labels)
        size = len(names)
        there = (origins >= 0) & (landings >= 0)
        cells = origins[there] * size + landings[there]
        return cls(counts=np.bincount(cells, minlength=size * size).reshape(size, size), labels=names)

    @classmethod
    def empty(cls, labels: LabelSet | str = "cped-13") -> TransitionMatrix:
        """No transition at all."""
        names = label_set(labels)
        return cls(counts=np.zeros((len(names), len(names)), dtype=np.int64), labels=names)

    def __add__(self, other: object) -> TransitionMatrix:
        if not isinstance(other, TransitionMatrix):
            return NotImplemented
        if other.labels.labels != self.labels.labels:
            raise UsageError(f"matrices of {self.labels.name} and {other.labels.name} do not add")
        return TransitionMatrix(counts=self.counts + other.counts, labels=self.labels)

    def __radd__(self, other: object) -> TransitionMatrix:
        return self if other == 0 else NotImplemented  # sum() starts with 0

    @property
    def total(self) -> int:
        """Number of transitions."""
        return int(self.counts.sum())

    @property
    def self_loops(self) -> int:
        """Number of transitions from a label to itself."""
        return int(np.trace(self.counts))

    def joint(self) -> FloatArray:
        """Joint distribution: counts / total, shape (K, K), sum 1; all NaN without a transition."""
        total = self.total
        return self.counts / total if total else np.full(self.counts.shape, np.nan)

    def row(self) -> FloatArray:
        """Distribution of the landing label given the origin, shape (K, K): rows sum to 1; NaN in rows without one."""
        sums = self.counts.sum(axis=1, keepdims=True)
        shares: FloatArray = np.divide(self.counts, sums, out=np.full(self.counts.shape, np.nan), where=sums > 0)
        return shares

    def drop_self_loops(self) -> TransitionMatrix:
        """The same without transitions from a label to itself."""
        return TransitionMatrix(counts=self.counts * (1 - np.eye(len(self.labels), dtype=np.int64)), labels=self.labels)

    def upper(self) -> TransitionMatrix | None:
        """The same between sentiments; None when sentiment is no function of the label."""
        to, names = self.labels.sentiment_codes, self.labels.upper
        if to is None or names is None:
            return None
        fold = np.eye(len(names), dtype=np.int64)[list(to)]
        return TransitionMatrix(counts=fold.T @ self.counts @ fold, labels=names)


def neighbours(
    dialogue: Dialogue, kind: Kind, *, bridge_gaps: bool = False
) -> Iterator[tuple[Turn, Utterance, Utterance]]:
    """The pairs of utterances between which a transition of a kind may be counted.

    Args:
        dialogue: a dialogue
        kind: of transition
        bridge_gaps: take neighbours in the file for neighbours although ids between them are missing

    Yields:
        the turn that the transition belongs to, first and second utterance
    """
    if kind not in KINDS:
        raise UsageError(f"kind has to be one of {', '.join(KINDS)}, not {kind!r}")
    whole_since: dict[str, int] = {}  # role -> number of gaps before the end of its previous turn
    last_of: dict[str, Utterance] = {}
    gaps = 0
    before: Turn | None = None
    for turn in dialogue.turns:
        first = turn.utterances[0]
        if before is not None:
            broken = not bridge_gaps and not follows(before.utterances[-1], first)
            gaps += broken
            if kind == "inter" and not broken:
                yield turn, before.utterances[-1], first
        if kind == "same_speaker" and whole_since.get(turn.role) == gaps:
            yield turn, last_of[turn.role], first
        for a, b in zip(turn.utterances, turn.utterances[1:], strict=False):
            broken = not bridge_gaps and not follows(a, b)
            gaps += broken
            if kind == "intra" and not broken:
                yield turn, a, b
        whole_since[turn.role], last_of[turn.role] = gaps, turn.utterances[-1]
        before = turn


def transitions_by_role(
    dialogues: Iterable[Dialogue],
    kind: Kind,
    *,
    labels: LabelSet | str = "cped-13",
    bridge_gaps: bool = False,
) -> dict[str, TransitionMatrix]:
    """Ground-truth transitions over all turns, one matrix per role.

    Args:
        dialogues: the dialogues, as they are to be counted (see `Dialogue.speakers` to keep those of two)
        kind: of transition
        labels: the label set or its name
        bridge_gaps: count over gaps in the utterance ids

    Returns:
        role -> matrix, roles in the order in which they first speak; also those without a transition
    """
    names = label_set(labels)
    pairs: dict[str, tuple[list[int], list[int]]] = {}
    for dialogue in dialogues:
        for speaker in dialogue.speakers:
            pairs.setdefault(speaker, ([], []))
        for turn, a, b in neighbours(dialogue, kind, bridge_gaps=bridge_gaps):
            origins, landings = pairs[turn.role]
            origins.append(names.code(a.emotion))
            landings.append(names.code(b.emotion))
    return {
        role: TransitionMatrix.from_codes(np.array(a, dtype=np.int64), np.array(b, dtype=np.int64), names)
        for role, (a, b) in pairs.items()
    }
