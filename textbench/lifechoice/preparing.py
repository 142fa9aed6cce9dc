"""What has to be asked before the agent: descriptions first, then CharMap's segments. Both keep to `textbench.lifechoice.rounds`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mmrole.llm import BatchItem
from textbench.lifechoice.cases import Case, Told, told
from textbench.lifechoice.methods import DescriptionKind, Method
from textbench.lifechoice.plan import LifeChoicePlan
from textbench.lifechoice.profiles import cut_to, description_share
from textbench.lifechoice.rounds import Caller, Job, in_rounds
from textbench.lifechoice.segments import Segments, segments_call, segments_of
from textbench.lifechoice.summaries import Described, Source, hierarchical, incremental
from textbench.tokens import TokenCounter

NO_DESCRIPTION: Final = "no_description"
"""Reason of a case that comes without the description that a method needs."""


@dataclass(frozen=True, kw_only=True)
class DescriptionKey:
    """What decides a description that a model writes.

    Attributes:
        source: what it is written from
        kind: how
        target: most tokens
    """

    source: Source
    kind: DescriptionKind
    target: int


class Descriptions:
    """The descriptions of a run: those that a model wrote, and the supplied ones.

    Args:
        plan: the plan
        counter: of tokens
        caller: writes them
        cases: all cases
    """

    def __init__(self, plan: LifeChoicePlan, counter: TokenCounter, caller: Caller, cases: Sequence[Case]) -> None:
        self._plan = plan
        self._counter = counter
        keys = dict.fromkeys(
            self.key(each, method)
            for case in cases
            for each in told(plan, case)
            for method in plan.parsed
            if method.asks_for_description
        )
        self.written: Mapping[DescriptionKey, Described] = in_rounds({key: self._job(key) for key in keys}, caller)

    def key(self, each: Told, method: Method) -> DescriptionKey:
        """What decides the description of a case under a method for which a model writes it."""
        assert method.description is not None  # noqa: S101  asked only of methods with a description
        share = description_share(
            method,
            self._plan.budget,
            self._plan.split,
            name=each.case.character,
            language=each.case.language,
            counter=self._counter,
        )
        return DescriptionKey(source=each.source, kind=method.description, target=max(1, share))

    def of(self, each: Told, method: Method) -> Described:
        """The description of a case under a method that has one."""
        if method.description != "human":
            return self.written[self.key(each, method)]
        text = each.case.description
        if text is None:
            return Described(text=None, reason=NO_DESCRIPTION)
        if each.prefix == self._plan.prefixes:
            return Described(text=text)
        kept, was_cut = cut_to(text, self._counter(text) * each.prefix // self._plan.prefixes, self._counter)
        return Described(text=kept, cut=was_cut)

    def _job(self, key: DescriptionKey) -> Job[Described]:
        write = hierarchical if key.kind == "hierarchical" else incremental
        return write(key.source, key.target, self._plan.sizes, self._counter)


class SegmentsOf:
    """CharMap's segments of a run.

    Args:
        plan: the plan
        descriptions: of the run
        caller: picks them
        cases: all cases
    """

    def __init__(self, plan: LifeChoicePlan, descriptions: Descriptions, caller: Caller, cases: Sequence[Case]) -> None:
        self._descriptions = descriptions
        calls = {}
        for case in cases:
            for each in told(plan, case):
                for method in plan.parsed:
                    described = descriptions.of(each, method) if method.charmap else None
                    if described is not None and described.text is not None:
                        call = _call(each, described.text)
                        calls[call.item_id] = call
        self._answers = caller.answers(list(calls.values()))

    def of(self, each: Told, method: Method) -> Segments:
        """The segments for a case under a method; its description has to be there."""
        text = self._descriptions.of(each, method).text or ""
        return segments_of(self._answers[_call(each, text).item_id], text)


def _call(each: Told, description: str) -> BatchItem:
    case = each.case
    call = segments_call(
        name=case.character,
        language=case.language,
        description=description,
        scenario=case.scenario,
        question=case.question,
    )
    return replace(call, item_id=f"{case.item_id}/{call.item_id}")  # one call per item, though two may ask the same
