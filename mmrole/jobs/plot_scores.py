"""`mmrole plot` for folders of scores: confusion, classes, transitions, scores, episodes, timelines."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from matplotlib.figure import FigureBase

from emotion.score_folder import LABELS, ScoreFolder, read_score_folder
from emotion.transitions import Kind
from mmrole.core.canonical import file_sha256, printable_path
from mmrole.core.dialogue import Dialogue
from mmrole.core.dialogue_readers import read_data_set
from mmrole.core.errors import InputError, UsageError
from mmrole.core.labels import Level
from mmrole.core.languages import Language
from mmrole.jobs.labels import map_of_record
from mmrole.jobs.plot import ending_of, write_picture
from mmrole.plotting.classes import ClassesDisplay
from mmrole.plotting.confusion import ConfusionMatrixDisplay, Values
from mmrole.plotting.episodes import EpisodesDisplay
from mmrole.plotting.pages import Page
from mmrole.plotting.score_rows import short_names
from mmrole.plotting.scores import ScoresDisplay
from mmrole.plotting.timeline import TimelineDisplay
from mmrole.plotting.transitions import Normalise, TransitionMatrixDisplay

ScorePlotKind = Literal["confusion", "classes", "transitions", "scores", "timeline", "episodes"]
File = str | os.PathLike[str]

MOST_IN_A_PICTURE: Final = 20
"""So many pages one below the other are about as tall as programs can open a picture."""


def plot_scores(
    kind: ScorePlotKind,
    folders: Sequence[File] | File,
    *,
    out: File,
    level: Level | None = None,
    transition_kind: Kind = "inter",
    roles: Sequence[str] | str | None = None,
    normalise: Normalise = "row",
    values: Values = "both",
    metrics: Sequence[str] | None = None,
    dialogue_ids: Sequence[str] | str | None = None,
    dialogues: File | None = None,
    show: str | None = None,
    lang: Language = "en",
) -> Path:
    """Draws folders of scores into one file.

    Args:
        kind: ``confusion`` (true against predicted labels), ``classes`` (precision and recall of each label), ``transitions`` (of
            emotions, ground truth beside agent), ``scores`` (with intervals, the folders side by side), ``episodes``
            (role consistency by episode, the folders side by side) or ``timeline`` (the emotions of a dialogue)
        folders: each was the ``--out`` of `mmrole score` or `mmrole erc`
        out: the picture: ``.png`` or ``.svg`` (one below the other), or ``.pdf`` (a page for each)
        level: of confusion and classes: ``lower`` for the labels, ``upper`` for their sentiments; what there is when None
        transition_kind: of transitions: ``intra``, ``inter`` or ``same_speaker``
        roles: of transitions: a picture for each of these; all roles together when None
        normalise: of transitions: ``row``, ``joint`` or ``count``
        values: of confusion between single labels: ``share`` of the row, ``count``, or ``both``
        metrics: of scores: only these
        dialogue_ids: of timelines: a picture for each of these; the first one with predictions when None
        dialogues: of timelines: the file of dialogues that was scored, where it is not any more where it was
        show: of episodes: only those of this show; those of all shows together when None
        lang: language of names and words, ``en`` or ``zh``

    Returns:
        the path of the picture

    Raises:
        UsageError: no such kind of plot or of picture, nothing to draw, or too much for one picture
        StoreError: a folder holds no scores, or a file of it is damaged
        InputError: no such dialogue, or the file of dialogues is another one
        DiskError: the picture cannot be written
    """
    if kind not in get_args(ScorePlotKind):
        raise UsageError(f"{kind!r} is no kind of plot: choose one of {', '.join(get_args(ScorePlotKind))}")
    ending = ending_of(out)
    places = [folders] if isinstance(folders, (str, os.PathLike)) else list(folders)
    if not places:
        raise UsageError("no folder was named")
    found = [read_score_folder(os.fspath(place)) for place in places]
    names = short_names([str(folder.folder) for folder in found])
    if kind == "scores":
        return write_picture(out, [ScoresDisplay.from_folders(found, metrics=metrics, lang=lang)])
    if kind == "episodes":
        return write_picture(out, [EpisodesDisplay.from_folders(found, show=show, lang=lang)])
    pages: list[Page] = []
    for folder, short in zip(found, names, strict=True):
        name = short if len(found) > 1 else None
        if kind == "confusion":
            matrix = ConfusionMatrixDisplay.from_folder(folder, level, name=name, lang=lang)
            pages.append(_Drawn(display=matrix, options={"values": values}))
        elif kind == "classes":
            pages.append(ClassesDisplay.from_folder(folder, level, name=name, lang=lang))
        elif kind == "transitions":
            for role in _listed(roles, "role"):
                matrices = TransitionMatrixDisplay.from_folder(folder, transition_kind, role, name=name, lang=lang)
                pages.append(_Drawn(display=matrices, options={"normalise": normalise}))
        else:
            pages += _timelines(folder, _listed(dialogue_ids, "dialogue"), dialogues, name, lang)
    if ending != "pdf" and len(pages) > MOST_IN_A_PICTURE:
        raise UsageError(
            f"{len(pages)} pages do not fit into one picture: write a .pdf, or at most {MOST_IN_A_PICTURE}"
        )
    return write_picture(out, pages)


@dataclass(frozen=True, kw_only=True)
class _Drawn:
    """A page that is drawn with options."""

    display: ConfusionMatrixDisplay | TransitionMatrixDisplay
    options: dict[str, Any]

    @property
    def size_in(self) -> tuple[float, float]:
        return self.display.size_in

    def plot_on(self, figure: FigureBase) -> object:
        return self.display.plot_on(figure, **self.options)


def _listed(names: Sequence[str] | str | None, what: str) -> list[str | None]:
    """What to draw: each name once; None alone for what is drawn when nothing is named."""
    if names is None:
        return [None]
    listed = [names] if isinstance(names, str) else list(names)
    if not listed:
        raise UsageError(f"no {what} was named: leave it out to draw what there is first")
    return list(dict.fromkeys(listed))


def _timelines(
    folder: ScoreFolder, dialogue_ids: Sequence[str | None], dialogues: File | None, name: str | None, lang: Language
) -> Iterator[TimelineDisplay]:
    path = _scored_dialogues(folder, dialogues)
    there = {d.dialogue_id: d for d in read_data_set(path, format=folder.settings["format"], strict=True).dialogues}
    record = folder.settings["truth_map"]
    mapping = None if record is None else map_of_record(record)
    for dialogue_id in dialogue_ids:
        if dialogue_id is not None and dialogue_id not in there:
            some = ", ".join([*there][:3]) + (", ..." if len(there) > 3 else "")
            raise InputError(f"{path}: there is no dialogue {dialogue_id!r}; there are {len(there):,}: {some}")
        dialogue = _first_answered(folder, there) if dialogue_id is None else there[dialogue_id]
        yield TimelineDisplay.from_folder(folder, dialogue, truth_map=mapping, name=name, lang=lang)


def _scored_dialogues(folder: ScoreFolder, given: File | None) -> str:
    """The file of dialogues that was scored: where it was, or where somebody says it is now."""
    scored = folder.manifest["inputs"]["dialogues"]
    path = scored["path"] if given is None else os.fspath(given)
    try:
        same = file_sha256(path) == scored["sha256"]
    except OSError as error:
        raise InputError(
            f"{printable_path(path)}: the dialogues of {folder.folder} cannot be read ({error.strerror}): say where they are with "
            "--dialogues"
        ) from None
    if not same:
        raise InputError(
            f"{printable_path(path)}: not the dialogues that {folder.folder} is of, it has other bytes: score again, or name "
            "the file that was scored with --dialogues"
        )
    return str(path)


def _first_answered(folder: ScoreFolder, there: dict[str, Dialogue]) -> Dialogue:
    """The dialogue of the first label."""
    first = next(iter(folder.records(LABELS)))["utterance_id"]
    names = {first, first.rpartition("/")[0]}
    return next(d for d in there.values() if any(utterance.utterance_id in names for utterance in d.utterances))
