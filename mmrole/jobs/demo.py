"""`mmrole demo`: the main job on the clips in fixtures/, and what came out."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pandas as pd

from mmrole.core.errors import UsageError
from mmrole.core.features import read_features
from mmrole.jobs.extract.run import Progress, extract
from mmrole.jobs.plot import plot

_SHOWN = (
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


def demo(
    clips: str | os.PathLike[str],
    *,
    dialogues: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] = "demo",
    on_progress: Callable[[Progress], object] | None = None,
    say: Callable[[str], object] | None = None,
) -> list[str]:
    """Extracts features of the clips and draws them.

    Args:
        clips: folder of clips
        dialogues: their table; ``dialogues.csv`` beside the folder when None
        out: gets ``features/`` and pictures
        on_progress: called after each clip
        say: takes lines for people

    Returns:
        lines that show what came out

    Raises:
        UsageError: the clips are not there
    """
    folder, place = Path(clips), Path(out)
    if not folder.is_dir():
        raise UsageError(f"{clips} is not there: run the demo in a checkout of mmrole, or name a folder with --clips")
    table = Path(dialogues) if dialogues else folder.parent / "dialogues.csv"
    features = place / "features"
    result = extract(
        [folder], out=features, dialogues=table if table.is_file() else None, on_progress=on_progress, say=say
    )
    pictures = [plot(kind, features, out=place / f"{kind}.png") for kind in ("prosody", "keyframes")]
    counts = result.counts
    with pd.option_context("display.width", 200, "display.max_columns", None, "display.precision", 2):
        shown = read_features(features).utterances[list(_SHOWN)].to_string(index=False, na_rep="-")
    return [
        f"{counts['inputs']} inputs = {counts['done']} done + {counts['failed']} failed + {counts['skipped']} skipped",
        "",
        *shown.splitlines(),
        "",
        f"features: {features}",
        *(f"picture:  {picture}" for picture in pictures),
    ]
