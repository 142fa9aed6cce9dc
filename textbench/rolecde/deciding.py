"""What the agent is asked, and what is read out of its replies: an option, and the reasons for it.

The prompts ``decide`` and ``decide-cot`` give profile, scenario and both options and never say which option serves which value.
``decide-upstream`` has the structure and effect of the prompt that was published with the data set, in other words: it says that A
is the aligned option and B the personal one, whatever the dilemma holds. (The published one is English; the Chinese is ours.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from mmrole.core.canonical import Record
from mmrole.core.languages import Language
from mmrole.core.prompts import Prompt, load_prompt
from mmrole.llm.items import ERROR
from mmrole.llm.replies import parse_json
from mmrole.llm.replies.fields import field_key
from mmrole.llm.replies.reply import Rule
from mmrole.llm.replies.thinking import may_think, strip_thinking
from mmrole.llm.wire import whole_text
from textbench.benchmark import item_record
from textbench.choices import Question, Shown, show
from textbench.rolecde.personas import Dilemma, Level, Option, Persona
from textbench.rolecde.plan import Order, RoleCDEPlan, shown_letters

CHOICE_FIELD: Final = "chosen_option"
REASONING_FIELDS: Final = frozenset(
    map(
        field_key,
        ("reasoning", "reason", "reasons", "rationale", "explanation", "justification", "理由", "原因", "推理", "解释"),
    )
)
NO_REASONING: Final = frozenset({Rule.WHOLE_REPLY, Rule.OPTION_TEXT, Rule.LETTER_AND_TEXT})
"""Rules of a reply that is an option and nothing else."""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What the agent decided in one dilemma, in one order and run.

    Attributes:
        persona: id
        level: of the dilemma
        order: which option of the data set was shown first
        run: from 0
        status: ``ok``, or why there is no option: ``ambiguous``, ``unparsed``, ``refusal``, ``truncated``, ``error``
        option: the option of the data set that was chosen, None unless the status is ok
        reasoning: the reasons; empty when there are none
        rule: the rule that found the option
        reason: for people, why there is none
    """

    persona: str
    level: Level
    order: Order
    run: int
    status: str
    option: Option | None = None
    reasoning: str = field(default="", repr=False)
    rule: str | None = None
    reason: str | None = None

    @property
    def key(self) -> str:
        """Names it in the journals."""
        return f"{decision_id(self.persona, self.level, self.order)}/{self.run}"

    @property
    def first(self) -> bool | None:
        """Whether the option that was shown first was chosen; None without an option."""
        return None if self.option is None else self.option == self.order[0]


def prompt(name: str, language: Language) -> Prompt:
    """A prompt of RoleCDE."""
    return load_prompt("textbench", f"rolecde/{name}.{language}")


def decision_id(persona: str, level: Level, order: Order) -> str:
    """Id of an item in the journals."""
    return f"{persona}/{level}/{order}"


def shown(dilemma: Dilemma, order: Order, item_id: str = "") -> Shown:
    """The options of a dilemma in an order; place 0 in the data set is its option A."""
    question = Question(item_id=item_id, options=(dilemma.options["A"], dilemma.options["B"]))
    return show(question, order=(0, 1) if order == "AB" else (1, 0))


def shown_options(dilemma: Dilemma, order: Order) -> dict[str, str]:
    """Letter as shown -> text."""
    return shown(dilemma, order).options


def value_lines(values: Iterable[str]) -> str:
    """Values, one a line."""
    return "\n".join(f"- {value}" for value in values)


def decide_items(plan: RoleCDEPlan, personas: Iterable[Persona]) -> Iterator[Record]:
    """The lines of ``items.jsonl``: one for every persona, level that it has, and order."""
    for persona in personas:
        for level in plan.levels:
            if level in persona.dilemmas:
                for order in plan.orders:
                    yield _item(plan, persona, persona.dilemmas[level], order)


