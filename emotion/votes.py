"""Votes of experts: the records, and the same as counts per utterance and stream.

A vote record is ``{"utterance_id", "stream", "expert", "round", "label"}``, with label null where a reply gave none. Millions of
them are kept as counts, not as objects.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from emotion.ensemble import DEFAULT_MIN_VALID, DEFAULT_THRESHOLD, emotion_label, fuse_counts
from mmrole.core.errors import InputError, UsageError
from mmrole.core.labels import INVALID, MISSING, LabelSet, label_set
from mmrole.core.records import Place, places

IntArray = npt.NDArray[np.int64]
STREAMS: Final = ("all", "text", "face", "body", "speech")
FIELDS: Final = ("utterance_id", "stream", "expert", "round", "label")


@dataclass(frozen=True, kw_only=True, slots=True)
class EmotionVote:
    """What one expert says of one utterance from one stream in one round.

    Attributes:
        utterance_id: an utterance, or ``ID/k``: utterance k of an agent's response to the turn that starts with ID
        stream: one of `STREAMS`
        expert: name of the expert
        round: pass of the expert, from 0
        label: what it said; None where it gave no label
    """

    utterance_id: str
    stream: str
    expert: str
    round: int
    label: str | None


@dataclass(frozen=True, kw_only=True, eq=False)
class VoteCounts:
    """Votes as counts; a *unit* is an utterance and a stream.

    Attributes:
        labels: the label set
        utterances: ids of the utterances, in the order in which they first appear
        unit_utterance: number of each unit's utterance, shape (n,), rising
        unit_stream: position of its stream in `STREAMS`, shape (n,), rising within an utterance
        counts: valid votes per label, shape (n, K)
        cast: all votes, shape (n,)
        invalid: votes for a label outside the set, shape (n,)
        first: number of the first record of each utterance, shape (utterances,)
        replaced: votes that a later record of the same utterance, stream, expert and round replaced
        place: from the number of a record to where it stands
    """

    labels: LabelSet
    utterances: list[str]
    unit_utterance: IntArray
    unit_stream: IntArray
    counts: IntArray
    cast: IntArray
    invalid: IntArray
    first: IntArray
    replaced: int
    place: Place

    @property
    def streams(self) -> tuple[str, ...]:
        """The streams that were voted on, in the order of `STREAMS`."""
        there = set(np.unique(self.unit_stream).tolist())
        return tuple(stream for number, stream in enumerate(STREAMS) if number in there)

    def fused(
        self,
        threshold: float | str | Fraction = DEFAULT_THRESHOLD,
        min_valid: float | str | Fraction = DEFAULT_MIN_VALID,
    ) -> IntArray:
        """Code of each unit's label, negative where there is none (see `fuse_counts`), shape (n,)."""
        return fuse_counts(self.counts, self.cast, threshold=threshold, min_valid=min_valid)

    def fused_units(self, codes: IntArray) -> Iterator[tuple[dict[str, Any], str, str]]:
        """What the votes on each unit gave, in the order of the units.

        Args:
            codes: what `fused` gave

        Yields:
            the fused label as a record (one object for all units of equal votes), stream, utterance id
        """
        patterns: dict[bytes, dict[str, Any]] = {}  # a million units have few different counts
        rows = zip(self.unit_utterance.tolist(), self.unit_stream.tolist(), strict=True)
        for unit, (utterance, stream) in enumerate(rows):
            key = self.counts[unit].tobytes() + self.cast[unit].tobytes()
            record = patterns.get(key)
            if record is None:
                label = emotion_label(
                    self.counts[unit], int(codes[unit]), int(self.cast[unit]), self.labels, utterance_id="", stream=""
                )
                record = patterns[key] = label.to_record()
            yield record, STREAMS[stream], self.utterances[utterance]

    def label_records(self, codes: IntArray) -> Iterator[dict[str, Any]]:
        """The fused labels as records, sorted keys, in the order of the units (see `fused_units`)."""
        for record, stream, utterance_id in self.fused_units(codes):
            yield {**record, "stream": stream, "utterance_id": utterance_id}


