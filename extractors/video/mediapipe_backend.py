"""Stock MediaPipe as the observer: for platforms without LiteRT, and as the reference that LiteRT is compared with."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from extractors.video.body_faces import face_tracks
from extractors.video.head_pose import HeadPose
from extractors.video.litert_model import read_bundle, read_model
from extractors.video.observation import Body, Face, FrameObservation, landmark_box, mouth_opening
from extractors.video.observer import MAX_FACES, ModelPaths, needed_pose_landmarker
from extractors.video.regions import overlap
from mmrole.core.errors import MissingExtraError, ModelFileError

if TYPE_CHECKING:
    from extractors.video.picture import Picture


class MediaPipeObserver:
    """MediaPipe's face landmarker and pose landmarker, each frame by itself (mode IMAGE): no smoothing, no state.

    The face landmarker brings the short-range detector, which misses faces narrower than about a tenth of the picture.
    Scores of faces and bodies are not reported and are NaN. Faces of successive frames are linked by their boxes.

    Args:
        models: where the model files lie; `face_detector` is not used
        body: look for bodies; needs `models.pose_landmarker`
        max_faces: how many faces, and bodies, are sought

    Raises:
        MissingExtraError: MediaPipe is not installed
        ModelFileError: a model file is missing or damaged
    """

    def __init__(self, models: ModelPaths, *, body: bool = True, max_faces: int = MAX_FACES) -> None:
        try:
            import mediapipe
            from mediapipe.tasks.python import BaseOptions, vision
        except ImportError as error:
            raise MissingExtraError(
                f"the MediaPipe backend cannot be loaded ({error}): pip install 'mmrole[mediapipe]'"
            ) from error
        self._mediapipe: Any = mediapipe
        (geometry,) = read_bundle(models.face_landmarker, "geometry_pipeline_metadata_landmarks.binarypb")
        self._head_pose = HeadPose(geometry)
        faces = read_model(models.face_landmarker)
        self._bodies: Any = None
        try:
            self._faces: Any = vision.FaceLandmarker.create_from_options(
                vision.FaceLandmarkerOptions(
                    base_options=BaseOptions(model_asset_buffer=faces),
                    num_faces=max_faces,
                    output_face_blendshapes=True,
                )
            )
            if body:
                bodies = read_model(needed_pose_landmarker(models))
                self._bodies = vision.PoseLandmarker.create_from_options(
                    vision.PoseLandmarkerOptions(
                        base_options=BaseOptions(model_asset_buffer=bodies), num_poses=max_faces
                    )
                )
        except (RuntimeError, ValueError) as error:
            raise ModelFileError(f"MediaPipe cannot load the model files ({error}): fetch them again") from error
        weakref.finalize(self, _close, self._faces, self._bodies)
        self.start_clip()

    def start_clip(self) -> None:
        """Begins a new clip."""
        self._count = 0
        self._before: tuple[Face, ...] = ()

    def observe(self, picture: Picture, time_s: float) -> FrameObservation:
        """Sees the next sampled frame."""
        image = self._mediapipe.Image(
            image_format=self._mediapipe.ImageFormat.SRGB, data=np.ascontiguousarray(picture.rgb())
        )
        size = (picture.width_px, picture.height_px)
        found = self._faces.detect(image)
        meshes = [_pixels(points, size) for points in found.face_landmarks]
        scores = [np.array([entry.score for entry in shapes], np.float32) for shapes in found.face_blendshapes]
        tracks = self._link([landmark_box(mesh) for mesh in meshes])
        faces = [self._face(*parts) for parts in zip(tracks, meshes, scores, strict=True)]
        self._before = tuple(sorted(faces, key=lambda face: face.track))
        poses = [] if self._bodies is None else self._bodies.detect(image).pose_landmarks
        bodies = [_pixels(points, size, visibility=True) for points in poses]
        seen = zip(face_tracks(bodies, self._before), bodies, strict=True)
        return FrameObservation(
            time_s=time_s,
            faces=self._before,
            bodies=tuple(Body(track=track, score=float("nan"), landmarks=points) for track, points in seen),
        )

    def _face(self, track: int, mesh: NDArray[np.float32], blendshapes: NDArray[np.float32]) -> Face:
        return Face(
            track=track,
            score=float("nan"),
            box_px=landmark_box(mesh),
            landmarks=mesh,
            blendshapes=blendshapes,
            head_pose_deg=self._head_pose(mesh),
            mouth_opening=mouth_opening(mesh),
        )

    def _link(self, boxes: list[NDArray[np.float32]]) -> list[int]:
        """Track numbers for boxes: those of the frame before where they overlap, the largest overlap first."""
        pairs = []
        for old in self._before:
            shares = overlap(old.box_px, np.array(boxes).reshape(-1, 4))
            pairs += [(share, old.track, place) for place, share in enumerate(shares) if share > 0]
        numbers: dict[int, int] = {}
        for _, track, place in sorted(pairs, reverse=True):
            if place not in numbers and track not in numbers.values():
                numbers[place] = track
        for place in range(len(boxes)):
            if place not in numbers:
                numbers[place] = self._count
                self._count += 1
        return [numbers[place] for place in range(len(boxes))]


def _close(*tasks: Any) -> None:
    for task in tasks:
        try:
            if task is not None:
                task.close()
        except RuntimeError:
            # Python is shutting down and MediaPipe's thread is gone: it would try again, and print a traceback
            task._handle = None


def _pixels(points: Any, size_px: tuple[int, int], *, visibility: bool = False) -> NDArray[np.float32]:
    """MediaPipe's landmarks, in shares of the picture's width and height, as (n, 3) or (n, 4) in pixels."""
    width, height = size_px
    rows = [(point.x * width, point.y * height, point.z * width, point.visibility or 0.0) for point in points]
    pixels = np.array(rows, np.float32)
    return pixels if visibility else pixels[:, :3].copy()
