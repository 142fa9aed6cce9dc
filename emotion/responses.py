"""Responses: the voted utterances of an agent, laid beside the turns that they stand for.

Votes are on the utterances of an agent's responses (``ID/k``) or, to see what experts make of the ground truth's own clips, on
utterances of the dialogues themselves, which then stand for the response to their turn. One set of votes has one of the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from emotion.corpus import PLAYED, STATUSES, Corpus
from emotion.ensemble import DEFAULT_MIN_VALID, DEFAULT_THRESHOLD, fuse_counts
from emotion.transitions import Kind
from emotion.votes import STREAMS, VoteCounts
from mmrole.core.errors import InputError
from mmrole.core.records import places

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

NO_LABEL: Final = -1


@dataclass(frozen=True, kw_only=True, eq=False)
class Responses:
    """The responses that are scored, R of them with U voted utterances; rows of U are in the order of turn and position.

    Attributes:
        corpus: the ground truth
        turn: turn that each response stands for, shape (R,), rising
        utterance: number in `counts.utterances` of each voted utterance, shape (U,)
        owner: response of each voted utterance, shape (U,), rising
        position: its position in the response, shape (U,)
        label: code of its fused label, negative for none, shape (U,)
        modality: code of its label per stream of `STREAMS`, negative for none, shape (U, streams)
        follows: whether it comes directly after the voted utterance in the row before, shape (U,)
        units: numbers of the units of votes that are scored
        counts: the votes
        codes: what their fusing gave, per unit
        fused_from: ``all``, or ``pooled`` where the votes of all streams were put together
        left_out: reason -> number of responses that are not scored
        left_out_utterances: reason -> number of voted utterances that are not scored
    """

    corpus: Corpus
    turn: IntArray
    utterance: IntArray
    owner: IntArray
    position: IntArray
    label: IntArray
    modality: IntArray
    follows: BoolArray
    units: IntArray
    counts: VoteCounts
    codes: IntArray
    fused_from: str
    left_out: Mapping[str, int] = field(default_factory=dict)
    left_out_utterances: Mapping[str, int] = field(default_factory=dict)

    @property
    def dialogue(self) -> IntArray:
        """Dialogue of each response, numbered in the corpus, shape (R,)."""
        return self.corpus.dialogue[self.turn]

    def truth_sets(self) -> BoolArray:
        """Which labels the turn of each response has, shape (R, K)."""
        corpus = self.corpus
        first, stop = corpus.start[self.turn], corpus.start[self.turn + 1]
        rows = np.repeat(np.arange(len(self.turn)), stop - first)
        return _indicator(rows, corpus.emotion[_ranges(first, stop)], len(self.turn), len(corpus.labels))

    def predicted_sets(self) -> BoolArray:
        """Which labels each response has, shape (R, K)."""
        return _indicator(self.owner, self.label, len(self.turn), len(self.corpus.labels))

    def transitions(self, kind: Kind, side: str) -> tuple[IntArray, IntArray, IntArray]:
        """The transitions of a kind.

        Truth and agent are taken over the same turns. The context is ground truth in both: of an ``inter`` or ``same_speaker``
        transition only the landing label differs.

        Args:
            kind: of transition
            side: ``truth`` or ``prediction``

        Returns:
            response, origin and landing label of each transition, shape (n,) each
        """
        corpus = self.corpus
        first = corpus.start[self.turn]
        if kind == "intra":
            if side == "truth":
                stop = corpus.start[self.turn + 1]
                rows = np.repeat(np.arange(len(self.turn)), stop - first - 1)
                later = _ranges(first + 1, stop)
                whole = corpus.continues[later]
                before, landing = corpus.emotion[later - 1], corpus.emotion[later]
            else:
                rows, landing, whole = self.owner, self.label, self.follows
                before = np.concatenate([[NO_LABEL], self.label[:-1]])
        else:
            context, unbroken = self._context(kind, first)
            landing = corpus.emotion[first] if side == "truth" else self._first_labels()
            rows, before, whole = np.arange(len(self.turn)), corpus.emotion[context], unbroken
        there = whole & (before >= 0) & (landing >= 0)
        return rows[there], before[there], landing[there]

    def _context(self, kind: Kind, first: IntArray) -> tuple[IntArray, BoolArray]:
        """Utterance from which an inter or same_speaker transition starts, and whether it is there without a gap between."""
        corpus = self.corpus
        if kind == "inter":
            return first - 1, corpus.continues[first]
        previous = corpus.own_previous[self.turn]
        origin = corpus.start[previous + 1] - 1
        gaps = np.cumsum(~corpus.continues)
        return origin, (previous >= 0) & (gaps[origin] == gaps[first])

    def _first_labels(self) -> IntArray:
        out = np.full(len(self.turn), NO_LABEL, dtype=np.int64)
        opening = self.position == 0
        out[self.owner[opening]] = self.label[opening]
        return out

    def only(self, kept: BoolArray) -> Responses:
        """The same with some of the responses only.

        Args:
            kept: which, shape (R,)
        """
        rows = kept[self.owner]
        number = np.cumsum(kept) - 1
        chosen = np.zeros(len(self.counts.utterances), dtype=np.bool_)
        chosen[self.utterance[rows]] = True
        return replace(
            self,
            turn=self.turn[kept],
            utterance=self.utterance[rows],
            owner=number[self.owner[rows]],
            position=self.position[rows],
            label=self.label[rows],
            modality=self.modality[rows],
            follows=self.follows[rows],
            units=self.units[chosen[self.counts.unit_utterance[self.units]]],
            left_out={},
            left_out_utterances={},
        )

    def dialogue_of_units(self) -> IntArray:
        """Dialogue of each scored unit, numbered in the corpus, shape (units,)."""
        owner = np.zeros(len(self.counts.utterances), dtype=np.int64)
        owner[self.utterance] = self.owner
        return self.dialogue[owner[self.counts.unit_utterance[self.units]]]


def responses_of(
    corpus: Corpus,
    counts: VoteCounts,
    *,
    threshold: float | str | Fraction = DEFAULT_THRESHOLD,
    min_valid: float | str | Fraction = DEFAULT_MIN_VALID,
    given: Iterable[Mapping[str, Any]] | None = None,
) -> Responses:
    """Lays votes beside the turns that they stand for.

    Args:
        corpus: the ground truth
        counts: the votes
        threshold: see `emotion.ensemble.fuse`
        min_valid: see `emotion.ensemble.fuse`
        given: response records {"utterance_id": id of the turn, "utterances": [...] or null}, to count those without votes

    Raises:
        InputError: a vote or a response on an utterance that is in no dialogue, or votes on both responses and clips
    """
    turn, position, is_clip = _places(corpus, counts)
    status = corpus.status[turn]
    played = np.flatnonzero(status == PLAYED)
    clips = is_clip[played]
    if clips.any() and not clips.all():
        at = [int(counts.first[played[np.argmax(flags)]]) for flags in (clips, ~clips)]
        raise InputError(
            f"{counts.place(at[0])}: a vote on a clip of the dialogues, {counts.place(at[1])}: one on a response; "
            "score them apart"
        )
    kept = played[np.lexsort((position[played], turn[played]))]
    turns, owner = np.unique(turn[kept], return_inverse=True)
    where = position[kept]
    follows = np.zeros(len(kept), dtype=np.bool_)
    follows[1:] = (owner[1:] == owner[:-1]) & (where[1:] == where[:-1] + 1)
    # a gap in the ids of the turn breaks the truth's chain, and the response's at the same place: else a copy would have one
    # transition more than what it copies
    start, length = corpus.start[turn[kept]], np.diff(corpus.start)[turn[kept]]
    follows &= (where >= length) | corpus.continues[start + np.minimum(where, length - 1)]
    codes = counts.fused(threshold, min_valid)
    modality = np.full((len(counts.utterances), len(STREAMS)), NO_LABEL, dtype=np.int64)
    modality[counts.unit_utterance, counts.unit_stream] = np.maximum(codes, NO_LABEL)
    pooled = "all" not in counts.streams
    label = pooled_codes(counts, threshold, min_valid) if pooled else modality[:, STREAMS.index("all")]
    rank = np.full(len(counts.utterances), -1, dtype=np.int64)
    rank[kept] = np.arange(len(kept))
    units = np.flatnonzero(rank[counts.unit_utterance] >= 0)
    # in the order of the dialogues: sums are then the same to the last digit in whatever order the votes came
    units = units[np.argsort(rank[counts.unit_utterance[units]], kind="stable")]
    return Responses(
        corpus=corpus,
        turn=turns,
        utterance=kept,
        owner=owner,
        position=where,
        label=label[kept],
        modality=modality[kept],
        follows=follows,
        units=units,
        counts=counts,
        codes=codes,
        fused_from="pooled" if pooled else "all",
        left_out={
            **{name: len(np.unique(turn[status == n])) for n, name in enumerate(STATUSES) if n != PLAYED},
            **_without_votes(corpus, given, set(turns.tolist())),
        },
        left_out_utterances={name: int((status == n).sum()) for n, name in enumerate(STATUSES) if n != PLAYED},
    )


def _places(corpus: Corpus, counts: VoteCounts) -> tuple[IntArray, IntArray, BoolArray]:
    """Turn and position of each voted utterance, and whether it is an utterance of the dialogues themselves."""
    turn: list[int] = []
    position: list[int] = []
    is_clip: list[bool] = []
    clips: dict[str, tuple[int, int]] | None = None
    turn_of = corpus.turn_of
    for number, utterance_id in enumerate(counts.utterances):
        head, _, tail = utterance_id.rpartition("/")
        start = turn_of.get(head)
        response = tail.isdecimal() and tail.isascii()
        if start is not None and response:
            place = start, int(tail)
        else:
            response = False
            clips = corpus.places() if clips is None else clips
            if utterance_id not in clips:
                raise InputError(f"{counts.place(int(counts.first[number]))}: {_stranger(utterance_id, clips)}")
            place = clips[utterance_id]
        is_clip.append(not response)
        turn.append(place[0])
        position.append(place[1])
    return np.array(turn, dtype=np.int64), np.array(position, dtype=np.int64), np.array(is_clip, dtype=np.bool_)


def _stranger(utterance_id: str, clips: Mapping[str, Any]) -> str:
    head, _, tail = utterance_id.rpartition("/")
    if head in clips and tail.isdecimal():
        return f"utterance id {utterance_id!r}: a response is named by the first utterance of its turn, {head!r} is not one"
    return f"utterance id {utterance_id!r} is in no dialogue"


def pooled_codes(counts: VoteCounts, threshold: float | str | Fraction, min_valid: float | str | Fraction) -> IntArray:
    """Code of each utterance's label by the votes of all its streams together, `NO_LABEL` for none, shape (utterances,)."""
    size = len(counts.utterances)
    columns = [np.bincount(counts.unit_utterance, weights=column, minlength=size) for column in counts.counts.T]
    cast = np.bincount(counts.unit_utterance, weights=counts.cast, minlength=size)
    together = np.stack(columns, axis=1).astype(np.int64)
    codes = fuse_counts(together, cast.astype(np.int64), threshold=threshold, min_valid=min_valid)
    return np.maximum(codes, NO_LABEL)


