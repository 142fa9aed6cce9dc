"""Which model files a run needs, and what happens when they cannot be had."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from mmrole.core.errors import ModelFileError
from mmrole.core.extraction import ExtractSettings
from mmrole.core.model_files import MODEL_FILES, POSE_LANDMARKER, POSE_LITE, checked_paths, models_folder
from mmrole.jobs.models import fetch_models


def model_paths_for(
    settings: ExtractSettings, folder: str | os.PathLike[str] | None, tell: Callable[[str], None]
) -> dict[str, Path]:
    """Paths of the model files; empty, with a line that says so, when they cannot be had: the sound is measured all the same."""
    if not settings.video:
        return {}
    place = models_folder(Path(folder) if folder else None)
    needed = [model for model in MODEL_FILES if not (settings.pose == "lite" and model is POSE_LANDMARKER)]
    try:
        fetch_models(needed, folder=place, say=tell)
        paths = checked_paths(needed, place)
        if settings.pose == "lite":
            if not (place / POSE_LITE).is_file():
                raise ModelFileError(
                    f"{place / POSE_LITE} is missing: --pose lite takes a file that you put there yourself"
                )
            paths[POSE_LITE] = place / POSE_LITE
    except ModelFileError as error:
        if not settings.audio:
            raise
        tell(f"only the sound is measured: {error}")
        return {}
    return paths
