"""Pictures of roles, from roles.jsonl."""

from __future__ import annotations

import os
from pathlib import Path

from emotion.describers.requests import Portrait
from mmrole.core.roles import Role, find_role, read_roles
from mmrole.jobs.describe.units import Unit
from mmrole.jobs.pictures import picture
from mmrole.llm import ImagePart


class Portraits:
    """The pictures of the roles of a file; each is read and checked at once, so that a run does not end over one midway.

    Args:
        path: roles.jsonl; a picture's path is relative to its folder

    Raises:
        InputError: the file cannot be understood, or a picture cannot be read or is none
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._roles = read_roles(path)
        folder = Path(path).parent
        self._images: dict[tuple[str, str | None], ImagePart] = {
            key: picture(folder / role.image, f"{path}: role {role.name!r}: image")
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
