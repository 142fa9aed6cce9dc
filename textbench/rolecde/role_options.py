"""Which option of a dilemma serves the personal value: from a file, from auditor models, or assumed to be B.

The data set's convention, A = alignment and B = role, does not hold throughout, so each dilemma has its own ``role_option``, and
each one that is in doubt is listed; scores are given with and without those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, field_validator

from mmrole.core.canonical import Record
from mmrole.core.errors import InputError, StoreError
from mmrole.core.kappa import cohen_kappa
from mmrole.core.review import read_sheet
from mmrole.core.scores import Score
from textbench.rolecde.personas import Level, Option, Persona

ASSUMED: Final[Option] = "B"
"""What the published data set takes every role option to be."""
Source = Literal["file", "data", "auditors", "assumed"]
DOUBTS: Final = {
    "differs_from_default": "it is not B, and the data do not say so themselves",
    "sources_disagree": "files, data and auditors do not all say the same",
    "unsettled": "a source could not tell: both options, none, or another answer in the other order",
    "unread": "no answer of an auditor could be read",
}
"""Code -> meaning of each doubt."""

Key = tuple[str, Level]
"""Id of the persona, level."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What one source says of one dilemma.

    Attributes:
        source: name of the source
        kind: ``file``, ``data`` or ``auditors``
        option: the option that serves the personal value, None where the source has none
        reason: why it has none: ``unsettled`` or ``unread``
    """

    source: str
    kind: Source
    option: Option | None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class RoleOption:
    """Which option serves the personal value.

    Attributes:
        persona: id
        level: of the dilemma
        option: ``A`` or ``B``
        source: where it is from; ``assumed`` when nobody said so
        doubts: codes of `DOUBTS`; not empty means that the dilemma is flagged
        verdicts: what every source says
    """

    persona: str
    level: Level
    option: Option
    source: Source
    doubts: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()

    @property
    def flagged(self) -> bool:
        """Whether it is in doubt."""
        return bool(self.doubts)

    def to_record(self) -> Record:
        """As JSON values; `role_option_from` reads them again."""
        return {
            "persona": self.persona,
            "level": self.level,
            "role_option": self.option,
            "source": self.source,
            "doubts": list(self.doubts),
            "verdicts": [
                {"source": each.source, "kind": each.kind, "option": each.option, "reason": each.reason}
                for each in self.verdicts
            ],
        }


def role_option_from(record: Mapping[str, Any]) -> RoleOption:
    """The role option that `RoleOption.to_record` stored.

    Raises:
        StoreError: it is none
    """
    try:
        return RoleOption(
            persona=record["persona"],
            level=record["level"],
            option=record["role_option"],
            source=record["source"],
            doubts=tuple(record["doubts"]),
            verdicts=tuple(Verdict(**each) for each in record["verdicts"]),
        )
    except (KeyError, TypeError) as error:
        raise StoreError(f"the audit is damaged ({type(error).__name__}: {error}): build it anew") from None


class _OptionRow(BaseModel):
    id: str
    level: Level
    role_option: Option | Literal["?"]

    @field_validator("level", mode="before")
    @classmethod
    def _any_case(cls, cell: str) -> str:
        return cell.lower()

    @field_validator("role_option", mode="before")
    @classmethod
    def _or_unclear(cls, cell: str) -> str:
        return "?" if cell.upper() in ("BOTH", "NEITHER") else cell.upper()


def read_role_options(path: str | Path) -> dict[Key, Option | None]:
    """A table of role options: CSV with the columns ``id``, ``level``, ``role_option``.

    Args:
        path: the file; ``role_option`` is A or B, and ``?``, ``both`` or ``neither`` where it cannot be told

    Returns:
        (id, level) -> the option, None where it cannot be told

    Raises:
        InputError: no such table; names file, row, column and value
    """
    sheet = read_sheet(path, _OptionRow)
    found: dict[Key, Option | None] = {}
    for number, row in enumerate(sheet):
        if (row.id, row.level) in found:
            raise InputError(f"{sheet.place(number)}: a second row for persona {row.id}, {row.level}")
        found[row.id, row.level] = None if row.role_option == "?" else row.role_option
    return found


def file_verdicts(tables: Iterable[tuple[str, Mapping[Key, Option | None]]]) -> dict[Key, list[Verdict]]:
    """Verdicts of tables that `read_role_options` read, each with its name."""
    out: dict[Key, list[Verdict]] = {}
    for name, table in tables:
        for key, option in table.items():
            reason = None if option else "unsettled"
            out.setdefault(key, []).append(Verdict(source=name, kind="file", option=option, reason=reason))
    return out


def settle_role_options(
    personas: Iterable[Persona], given: Mapping[Key, Sequence[Verdict]] | None = None
) -> list[RoleOption]:
    """The role option of every dilemma, with its doubts.

    Files decide before the data, the data before auditors; where sources of the deciding kind disagree, the one with more of
    them counts, and with as many on each side the next kind decides. Where nobody says anything it is assumed to be B.

    Args:
        personas: whose dilemmas
        given: what files and auditors say
    """
    out = []
    for persona in personas:
        for level, dilemma in persona.dilemmas.items():
            verdicts = list((given or {}).get((persona.persona_id, level), ()))
            if dilemma.role_option is not None:
                verdicts.insert(0, Verdict(source="data", kind="data", option=dilemma.role_option))
            out.append(_settled(persona.persona_id, level, verdicts))
    return out


def _settled(persona: str, level: Level, verdicts: Sequence[Verdict]) -> RoleOption:
    option, source = ASSUMED, "assumed"
    kinds: tuple[Source, ...] = ("file", "data", "auditors")
    for kind in kinds:
        votes = Counter(each.option for each in verdicts if each.kind == kind and each.option is not None)
        ranked = votes.most_common()
        if ranked and (len(ranked) == 1 or ranked[0][1] > ranked[1][1]):
            option, source = ranked[0][0], kind
            break
    said = {each.option for each in verdicts if each.option is not None}
    reasons = {each.reason for each in verdicts}
    there = {
        # data that name the role's option themselves have no default to differ from
        "differs_from_default": option != ASSUMED and not any(each.kind == "data" for each in verdicts),
        "sources_disagree": len(said) > 1,
        "unsettled": "unsettled" in reasons,
        "unread": "unread" in reasons,
    }
    return RoleOption(
        persona=persona,
        level=level,
        option=option,
        source=source,  # type: ignore[arg-type]  # one of kinds, or assumed
        doubts=tuple(name for name in DOUBTS if there[name]),
        verdicts=tuple(verdicts),
    )


def audit_counts(options: Iterable[RoleOption]) -> Record:
    """How many dilemmas have their role option from where, and how many are in which doubt."""
    there = list(options)
    return {
        "dilemmas": len(there),
        "flagged": sum(each.flagged for each in there),
        "sources": dict(Counter(each.source for each in there)),
        "doubts": {name: count for name in DOUBTS if (count := sum(name in each.doubts for each in there))},
        "role_option": {option: sum(each.option == option for each in there) for option in ("A", "B")},
    }


def audit_agreement(options: Iterable[RoleOption]) -> list[Score]:
    """Cohen's kappa of every two sources over the dilemmas that both have settled; the part is ``FIRST+SECOND``."""
    there = list(options)
    names = list(dict.fromkeys(each.source for option in there for each in option.verdicts))
    said = [{each.source: each.option for each in option.verdicts} for option in there]
    out = []
    for position, first in enumerate(names):
        for second in names[position + 1 :]:
            rows = [[each.get(name) for each in said] for name in (first, second)]
            score = cohen_kappa(rows[0], rows[1], labels=("A", "B"))
            out.append(replace(score, part=f"{first}+{second}"))
    return out
