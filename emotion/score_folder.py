"""The folder that one agent under one condition fills: what `mmrole score` writes, read again by comparisons and pictures.

::

    labels.jsonl       the fused label of every utterance and stream, with its votes
    transitions.json   label_set, labels, and kind -> role -> truth, prediction (K x K counts)
    confusion.json     label_set, labels, sentiments, and mec: lower (K x 2 x 2: [[TN, FP], [FN, TP]] per label), upper
                       (the same per sentiment, null without a map); of `mmrole erc`: erc: rows, columns, counts (K x (K + 2))
    scores.jsonl       the scores, one per line
    judged.jsonl       with judgements: aspect, utterance_id, mean score and the score of each judge
    by_episode.jsonl   with judgements that know their episode: the scores of role consistency, with show (null for all) and episode
    scores.md          all of it for people
    manifest.json      settings with the whole label set, inputs with their SHA-256, counts, versions; written last
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from emotion.metrics.rc import ASPECTS, rated_samples
from emotion.options import ScoreOptions
from emotion.report import ScoreReport
from emotion.votes import VoteCounts
from mmrole.core.canonical import file_sha256, to_json
from mmrole.core.errors import InputError, StoreError
from mmrole.core.files import open_atomically, write_atomically
from mmrole.core.labels import LabelSet
from mmrole.core.manifest import read_manifest
from mmrole.core.records import JsonLines
from mmrole.core.scores import Score, score_of_record

LABELS: Final = "labels.jsonl"
TRANSITIONS: Final = "transitions.json"
CONFUSION: Final = "confusion.json"
SCORES: Final = "scores.jsonl"
JUDGED: Final = "judged.jsonl"
BY_EPISODE: Final = "by_episode.jsonl"
PAGE: Final = "scores.md"
MANIFEST: Final = "manifest.json"

_LINES_AT_ONCE: Final = 10_000


def write_report(report: ScoreReport, folder: Path) -> list[str]:
    """Writes the files of a report but its page and manifest, each whole or not at all.

    Args:
        report: what `score` gave
        folder: gets them

    Returns:
        names of the files

    Raises:
        DiskError: one cannot be written
    """
    responses = report.responses
    write_lines(folder / LABELS, _label_lines(responses.counts, responses.codes))
    write_lines(folder / TRANSITIONS, [to_json(report.transitions_record())])
    write_lines(folder / CONFUSION, [to_json(confusion_record(report))])
    write_scores(report.scores, folder)
    names = [LABELS, TRANSITIONS, CONFUSION, SCORES]
    if report.judgements:
        write_lines(folder / JUDGED, map(to_json, _judged_records(report)))
        names.append(JUDGED)
    if report.episodes:
        write_lines(folder / BY_EPISODE, [to_json(row.to_record()) for row in report.episodes])
        names.append(BY_EPISODE)
    return names


def write_scores(scores: list[Score], folder: Path) -> None:
    """Writes scores.jsonl.

    Raises:
        DiskError: it cannot be written
    """
    write_lines(folder / SCORES, [to_json(score.to_record()) for score in scores])


def write_lines(path: Path, lines: Any) -> None:
    """Writes lines of text atomically, some at a time.

    Raises:
        DiskError: they cannot be written
    """
    with open_atomically(path) as file:
        some: list[str] = []
        for line in lines:
            some.append(line)
            if len(some) == _LINES_AT_ONCE:
                file.write(("\n".join(some) + "\n").encode())
                some.clear()
        if some:
            file.write(("\n".join(some) + "\n").encode())


def _label_lines(counts: VoteCounts, codes: Any) -> Iterator[str]:
    """The records of labels.jsonl as JSON: a million units have few different votes, whose JSON is made once."""
    made: dict[int, tuple[str, str]] = {}
    kept: list[dict[str, Any]] = []  # alive as long as their ids are keys
    for record, stream, utterance_id in counts.fused_units(codes):
        parts = made.get(id(record))
        if parts is None:
            kept.append(record)
            around = {**record, "stream": "", "utterance_id": ""}
            head, _, tail = to_json(around).partition('"stream": "", "utterance_id": ""')
            parts = made[id(record)] = head, tail
        yield f'{parts[0]}"stream": "{stream}", "utterance_id": {to_json(utterance_id)}{parts[1]}'


def confusion_record(report: ScoreReport) -> dict[str, Any]:
    """What confusion.json holds for the responses of an agent."""
    names = report.labels
    return {
        "label_set": names.name,
        "labels": list(names.labels),
        "sentiments": None if names.upper is None else list(names.upper.labels),
        "mec": {
            "lower": report.confusion("lower").tolist(),
            "upper": None if names.upper is None else report.confusion("upper").tolist(),
        },
    }


def _judged_records(report: ScoreReport) -> Iterator[dict[str, Any]]:
    for aspect in ASPECTS:
        rated = rated_samples(report.judgements, aspect, report.options.rc_method)
        for sample, mean, column in zip(rated.samples, rated.means().tolist(), rated.table.T.tolist(), strict=True):
            yield {
                "aspect": aspect,
                "utterance_id": sample,
                "score": None if np.isnan(mean) else mean,
                "judges": {
                    judge: None if np.isnan(score) else score for judge, score in zip(rated.judges, column, strict=True)
                },
            }


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreFolder:
    """A folder that was written by `mmrole score` or `mmrole erc`.

    Attributes:
        folder: the folder
        manifest: what its manifest.json holds
        scores: its scores
    """

    folder: Path
    manifest: dict[str, Any]
    scores: list[Score]

    @property
    def command(self) -> str:
        """``score`` or ``erc``."""
        return str(self.manifest["command"])

    @property
    def settings(self) -> dict[str, Any]:
        """What decided the scores."""
        settings: dict[str, Any] = self.manifest["settings"]
        return settings

    @property
    def labels(self) -> LabelSet:
        """The label set of the scores."""
        return LabelSet.from_record(self.settings["labels"])

    @property
    def options(self) -> ScoreOptions:
        """What decided the scores of `mmrole score`."""
        return ScoreOptions.from_record(self.settings["options"])

    def records(self, name: str) -> JsonLines:
        """The records of one of its JSONL files, which has to be the one that the manifest vouches for.

        Args:
            name: of the file, such as ``labels.jsonl``

        Raises:
            StoreError: it is missing, or another file than when it was made
        """
        path = self.folder / name
        self.check(name)
        return JsonLines(path)

    def check(self, name: str) -> None:
        """Whether a file is the one that the manifest vouches for.

        Raises:
            StoreError: it is not
        """
        path = self.folder / name
        if name not in self.manifest["files"]:
            raise StoreError(f"{self.folder} is damaged: its manifest knows no {name}; run mmrole {self.command} again")
        try:
            same = file_sha256(path) == self.manifest["files"][name]
        except OSError as error:
            raise StoreError(f"{path}: cannot be read ({error.strerror}); run mmrole {self.command} again") from None
        if not same:
            raise StoreError(f"{path}: has other bytes than when it was made; run mmrole {self.command} again")


def read_score_folder(folder: str | Path) -> ScoreFolder:
    """Reads a folder of scores.

    Args:
        folder: the ``--out`` of `mmrole score` or `mmrole erc`

    Raises:
        StoreError: it is no such folder, the run that fills it has not ended, or a file of it is damaged
    """
    place = Path(folder)
    if place.is_file():
        raise StoreError(f"{folder} is a file: name the folder of scores, the --out of mmrole score or mmrole erc")
    if not place.is_dir() or not ((place / MANIFEST).exists() or (place / SCORES).exists()):
        raise StoreError(f"{folder} is no folder of scores: run mmrole score or mmrole erc with --out {folder}")
    manifest = read_manifest(place / MANIFEST)
    if manifest.get("command") not in ("score", "erc") or not {"settings", "files"} <= manifest.keys():
        command = str(manifest.get("command"))
        other = (
            "; mmrole compare takes whole runs of bench lifechoice or rolecde" if command.startswith("bench ") else ""
        )
        raise StoreError(f"{folder} holds the results of mmrole {command}, not of mmrole score or erc{other}")
    found = ScoreFolder(folder=place, manifest=manifest, scores=[])
    records = found.records(SCORES)
    try:
        found.scores.extend(score_of_record(record, records.place(n)) for n, record in enumerate(records))
        _ = found.labels, found.options if found.command == "score" else None
    except (InputError, KeyError, TypeError, ValueError) as error:
        raise StoreError(f"{folder} is damaged: {error}; run mmrole {found.command} again") from None
    return found


def write_page(folder: Path, text: str) -> None:
    """Writes scores.md.

    Raises:
        DiskError: it cannot be written
    """
    write_atomically(folder / PAGE, text.encode())
