"""The four conditions of role-playing, and what an agent is told of its role under each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from emotion.playing.wording import profile_text
from mmrole.core.languages import Language
from mmrole.core.roles import Previous, Role, find_role

Condition = Literal["none", "prev", "prof", "all"]
CONDITIONS: Final[tuple[Condition, ...]] = ("none", "prev", "prof", "all")
"""Nothing but the name; previous information; profile; both (MERRY, role-playing conditions)."""

NEEDS_PROFILE: Final = frozenset({"prof", "all"})
NEEDS_PREVIOUS: Final = frozenset({"prev", "all"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Material:
    """What an agent is told of its role.

    Attributes:
        profile: the profile as text; None where the condition has none
        previous: what happened before the dialogue; None where the condition has none
        image: path of a picture of the role, as the roles file has it; None where there is none or the condition has no profile
    """

    profile: str | None = None
    previous: str | None = None
    image: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Lack:
    """What a condition needs and is not there: the turn is then not played, rather than played under another condition.

    Attributes:
        status: ``no_profile`` or ``no_previous``
        reason: for people
    """

    status: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Materials:
    """Finds what an agent is told of its role.

    Attributes:
        condition: one of `CONDITIONS`
        language: of the headings of a profile
        roles: (name, show) -> role
        previous: (dialogue id, role) -> previous information
    """

    condition: Condition
    language: Language
    roles: Mapping[tuple[str, str | None], Role] = field(default_factory=dict)
    previous: Mapping[tuple[str, str], Previous] = field(default_factory=dict)

    def of(self, name: str, show: str | None, dialogue_id: str) -> Material | Lack:
        """What is told to who plays a role in a dialogue, or what is missing.

        Args:
            name: of the role, as the dialogue spells the speaker
            show: of the dialogue
            dialogue_id: the dialogue
        """
        role = find_role(self.roles, name, show)
        profile = previous = image = None
        if self.condition in NEEDS_PROFILE:
            profile = "" if role is None else profile_text(role.profile, self.language)
            of_show = "" if show is None else f" of show {show!r}"
            if role is None:
                return Lack(status="no_profile", reason=f"the roles file has no {name!r}{of_show}")
            if not profile:
                return Lack(status="no_profile", reason=f"the profile of {name!r}{of_show} is empty")
            image = role.image
        if self.condition in NEEDS_PREVIOUS:
            # the file may have another of the role's names than the dialogue
            names = [name] if role is None else [name, role.name, *role.aliases]
            found = next(
                (each for each in (self.previous.get((dialogue_id, known)) for known in names) if each is not None),
                None,
            )
            previous = "" if found is None else found.text.strip()
            if not previous:
                what = "no previous information" if found is None else "only blank previous information"
                return Lack(status="no_previous", reason=f"there is {what} of {name!r} in dialogue {dialogue_id!r}")
        return Material(profile=profile, previous=previous, image=image)
