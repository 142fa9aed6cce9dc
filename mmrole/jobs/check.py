"""`mmrole check`: what is wrong with a data set, its table and its clips."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field

from extractors.container import open_source
from mmrole.core.audit import ClipFact, audit, audit_clips
from mmrole.core.dialogue import Utterance
from mmrole.core.dialogue_readers import DataSet, read_data_set
from mmrole.core.dialogue_readers.defects import DefectReport
from mmrole.core.errors import MediaError
from mmrole.jobs.extract.inputs import find_inputs
from mmrole.jobs.labels import find_label_set


@dataclass(kw_only=True)
class Progress:
    """How far the clips have been looked at (see `mmrole.cli.progress`).

    Attributes:
        total: number of clips
        finished: those that were opened
        failed: those that cannot be read
        reused: always 0
    """

    total: int
    finished: int = 0
    failed: int = 0
    reused: int = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class Check:
    """What `check` found.

    Attributes:
        data_set: what was read
        report: what is wrong with it
        clips: number of clips that were looked at, None when none were asked for
        skipped: files below the clips' folder that are no clips, with the reason
    """

    data_set: DataSet
    report: DefectReport
    clips: int | None = None
    skipped: list[dict[str, str]] = field(default_factory=list)

    @property
    def utterances(self) -> list[Utterance]:
        """All utterances that were read."""
        return [utterance for dialogue in self.data_set.dialogues for utterance in dialogue.utterances]


def check(
    path: str | os.PathLike[str],
    *,
    clips: str | os.PathLike[str] | None = None,
    format: str = "auto",  # noqa: A002  the word users expect
    labels: str | None = None,
    on_progress: Callable[[Progress], object] | None = None,
) -> Check:
    """Lists what is wrong with a data set.

    Args:
        path: CPED, MELD or the project's JSONL
        clips: folder of its clips, named by utterance id: missing, extra and unreadable ones and odd lengths are listed too
        format: of the file; ``auto`` tells it from the file
        labels: name or TOML file of the label set; the format's own when None (JSONL has none: its labels are not checked then)
        on_progress: called after each clip

    Returns:
        what was found; nothing is raised for a defect, all are counted

    Raises:
        InputError: the file cannot be read, or is of no known format
        UsageError: no such label set, or no clip in the folder
    """
    names = None if labels is None else find_label_set(labels)
    found = None if clips is None else find_inputs([clips])
    data_set = read_data_set(os.fspath(path), format=format)
    report = audit(data_set, labels=names)
    if found is None:
        return Check(data_set=data_set, report=report)
    paths = {file.shown: file.path for file in found.files}
    progress = Progress(total=len(paths))

    def probe(shown: str) -> ClipFact:
        fact = clip_fact(paths[shown])
        progress.finished += 1
        progress.failed += fact.reason is not None
        if on_progress is not None:
            on_progress(progress)
        return fact

    report = audit_clips(data_set, paths, probe)
    return Check(data_set=data_set, report=report, clips=len(paths), skipped=found.skipped)


def clip_fact(path: str) -> ClipFact:
    """What opening a clip tells: its length, or why it cannot be read. Nothing is decoded."""
    try:
        source = open_source(path)
    except MediaError as error:
        return ClipFact(reason=error.reason)
    try:
        return ClipFact(duration_s=source.declared_s)
    finally:
        source.close()
