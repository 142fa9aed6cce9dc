"""Which clips there are in the files: whole files, or the segments that a table cuts out of episodes."""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from mmrole.core.dialogue import Utterance
from mmrole.core.dialogue_readers.defects import DefectReport
from mmrole.core.dialogue_readers.text import read_clean
from mmrole.core.errors import InputError
from mmrole.core.media import Clip, Segment
from mmrole.jobs.extract.inputs import FoundFile

_REQUIRED = ("path", "start_s", "end_s", "utterance_id")
_OPTIONAL = ("speaker", "gender", "text")
_TASK_SPAN_S = 120.0
"""Neighbouring segments of an episode are measured together up to this span: long enough that seeking is cheap against
decoding, short enough that the results of one task take little memory and many workers share an episode."""


class Joined(NamedTuple):
    """Clips with what the dialogue table says of them.

    Attributes:
        clips: as they came, with text, speaker, gender and face box
        without_row: number of clips that the table does not know
        without_clip: number of rows that no clip belongs to
    """

    clips: list[Clip]
    without_row: int
    without_clip: int


def whole_files(files: Sequence[FoundFile]) -> list[Clip]:
    """One clip per file."""
    return [Clip(clip_id=file.clip_id, path=file.path) for file in files]


def join_dialogues(clips: Sequence[Clip], utterances: Mapping[str, Utterance]) -> Joined:
    """Gives clips the transcript, speaker, gender and face box of the utterance they are named after.

    A clip belongs to the row whose utterance id is its clip id, or the last part of it.
    """
    used: set[str] = set()
    joined = []
    for clip in clips:
        name = clip.clip_id if clip.clip_id in utterances else clip.clip_id.rpartition("/")[2]
        row = utterances.get(name)
        if row is None:
            joined.append(clip)
            continue
        used.add(name)
        joined.append(
            replace(
                clip,
                text=clip.text if clip.text is not None else row.text,
                speaker=clip.speaker or row.speaker,
                gender=clip.gender or row.gender,
                face_box_px=row.face_box_px,
            )
        )
    without_row = sum(clip.text is None and clip.speaker is None for clip in joined)
    return Joined(joined, without_row, len(utterances) - len(used))


def read_segments(table: str | Path, files: Sequence[FoundFile]) -> list[Clip]:
    """Clips from a segment table: CSV with path, start_s, end_s, utterance_id and optional speaker, gender, text.

    A path is that of an input file: as it was given, below the input folder, relative to the table, or its file name
    alone where only one input has it.

    Raises:
        InputError: a column is missing, a number is none, a segment is empty or backwards, an utterance id is there twice,
            or a path is no input; the message names file, line and value
    """
    name = str(table)
    text = read_clean(table, DefectReport(source=name)).decode("utf-8")
    rows = csv.DictReader(text.splitlines(keepends=True), strict=True)
    _check_header(list(rows.fieldnames or ()), name)
    finder = _Finder(files, Path(table).parent)
    clips: list[Clip] = []
    lines: dict[str, int] = {}
    try:
        for row in rows:
            place = f"{name} line {rows.line_num}"
            if None in row:  # text with commas that is not quoted would be cut off without a word
                raise InputError(f"{place}: more cells than the header has; put text that holds commas in quotes")
            clip = _clip(row, place, finder)
            if clip.clip_id in lines:
                raise InputError(
                    f"{place}: utterance_id {clip.clip_id!r} is there already, in line {lines[clip.clip_id]}"
                )
            lines[clip.clip_id] = rows.line_num
            clips.append(clip)
    except csv.Error as error:
        after = max(lines.values(), default=1)
        raise InputError(
            f"{name}: the row after line {after} is no CSV ({error}); look for a quote that is not closed"
        ) from None
    if not clips:
        raise InputError(f"{name}: there is no segment in it")
    return clips


