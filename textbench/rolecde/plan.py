"""What a run of RoleCDE is: personas, levels, how the agent is asked, and in which orders of the options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from mmrole.core.canonical import Record
from mmrole.core.errors import StoreError, UsageError
from textbench.rolecde.personas import LEVELS, Level, Option, Persona

BENCHMARK: Final = "rolecde"
Style = Literal["neutral", "cot", "upstream"]
Order = Literal["AB", "BA"]
STYLES: Final[tuple[Style, ...]] = get_args(Style)
"""How the agent is asked: plainly, with its reasoning first, or with the data set's own prompt."""
ORDERS: Final[tuple[Order, ...]] = get_args(Order)
"""Which option of the data set is shown first, under the letter A."""


@dataclass(frozen=True, kw_only=True)
class RoleCDEPlan:
    """What a run is.

    Attributes:
        personas: ids of the personas
        personas_sha256: hash of their records
        levels: which dilemmas are asked
        style: see `STYLES`
        orders: see `ORDERS`
        with_values: name the values in the prompt, never which option serves which
        runs: how often everything is repeated
        temperature: of the agent
    """

    personas: tuple[str, ...]
    personas_sha256: str
    levels: tuple[Level, ...] = LEVELS
    style: Style = "neutral"
    orders: tuple[Order, ...] = ("AB",)
    with_values: bool = False
    runs: int = 1
    temperature: float = 0.0

    def __post_init__(self) -> None:
        if not self.personas or not self.levels or not self.orders:
            raise UsageError("there is nothing to ask: name personas, levels and orders")
        for name, chosen, known in (("level", self.levels, LEVELS), ("order", self.orders, ORDERS)):
            for each in chosen:
                if each not in known:
                    raise UsageError(f"there is no {name} {each!r}: choose from {', '.join(known)}")
            if len(set(chosen)) < len(chosen):
                raise UsageError(f"a{'n' if name == 'order' else ''} {name} is named twice")
        if self.style not in STYLES:
            raise UsageError(f"there is no prompt {self.style!r}: choose one of {', '.join(STYLES)}")
        if self.style == "upstream" and (self.orders != ("AB",) or self.with_values):
            raise UsageError(
                "the upstream prompt says which option serves which value, in the order AB, and names the values: "
                "give it no other order and no values"
            )
        if self.runs < 1:
            raise UsageError(f"{self.runs} runs make no sense: give 1 or more")
        if not 0 <= self.temperature <= 2:
            raise UsageError(f"a temperature of {self.temperature} makes no sense: give 0 to 2")

    def to_record(self) -> Record:
        """As JSON values."""
        return {
            "personas": list(self.personas),
            "personas_sha256": self.personas_sha256,
            "levels": list(self.levels),
            "style": self.style,
            "orders": list(self.orders),
            "with_values": self.with_values,
            "runs": self.runs,
            "temperature": self.temperature,
        }


def plan_from(record: Record) -> RoleCDEPlan:
    """The plan that `RoleCDEPlan.to_record` stored.

    Raises:
        StoreError: it is none
    """
    try:
        return RoleCDEPlan(
            personas=tuple(record["personas"]),
            levels=tuple(record["levels"]),
            orders=tuple(record["orders"]),
            **{name: record[name] for name in ("personas_sha256", "style", "with_values", "runs", "temperature")},
        )
    except (KeyError, TypeError) as error:
        raise StoreError(f"the plan is damaged ({type(error).__name__}: {error}): build it anew") from None


def chosen_personas(personas: Sequence[Persona], names: Sequence[str]) -> tuple[Persona, ...]:
    """Some of the personas, by id; all of them when no id is given.

    Raises:
        UsageError: there is none of an id
    """
    there = {each.persona_id: each for each in personas}
    for name in names:
        if name not in there:
            raise UsageError(f"there is no persona {name!r}; there are {', '.join(list(there)[:20])}")
    return tuple(there[name] for name in dict.fromkeys(names)) if names else tuple(personas)


def shown_letters(order: Order) -> dict[Option, Option]:
    """Letter as shown -> letter of the data set."""
    return {"A": "A", "B": "B"} if order == "AB" else {"A": "B", "B": "A"}