def _item(plan: RoleCDEPlan, persona: Persona, dilemma: Dilemma, order: Order) -> Record:
    language, options = persona.language, shown_options(dilemma, order)
    shared = {
        "scenario": persona.scenario,
        "description": dilemma.description,
        "first": options["A"],
        "second": options["B"],
    }
    if plan.style == "upstream":
        told, asked = prompt("decide-upstream-system", language), prompt("decide-upstream", language)
        prompts = [told, asked]
        system = told.fill()
        user = asked.fill(
            profile=persona.profile,
            alignment="; ".join(persona.alignment_values),
            personal=persona.personal_value,
            level=dilemma.level,
            **shared,
        )
    else:
        told = prompt("decide-system", language)
        asked = prompt("decide" if plan.style == "neutral" else "decide-cot", language)
        prompts, values = [told, asked], ""
        if plan.with_values:
            names = prompt("decide-values", language)
            prompts.append(names)
            values = names.fill(alignment=value_lines(persona.alignment_values), personal=persona.personal_value) + "\n"
        system, user = told.fill(profile=persona.profile), asked.fill(values=values, **shared)
    return item_record(
        decision_id(persona.persona_id, dilemma.level, order),
        [("system", system), ("user", user)],
        prompts=prompts,
        temperature=plan.temperature,
        persona=persona.persona_id,
        level=dilemma.level,
        order=order,
    )


def decisions_of(
    plan: RoleCDEPlan, personas: Iterable[Persona], records: Iterable[Mapping[str, Any]]
) -> Iterator[Decision]:
    """Every decision of the plan, from the records of ``answers.jsonl``; one that was not asked has the status ``missing``."""
    answers = {(r["persona"], r["level"], r["order"], r["round"]): r for r in records}
    for persona in personas:
        for level in plan.levels:
            if level not in persona.dilemmas:
                continue
            for order in plan.orders:
                for run in range(plan.runs):
                    answer = answers.get((persona.persona_id, level, order, run))
                    yield read_decision(persona, level, order, run, answer)


def read_decision(persona: Persona, level: Level, order: Order, run: int, record: Mapping[str, Any] | None) -> Decision:
    """What one record of the agent's reply says.

    Args:
        persona: whose dilemma
        level: of the dilemma
        order: as it was shown
        run: from 0
        record: of ``answers.jsonl``; None when there is none
    """
    where: dict[str, Any] = {"persona": persona.persona_id, "level": level, "order": order, "run": run}
    if record is None:
        return Decision(**where, status="missing", reason="it was not asked")
    if record["status"] == ERROR or not record["replies"]:
        return Decision(**where, status=ERROR, reason=record["reason"])
    said = record["replies"][-1]
    if said["refusal"]:
        return Decision(**where, status="refusal", reason="the endpoint marked it as a refusal")
    options = shown(persona.dilemmas[level], order, decision_id(persona.persona_id, level, order))
    found = options.read(said["text"], said["finish_reason"], fields=(CHOICE_FIELD,))
    if found.value is None:
        return Decision(
            **where, status=found.status.value, rule=found.rule.value, reason=found.detail or found.rule.value
        )
    reasoning = "" if found.rule in NO_REASONING else _reasoning(said["text"] or "", said["finish_reason"])
    return Decision(
        **where,
        status="ok",
        option=shown_letters(order)["A" if found.value == "A" else "B"],
        reasoning=whole_text(reasoning),
        rule=found.rule.value,
    )


def _reasoning(text: str, finish_reason: str | None) -> str:
    """The reasons: what the JSON has under that name, else the prose in front of it or the whole reply."""
    bare = (strip_thinking(text).text if may_think(text) else text).strip()
    record = parse_json(text, dict[str, Any], finish_reason).value
    if record is None:
        return bare
    for name, value in record.items():
        if field_key(str(name)) in REASONING_FIELDS:
            return (
                value.strip()
                if isinstance(value, str)
                else "\n".join(map(str, value))
                if isinstance(value, list)
                else ""
            )
    prose = bare.partition("{")[0].strip("` \n").removesuffix("json").strip("` \n")
    return prose if len(prose) > 1 else ""