def _check_header(columns: Sequence[str], name: str) -> None:
    missing = [column for column in _REQUIRED if column not in columns]
    if missing:
        raise InputError(
            f"{name}: the column {missing[0]} is missing; a segment table is CSV, separated by commas, with the columns "
            f"{', '.join(_REQUIRED)}, and its first line is {', '.join(columns)[:80]!r}"
        )
    twice = [column for column in (*_REQUIRED, *_OPTIONAL) if columns.count(column) > 1]
    if twice:
        raise InputError(f"{name}: the column {twice[0]} is there twice; leave one")


def _clip(row: Mapping[str, str | None], place: str, finder: _Finder) -> Clip:
    values = {column: (row.get(column) or "").strip() for column in (*_REQUIRED, *_OPTIONAL)}
    if not values["utterance_id"]:
        raise InputError(f"{place}: utterance_id is empty")
    if any(part in ("", ".", "..") for part in values["utterance_id"].split("/")):
        # files are named after it: none may land outside the features folder
        raise InputError(
            f"{place}: utterance_id {values['utterance_id']!r} is no name, nor names divided by single slashes"
        )
    times = []
    for column in ("start_s", "end_s"):
        try:
            times.append(float(values[column]))
        except ValueError:
            raise InputError(f"{place}: {column} is {values[column]!r}; seconds are meant, such as 12.5") from None
    start_s, end_s = times
    if not 0 <= start_s < end_s < float("inf"):
        raise InputError(
            f"{place}: the segment from {start_s:g} to {end_s:g} s is empty or backwards; 0 <= start_s < end_s is meant"
        )
    return Clip(
        clip_id=values["utterance_id"],
        path=finder.find(values["path"], place),
        segment=Segment(start_s=start_s, end_s=end_s),
        text=row["text"] if row.get("text") else None,
        speaker=values["speaker"] or None,
        gender=values["gender"] or None,
    )


class _Finder:
    """Finds the input that a row of a segment table means."""

    def __init__(self, files: Sequence[FoundFile], folder: Path) -> None:
        self._folder = folder
        self._real = {os.path.realpath(file.path): file.path for file in files}
        names = Counter(Path(file.path).name for file in files)
        self._names = {Path(file.path).name: file.path for file in files if names[Path(file.path).name] == 1}
        self._ids = {file.clip_id: file.path for file in files}

    def find(self, path: str, place: str) -> str:
        for candidate in (Path(path), self._folder / path):
            found = self._real.get(os.path.realpath(candidate))
            if found:
                return found
        found = self._ids.get(os.path.splitext(path)[0]) or self._names.get(Path(path).name)  # noqa: PTH122
        if found:
            return found
        raise InputError(
            f"{place}: path {path!r} is none of the input files; give its folder as an input, or correct the path"
        )


def grouped(clips: Sequence[Clip]) -> Iterator[tuple[str, tuple[Clip, ...]]]:
    """The clips of each file as tasks: a whole file alone, segments in runs that do not overlap and span little time."""
    by_file: dict[str, list[Clip]] = {}
    for clip in clips:
        if clip.segment is None:
            yield clip.path, (clip,)
        else:
            by_file.setdefault(clip.path, []).append(clip)
    for path, segments in by_file.items():
        yield from ((path, run) for run in _runs(segments))


def _runs(clips: list[Clip]) -> Iterator[tuple[Clip, ...]]:
    open_runs: list[list[Clip]] = []
    for clip in sorted(clips, key=_times):
        start_s, end_s = _times(clip)
        for run in open_runs:
            if _times(run[-1])[1] <= start_s and end_s - _times(run[0])[0] <= _TASK_SPAN_S:
                run.append(clip)
                break
        else:
            open_runs.append([clip])
    for run in open_runs:
        yield tuple(run)


def _times(clip: Clip) -> tuple[float, float]:
    if clip.segment is None:
        raise ValueError(f"{clip.clip_id} is a whole file")
    return clip.segment.start_s, clip.segment.end_s
