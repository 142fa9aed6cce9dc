"""How the agent is told who it is: the methods of LIFECHOICE, by names that say what is in them.

A name is made of parts joined by ``+``: a description (``hierarchical``, ``incremental``, ``human``), a memory (``bm25``,
``embedding``), ``charmap`` (the memory is looked up with segments of the description), ``motivation`` (the gold motivation is
given away). ``roleless`` tells the agent nothing, ``no-profile`` the character's name alone. LIFECHOICE (arXiv 2404.12138).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from mmrole.core.errors import UsageError

DescriptionKind = Literal["hierarchical", "incremental", "human"]
MemoryKind = Literal["bm25", "embedding"]

DESCRIPTIONS: Final[tuple[DescriptionKind, ...]] = get_args(DescriptionKind)
MEMORIES: Final[tuple[MemoryKind, ...]] = get_args(MemoryKind)
ROLELESS: Final = "roleless"
NO_PROFILE: Final = "no-profile"
CHARMAP: Final = "charmap"
MOTIVATION: Final = "motivation"
EXAMPLES: Final = (
    "roleless, no-profile, hierarchical, human, bm25, embedding, hierarchical+bm25, human+embedding, hierarchical+bm25+charmap, "
    "human+motivation"
)


@dataclass(frozen=True, kw_only=True)
class Method:
    """One way to build the profile.

    Attributes:
        description: where the description is from; None for none
        memory: how the memory is retrieved; None for none
        charmap: the memory is looked up with the segments of the description that bear on the choice
        motivation: the gold motivation is appended
        roleless: the agent is not told whom it plays
    """

    description: DescriptionKind | None = None
    memory: MemoryKind | None = None
    charmap: bool = False
    motivation: bool = False
    roleless: bool = False

    @property
    def name(self) -> str:
        """Its parts in their fixed order."""
        if self.roleless:
            return ROLELESS
        parts = [
            self.description,
            self.memory,
            CHARMAP if self.charmap else None,
            MOTIVATION if self.motivation else None,
        ]
        return "+".join(part for part in parts if part) or NO_PROFILE

    @property
    def asks_for_description(self) -> bool:
        """Whether a model writes the description."""
        return self.description in ("hierarchical", "incremental")


def method_of(name: str) -> Method:
    """The method of a name; the order of the parts does not matter.

    Raises:
        UsageError: there is no such part, or the parts do not go together; the message says what would

    >>> method_of("charmap+bm25+hierarchical").name
    'hierarchical+bm25+charmap'
    """
    parts = [part.strip() for part in name.split("+")]
    if len(set(parts)) < len(parts):
        raise UsageError(f"method {name!r} names a part twice")
    if parts == [ROLELESS]:
        return Method(roleless=True)
    if parts == [NO_PROFILE]:
        return Method()
    known = {*DESCRIPTIONS, *MEMORIES, CHARMAP, MOTIVATION}
    for part in parts:
        if part in (ROLELESS, NO_PROFILE):
            raise UsageError(f"method {name!r}: {part} stands alone")
        if part not in known:
            raise UsageError(f"method {name!r}: there is no {part!r}; methods are {EXAMPLES}")
    descriptions = [part for part in DESCRIPTIONS if part in parts]
    memories = [part for part in MEMORIES if part in parts]
    if len(descriptions) > 1 or len(memories) > 1:
        raise UsageError(
            f"method {name!r}: one description ({', '.join(DESCRIPTIONS)}) and one memory ({', '.join(MEMORIES)})"
        )
    if CHARMAP in parts and not (descriptions and memories):
        raise UsageError(
            f"method {name!r}: charmap looks memory up with segments of a description and needs both: write "
            f"{(descriptions or ['hierarchical'])[0]}+{(memories or ['bm25'])[0]}+charmap"
        )
    return Method(
        description=next(iter(descriptions), None),
        memory=next(iter(memories), None),
        charmap=CHARMAP in parts,
        motivation=MOTIVATION in parts,
    )
