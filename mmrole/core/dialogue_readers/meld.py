"""MELD: one CSV row is one utterance and one clip ``dia{D}_utt{U}.mp4`` (Poria et al. 2019, arXiv 1810.02508).

Dialogue and utterance numbers start again in every split, so an id is unique in its file only. Times are
``HH:MM:SS,mmm`` in the episode. Sentiment is a column of its own and no function of the emotion.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from mmrole.core.dialogue import Utterance
from mmrole.core.dialogue_readers.defects import DefectKind, DefectReport
from mmrole.core.dialogue_readers.grouping import CellGroup, DialogueBuilder, Facts
from mmrole.core.dialogue_readers.table import Table
from mmrole.core.dialogue_readers.texts import note_text
from mmrole.core.errors import InputError

REQUIRED: Final = ("Utterance", "Speaker", "Emotion", "Sentiment", "Dialogue_ID", "Utterance_ID")
COLUMNS: Final = ("Sr No.", *REQUIRED, "Season", "Episode", "StartTime", "EndTime")
SHOW: Final = "Friends"

KNOWN_DEFECTS: Final = {
    ("train", "dia125_utt3"): "the clip cannot be opened",
    ("train", "dia793_utt0"): "noise instead of the sound",
    ("train", "dia757_utt7"): "text and video do not belong together",
    ("train", "dia485_utt0"): "text and video do not belong together",
    ("dev", "dia110_utt7"): "there is no clip",
}
"""(split, clip) -> what users of the data set reported; the table alone does not show it."""

_TIME: Final = re.compile(r"(\d{1,2}):([0-5]\d):([0-5]\d),(\d{1,3})", re.ASCII)
_SPLITS: Final = {"train": "train", "dev": "dev", "val": "dev", "valid": "dev", "test": "test"}


def read_meld(table: Table, report: DefectReport, builder: DialogueBuilder, *, strict: bool) -> None:
    """Reads the rows of a MELD file.

    Args:
        table: the file
        report: gets the defects
        builder: gets the utterances; ids are ``dia{D}`` and ``dia{D}_utt{U}``, as the clips are named
        strict: a row without numbers, with a time of another form, or with another number of fields is an error
    """
    table.require(REQUIRED, COLUMNS, report)
    split = split_of(table.source)
    at = {name: position for position, name in enumerate(table.header)}
    times = [at[name] for name in ("StartTime", "EndTime")] if {"StartTime", "EndTime"} <= at.keys() else []
    labels_of = CellGroup(table, ("Speaker", "Emotion", "Sentiment"), report)
    episode_of = CellGroup(table, ("Season", "Episode"), report)

    for row in table.rows(report, strict=strict):
        dialogue_number, number = row[at["Dialogue_ID"]].strip(), row[at["Utterance_ID"]].strip()
        if not (_is_number(dialogue_number) and _is_number(number)):
            table.bad_row(
                f"Dialogue_ID {dialogue_number!r}, Utterance_ID {number!r}: no numbers", report, strict=strict
            )
            continue
        # the clips are named without leading zeros
        dialogue_id = f"dia{int(dialogue_number)}"
        utterance_id = f"{dialogue_id}_utt{int(number)}"
        text = row[at["Utterance"]]
        note_text(text, utterance_id, report)
        speaker, emotion, sentiment = labels_of(row, utterance_id)
        if speaker is None:
            report.add(DefectKind.EMPTY_FIELD, utterance_id, "Speaker")
        if emotion is None:
            report.add(DefectKind.NO_EMOTION, utterance_id)
        start_s, end_s = [_time(row[p], utterance_id, table, report, strict=strict) for p in times] or (None, None)
        utterance = Utterance(
            utterance_id=utterance_id,
            speaker=speaker or "",
            text=text,
            index=int(number),
            emotion=emotion,
            sentiment=sentiment,
            start_s=start_s,
            end_s=end_s,
        )
        season, episode = episode_of(row, utterance_id)
        facts = Facts(show=SHOW, season=season, episode=episode, split=split)
        builder.add(dialogue_id, utterance, facts, table.line)


def _is_number(cell: str) -> bool:
    return cell.isascii() and cell.isdecimal()


def split_of(source: str) -> str | None:
    """Train, dev or test, where the name of the file says so."""
    words = re.split(r"[^a-z]+", Path(source).stem.lower())
    return next((_SPLITS[word] for word in words if word in _SPLITS), None)


def _time(cell: str, utterance_id: str, table: Table, report: DefectReport, *, strict: bool) -> float | None:
    """Seconds of a time ``HH:MM:SS,mmm``; fewer than three decimals are a decimal fraction (``47,28`` is 47.28 s)."""
    match = _TIME.fullmatch(cell.strip())
    if match is None:
        if strict:
            raise InputError(f"{table.source}, line {table.line}: time {cell!r} is not HH:MM:SS,mmm")
        report.add(DefectKind.BAD_TIME, utterance_id, repr(cell))
        return None
    hours, minutes, seconds, decimals = match.groups()
    if len(decimals) < 3:
        report.add(DefectKind.ODD_TIME, utterance_id, cell)
    # whole milliseconds first: the difference of two times is then exact to the digit it is written with
    return (int(hours) * 3_600_000 + int(minutes) * 60_000 + int(seconds) * 1000 + int(decimals.ljust(3, "0"))) / 1000
