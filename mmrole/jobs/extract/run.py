"""The run of `mmrole extract`: find the clips, measure those that are not stored yet, normalise over all that are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from extractors.audio.pitch import require_method
from mmrole.core.canonical import Record, file_sha256, printable_path
from mmrole.core.dask_engine import DaskEngine
from mmrole.core.dialogue import by_utterance_id
from mmrole.core.dialogue_readers import read_data_set
from mmrole.core.errors import UsageError
from mmrole.core.extraction import DEFINITION, ExtractSettings, FaceBackend, PitchMethod, PoseModel
from mmrole.core.features import MANIFEST, UTTERANCES
from mmrole.core.files import write_atomically
from mmrole.core.manifest import Manifest, library_versions
from mmrole.core.media import Clip, Reason
from mmrole.core.model_files import MODEL_FILES
from mmrole.core.parallel import Engine, Outcome, run_tasks
from mmrole.core.processes import ProcessEngine
from mmrole.jobs.extract.inputs import find_inputs
from mmrole.jobs.extract.model_paths import model_paths_for
from mmrole.jobs.extract.segments import grouped, join_dialogues, read_segments, whole_files
from mmrole.jobs.extract.store import FeatureWriter
from mmrole.jobs.extract.utterances import utterance_table
from mmrole.jobs.extract.work import ClipResult, Stored, Task, failure, work_on

_LIBRARIES = ("mmrole", "ai-edge-litert", "av", "librosa", "mediapipe", "numpy", "opencv-python-headless", "praat-parselmouth", "pyarrow",
              "webrtcvad-wheels")  # fmt: skip


@dataclass(kw_only=True)
class ExtractResult:
    """What a run of `extract` did.

    Attributes:
        out: the features folder
        done: records of the clips that were measured, wholly or partly
        failed: records of the clips of which nothing could be measured
        skipped: ``{path, reason}`` of what was clearly no clip
        reused: how many of `done` were stored already
        notes: lines that a reader of the results should see
    """

    out: Path
    done: list[Record] = field(default_factory=list)
    failed: list[Record] = field(default_factory=list)
    skipped: list[dict[str, str]] = field(default_factory=list)
    reused: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def counts(self) -> dict[str, int]:
        """``inputs = done + failed + skipped``; ``reused`` is part of done."""
        done, failed, skipped = len(self.done), len(self.failed), len(self.skipped)
        return {
            "inputs": done + failed + skipped,
            "done": done,
            "failed": failed,
            "skipped": skipped,
            "reused": self.reused,
        }


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a run is, after each clip.

    Attributes:
        total: number of clips
        finished: clips that are done or failed
        failed: clips that failed
        reused: clips that were stored already
        media_s: seconds of media measured in this run
    """

    total: int
    finished: int
    failed: int
    reused: int
    media_s: float


def extract(
    inputs: Sequence[str | os.PathLike[str]] | str | os.PathLike[str],
    *,
    out: str | os.PathLike[str],
    jobs: int | None = None,
    fps: float = 5.0,
    audio: bool = True,
    video: bool = True,
    dialogues: str | os.PathLike[str] | None = None,
    segments: str | os.PathLike[str] | None = None,
    pitch: PitchMethod = "parselmouth",
    face_backend: FaceBackend = "litert",
    pose: PoseModel = "full",
    keyframes: int = 4,
    engine: str = "local",
    fresh: bool = False,
    models: str | os.PathLike[str] | None = None,
    on_progress: Callable[[Progress], object] | None = None,
    say: Callable[[str], object] | None = None,
) -> ExtractResult:
    """Measures speech and face/body features of clips and stores them in a folder.

    An interrupted run goes on when it is called again; clips whose bytes and settings have not changed are reused.

    Args:
        inputs: folders of clips, or single clips
        out: the features folder
        jobs: worker processes; as many as there are processors when None
        fps: sampled frames per second
        audio: measure the sound
        video: measure the picture
        dialogues: CPED, MELD or JSONL file: transcript, speaker, gender and face box of each clip, by utterance id
        segments: CSV that cuts utterances out of whole episodes: path, start_s, end_s, utterance_id[, speaker, gender, text]
        pitch: ``parselmouth`` or ``pyin`` (extra ``librosa``)
        face_backend: ``litert`` or ``mediapipe`` (extra ``mediapipe``)
        pose: ``full`` or ``lite`` (a file that you provide)
        keyframes: at most so many keyframes of the face, and as many of the body
        engine: ``local``, or ``dask://HOST:PORT`` (extra ``distributed``)
        fresh: throw away what earlier runs left in `out`
        models: folder of the model files
        on_progress: called after each clip
        say: takes lines for people, such as which model file is fetched

    Returns:
        what was done, failed and skipped

    Raises:
        UsageError: an argument makes no sense, or an input is not there
        InputError: a table cannot be understood
        LockedError: another run works on `out`
        DiskError: `out` cannot be written; what was stored before stays
        MissingExtraError: a chosen part is not installed
    """
    settings = ExtractSettings(
        fps=fps, audio=audio, video=video, pitch=pitch, face_backend=face_backend, pose=pose, keyframes=keyframes
    )
    jobs = len(os.sched_getaffinity(0)) if jobs is None else jobs
    if jobs < 1:
        raise UsageError(f"jobs must be 1 or more, not {jobs}")
    if not os.fspath(out):
        raise UsageError("the name of the output folder is empty: check the variable that it comes from")
    if audio:
        require_method(pitch)
    result = ExtractResult(out=Path(out))
    tell = _teller(result, say)
    named = [inputs] if isinstance(inputs, str | os.PathLike) else list(inputs)
    found = find_inputs(named, out=out)
    clips = read_segments(os.fspath(segments), found.files) if segments else whole_files(found.files)
    if segments:
        used = {clip.path for clip in clips}
        unused = [
            {"path": f.shown, "reason": "no segment of the table lies in it"} for f in found.files if f.path not in used
        ]
        found.skipped += unused
    if dialogues:
        clips = _with_dialogues(clips, os.fspath(dialogues), tell)
    work_engine = _engine(engine, jobs)
    manifest = Manifest(command="extract", settings=settings.record(), counts={})
    with FeatureWriter(Path(out), fresh=fresh) as writer:
        result.skipped = found.skipped
        model_paths = model_paths_for(settings, models, tell)
        # the bytes of the pinned files have just been checked against these
        pinned = {model.name: model.sha256 for model in MODEL_FILES}
        hashes = {name: pinned.get(name) or file_sha256(path) for name, path in model_paths.items()}
        tasks = _tasks(clips, settings, model_paths, hashes, writer)
        _work(run_tasks(work_on, tasks, work_engine), {c.clip_id: c for c in clips}, writer, result, on_progress)
        _finish(writer, result, manifest, hashes, named)
    return result


