"""`mmrole demo`: the whole way on the clips in fixtures/ with parts that need no model, and what came out."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pandas as pd

from emotion.experts.panel import read_panel
from emotion.glossary import METRICS, meaning_of
from mmrole.core.counting import counted
from mmrole.core.errors import UsageError
from mmrole.core.features import read_features
from mmrole.jobs.describe import describe
from mmrole.jobs.erc import erc_files
from mmrole.jobs.extract.run import Progress, extract
from mmrole.jobs.plot import plot
from mmrole.jobs.plot_scores import plot_scores
from mmrole.jobs.recognize import recognize
from mmrole.jobs.score import score_files

TABLE: Final = "dialogues.csv"
PANEL: Final = "panel.toml"
_SHOWN: Final = (
    "clip_id",
    "status",
    "duration_s",
    "speech_s",
    "syllables",
    "f0_median_hz",
    "pitch_level",
    "frames",
    "frames_face",
    "frames_body",
)
_WHOLE: Final = ("syllables", "frames", "frames_face", "frames_body")
"""Of these, counts, which a clip without them would turn into fractions."""


@dataclass(frozen=True, kw_only=True)
class DemoRun:
    """What the demo did.

    Attributes:
        lines: that show what came out
        failed: clips that could not be measured
    """

    lines: list[str]
    failed: int


def demo(
    clips: str | os.PathLike[str],
    *,
    dialogues: str | os.PathLike[str] | None = None,
    panel: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] = "demo",
    on_progress: Callable[[Progress], object] | None = None,
    say: Callable[[str], object] | None = None,
) -> DemoRun:
    """Extracts features of the clips, describes them, recognises emotions in them, scores these, and draws all of it.

    Everything here needs no language model. The experts are baselines, not for reporting.

    Args:
        clips: folder of clips
        dialogues: their table; ``dialogues.csv`` beside the folder when None. Without one it ends with the descriptions
        panel: the experts; ``panel.toml`` beside the folder when None. Without one it ends with the descriptions
        out: gets ``features/``, ``described/``, ``votes/``, ``scores/``, ``recognition/`` and pictures
        on_progress: called after each clip
        say: takes lines for people

    Raises:
        UsageError: the clips are not there, or a panel without dialogues
        InputError: the panel or the dialogues cannot be understood
    """
    folder, place = Path(clips), Path(out)
    if not folder.is_dir():
        raise UsageError(f"{clips} is not there: run the demo in a checkout of mmrole, or name a folder with --clips")
    table = _beside(folder, dialogues, TABLE)
    experts = _beside(folder, panel, PANEL)
    if panel is not None and table is None:
        raise UsageError(f"the panel {panel} votes on dialogues: name their table with --dialogues")
    if experts is not None:  # what is wrong with it is better told before the work than after it
        read_panel(experts)
    features = place / "features"
    extracted = extract([folder], out=features, dialogues=table, on_progress=on_progress, say=say)
    pictures = [plot(kind, features, out=place / f"{kind}.png") for kind in ("prosody", "keyframes")]
    described = describe(features, dialogues=table, out=place / "described")
    counts = extracted.counts
    others = len(read_features(features).utterances) - counts["done"] - counts["failed"]
    lines = [
        f"{counted(counts['inputs'], 'input')} = {counts['done']} done + {counts['failed']} failed + {counts['skipped']} skipped",
        *([] if others <= 0 else [f"clips of earlier runs in {features}, which count in what follows: {others:,}"]),
        "",
        *_table(features),
        "",
        f"features:     {features}",
        f"descriptions: {described.out}",
    ]
    if table is not None and experts is not None:
        more, drawn = _scored(place, features, described.out / "descriptions.jsonl", table, experts)
        lines += more
        pictures += drawn
    lines += [f"picture:      {picture}" for picture in pictures]
    return DemoRun(lines=lines, failed=counts["failed"])


def _beside(folder: Path, given: str | os.PathLike[str] | None, name: str) -> Path | None:
    place = Path(given) if given is not None else folder.parent / name
    return place if given is not None or place.is_file() else None


def _table(features: Path) -> list[str]:
    measured = read_features(features).utterances
    shown = measured[list(_SHOWN)].copy()
    for name in _WHOLE:
        shown[name] = ["-" if pd.isna(count) else f"{count:.0f}" for count in measured[name]]
    reasons = measured[["reason", "audio_reason", "video_reason"]].fillna("")
    shown["why"] = [", ".join(dict.fromkeys(filter(None, row))) for row in reasons.itertuples(index=False)]
    with pd.option_context("display.width", 200, "display.max_columns", None, "display.precision", 2):
        return shown.to_string(index=False, na_rep="-").splitlines()


def _scored(place: Path, features: Path, descriptions: Path, table: Path, panel: Path) -> tuple[list[str], list[Path]]:
    """Votes on the clips, their scores, and pictures of these."""
    voted = recognize(
        table, panel=panel, descriptions=descriptions, features=features, out=place / "votes", cache=False
    )
    scores = score_files(table, voted.votes, out=place / "scores")
    recognition = erc_files(table, voted.votes, out=place / "recognition", stream="all")
    there = {score.metric for score in scores.report.scores if score.value is not None}
    undefined = {s.metric: s.reason for s in scores.report.scores if s.metric not in there}
    pictures = [plot_scores("timeline", scores.out, out=place / "timeline.png", dialogues=table)]
    if there:  # a picture of empty lines shows nothing; what has no value is told below, and stands in scores.md
        drawn = list(dict.fromkeys(score.metric for score in scores.report.scores if score.metric in there))
        pictures.insert(0, plot_scores("scores", scores.out, out=place / "scores.png", metrics=drawn))
    pictures.append(plot_scores("confusion", recognition.out, out=place / "confusion.png"))
    why = ", ".join(f"{METRICS[metric][0]} ({meaning_of(str(reason))})" for metric, reason in undefined.items())
    return [
        f"votes:        {voted.votes} (baselines, not for reporting)",
        f"scores:       {scores.out / 'scores.md'}",
        *([f"  without a value on so few clips: {why}"] if why else []),
        f"recognition:  {recognition.out / 'scores.md'}",
    ], pictures