def count_votes(
    votes: Iterable[Mapping[str, Any] | EmotionVote], labels: LabelSet | str = "cped-13", *, place: Place | None = None
) -> VoteCounts:
    """Counts vote records.

    A later record of the same utterance, stream, expert and round replaces one without a label (it was tried again).

    Args:
        votes: the records, or `EmotionVote` objects
        labels: the label set or its name
        place: from the number of a record to its file and line, for messages

    Raises:
        InputError: no records at all, a field is missing or of another type, an unknown stream, or one expert voted
            twice in one round
    """
    names = label_set(labels)
    given: object = votes
    if isinstance(given, (str, bytes)):
        raise UsageError("votes have to be records, not a path or a text")
    where = place if place is not None else places(votes, "vote")
    columns = _Columns(names, where)
    for number, record in enumerate(votes):
        columns.add(number, record)
    if not columns.label:
        raise InputError("there are no votes")
    return columns.counted()


def counts_of_labels(
    records: Iterable[Mapping[str, Any]], labels: LabelSet | str = "cped-13", *, place: Place | None = None
) -> VoteCounts:
    """Votes as counts from the records of labels.jsonl, which keep them: what a comparison of runs needs.

    The number of invalid votes is not kept there: they are counted as votes without a label.

    Args:
        records: what `VoteCounts.label_records` gave
        labels: the label set or its name
        place: from the number of a record to its file and line, for messages

    Raises:
        InputError: a record is not of that form, or an utterance and stream are there twice
    """
    names = label_set(labels)
    where = place if place is not None else places(records, "label")
    utterances: dict[str, int] = {}
    first: list[int] = []
    units: dict[int, int] = {}
    counts: list[list[int]] = []
    cast: list[int] = []
    for number, record in enumerate(records):
        row = [0] * len(names)
        try:
            utterance_id, stream = record["utterance_id"], STREAMS.index(record["stream"])
            for label, count in record["votes"].items():
                row[names.labels.index(label)] = int(count)
            cast.append(int(record["cast"]))
        except (AttributeError, KeyError, TypeError, ValueError):
            message = f"no fused label of {names.name} with utterance_id, stream, votes and cast"
            raise InputError(f"{where(number)}: {message}") from None
        if utterance_id not in utterances:
            utterances[utterance_id] = len(utterances)
            first.append(number)
        if units.setdefault(utterances[utterance_id] * len(STREAMS) + stream, number) != number:
            raise InputError(f"{where(number)}: {utterance_id!r} ({STREAMS[stream]}) is there a second time")
        counts.append(row)
    if not counts:
        raise InputError("there are no fused labels")
    keys = np.array(list(units), dtype=np.int64)
    order = np.argsort(keys)
    return VoteCounts(
        labels=names,
        utterances=list(utterances),
        unit_utterance=keys[order] // len(STREAMS),
        unit_stream=keys[order] % len(STREAMS),
        counts=np.array(counts, dtype=np.int64)[order],
        cast=np.array(cast, dtype=np.int64)[order],
        invalid=np.zeros(len(keys), dtype=np.int64),
        first=np.array(first, dtype=np.int64),
        replaced=0,
        place=where,
    )