def _with_dialogues(clips: Sequence[Clip], path: str, tell: Callable[[str], None]) -> list[Clip]:
    """Clips with what the dialogue table says of them; how far the two fit is told."""
    table = read_data_set(path, strict=True)
    joined = join_dialogues(clips, by_utterance_id(table.dialogues))
    tell(f"{path}: {len(joined.clips) - joined.without_row} clips have a row, {joined.without_row} have none; "
         f"{joined.without_clip} rows have no clip")  # fmt: skip
    defects = sum(table.report.faults.values())
    if defects:
        tell(f"{path}: {defects} defects in it; `mmrole check` lists them")
    return joined.clips


def _teller(result: ExtractResult, say: Callable[[str], object] | None) -> Callable[[str], None]:
    def tell(line: str) -> None:
        result.notes.append(line)
        if say:
            say(line)

    return tell


def _engine(name: str, jobs: int) -> Engine:
    return ProcessEngine(jobs) if name == "local" else DaskEngine(name)


def _tasks(
    clips: Sequence[Clip],
    settings: ExtractSettings,
    paths: dict[str, Path],
    hashes: dict[str, str],
    writer: FeatureWriter,
) -> Iterator[Task]:
    for path, group in grouped(clips):
        stored: dict[str, Stored] = {}
        for clip in group:
            known = writer.stored(clip.clip_id)
            if known:
                stored[clip.clip_id] = known
        yield Task(
            path=path,
            clips=group,
            settings=settings,
            model_paths={name: str(place) for name, place in paths.items()},
            model_hashes=hashes,
            folder=str(writer.folder),
            stored=stored,
        )


def _work(
    outcomes: Iterator[Outcome[Task, list[ClipResult]]],
    clips: dict[str, Clip],
    writer: FeatureWriter,
    result: ExtractResult,
    on_progress: Callable[[Progress], object] | None,
) -> None:
    media_s = 0.0
    for outcome in outcomes:
        if isinstance(outcome.error, Exception):
            raise outcome.error
        if outcome.crash is not None:
            why = f"{outcome.crash} while it worked on this file; run the same command again to try once more"
            results = [failure(clip, Reason.WORKER_CRASHED, why) for clip in outcome.item.clips]
        else:
            results = outcome.result or []
        for one in results:
            clip = clips[one.clip_id]
            record = writer.update(
                writer.store(one), speaker=clip.speaker, gender=clip.gender, path=printable_path(clip.path)
            )
            (result.failed if record["status"] == "failed" else result.done).append(record)
            result.reused += one.record is None
            media_s += (one.record or {}).get("duration_s") or 0.0
            if on_progress:
                finished = len(result.done) + len(result.failed)
                on_progress(
                    Progress(
                        total=len(clips),
                        finished=finished,
                        failed=len(result.failed),
                        reused=result.reused,
                        media_s=media_s,
                    )
                )


def _finish(
    writer: FeatureWriter,
    result: ExtractResult,
    manifest: Manifest,
    hashes: dict[str, str],
    named: Sequence[str | os.PathLike[str]],
) -> None:
    """The second pass over everything that is stored, and the manifest."""
    records = writer.journal.records()
    write_atomically(writer.folder / UTTERANCES, utterance_table(records))
    earlier = len(records) - len(result.done) - len(result.failed)
    if earlier:
        line = f"{earlier} clips of earlier runs stay in {writer.folder} and count for the normalisation (--fresh starts anew)"
        result.notes.append(line)
    licences = {model.name: model.licence for model in MODEL_FILES}
    manifest.counts = result.counts
    manifest.skipped = list(result.skipped)
    manifest.models = {name: {"sha256": sha256, "licence": licences.get(name)} for name, sha256 in hashes.items()}
    manifest.libraries = library_versions(*_LIBRARIES)
    manifest.extra = {
        "definition": DEFINITION,
        "inputs": [printable_path(item) for item in named],
        "clips_stored": len(records),
        "clips_of_earlier_runs": earlier,
        "torn_bytes_cut": writer.journal.torn,
        "notes": result.notes,
        "utterances_sha256": file_sha256(writer.folder / UTTERANCES),
    }
    manifest.write(writer.folder / MANIFEST)