def _without_votes(corpus: Corpus, given: Iterable[Mapping[str, Any]] | None, voted: set[int]) -> dict[str, int]:
    """Responses that were given but not voted on, and those that the agent did not give."""
    out = {"no_votes": 0, "no_response": 0}
    where = places(given, "response")
    for number, record in enumerate(given or ()):
        if not isinstance(record, Mapping) or not isinstance(record.get("utterance_id"), str):
            raise InputError(f"{where(number)}: a response is an object with the utterance_id of its turn")
        turn = corpus.turn_of.get(record["utterance_id"])
        if turn is None:
            raise InputError(f"{where(number)}: no turn starts with utterance id {record['utterance_id']!r}")
        if corpus.status[turn] == PLAYED and turn not in voted:
            out["no_votes" if record.get("utterances") else "no_response"] += 1
    return out


def _ranges(first: IntArray, stop: IntArray) -> IntArray:
    """The numbers from first up to stop of every pair, one after another."""
    sizes = stop - first
    ends = np.cumsum(sizes)
    return np.repeat(first - (ends - sizes), sizes) + np.arange(int(ends[-1]) if len(ends) else 0)


def _indicator(rows: IntArray, codes: IntArray, count: int, size: int) -> BoolArray:
    out = np.zeros((count, size), dtype=np.bool_)
    there = codes >= 0
    out[rows[there], codes[there]] = True
    return out
