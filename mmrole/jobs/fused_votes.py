"""Votes on the dialogues' own utterances as predictions: one fused label per utterance."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from emotion.ensemble import DEFAULT_MIN_VALID, DEFAULT_THRESHOLD
from emotion.experts.expert import BASELINE_NOTE
from emotion.responses import pooled_codes
from emotion.votes import STREAMS, count_votes
from mmrole.core.errors import InputError, UsageError
from mmrole.core.labels import LabelSet
from mmrole.core.records import JsonLines
from mmrole.jobs.voters import ALL, Electors

MARKS: Final = ("expert", "round")
"""What tells a vote from a prediction."""


def are_votes(path: str | os.PathLike[str]) -> bool:
    """Whether a file holds votes: JSONL whose first record has an expert and a round.

    Raises:
        InputError: it cannot be read
    """
    try:
        with Path(path).open("rb") as file:
            head = file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
        if head[:1] != b"{":
            return False
        return all(mark in next(iter(JsonLines(Path(path), "votes"))) for mark in MARKS)
    except (OSError, InputError):  # whoever reads it as predictions says what is wrong
        return False


class FusedVotes:
    """The fused label of every utterance that was voted on.

    Args:
        path: votes.jsonl
        labels: the label set of the votes
        stream: take only the votes of this stream; those of ``all`` when None, those of all streams together where it has none
        electors: whose votes count

    Attributes:
        fused_from: the stream, or ``pooled``
        invalid: votes for a label outside the set
        cast: all votes that count

    Raises:
        UsageError: no such stream
        InputError: the file cannot be read, a line is no vote, or there is none of the stream or expert
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        labels: LabelSet,
        *,
        stream: str | None = None,
        electors: Electors = ALL,
    ) -> None:
        if stream is not None and stream not in STREAMS:
            raise UsageError(f"votes are of the streams {', '.join(STREAMS)}, not {stream!r}")
        chosen = _Chosen(path, stream, electors)
        counts = count_votes(chosen, labels)
        pooled = stream is None and "all" not in counts.streams
        self.fused_from = stream or ("pooled" if pooled else "all")
        self._baselines = chosen.baselines
        self.cast, self.invalid = int(counts.cast.sum()), int(counts.invalid.sum())
        if pooled:
            codes = dict(enumerate(pooled_codes(counts, DEFAULT_THRESHOLD, DEFAULT_MIN_VALID).tolist()))
        else:
            of_stream = counts.unit_stream == STREAMS.index(self.fused_from)
            fused = counts.fused(DEFAULT_THRESHOLD, DEFAULT_MIN_VALID)[of_stream].tolist()
            codes = dict(zip(counts.unit_utterance[of_stream].tolist(), fused, strict=True))
        self._records = [
            {"utterance_id": counts.utterances[number], "label": labels.labels[code] if code >= 0 else None}
            for number, code in codes.items()
        ]
        self._places = [counts.place(int(counts.first[number])) for number in codes]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Records {"utterance_id", "label"}; the label is null where the votes give none."""
        return iter(self._records)

    def place(self, number: int) -> str:
        """File and line of the first vote on an utterance.

        Args:
            number: of its record, from 0
        """
        return self._places[number]

    @property
    def notes(self) -> list[str]:
        """What has to be said beside scores of these labels."""
        how = {
            "pooled": "there are none of the stream all: the votes of all streams of an utterance were put together",
        }.get(self.fused_from, f"those of the stream {self.fused_from}")
        notes = [f"the predictions are {self.cast:,} votes, {how}; a label needs {DEFAULT_THRESHOLD} of the valid ones"]
        if self._baselines:
            notes.append(f"{self._baselines:,} of the votes are of baselines, not for reporting")
        if self.invalid:
            notes.append(f"{self.invalid:,} of the votes are for a label outside the set")
        return notes


class _Chosen:
    """The votes of a stream and of some experts."""

    def __init__(self, path: str | os.PathLike[str], stream: str | None, electors: Electors) -> None:
        self._lines = JsonLines(Path(path), "votes")
        self._stream, self._electors = stream, electors
        self._numbers: list[int] = []
        self.baselines = 0

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        self._numbers, self.baselines = [], 0
        experts: set[str] = set()
        streams: set[str] = set()
        for number, record in enumerate(self._lines):
            experts.add(str(record.get("expert")))
            streams.add(str(record.get("stream")))
            if not self._electors.take(record):
                continue
            if self._stream is not None and record.get("stream") != self._stream:
                continue
            self._numbers.append(number)
            self.baselines += record.get("note") == BASELINE_NOTE
            yield record
        if self._stream is not None and self._stream not in streams:
            raise InputError(
                f"{self._lines.path}: no vote of the stream {self._stream!r}; there are streams {', '.join(sorted(streams))}"
            )
        self._electors.require(experts, len(self._numbers), self._lines.path)
        if not self._numbers:
            raise InputError(f"{self._lines.path}: the chosen experts have no vote of the stream {self._stream!r}")

    def place(self, number: int) -> str:
        return self._lines.place(self._numbers[number])
