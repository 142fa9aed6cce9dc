"""Pictures from files, as parts of a message."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mmrole.core.canonical import printable_path
from mmrole.core.errors import InputError
from mmrole.llm.chat import ImagePart

_KINDS: Final = ((b"\xff\xd8\xff", "image/jpeg"), (b"\x89PNG\r\n\x1a\n", "image/png"), (b"GIF8", "image/gif"))
_LARGEST_BYTES: Final = 20 << 20


def picture(path: Path, place: str | None = None) -> ImagePart:
    """A picture file as a part of a message.

    Args:
        path: the file
        place: what names it, such as a line of a file, for messages

    Raises:
        InputError: it cannot be read, is neither JPEG, PNG, WebP nor GIF, or has more than 20 MB
    """
    name = printable_path(path) if place is None else f"{place}: {printable_path(path)}"
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:  # a path with a NUL in it is a ValueError
        why = (error.strerror if isinstance(error, OSError) else None) or error
        raise InputError(f"{name}: cannot be read ({why}): correct the path, or give null") from None
    kind = next((kind for start, kind in _KINDS if data.startswith(start)), None)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        kind = "image/webp"
    if kind is None:
        raise InputError(f"{name}: no picture that models take; give JPEG, PNG, WebP or GIF")
    if len(data) > _LARGEST_BYTES:
        raise InputError(f"{name}: has {len(data) >> 20} MB; make it smaller than {_LARGEST_BYTES >> 20} MB")
    return ImagePart(data=data, media_type=kind)
