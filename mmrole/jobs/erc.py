"""`mmrole erc`: recognition of the dialogues' own utterances, from files of dialogues and predictions to a folder of scores."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emotion.metrics.erc import ErcResult
from emotion.recognition import Predictions, Target, join_predictions
from emotion.score_folder import CONFUSION, LABELS, PAGE, SCORES, write_lines, write_page, write_scores
from mmrole.core.bootstrap import require_draws
from mmrole.core.canonical import to_json
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, Level
from mmrole.core.manifest import Manifest
from mmrole.jobs.erc_page import erc_page
from mmrole.jobs.fused_votes import FusedVotes, are_votes
from mmrole.jobs.interval_notes import interval_notes
from mmrole.jobs.labels import find_label_map, map_record
from mmrole.jobs.predictions import PredictionFile
from mmrole.jobs.result_folder import check_counts, input_records, result_folder, seal, unseal
from mmrole.jobs.truth import read_truth
from mmrole.jobs.voters import Electors

File = str | os.PathLike[str]


@dataclass(frozen=True, kw_only=True, eq=False)
class ErcRun:
    """What `erc_files` did.

    Attributes:
        out: the folder
        result: the scores
        counts: inputs = done + failed + skipped, of predictions
        notes: what has to be said beside the scores
    """

    out: Path
    result: ErcResult
    counts: dict[str, int]
    notes: list[str]


def erc_files(
    dialogues: File,
    predictions: File,
    *,
    out: File,
    format: str = "auto",  # noqa: A002  the word users expect
    labels: str | None = None,
    truth_map: str | None = None,
    prediction_map: str | None = None,
    target: Target = "emotion",
    level: Level = "lower",
    without: Sequence[str] = (),
    stream: str | None = None,
    experts: Sequence[str] = (),
    baselines: bool = True,
    bootstrap: int = 1000,
    seed: int = 0,
) -> ErcRun:
    """Scores predicted labels of the dialogues' own utterances and fills a folder.

    Args:
        dialogues: the ground truth: CPED, MELD or the project's JSONL
        predictions: JSONL records {"utterance_id", "label"}, a CSV table with these columns, or votes.jsonl, whose votes are fused
        out: the folder
        format: of the dialogues; ``auto`` tells it from the file
        labels: name or TOML file of the label set; that of the format, else cped-13, when None
        truth_map: name or TOML file of a label map, from the labels of the dialogues to those of the scores
        prediction_map: the same for the predictions
        target: ``emotion``, or ``sentiment``: the sentiment that the file itself gives the utterances
        level: ``lower`` for the labels, ``upper`` for their sentiments
        without: labels to leave out of two more averages
        stream: take only the predictions of this stream (of votes, or of the labels.jsonl of `mmrole score`)
        experts: take only the votes of these experts; of all when empty
        baselines: take the votes of baselines as well
        bootstrap: draws of the intervals; 0 for none
        seed: of the draws

    Raises:
        InputError: a file that cannot be used; names file, line and value
        UsageError: an option that makes no sense, or a folder with other results
        LockedError: another run is working on the folder
        DiskError: the folder cannot be written
    """
    require_draws(bootstrap, name="--bootstrap")
    with result_folder(out, "erc") as folder:
        inputs = input_records({"dialogues": dialogues, "predictions": predictions})
        truth = read_truth(dialogues, format=format, labels=labels, truth_map=truth_map, target=target)
        mapping = None if prediction_map is None else find_label_map(prediction_map)
        given_votes = are_votes(predictions)
        electors = Electors(experts=tuple(dict.fromkeys(experts)), baselines=baselines)
        if not electors.everybody and not given_votes:
            raise UsageError(f"{predictions} holds no votes: experts can be chosen only of votes.jsonl")
        of_votes = truth.labels if mapping is None else mapping.source
        records: FusedVotes | PredictionFile = (
            FusedVotes(predictions, of_votes, stream=stream, electors=electors)
            if given_votes
            else PredictionFile(predictions, stream=stream)
        )
        joined = join_predictions(
            truth.dialogues,
            records,
            truth.labels,
            target=target,
            truth_map=truth.truth_map,
            prediction_map=mapping,
        )
        names = truth.labels.at(level) or truth.labels
        resolved = [names.resolve(name) or name for name in without]
        result = joined.score(level=level, without=resolved, bootstrap=bootstrap, seed=seed)
        given = int(joined.given.sum())
        fused = records if isinstance(records, FusedVotes) else None
        counts = check_counts(given, int((joined.given & (joined.truth >= 0)).sum()))
        drawn = len(set(joined.dialogue[joined.truth >= 0].tolist()))
        notes = [*truth.notes, *_notes(joined), *([] if fused is None else fused.notes)]
        notes += interval_notes(list(result.values()), drawn)
        manifest = Manifest(
            command="erc",
            settings={
                "format": truth.format,
                "labels": truth.labels.to_record(),
                "truth_map": None if truth.truth_map is None else map_record(truth.truth_map),
                "prediction_map": None if mapping is None else map_record(mapping),
                "target": target,
                "level": level,
                "without": list(resolved),
                "stream": stream,
                "votes_of": electors.to_record(),
                "fused_from": None if fused is None else fused.fused_from,
                "bootstrap": bootstrap,
                "seed": seed,
            },
            counts=counts,
            skipped=[{"reason": "no_truth", "predictions": counts["skipped"]}] if counts["skipped"] else [],
            extra={"inputs": inputs, "notes": notes},
        )
        unseal(folder)
        write_lines(folder / LABELS, map(to_json, joined.records()))
        write_lines(folder / CONFUSION, [to_json(_confusion_record(result, names, level))])
        write_scores(list(result.values()), folder)
        page = erc_page(result, names, inputs, bootstrap=bootstrap, seed=seed, notes=notes)
        write_page(folder, page)
        seal(folder, manifest, [LABELS, CONFUSION, SCORES, PAGE])
    return ErcRun(out=folder, result=result, counts=counts, notes=notes)


def _confusion_record(result: ErcResult, names: LabelSet, level: Level) -> dict[str, Any]:
    there = bool(result.per_class)
    return {
        "label_set": names.name,
        "labels": list(names.labels),
        "level": level,
        "erc": {
            "rows": list(names.labels),
            "columns": list(result.columns),
            "counts": result.confusion.tolist(),
        }
        if there
        else None,
    }


def _notes(joined: Predictions) -> list[str]:
    missing = int((~joined.given).sum())
    if not missing:
        return []
    return [f"{missing:,} of {len(joined.given):,} utterances have no prediction; they count as ambiguous ones do"]
