"""`mmrole experts`: the kinds of experts and what they can give, and the training of one from labelled dialogues."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from emotion.experts.trained_model import TrainedText, read_trained
from emotion.experts.trained_training import Example, TrainingOptions, require_sklearn, train_text_expert
from emotion.recognition import Target
from mmrole.core.canonical import Record, printable_path
from mmrole.core.dialogue import Dialogue
from mmrole.core.errors import InputError, UsageError
from mmrole.core.files import explained, make_folder
from mmrole.core.labels import MISSING
from mmrole.jobs.result_folder import input_record
from mmrole.jobs.truth import Truth, read_truth

File = str | os.PathLike[str]
Groups = Literal["dialogue", "show"]

NO_TEXT: Final = "no_text"
NO_LABEL: Final = "no_label"
INVALID_LABEL: Final = "invalid_label"


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainRun:
    """What `train_expert` did.

    Attributes:
        out: the file
        model: the expert, read back from the file
        counts: inputs = done + failed + skipped, of utterances
        skipped: reason -> number of utterances
        notes: what has to be said beside it
    """

    out: Path
    model: TrainedText
    counts: dict[str, int]
    skipped: dict[str, int]
    notes: list[str]


def train_expert(
    data: Sequence[File],
    *,
    out: File,
    format: str = "auto",  # noqa: A002  the word users expect
    labels: str | None = None,
    truth_map: str | None = None,
    target: Target = "emotion",
    groups: Groups = "dialogue",
    options: TrainingOptions | None = None,
    tell: Callable[[str], None] = lambda _line: None,
) -> TrainRun:
    """Trains a text expert on labelled dialogues and writes its file.

    Args:
        data: one or more files of dialogues: CPED, MELD or the project's JSONL
        out: the file to write; one that is there already is replaced only when it is a trained expert
        format: of the dialogues; ``auto`` tells it from the file
        labels: name or TOML file of the label set; that of the format, else cped-13, when None
        truth_map: name or TOML file of a label map, from the labels of the dialogues to those of the expert
        target: ``emotion``, or ``sentiment``: the sentiment that the file itself gives the utterances
        groups: what stays together in cross-validation
        options: how it is trained
        tell: takes a line about each step

    Raises:
        MissingExtraError: scikit-learn is not installed
        InputError: a file that cannot be used, or too little to learn from
        UsageError: an option that makes no sense, or `out` is something else
        DiskError: the file cannot be written
    """
    chosen = options if options is not None else TrainingOptions()
    place = Path(out)
    require_sklearn()
    _refuse_other(place, data)
    _probe(place)
    if groups not in get_args(Groups):
        raise UsageError(f"--groups has to be one of {', '.join(get_args(Groups))}, not {groups!r}")
    if not data:
        raise UsageError("there are no data to train on")
    truths: list[Truth] = []
    records: list[Record] = []
    for path in data:
        tell(f"reading {printable_path(path)}")
        truth = read_truth(path, format=format, labels=labels, truth_map=truth_map, target=target)
        if truths and truth.labels.labels != truths[0].labels.labels:
            raise UsageError(
                f"{printable_path(path)}: is labelled by {truth.labels.name}, {printable_path(data[0])} by "
                f"{truths[0].labels.name}: choose one with --labels"
            )
        record = input_record(path)
        if twice := [each for each in records if each["sha256"] == record["sha256"]]:
            raise UsageError(f"{printable_path(path)}: holds the same as {twice[0]['name']}; give each file once")
        truths.append(truth)
        # where the file lies says nothing of the expert: it would make equal trainings unequal
        records.append({**{name: record[name] for name in ("name", "bytes", "sha256")}, "format": truth.format})
    skipped: Counter[str] = Counter()
    examples = [
        example
        for number, truth in enumerate(truths)
        for example in _examples(truth, number, chosen.context, target, groups, skipped)
    ]
    left_out = dict(sorted(skipped.items()))
    total = len(examples) + skipped.total()
    counts = {"inputs": total, "done": len(examples), "failed": 0, "skipped": skipped.total()}
    model = train_text_expert(
        examples,
        truths[0].labels,
        options=chosen,
        data=records,
        counts={**counts, "left_out": left_out, "target": target, "truth_map": truth_map},
        groups=groups,
        tell=tell,
    )
    model.write(place)
    notes = [note for truth in truths for note in truth.notes] + list(model.header["notes"])
    return TrainRun(out=place, model=read_trained(place), counts=counts, skipped=left_out, notes=notes)


def _refuse_other(place: Path, data: Sequence[File]) -> None:
    """An expert may be trained again in its place; nothing else is written over."""
    if place.is_dir():
        raise UsageError(f"{place} is a folder: name the file to write, such as {place / 'expert.npz'}")
    if not place.exists():
        return
    if not place.is_file():
        raise UsageError(f"{place} is no file: name the file to write, such as expert.npz")
    if any(Path(path).exists() and place.samefile(path) for path in data):
        raise UsageError(f"{place} is the data to train on: choose another file for --out")
    try:
        read_trained(place)
    except InputError:
        raise UsageError(f"{place} is there already and is no trained expert: choose another file for --out") from None


def _probe(place: Path) -> None:
    """Tells before the training, not after it, that the file cannot be written."""
    make_folder(place.parent)
    with explained(place), tempfile.TemporaryFile(dir=place.parent):
        pass


def _examples(
    truth: Truth, number: int, context: int, target: Target, groups: Groups, skipped: Counter[str]
) -> Iterator[Example]:
    """The labelled utterances of a file; those left out are counted."""
    code = truth.labels.code if truth.truth_map is None else truth.truth_map.code
    for dialogue in truth.dialogues:
        texts = [utterance.text for utterance in dialogue.utterances]
        for position, utterance in enumerate(dialogue.utterances):
            found = code(utterance.emotion if target == "emotion" else utterance.sentiment)
            if found < 0:
                skipped[NO_LABEL if found == MISSING else INVALID_LABEL] += 1
            elif not utterance.text.strip():
                skipped[NO_TEXT] += 1
            else:
                before = [texts[position - n] if position >= n else "" for n in range(1, context + 1)]
                yield Example(
                    texts=(utterance.text, *before),
                    label=truth.labels.labels[found],
                    group=_group(dialogue, number, groups),
                )


def _group(dialogue: Dialogue, number: int, groups: Groups) -> str:
    if groups == "dialogue":  # ids of dialogues start anew in every file of MELD
        return f"{number}/{dialogue.dialogue_id}"
    if dialogue.show is None:
        raise UsageError(f"dialogue {dialogue.dialogue_id!r} names no show: use --groups dialogue")
    return dialogue.show


def model_record(model: TrainedText) -> dict[str, Any]:
    """What a trained expert says of itself, as one JSON record."""
    return {"file": model.source, "sha256": model.sha256, "columns": model.features.size, **model.header}
