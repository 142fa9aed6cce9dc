"""Pictures of roles, from roles.jsonl."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from emotion.describers.requests import Portrait
from mmrole.core.errors import InputError
from mmrole.core.records import JsonLines
from mmrole.core.roles import Role, find_role, roles_of
from mmrole.jobs.describe.units import Unit
from mmrole.llm import ImagePart

_KINDS: Final = ((b"\xff\xd8\xff", "image/jpeg"), (b"\x89PNG\r\n\x1a\n", "image/png"), (b"GIF8", "image/gif"))
_LARGEST_BYTES: Final = 20 << 20


class Portraits:
    """The pictures of the roles of a file; each is read and checked at once, so that a run does not end over one midway.

    Args:
        path: roles.jsonl; a picture's path is relative to its folder

    Raises:
        InputError: the file cannot be understood, or a picture cannot be read or is none
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._roles = roles_of(JsonLines(os.fspath(path), "roles"), os.fspath(path))
        folder = Path(path).parent
        self._images: dict[tuple[str, str | None], ImagePart] = {
            key: _image(folder / role.image, f"{path}: role {role.name!r}")
            for key, role in self._roles.items()
            if role.image
        }

    def __len__(self) -> int:
        return len(self._images)

    def of(self, unit: Unit) -> Portrait | None:
        """The picture of the speaker of an utterance, None where there is none."""
        role: Role | None = find_role(self._roles, unit.speaker, unit.show) if unit.speaker else None
        image = None if role is None else self._images.get((role.name, role.show))
        return None if role is None or image is None else Portrait(name=role.name, image=image)


def _image(path: Path, place: str) -> ImagePart:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{place}: image {path} cannot be read ({error.strerror}): correct the path, or give null"
        ) from None
    kind = next((name for start, name in _KINDS if data.startswith(start)), None)
    if kind is None and data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        kind = "image/webp"
    if kind is None:
        raise InputError(f"{place}: image {path} is no JPEG, PNG, GIF or WebP picture")
    if len(data) > _LARGEST_BYTES:
        raise InputError(
            f"{place}: image {path} has {len(data) >> 20} MB; make it smaller than {_LARGEST_BYTES >> 20} MB"
        )
    return ImagePart(data=data, media_type=kind)
