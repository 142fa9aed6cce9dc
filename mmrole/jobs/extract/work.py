"""What a worker process does: measures the clips of one file, unless their stored results are still right."""

from __future__ import annotations

import os
import threading
import traceback
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from mmrole.core.canonical import Record, content_key, file_sha256, printable_path
from mmrole.core.errors import MediaError, MissingExtraError, MMRoleError
from mmrole.core.extraction import DEFINITION, ExtractSettings
from mmrole.core.media import Clip, Reason
from mmrole.core.processes import beat

if TYPE_CHECKING:
    from extractors.audio.prosody import Prosody
    from extractors.video.observer import Observer
    from extractors.video.track import FrameTrack


@dataclass(frozen=True, kw_only=True)
class Stored:
    """What is stored of a clip from an earlier run: the key of its result, and its files with their SHA-256."""

    key: str
    files: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Task:
    """The work of one worker at a time: one or more clips of one file, in the order of their times.

    Attributes:
        path: the file
        clips: the whole file, or disjoint segments of it
        settings: how to measure
        model_paths: model files by name
        model_hashes: their SHA-256 by name
        folder: the features folder, where stored results are looked at but nothing is written
        stored: by clip id, what is there already
    """

    path: str
    clips: tuple[Clip, ...]
    settings: ExtractSettings
    model_paths: Mapping[str, str]
    model_hashes: Mapping[str, str]
    folder: str
    stored: Mapping[str, Stored] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ClipResult:
    """What came of one clip.

    Attributes:
        record: for the journal; None when the stored result is still right
        prosody: of its sound; None when that was not measured
        track: of its picture; None when that was not measured
        keyframes: bytes of its keyframes and of their list, by file name
        detail: for people, what went wrong
    """

    clip_id: str
    record: Record | None
    prosody: Prosody | None = None
    track: FrameTrack | None = None
    keyframes: Mapping[str, bytes] = field(default_factory=dict)
    detail: str | None = None


def work_on(task: Task) -> list[ClipResult]:
    """Measures the clips of a task; the errors of a file become failed clips."""
    beat()
    try:
        before = _identity(task.path)
        sha256 = _hash(task.path)
    except OSError as error:
        detail = f"{printable_path(task.path)} cannot be read: {error.strerror or error}"
        return [failure(clip, Reason.UNREADABLE, detail) for clip in task.clips]
    keys = {clip.clip_id: result_key(task, clip, sha256) for clip in task.clips}
    results = [ClipResult(clip_id=clip.clip_id, record=None) for clip in task.clips if _is_stored(task, clip, keys)]
    reused = {result.clip_id for result in results}
    todo = [clip for clip in task.clips if clip.clip_id not in reused]
    if todo:
        measured = _measured(task, todo, keys, sha256)
        if _has_changed(task.path, before):
            detail = (
                f"{printable_path(task.path)} changed while it was read; run the same command again when it is complete"
            )
            measured = [failure(clip, Reason.UNREADABLE, detail) for clip in todo]
        results += measured
    return results


def result_key(task: Task, clip: Clip, sha256: str) -> str:
    """The key of a clip's result: everything that decides it."""
    spoken = {"text": clip.text} if task.settings.audio else {}
    shown = {"face_box_px": clip.face_box_px, "models": dict(task.model_hashes)} if task.settings.video else {}
    segment = None if clip.segment is None else asdict(clip.segment)
    return content_key(
        definition=DEFINITION, sha256=sha256, segment=segment, settings=task.settings.record(), **spoken, **shown
    )


def failure(clip: Clip, reason: Reason, detail: str, key: str | None = None, sha256: str | None = None) -> ClipResult:
    """The result of a clip that could not be measured at all."""
    record = {
        **_origin(clip),
        "status": "failed",
        "reason": reason,
        "warnings": [],
        "duration_s": None,
        "audio": {"status": "failed", "reason": reason},
        "video": {"status": "failed", "reason": reason},
        "files": {},
        "key": key,
        "sha256": sha256,
        "detail": detail,
    }
    return ClipResult(clip_id=clip.clip_id, record=record, detail=detail)


