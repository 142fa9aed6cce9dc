"""What extraction saw in a clip: a contact sheet of sampled frames with their landmarks, and the keyframes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Self

from matplotlib.figure import Figure, FigureBase

from mmrole.core.canonical import Record
from mmrole.core.errors import MediaError, UsageError
from mmrole.core.features import FeatureStore, track_file
from mmrole.plotting.clip_pictures import (
    Box,
    KeyframePicture,
    SampledFrame,
    Timeline,
    evenly_spread,
    measured_frames,
    read_keyframes,
)
from mmrole.plotting.contact_sheet import (
    TOP,
    TOP_WITHOUT_PICTURE,
    draw_frame,
    draw_head,
    draw_keyframe,
    draw_strip,
)
from mmrole.plotting.frames_again import find_video, with_pictures
from mmrole.plotting.sheet_layout import GAP, LABEL, MARGIN, WIDTH, Cell, filled_rows, frame_grid
from mmrole.plotting.sheet_parts import Sheet
from mmrole.plotting.words import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_FRAMES: Final = 24
_KEYFRAME_HEIGHT: Final = 170.0
_PICTURE_PX, _CLOSE_UP_PX = 400, 190


class KeyframesDisplay:
    """Contact sheet of a clip: sampled frames with what was found in them, and the chosen keyframes.

    Where the video is gone the landmarks are drawn on the stored keyframes, and the sheet says so.

    Args:
        record: the clip's record
        timeline: what was found in all sampled frames; None when the picture was not measured
        frames: the sampled frames to show, in the order of time; empty when the video is gone
        keyframes: the keyframes
        problem: why the frames cannot be shown, None when they can

    Attributes:
        ax_: the Axes, once it has been drawn
        figure_: the figure that they are part of
    """

    ax_: Axes
    figure_: FigureBase

    def __init__(
        self,
        *,
        record: Record,
        timeline: Timeline | None,
        frames: Sequence[SampledFrame],
        keyframes: Sequence[KeyframePicture],
        problem: str | None = None,
    ) -> None:
        self.record = record
        self.timeline = timeline
        self.frames = list(frames)
        self.keyframes = list(keyframes)
        self.problem = problem

    @classmethod
    def from_features(cls, store: FeatureStore, clip_id: str, *, frames: int = MOST_FRAMES) -> Self:
        """Reads what is to be drawn of one clip, and decodes its sampled frames from the video again.

        Args:
            store: an open features folder
            clip_id: the clip
            frames: how many sampled frames to show at most, evenly spread

        Raises:
            InputError: there is no such clip
            StoreError: a file of the folder is missing or damaged
            UsageError: `frames` is less than 1
        """
        if frames < 1:
            raise UsageError(f"a contact sheet shows 1 frame or more, not {frames}")
        record = store.record(clip_id)
        if track_file(clip_id) not in record["files"]:
            return cls(record=record, timeline=None, frames=(), keyframes=())
        track = store.track(clip_id)
        chosen = measured_frames(track.iloc[evenly_spread(len(track), frames)])
        video, problem = find_video(record, store.folder)
        if video is not None:
            start_s = record["segment"]["start_s"] if record.get("segment") else 0.0
            try:
                chosen = with_pictures(
                    chosen, video, start_s=start_s, max_side_px=_PICTURE_PX, zoom_side_px=_CLOSE_UP_PX
                )
            except MediaError as error:
                problem = f"the video cannot be decoded again: {error.detail}"
        return cls(
            record=record,
            timeline=Timeline.of(track),
            frames=() if problem else chosen,
            keyframes=read_keyframes(store, clip_id, track),
            problem=None if not problem else f"{problem}, so only the stored keyframes are shown",
        )

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height of its own figure in inches."""
        boxes = [cell.box for cell in self._cells()] + self._keyframe_boxes()
        top = TOP_WITHOUT_PICTURE if self.timeline is None else TOP
        return WIDTH / 100, (max((box[3] for box in boxes), default=top - MARGIN) + MARGIN) / 100

    def plot_on(self, figure: FigureBase) -> Self:
        """Draws on new Axes that fill a figure."""
        return self.plot(figure.add_axes((0, 0, 1, 1)))

    def plot(self, ax: Axes | None = None) -> Self:
        """Draws.

        Args:
            ax: Axes to draw on, best of the shape of `size_in`; those of a new figure when None

        Returns:
            itself, with `ax_` and `figure_`
        """
        if ax is None:
            return self.plot_on(Figure(figsize=self.size_in))
        self.ax_, self.figure_ = ax, ax.figure
        height = self.size_in[1] * 100
        ax.set(xlim=(0, WIDTH), ylim=(height, 0), aspect="equal", autoscale_on=False)
        ax.set_axis_off()
        # letters keep their size in relation to the pictures, however large the Axes are
        extent = ax.get_window_extent()
        inches = min(extent.width / WIDTH, extent.height / height) / ax.figure.dpi
        sheet = Sheet(ax=ax, points=72 * inches)
        draw_head(sheet, self.record, self.timeline, self.problem)
        if self.timeline is None:
            return self
        draw_strip(sheet, self.timeline, self.record.get("duration_s"), [frame.time_s for frame in self.frames])
        for frame, cell in zip(self.frames, self._cells(), strict=True):
            draw_frame(sheet, frame, cell, self._size_px())
        boxes = self._keyframe_boxes()
        if boxes:
            sheet.text(MARGIN, boxes[0][1] - 2.6 * LABEL, count(len(boxes), "keyframe"), 16)
        for keyframe, box in zip(self.keyframes, boxes, strict=True):
            draw_keyframe(sheet, keyframe, box, landmarks=self.problem is not None)
        return self

    def _size_px(self) -> tuple[int, int]:
        video = self.record["video"]
        return int(video["width_px"]), int(video["height_px"])

    def _cells(self) -> list[Cell]:
        if not self.frames:
            return []
        width_px, height_px = self._size_px()
        zoom = any(frame.face_box_px is not None for frame in self.frames)
        return frame_grid(len(self.frames), width_px / height_px, zoom=zoom, top=TOP)

    def _keyframe_boxes(self) -> list[Box]:
        top = max((cell.box[3] for cell in self._cells()), default=TOP - GAP) + GAP + 1.2 * LABEL
        aspects = [keyframe.rgb.shape[1] / keyframe.rgb.shape[0] for keyframe in self.keyframes]
        return filled_rows(aspects, height=_KEYFRAME_HEIGHT, top=top)
