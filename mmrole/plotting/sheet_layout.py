"""Where things go on a contact sheet: a grid for the sampled frames, rows that fill up for the keyframes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mmrole.plotting.clip_pictures import Box

WIDTH: Final = 1500.0
"""Width of a sheet in hundredths of an inch."""
MARGIN: Final = 24.0
GAP: Final = 12.0
LABEL: Final = 20.0
"""Height of the line of letters over a picture."""

NARROWEST_LABEL: Final = 112.0
"""Room that the words over a narrow keyframe need."""
NARROWEST_CELL: Final = 200.0
"""Room that the words over a sampled frame need."""
_FRAME_AREA: Final = 33_000.0
"""What a frame takes on the sheet at most: 242 x 136 at 16:9."""
_NARROWEST, _WIDEST = 0.3, 5.0
_SEAM: Final = 3.0
"""Between a picture and its close-up."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """The place of one sampled frame.

    Attributes:
        label: left upper corner of the line of letters
        picture: the box of the whole picture
        zoom: the box of the face's close-up, None where there are none
    """

    label: tuple[float, float]
    picture: Box
    zoom: Box | None

    @property
    def box(self) -> Box:
        """The box of picture and close-up together."""
        return (*self.picture[:2], (self.zoom or self.picture)[2], self.picture[3])


def frame_grid(count: int, aspect: float, *, zoom: bool, top: float) -> list[Cell]:
    """Places for sampled frames, row by row.

    Args:
        count: number of frames
        aspect: width over height of the picture
        zoom: each has a square close-up at its right
        top: where the grid begins
    """
    shape = min(max(aspect, _NARROWEST), _WIDEST)
    height = math.sqrt(_FRAME_AREA / shape)
    sides = shape + (1.0 if zoom else 0.0)  # width of a cell in heights of its picture
    room = WIDTH - 2 * MARGIN + GAP
    columns = max(1, min(math.ceil(room / (height * sides + GAP)), int(room / (NARROWEST_CELL + GAP))))
    height = (room / columns - GAP - (_SEAM if zoom else 0.0)) / sides
    cells = []
    for index in range(count):
        row, column = divmod(index, columns)
        x = MARGIN + column * room / columns
        y = top + row * (height + LABEL + GAP)
        low, high = y + LABEL, y + LABEL + height
        picture = (x, low, x + height * shape, high)
        close_up = (picture[2] + _SEAM, low, picture[2] + _SEAM + height, high) if zoom else None
        cells.append(Cell(label=(x, y), picture=picture, zoom=close_up))
    return cells


def filled_rows(aspects: Sequence[float], *, height: float, top: float) -> list[Box]:
    """Boxes of one height from left to right, in as many rows as they need; room for a label is left over each.

    Args:
        aspects: width over height of each
        height: of all
        top: where the rows begin
    """
    boxes: list[Box] = []
    x, y = MARGIN, top
    for aspect in aspects:
        width = min(height * aspect, WIDTH - 2 * MARGIN)
        if x > MARGIN and x + width > WIDTH - MARGIN:
            x, y = MARGIN, y + height + 2 * LABEL + GAP
        boxes.append((x, y + 2 * LABEL, x + width, y + 2 * LABEL + height))
        x += max(width, NARROWEST_LABEL) + GAP
    return boxes