def _origin(clip: Clip) -> Record:
    segment = None if clip.segment is None else asdict(clip.segment)
    return {
        "clip_id": clip.clip_id,
        "path": printable_path(clip.path),
        "speaker": clip.speaker,
        "gender": clip.gender,
        "segment": segment,
    }


def _is_stored(task: Task, clip: Clip, keys: Mapping[str, str]) -> bool:
    stored = task.stored.get(clip.clip_id)
    if stored is None or stored.key != keys[clip.clip_id]:
        return False
    for name, sha256 in stored.files.items():
        try:
            if file_sha256(Path(task.folder) / name) != sha256:
                return False
        except OSError:
            return False
    return True


def _measured(task: Task, clips: list[Clip], keys: Mapping[str, str], sha256: str) -> list[ClipResult]:
    from extractors.clip import measure_file

    results = []
    try:
        observer = _observer(task) if task.settings.video and task.model_paths else None
        for measured in measure_file(task.path, clips, task.settings, observer, alive=beat):
            clip = measured.clip
            record = {
                **_origin(clip),
                **measured.record,
                **({} if measured.detail is None else {"detail": measured.detail}),
                "key": keys[clip.clip_id],
                "sha256": sha256,
            }
            results.append(
                ClipResult(
                    clip_id=clip.clip_id,
                    record=record,
                    prosody=measured.prosody,
                    track=measured.track,
                    keyframes=measured.keyframes,
                    detail=measured.detail,
                )
            )
    except MediaError as error:
        finished = {result.clip_id for result in results}
        rest = [clip for clip in clips if clip.clip_id not in finished]
        results += [failure(c, Reason(error.reason), error.detail, keys[c.clip_id], sha256) for c in rest]
    except MMRoleError:
        raise
    except ImportError as error:
        # no fault of the file: every clip would end so
        raise MissingExtraError(
            f"a library cannot be imported ({error}): `mmrole doctor` says what to install"
        ) from None
    except Exception as error:
        finished = {result.clip_id for result in results}
        place = traceback.extract_tb(error.__traceback__)[-1]
        detail = f"{type(error).__name__}: {error} ({Path(place.filename).name} line {place.lineno}): a defect of mmrole, please report it"
        rest = [clip for clip in clips if clip.clip_id not in finished]
        results += [failure(c, Reason.WORKER_CRASHED, " ".join(detail.split()), keys[c.clip_id], sha256) for c in rest]
    return results


_of_thread = threading.local()  # a model must not be run by two threads at once
_hashes: dict[tuple[str, int, int, int], str] = {}


def _observer(task: Task) -> Observer:
    """The models are loaded once in a worker's life."""
    from extractors.video.backends import make_observer

    observers: dict[str, Observer] = _of_thread.__dict__

    name = content_key(backend=task.settings.face_backend, pose=task.settings.pose, paths=dict(task.model_paths))
    if name not in observers:
        observers[name] = make_observer({k: Path(v) for k, v in task.model_paths.items()}, task.settings)
    return observers[name]


def _hash(path: str) -> str:
    """SHA-256 of a file; an episode with many segments is read once in a worker's life, while it stays the same."""
    identity = _identity(path)
    if identity not in _hashes:
        _hashes.clear()
        _hashes[identity] = file_sha256(path)
    return _hashes[identity]


def _identity(path: str) -> tuple[str, int, int, int]:
    """What changes when a file is written to or replaced."""
    status = os.stat(path)  # noqa: PTH116
    return path, status.st_ino, status.st_size, status.st_mtime_ns


def _has_changed(path: str, before: tuple[str, int, int, int]) -> bool:
    try:
        return _identity(path) != before
    except OSError:  # it has gone, but it was read to its end
        return False