class _Columns:
    """Vote records as columns of numbers."""

    def __init__(self, labels: LabelSet, place: Place) -> None:
        self.labels, self.place = labels, place
        self.utterances: dict[str, int] = {}
        self.experts: dict[str, int] = {}
        self.streams = {stream: number for number, stream in enumerate(STREAMS)}
        self.utterance, self.expert, self.round = array("q"), array("q"), array("q")
        self.stream, self.label = array("q"), array("q")
        self.first = array("q")

    def add(self, number: int, record: Mapping[str, Any] | EmotionVote) -> None:
        try:
            if isinstance(record, EmotionVote):
                values = (record.utterance_id, record.stream, record.expert, record.round, record.label)
            else:
                values = tuple([record[name] for name in FIELDS])
            utterance_id, stream, expert, turn, label = values
            known = self.utterances.get(utterance_id)
            position = self.streams[stream]
            voter = self.experts.setdefault(expert, len(self.experts))
        except (KeyError, TypeError):
            raise self._bad(number, record) from None
        if type(utterance_id) is not str or type(expert) is not str or type(turn) is not int or turn < 0:
            raise self._bad(number, record)
        if known is None:
            known = self.utterances[utterance_id] = len(self.utterances)
            self.first.append(number)
        self.utterance.append(known)
        self.stream.append(position)
        self.expert.append(voter)
        self.round.append(turn)
        self.label.append(self.labels.code(label))

    def _bad(self, number: int, record: object) -> InputError:
        place = self.place(number)
        if not isinstance(record, (Mapping, EmotionVote)):
            return InputError(f"{place}: a vote is an object with {', '.join(FIELDS)}, not {type(record).__name__}")
        given = vars_of(record)
        if missing := [name for name in FIELDS if name not in given]:
            return InputError(f"{place}: the vote has no {missing[0]}")
        if given["stream"] not in STREAMS:
            return InputError(f"{place}: stream has to be one of {', '.join(STREAMS)}, not {given['stream']!r}")
        name, wanted = next(
            (name, wanted)
            for name, kind, wanted in (
                ("utterance_id", str, "a text"),
                ("round", int, "a whole number from 0"),
                ("expert", str, "a text"),
            )
            if type(given[name]) is not kind or (name == "round" and given[name] < 0)
        )
        return InputError(f"{place}: {name} of a vote has to be {wanted}, not {given[name]!r}")

    def counted(self) -> VoteCounts:
        utterance, stream, label = (
            np.array(column, dtype=np.int64) for column in (self.utterance, self.stream, self.label)
        )
        kept = self._last_of_each(utterance, stream, label)
        unit = (utterance * len(STREAMS) + stream)[kept]
        label = label[kept]
        units, number = np.unique(unit, return_inverse=True)
        size, valid = len(self.labels), label >= 0
        return VoteCounts(
            labels=self.labels,
            utterances=list(self.utterances),
            unit_utterance=units // len(STREAMS),
            unit_stream=units % len(STREAMS),
            counts=np.bincount(number[valid] * size + label[valid], minlength=len(units) * size).reshape(-1, size),
            cast=np.bincount(number, minlength=len(units)),
            invalid=np.bincount(number[label == INVALID], minlength=len(units)),
            first=np.array(self.first, dtype=np.int64),
            replaced=len(kept) - int(kept.sum()),
            place=self.place,
        )

    def _last_of_each(self, utterance: IntArray, stream: IntArray, label: IntArray) -> npt.NDArray[np.bool_]:
        """Which votes count: the last of each utterance, stream, expert and round."""
        rounds = np.array(self.round, dtype=np.int64)
        key = (utterance * len(STREAMS) + stream) * len(self.experts) + np.array(self.expert, dtype=np.int64)
        key = key * (int(rounds.max()) + 1) + rounds
        order = np.argsort(key, kind="stable")
        again = np.flatnonzero(key[order[1:]] == key[order[:-1]])  # positions of votes that another one follows
        kept = np.ones(len(key), dtype=np.bool_)
        for position in again.tolist():
            earlier, later = int(order[position]), int(order[position + 1])
            if label[earlier] != MISSING:
                utterance_id = list(self.utterances)[int(utterance[later])]
                raise InputError(
                    f"{self.place(later)}: a second vote of one expert in one round on {utterance_id!r} "
                    f"({STREAMS[int(stream[later])]}); the first is {self.place(earlier)}"
                )
            kept[earlier] = False
        return kept


def vars_of(record: Mapping[str, Any] | EmotionVote) -> Mapping[str, Any]:
    """The fields of a vote by their names."""
    return {name: getattr(record, name) for name in FIELDS} if isinstance(record, EmotionVote) else record
