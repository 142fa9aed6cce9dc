"""What the teacher model is asked, what it answered, and how a judge verifies the label."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mmrole.core.canonical import Record, content_key
from mmrole.llm import BatchItem, ChatRequest, Parameters, user
from mmrole.llm.items import ERROR
from textbench.benchmark import prompt_hashes
from textbench.rolecde.deciding import Decision, prompt, read_decision, shown, value_lines
from textbench.rolecde.judging import judge_call
from textbench.rolecde.personas import Level, Option, Persona
from textbench.rolecde.plan import ORDERS, Order
from textbench.rolecde.role_options import Key, RoleOption

DECISIONS: Final = ("RF", "RC", "AC", "AF")
FORM_OF: Final = {"RF": "following", "RC": "compromise", "AC": "compromise", "AF": "following"}
"""Decision type -> what the judge has to say of its reasons."""


@dataclass(frozen=True, kw_only=True)
class TeacherAnswer:
    """What the teacher wrote for one decision type.

    Attributes:
        persona: id
        level: of the dilemma
        decision: what it was to write: ``RF``, ``RC``, ``AC`` or ``AF``
        sample: from 0
        order: which option was shown first
        status: ``ok``, or why there is no answer
        option: the option of the data set that it chose
        wanted: the option that the decision type demands
        reasoning: its reasons
        reason: for people, why there is none
    """

    persona: str
    level: Level
    decision: str
    sample: int
    order: Order
    status: str
    option: Option | None
    wanted: Option
    reasoning: str = field(repr=False)
    reason: str | None = None

    @property
    def key(self) -> str:
        """Names it in the journals."""
        return f"{self.persona}/{self.level}/{self.decision}/{self.sample}"

    def to_record(self) -> Record:
        """As JSON values."""
        return {
            "persona": self.persona,
            "level": self.level,
            "decision": self.decision,
            "sample": self.sample,
            "order": self.order,
            "status": self.status,
            "option": self.option,
            "wanted": self.wanted,
            "reasoning": self.reasoning,
            "reason": self.reason,
        }


def order_of(persona: str, level: Level, seed: int) -> Order:
    """Which option is shown first in a dilemma's rows: by chance, so that no letter is the role's throughout a corpus."""
    return ORDERS[int(content_key(persona=persona, level=level, seed=seed)[:8], 16) % 2]


def wanted_option(role_option: RoleOption, decision: str) -> Option:
    """The option of the data set that a decision type chooses."""
    if decision.startswith("R"):
        return role_option.option
    return "B" if role_option.option == "A" else "A"


def doubt(role_option: RoleOption) -> str | None:
    """Why a role option is not fit to teach: a code of `textbench.rolecde.role_options.DOUBTS`, or ``assumed``; None where it is.

    That an option is not the default one is no doubt here: a corpus of the others alone would teach a letter.
    """
    if role_option.source == "assumed":
        return "assumed"
    return next((each for each in role_option.doubts if each != "differs_from_default"), None)


def teacher_items(
    personas: Iterable[Persona],
    role_options: Mapping[Key, RoleOption],
    *,
    seed: int = 0,
    temperature: float = 0.7,
    include_doubtful: bool = False,
) -> Iterator[BatchItem]:
    """What the teacher is asked: one item for every dilemma and decision type.

    Args:
        personas: whose dilemmas
        role_options: which option serves the personal value
        seed: of the orders, see `order_of`
        temperature: of the teacher
        include_doubtful: ask about dilemmas whose role option is not known for sure, too, see `doubt`
    """
    for persona in personas:
        for level, dilemma in persona.dilemmas.items():
            role_option = role_options[persona.persona_id, level]
            if not include_doubtful and doubt(role_option) is not None:
                continue
            order = order_of(persona.persona_id, level, seed)
            options = shown(dilemma, order)
            for decision in DECISIONS:
                told = prompt(f"mini-{decision.lower()}", persona.language)
                asked = prompt("mini-teacher", persona.language)
                text = asked.fill(
                    profile=persona.profile,
                    scenario=persona.scenario,
                    personal=persona.personal_value,
                    alignment=value_lines(persona.alignment_values),
                    description=dilemma.description,
                    first=options.options["A"],
                    second=options.options["B"],
                    letter=options.letter("AB".index(wanted_option(role_option, decision))),
                    manner=told.fill(),
                )
                yield BatchItem(
                    item_id=f"{persona.persona_id}/{level}/{decision}",
                    request=ChatRequest(messages=(user(text),), parameters=Parameters(temperature=temperature)),
                    fields={
                        "persona": persona.persona_id,
                        "level": level,
                        "decision": decision,
                        "order": order,
                        "wanted": wanted_option(role_option, decision),
                        "prompts": prompt_hashes([asked, told]),
                    },
                )


def read_answers(personas: Mapping[str, Persona], records: Iterable[Mapping[str, Any]]) -> list[TeacherAnswer]:
    """The teacher's answers from the records of its journal, in the order of persona, level, decision and sample.

    Args:
        personas: by id
        records: of `mmrole.llm.run_batch` over `teacher_items`, see `mmrole.llm.batch.current_records`
    """
    found = [_read(personas[record["persona"]], record) for record in records]
    place = {persona: number for number, persona in enumerate(personas)}
    levels = ("easy", "mid", "hard")
    return sorted(
        found,
        key=lambda a: (place[a.persona], levels.index(a.level), DECISIONS.index(a.decision), a.sample),
    )


def _read(persona: Persona, record: Mapping[str, Any]) -> TeacherAnswer:
    level, order, sample = record["level"], record["order"], record["round"]
    read = read_decision(persona, level, order, sample, record)
    return TeacherAnswer(
        persona=persona.persona_id,
        level=level,
        decision=record["decision"],
        sample=sample,
        order=order,
        status=read.status,
        option=read.option,
        wanted=record["wanted"],
        reasoning=read.reasoning,
        reason=read.reason,
    )


def verification_calls(personas: Mapping[str, Persona], answers: Sequence[TeacherAnswer]) -> Iterator[BatchItem]:
    """What the judge is asked of answers with an option and reasons: the benchmark's own question, see `judge_call`."""
    for answer in answers:
        if answer.status == ERROR or answer.option is None or not answer.reasoning.strip():
            continue
        decision = Decision(
            persona=answer.persona,
            level=answer.level,
            order=answer.order,
            run=answer.sample,
            status="ok",
            option=answer.option,
            reasoning=answer.reasoning,
        )
        call = judge_call(personas[answer.persona], decision)
        # four answers share a dilemma, and a decision's own key does not tell them apart
        fields = {**call.fields, "decision": answer.decision, "sample": answer.sample}
        yield dataclasses.replace(call, item_id=answer.key, fields=fields)
