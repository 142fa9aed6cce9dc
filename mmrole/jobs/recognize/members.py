"""From the entries of a panel to experts that can vote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from emotion.experts.entries import ExpertEntry, LlmEntry, LocalEntry
from emotion.experts.expert import Expert
from emotion.experts.llm import LlmExpert
from emotion.experts.panel import Panel
from mmrole.core.canonical import Record, to_json
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet
from mmrole.core.languages import Language
from mmrole.jobs.asking import asking_of
from mmrole.jobs.experts_sound import hear
from mmrole.llm import ChatModel, Prices, ReplyCache
from mmrole.llm.cost import Budget
from mmrole.llm.stage import Asking

MODALITY_STREAMS: Final = ("face", "body", "speech")


@dataclass(frozen=True, kw_only=True)
class Member:
    """An expert of the panel, ready to vote.

    Attributes:
        entry: its table
        expert: itself
        asking: its model, for one that asks a language model
    """

    entry: ExpertEntry
    expert: LlmExpert | Expert
    asking: Asking | None = None

    @property
    def name(self) -> str:
        """Of the expert."""
        return self.entry.name

    @property
    def rounds(self) -> int:
        """How often it votes."""
        return self.entry.rounds

    @property
    def streams(self) -> tuple[str, ...]:
        """That it votes on, in the order of all streams."""
        return self.entry.voted

    def kept(self) -> Record:
        """Who it is, whatever it votes on: another expert of its name is refused in a folder that has its votes."""
        identity = {name: value for name, value in self.expert.identity.items() if name not in _OF_THE_VERSION}
        model = {} if self.asking is None else {"endpoint": dict(self.asking.model.identity)}
        return {**identity, **model}

    def to_record(self) -> Record:
        """What decides its votes, for the manifest."""
        model = None if self.asking is None else dict(self.asking.model.identity)
        return {
            **self.entry.to_record(),
            "identity": dict(self.expert.identity),
            "model": model,
            "can_give": list(self.expert.can_give),
            "baseline": self.expert.baseline,
        }


_OF_THE_VERSION: Final = frozenset({"rule", "table", "prompts", "language", "labels"})
"""Of an identity, what a newer mmrole may change, so that votes are made anew, and what the folder keeps beside the experts."""


def open_members(
    panel: Panel,
    labels: LabelSet,
    language: Language,
    *,
    config: str | Path | None = None,
    models: Mapping[str, ChatModel] | None = None,
    cache: ReplyCache | str | Path | bool | None = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
) -> list[Member]:
    """Opens every expert of a panel; nobody is asked anything yet.

    Args:
        panel: the panel
        labels: the label set of the run
        language: of the prompts
        config: mmrole.toml; the panel's own file when it defines endpoints, else the one in the working folder when None
        models: endpoint -> model, instead of those of mmrole.toml
        cache: see `mmrole.jobs.asking.asking_of`
        prices: see there
        max_cost: limit on the cost of all of them together

    Raises:
        UsageError: no such endpoint, a limit on cost without a price, or two experts that would get the same replies
        InputError: a file of an expert cannot be used
        MissingExtraError: an expert needs a part that is not installed
    """
    place = config if config is not None or not panel.has_endpoints else panel.path
    members = []
    for entry in panel.entries:
        if isinstance(entry, LlmEntry):
            given = (models or {}).get(entry.endpoint, entry.endpoint)
            asking = asking_of(given, config=place, cache=cache, prices=prices)
            Budget(
                max_cost, _price(asking), model=str(asking.model.identity.get("model"))
            )  # refuses before anyone is asked
            members.append(Member(entry=entry, expert=_llm(entry, labels, language), asking=asking))
        elif isinstance(entry, LocalEntry):
            members.append(Member(entry=entry, expert=entry.build(labels, panel.folder(), hear)))
    _refuse_twins(members)
    if max_cost is not None and not any(member.asking for member in members):
        raise UsageError("--max-cost is for experts that ask a model: no expert of this panel does")
    return members


def _price(asking: Asking) -> Any:
    return None if asking.prices is None else asking.prices.of(str(asking.model.identity.get("model", "the model")))


def _llm(entry: LlmEntry, labels: LabelSet, language: Language) -> LlmExpert:
    return LlmExpert(
        name=entry.name,
        labels=labels,
        streams=entry.voted,
        history_streams=entry.history_streams,
        language=language,
        parameters=entry.parameters,
    )


def _refuse_twins(members: Sequence[Member]) -> None:
    """Two experts that see the same and do the same are one: its votes would be counted twice, with a cache its very replies."""
    seen: dict[tuple[str, str], str] = {}
    for member in members:
        model = None if member.asking is None else dict(member.asking.model.identity)
        does = to_json([model, dict(member.expert.identity)])
        for stream in member.streams:
            first = seen.setdefault((stream, does), member.name)
            if first != member.name:
                way_out = (
                    ""
                    if model is None
                    else f" and give the other rounds = {2 * member.rounds}, or set temperature or seed"
                )
                raise UsageError(
                    f"the experts {first!r} and {member.name!r} do the same with the stream {stream!r}: leave one out{way_out}"
                )


def check_what_they_read(
    members: Sequence[Member], *, responses: bool, descriptions: bool, features: bool, history: int
) -> None:
    """Refuses experts that would find nothing, or less than they need, to go by.

    Args:
        members: the experts
        responses: they vote on an agent's responses
        descriptions: there are descriptions of the clips
        features: there are features of the clips
        history: lines before an utterance that are shown

    Raises:
        UsageError: an expert reads what is not there
    """
    for member in members:
        name = f"the expert {member.name!r} ({member.entry.kind})"
        if member.entry.needs_features and responses:
            raise UsageError(
                f"{name} reads what was measured of clips; it cannot vote on responses, which are words: leave it out"
            )
        if member.entry.needs_features and not features:
            raise UsageError(
                f"{name} reads what was measured of clips: give the folder of mmrole extract with --features"
            )
        if isinstance(member.entry, LocalEntry) and not isinstance(member.expert, LlmExpert):
            lines = member.entry.lines_read(member.expert)
            if lines > history:
                raise UsageError(
                    f"{name} was trained with {lines} lines before an utterance: give --history {lines} or more"
                )
        blind = [stream for stream in member.streams if stream in MODALITY_STREAMS]
        if isinstance(member.expert, LlmExpert) and blind and not (responses or descriptions):
            raise UsageError(
                f"{name} votes on {', '.join(blind)}, which it reads in words: give descriptions with --descriptions "
                '(mmrole describe makes them), or give it streams = ["all", "text"]'
            )
