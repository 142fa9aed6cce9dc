"""The per-frame track of a clip: the speaker's face and body in every sampled frame, as columns."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from extractors.video.observation import BLENDSHAPES, BODY_LANDMARKS, FACE_LANDMARK_COUNT, HEAD_POSE_AXES
from extractors.video.speaker import speaker_body
from mmrole.core.tables import column

if TYPE_CHECKING:
    import pyarrow as pa

    from extractors.video.observation import FrameObservation
    from extractors.video.speaker import SpeakerChoice

DEFINITION: Final = "track-1"
"""Changes whenever a column comes to mean something else."""

COLUMNS: Final = (
    "time_s",
    "face",
    "face_score",
    "face_box_px",
    "landmarks",
    "blendshapes",
    "head_pose_deg",
    "faces",
    "body",
    "body_landmarks",
)


@dataclass(frozen=True, kw_only=True)
class _Vector:
    """A column with several numbers per frame."""

    size: int
    unit: str
    meaning: str
    names: Sequence[str] = ()


_PICTURE: Final = "of the displayed picture, (0, 0) is its upper left corner"
_VECTORS: Final = {
    "face_box_px": _Vector(
        size=4, unit="px", meaning=f"left, top, right, bottom {_PICTURE}", names=("left", "top", "right", "bottom")
    ),
    "landmarks": _Vector(
        size=FACE_LANDMARK_COUNT * 3,
        unit="px",
        meaning=f"x, y, z of each of 478 points of the face in turn (MediaPipe's face mesh with irises), {_PICTURE}; "
        "z in the scale of x, smaller is nearer",
    ),
    "blendshapes": _Vector(
        size=len(BLENDSHAPES), unit="1", meaning="strength of each expression, 0 to 1", names=BLENDSHAPES
    ),
    "head_pose_deg": _Vector(
        size=len(HEAD_POSE_AXES),
        unit="deg",
        meaning="positive: looks up, faces the picture's right edge, tilts clockwise",
        names=HEAD_POSE_AXES,
    ),
    "body_landmarks": _Vector(
        size=len(BODY_LANDMARKS) * 4,
        unit="px, px, px, 1",
        meaning=f"x, y, z and visibility (0 to 1) of each of 33 points of the body in turn, {_PICTURE}; z 0 at the hips, "
        "smaller is nearer",
        names=BODY_LANDMARKS,
    ),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class FrameTrack:
    """The speaker's face and body over the n sampled frames of a clip.

    A row of `face_score` and of the vectors means something only where the matching mask says so.

    Attributes:
        time_s: (n,) float64, seconds from the container's start
        faces: (n,) int16, number of faces in the frame, whosesoever
        face: (n,) bool, the speaker's face was found
        body: (n,) bool, the speaker's body was found
        face_score: (n,) float32 in 0..1, probability that it is a face; NaN where it is not known
        vectors: name of the column -> (n, size) float32
        measured: name of the column -> (n,) bool, the row holds what was measured
    """

    time_s: NDArray[np.float64]
    faces: NDArray[np.int16]
    face: NDArray[np.bool_]
    body: NDArray[np.bool_]
    face_score: NDArray[np.float32]
    vectors: dict[str, NDArray[np.float32]]
    measured: dict[str, NDArray[np.bool_]]

    @property
    def frames(self) -> int:
        """Number of sampled frames."""
        return len(self.time_s)

    @property
    def frames_face(self) -> int:
        """Number of frames with the speaker's face."""
        return int(np.count_nonzero(self.face))

    @property
    def frames_body(self) -> int:
        """Number of frames with the speaker's body."""
        return int(np.count_nonzero(self.body))

    @property
    def face_rate(self) -> float | None:
        """Share of the frames with the speaker's face, 0..1; None without frames."""
        return self.frames_face / self.frames if self.frames else None

    def table(self) -> pa.Table:
        """The columns of tracks/CLIP.parquet, null where nothing was measured; see `schema`."""
        import pyarrow as pa

        columns: dict[str, pa.Array[Any]] = {
            "time_s": column(self.time_s),
            "face": column(self.face),
            "face_score": column(self.face_score, np.isfinite(self.face_score)),
            "faces": column(self.faces),
            "body": column(self.body),
            **{name: column(values, self.measured[name]) for name, values in self.vectors.items()},
        }
        return pa.Table.from_arrays([columns[name] for name in COLUMNS], schema=schema())


def frame_track(observations: Sequence[FrameObservation], choice: SpeakerChoice) -> FrameTrack:
    """Lays out what was measured of the speaker.

    Args:
        observations: one per sampled frame, in the order of time
        choice: who the speaker is
    """
    faces = [next((f for f in o.faces if f.track in choice.ids), None) for o in observations]
    bodies = [speaker_body(observation, choice) for observation in observations]
    vectors: dict[str, NDArray[np.float32]] = {}
    measured: dict[str, NDArray[np.bool_]] = {}

    def fill(name: str, values: Callable[[int], NDArray[np.float32] | None]) -> None:
        column = np.zeros((len(observations), _VECTORS[name].size), np.float32)
        known = np.zeros(len(observations), np.bool_)
        for index in range(len(observations)):
            row = values(index)
            # what is not finite was not measured
            if row is not None and np.isfinite(row).all():
                column[index] = row.reshape(-1)
                known[index] = True
        vectors[name], measured[name] = column, known

    def of_face(attribute: str) -> Callable[[int], NDArray[np.float32] | None]:
        return lambda index: getattr(faces[index], attribute, None)

    for name in ("face_box_px", "landmarks", "blendshapes", "head_pose_deg"):
        fill(name, of_face("box_px" if name == "face_box_px" else name))
    fill("body_landmarks", lambda index: getattr(bodies[index], "landmarks", None))
    return FrameTrack(
        time_s=np.array([o.time_s for o in observations], np.float64),
        faces=np.array([len(o.faces) for o in observations], np.int16),
        face=np.array([face is not None for face in faces], np.bool_),
        body=np.array([body is not None for body in bodies], np.bool_),
        face_score=np.array([np.nan if face is None else face.score for face in faces], np.float32),
        vectors=vectors,
        measured=measured,
    )


def schema() -> pa.Schema:
    """Schema of tracks/CLIP.parquet: units, meanings and the names within each vector are in the metadata."""
    import pyarrow as pa

    scalars: dict[str, tuple[pa.DataType, str, str]] = {
        "time_s": (pa.float64(), "s", "time of the frame from the container's start"),
        "face": (pa.bool_(), "1", "the speaker's face was found"),
        "face_score": (pa.float32(), "1", "probability that it is a face, 0 to 1"),
        "faces": (pa.int16(), "1", "number of all faces in the frame"),
        "body": (pa.bool_(), "1", "the speaker's body was found"),
    }
    fields = []
    for name in COLUMNS:
        if name in scalars:
            kind, unit, meaning = scalars[name]
            fields.append(pa.field(name, kind, metadata={"unit": unit, "meaning": meaning}))
        else:
            about = _VECTORS[name]
            notes = {"unit": about.unit, "meaning": about.meaning}
            if about.names:
                notes["names"] = json.dumps(list(about.names))
            fields.append(pa.field(name, pa.list_(pa.float32(), about.size), metadata=notes))
    content = "face and body of the speaker, one row per sampled frame; null where nothing was measured"
    return pa.schema(fields, metadata={"definition": DEFINITION, "content": content})
