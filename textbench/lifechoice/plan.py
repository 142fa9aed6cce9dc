"""What a run of LIFECHOICE is: how the profile is built, how the agent is asked, and under which condition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, get_args

from mmrole.core.canonical import Record
from mmrole.core.errors import StoreError, UsageError
from textbench.lifechoice.methods import Method, method_of
from textbench.lifechoice.profiles import ORDERS, Order
from textbench.lifechoice.summaries import Sizes

BENCHMARK: Final = "lifechoice"

Masking = Literal["none", "given", "model"]
MASKINGS: Final[tuple[Masking, ...]] = get_args(Masking)
DataVersion = Literal["own", "v1", "v2", "emnlp"]
DATA_VERSIONS: Final[tuple[DataVersion, ...]] = get_args(DataVersion)
"""``own`` data, or which of the three published data sets it is: their numbers are never mixed."""
LEAST_BUDGET: Final = 50


@dataclass(frozen=True, kw_only=True)
class LifeChoicePlan:
    """What a run is.

    Attributes:
        methods: names, see `textbench.lifechoice.methods`
        budget: most tokens of a profile
        split: share of the description in it, where there is memory too
        order: which of the two comes first
        sizes: of chunks and summaries
        embedder: model of the ``embedding`` memory; None for the default one
        seed: of the orders of options; None leaves the order of the data set
        runs: how often every item is asked, each time with its own order of options
        temperature: of the agent; None for the endpoint's own
        prefixes: the text before the decision is cut to 1, 2, ... of so many parts, each asked for itself; 1 is the whole text
        truncate_descriptions: a supplied description is cut to the same share as the text
        masking: names are left (``none``), or replaced by a map that was ``given`` or that a ``model`` finds
        data_version: which data set it is, see `DATA_VERSIONS`
        counter: name of the token counter
        data: where the items are from: ``name``, ``sha256``, ``items``
        entities: book -> the map of its names, where it was given
    """

    methods: tuple[str, ...]
    budget: int = 5000
    split: float = 0.5
    order: Order = "description-first"
    sizes: Sizes = field(default_factory=Sizes)
    embedder: str | None = None
    seed: int | None = 0
    runs: int = 1
    temperature: float | None = 0.0
    prefixes: int = 1
    truncate_descriptions: bool = False
    masking: Masking = "none"
    data_version: DataVersion = "own"
    counter: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    entities: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if not self.methods:
            raise UsageError("there is nothing to ask: name a method")
        names = [method.name for method in self.parsed]
        if len(set(names)) < len(names):
            raise UsageError("a method is named twice")
        if self.budget < LEAST_BUDGET:
            raise UsageError(f"a budget of {self.budget} tokens makes no sense: give {LEAST_BUDGET} or more")
        if not 0 < self.split < 1:
            raise UsageError(f"a split of {self.split} makes no sense: give a share between 0 and 1")
        if any(method.memory for method in self.parsed) and self.sizes.chunk > self.budget * (1 - self.split):
            raise UsageError(
                f"chunks of {self.sizes.chunk} tokens do not fit into a memory's share of a budget of {self.budget}: give smaller chunks, "
                "a larger budget or a smaller split"
            )
        if (self.masking == "given") != (self.entities is not None):
            raise UsageError(
                "masking by a given map needs the map, and a map needs masking to be given: say both or neither"
            )
        if self.runs < 1:
            raise UsageError(f"{self.runs} runs make no sense: give 1 or more")
        if not 1 <= self.prefixes <= 20:
            raise UsageError(f"{self.prefixes} prefixes make no sense: give 1 to 20")
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise UsageError(f"a temperature of {self.temperature} makes no sense: give 0 to 2")
        for name, value, known in (
            ("order", self.order, ORDERS),
            ("masking", self.masking, MASKINGS),
            ("version of the data", self.data_version, DATA_VERSIONS),
        ):
            if value not in known:
                raise UsageError(f"there is no {name} {value!r}: choose one of {', '.join(known)}")
        if self.prefixes > 1 and not self.truncate_descriptions and any(m.description == "human" for m in self.parsed):
            raise UsageError(
                "a supplied description tells of the whole text, also of what lies after a prefix: leave the methods with human out, "
                "or have it cut to the same share (--truncate-descriptions)"
            )

    @property
    def parsed(self) -> tuple[Method, ...]:
        """The methods."""
        return tuple(method_of(name) for name in self.methods)

    def to_record(self) -> Record:
        """As JSON values."""
        record = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {
            **record,
            "methods": [method.name for method in self.parsed],
            "sizes": asdict(self.sizes),
            "data": dict(self.data),
            "entities": None if self.entities is None else dict(self.entities),
        }


def plan_from(record: Record) -> LifeChoicePlan:
    """The plan that `LifeChoicePlan.to_record` stored.

    Raises:
        StoreError: it is none
    """
    try:
        given = {name: record[name] for name in LifeChoicePlan.__dataclass_fields__}
        return LifeChoicePlan(**given | {"methods": tuple(given["methods"]), "sizes": Sizes(**given["sizes"])})
    except (KeyError, TypeError, AttributeError) as error:
        raise StoreError(f"the plan is damaged ({type(error).__name__}: {error}): build it anew") from None
