"""Tokens and money: price lists, what was spent, and the limit that ends a run before it becomes too dear."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mmrole.core.canonical import Record
from mmrole.core.errors import InputError, UsageError
from mmrole.llm.outcome import Usage


class Price(BaseModel):
    """What a model costs.

    Attributes:
        input_per_million: money per million prompt tokens
        output_per_million: money per million completion tokens
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    input_per_million: float = Field(ge=0, allow_inf_nan=False)
    output_per_million: float = Field(ge=0, allow_inf_nan=False)

    def of(self, usage: Usage) -> float:
        """Money for tokens."""
        dear = usage.prompt_tokens * self.input_per_million + usage.completion_tokens * self.output_per_million
        return dear / 1_000_000


class Prices(BaseModel):
    """A price list.

    Attributes:
        currency: of all prices
        models: prices by the model's name at its endpoint
        source: the file
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    currency: str = "USD"
    models: dict[str, Price] = Field(default_factory=dict)
    source: str = Field(default="the price list", exclude=True)

    def of(self, model: str) -> Price | None:
        """The price of a model, None when the list does not have it."""
        return self.models.get(model)


def read_prices(path: str | Path) -> Prices:
    """Reads a price list.

    ::

        currency = "USD"
        [models."qwen2.5-7b-instruct"]
        input_per_million = 0.04
        output_per_million = 0.10

    Raises:
        UsageError: there is no such file
        InputError: it is no price list; one line with file and key
    """
    from mmrole.llm.config import explain

    place = Path(path)
    try:
        content = tomllib.loads(place.read_bytes().decode("utf-8-sig"))
        return Prices.model_validate({**content, "source": str(place)})
    except OSError as error:
        raise UsageError(f"{place} cannot be read: {error.strerror or error}; it should be the price list") from None
    except ValidationError as error:
        raise InputError(f"{place}: {explain(error)}") from None
    except ValueError as error:
        raise InputError(f"{place} is no TOML: {error}") from None


@dataclass(frozen=True, kw_only=True)
class Spent:
    """What was spent; sums with ``+``.

    Attributes:
        calls: finished calls; replies from the cache are none
        usage: their tokens
        unmetered: calls of which the endpoint did not tell the tokens
        cost: money for the tokens that are known; None when the price is not
    """

    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    unmetered: int = 0
    cost: float | None = None

    def __add__(self, other: Spent) -> Spent:
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Spent(
            calls=self.calls + other.calls,
            usage=self.usage + other.usage,
            unmetered=self.unmetered + other.unmetered,
            cost=sum(costs) if costs else None,
        )

    def left_of(self, limit: float | None) -> float | None:
        """What is left of a limit on the cost, never below 0; None where there is no limit."""
        return None if limit is None else max(limit - (self.cost or 0.0), 0.0)

    def to_record(self) -> Record:
        """As JSON values."""
        return {
            "calls": self.calls,
            "prompt_tokens": self.usage.prompt_tokens,
            "completion_tokens": self.usage.completion_tokens,
            "unmetered": self.unmetered,
            "cost": self.cost,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, object]) -> Spent:
        """What `to_record` stored."""
        values: Record = dict(record)
        return cls(
            calls=values["calls"],
            usage=Usage(prompt_tokens=values["prompt_tokens"], completion_tokens=values["completion_tokens"]),
            unmetered=values["unmetered"],
            cost=values["cost"],
        )


@dataclass(frozen=True, kw_only=True)
class Reserved:
    """Money set aside for a call.

    Attributes:
        money: so much
        least: what its prompt, as estimated, and one token of reply cost; 0 for a call that costs nothing
    """

    money: float = 0.0
    least: float = 0.0


class Budget:
    """Lets calls through as long as the run stays within its limit.

    A call is let through when what was spent, what the calls in flight may cost and what this one may cost are together within
    the limit. What a call may cost is its prompt as estimated and a token of reply, times the largest ratio of cost to estimate so
    far; until the first call is back, and the ratio known, only one is let through. The run thus ends at the limit, not by a whole
    flight of calls beyond it.

    Args:
        limit: money for this run, None for no limit
        price: of the model
        model: its name, for messages

    Raises:
        UsageError: there is a limit, but no price; or the limit is no amount of money
    """

    def __init__(self, limit: float | None, price: Price | None, *, model: str = "the model") -> None:
        if limit is not None and price is None:
            raise UsageError(f"a cost limit needs the price of {model!r}: add it to the price list")
        if limit is not None and not limit >= 0:
            raise UsageError(f"a cost limit of {limit} makes no sense: give 0 or more")
        self._limit = limit
        self._price = price
        self._spent = 0.0
        self._reserved = 0.0
        self._in_flight = 0
        self._ratio: float | None = None
        self._changed = asyncio.Event()

    @property
    def limited(self) -> bool:
        """Whether there is a limit."""
        return self._limit is not None

    async def reserve(self, prompt_tokens: int) -> Reserved | None:
        """Waits until it is clear whether a call may be made.

        Args:
            prompt_tokens: as estimated

        Returns:
            what is set aside for the call, for `settle`; None when the call may not be made
        """
        if self._limit is None or self._price is None:
            return Reserved()
        least = self._price.of(Usage(prompt_tokens=max(prompt_tokens, 1), completion_tokens=1))
        if least == 0:
            return Reserved()
        while True:
            need = least * (1.0 if self._ratio is None else self._ratio)
            first = self._ratio is None and self._in_flight > 0
            if not first and self._spent + self._reserved + need <= self._limit:
                self._reserved += need
                self._in_flight += 1
                return Reserved(money=need, least=least)
            if self._in_flight == 0:
                return None
            await self._changed.wait()

    def settle(self, reserved: Reserved, usage: Usage) -> None:
        """Takes note of what a call cost.

        Args:
            reserved: what was set aside for it
            usage: its tokens, estimated where the endpoint did not tell them
        """
        if self._price is None or reserved.least == 0:
            return
        cost = self._price.of(usage)
        self._in_flight -= 1
        self._reserved = self._reserved - reserved.money if self._in_flight else 0.0
        self._spent += cost
        if cost > 0:  # a call that failed for nothing shows nothing
            self._ratio = max(cost / reserved.least, self._ratio or 0.0)
        self._changed.set()
        self._changed = asyncio.Event()
