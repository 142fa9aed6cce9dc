"""What the agent is asked: a profile before, the situation, the question and the options after. LIFECHOICE (arXiv 2404.12138)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mmrole.core.canonical import bytes_sha256
from mmrole.core.prompts import Prompt
from mmrole.llm import BatchItem, ChatReply, ChatRequest, Parameters, system, user
from mmrole.llm.replies import Reply, parse_choice
from textbench.benchmark import prompt_hashes
from textbench.lifechoice.cases import Case, Unit, units
from textbench.lifechoice.library import Library
from textbench.lifechoice.plan import LifeChoicePlan
from textbench.lifechoice.preparing import Descriptions, SegmentsOf
from textbench.lifechoice.profiles import Profile, compose
from textbench.lifechoice.summaries import prompt

QUESTION_AS_QUERY: Final = "question"
SEGMENTS_AS_QUERIES: Final = "segments"


@dataclass(frozen=True, kw_only=True)
class Unasked:
    """A question that the agent cannot be asked.

    Attributes:
        key: of the unit
        item_id: of the item
        method: name
        prefix: of the text
        run: from 0
        reason: what is missing: ``no_description: ...`` or ``no_segments: ...``
        again: whether the next run may have it
    """

    key: str
    item_id: str
    method: str
    prefix: int
    run: int
    reason: str
    again: bool

    def to_record(self) -> dict[str, Any]:
        """As JSON values."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, kw_only=True)
class Given:
    """The profile of a unit, and how it came about.

    Attributes:
        profile: the profile
        fields: for the record of the answer
    """

    profile: Profile
    fields: Mapping[str, Any]


class Profiles:
    """Builds the profile of every unit.

    Args:
        plan: the plan
        library: texts
        descriptions: of the run
        segments: of the run
    """

    def __init__(
        self, plan: LifeChoicePlan, library: Library, descriptions: Descriptions, segments: SegmentsOf
    ) -> None:
        self._plan = plan
        self._library = library
        self._descriptions = descriptions
        self._segments = segments

    def of(self, unit: Unit) -> Given | Unasked:
        """The profile of a unit, or why there is none."""
        told, method, case = unit.told, unit.method, unit.told.case
        fields: dict[str, Any] = {"description": None, "query": None}
        description = None
        if method.description is not None:
            described = self._descriptions.of(told, method)
            if described.text is None:
                return _unasked(unit, f"no_description: {described.reason}", described.again)
            description = described.text
            fields["description"] = {
                "sha256": bytes_sha256(description.encode("utf-8", "surrogatepass")),
                "calls": len(described.calls),
                "levels": described.levels,
                "cut": described.cut,
            }
        queries = [f"{case.scenario}\n{case.question}"]
        if method.charmap:
            found = self._segments.of(told, method)
            if found.again:
                return _unasked(unit, f"no_segments: {found.reason}", again=True)
            queries = list(found.texts) or queries
            used = SEGMENTS_AS_QUERIES if found.texts else QUESTION_AS_QUERY
            fields["query"] = {
                "by": used,
                "segments": list(found.texts),
                "fallback": found.reason,
                "dropped": found.dropped,
            }
        elif method.memory is not None:
            fields["query"] = {"by": QUESTION_AS_QUERY, "segments": [], "fallback": None, "dropped": 0}
        profile = compose(
            method,
            name=case.character,
            language=case.language,
            counter=self._library.counter,
            budget=self._plan.budget,
            split=self._plan.split,
            order=self._plan.order,
            description=description,
            parts=self._library.parts(told.text) if method.memory is not None else (),
            ranked=self._library.ranked(told.text, method.memory, queries) if method.memory is not None else (),
            motivation=None if case.motivation is None else case.motivation.full,
        )
        if method.motivation and case.motivation is None:
            return _unasked(unit, "no_motivation: the item does not say why", again=False)
        return Given(profile=profile, fields={**fields, "profile": profile.to_record()})


def questions(plan: LifeChoicePlan, cases: Sequence[Case], profiles: Profiles) -> Iterator[BatchItem | Unasked]:
    """What the agent is asked, and what it cannot be asked; made as it is needed."""
    for unit in units(plan, cases):
        given = profiles.of(unit)
        yield given if isinstance(given, Unasked) else question_of(plan, unit, given)


def question_of(plan: LifeChoicePlan, unit: Unit, given: Given) -> BatchItem:
    """One question to the agent."""
    case = unit.told.case
    shown = case.shown(plan, unit.run)
    opening, values = _system(unit, given.profile)
    asked = prompt("question", case.language)
    text = asked.fill(scenario=case.scenario, question=case.question, options=shown.render())
    fields = {
        **given.fields,
        "item_id": case.item_id,
        "content": case.content,
        "method": unit.method.name,
        "prefix": unit.told.prefix,
        "run": unit.run,
        "order": list(shown.order),
        "options": shown.options,
        "prompts": prompt_hashes([opening, asked]),
    }
    request = ChatRequest(
        messages=(system(opening.fill(**values)), user(text)), parameters=Parameters(temperature=plan.temperature)
    )
    return BatchItem(item_id=unit.key, request=request, fields=fields)


def read_choice(question: BatchItem, reply: ChatReply) -> Reply[str]:
    """Reads the letter; see `mmrole.llm.items.Parse`."""
    return parse_choice(reply.text, question.fields["options"], finish_reason=reply.finish_reason)


def _system(unit: Unit, profile: Profile) -> tuple[Prompt, dict[str, str]]:
    case = unit.told.case
    if unit.method.roleless:
        return prompt("system-roleless", case.language), {}
    if not profile.text:  # nothing to tell: no-profile, or a memory without a hit
        return prompt("system-name", case.language), {"name": case.character}
    return prompt("system-profile", case.language), {"name": case.character, "profile": profile.text}


def _unasked(unit: Unit, reason: str, again: bool) -> Unasked:
    return Unasked(
        key=unit.key,
        item_id=unit.told.case.item_id,
        method=unit.method.name,
        prefix=unit.told.prefix,
        run=unit.run,
        reason=reason,
        again=again,
    )
