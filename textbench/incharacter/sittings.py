"""Sittings: one character's answers to one questionnaire in one run, under one method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mmrole.core.canonical import Record
from mmrole.llm.replies.thinking import may_think, strip_thinking
from textbench.incharacter.characters import Character
from textbench.incharacter.interview import asked_items
from textbench.incharacter.plan import STYLE_OF, InCharacterPlan
from textbench.incharacter.questionnaire import Questionnaire
from textbench.incharacter.verdicts import REFUSED, Choice, self_reported


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One answer of the agent.

    Attributes:
        text: empty when there is none
        status: of its record
        reason: why there is none
    """

    text: str
    status: str
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Sitting:
    """One character's answers to one questionnaire in one run, under one method.

    Attributes:
        character: who answered
        questionnaire: what was asked
        method: how it is graded
        run: from 0
        answers: item -> answer
        choices: what needs no interviewer model: self-reports that are a number, refusals that the endpoint marked
        unasked: items without an answer, because asking failed: not refused, not there
    """

    character: Character
    questionnaire: Questionnaire
    method: str
    run: int
    answers: Mapping[str, Answer] = field(repr=False)
    choices: Mapping[str, Choice] = field(repr=False)
    unasked: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Names it in the journals."""
        return f"{self.character.character_id}/{self.questionnaire.name}/{self.method}/{self.run}"

    @property
    def whole(self) -> bool:
        """Whether every item has an answer; only then it is graded."""
        return not self.unasked

    @property
    def to_judge(self) -> list[str]:
        """Items that the interviewer model has to read, in the questionnaire's order."""
        return [item for item in self.answers if item not in self.choices]


def sittings(plan: InCharacterPlan, records: Sequence[Record], methods: Sequence[str]) -> Iterator[Sitting]:
    """Every sitting of the plan, from the records of the agent's answers.

    Args:
        plan: the plan
        records: of ``answers.jsonl``
        methods: of the plan's
    """
    found: dict[tuple[str, str, str, int], dict[str, Answer]] = {}
    for record in records:
        place = (record["character"], record["scale"], record["style"], record["round"])
        found.setdefault(place, {})[record["question_id"]] = answer_of(record)
    for character in plan.characters:
        for questionnaire in plan.questionnaires:
            for method in methods:
                for run in range(plan.runs):
                    style = STYLE_OF[method]
                    there = found.get((character.character_id, questionnaire.name, style, run), {})
                    yield _sitting(character, questionnaire, method, run, there)


def answer_of(record: Record) -> Answer:
    """The answer in a record of ``answers.jsonl``; a cut one keeps its text, a failed one has none.

    Thoughts of a reasoning model are no part of the answer; the record keeps them.
    """
    replies = record["replies"]
    text = (replies[-1]["text"] or "") if replies and record["status"] != "error" else ""
    text = strip_thinking(text).text if may_think(text) else text
    return Answer(text=text, status=record["status"], reason=record["reason"])


def _sitting(
    character: Character, questionnaire: Questionnaire, method: str, run: int, there: Mapping[str, Answer]
) -> Sitting:
    scored = [item for item in asked_items(questionnaire, STYLE_OF[method]) if item in set(questionnaire.scale.items)]
    unasked = tuple(item for item in scored if item not in there or there[item].status == "error")
    answers = {item: there[item] for item in scored if item not in unasked}
    choices: dict[str, Choice] = {item: REFUSED for item, answer in answers.items() if not answer.text.strip()}
    if method in ("SR", "SR-CoT"):
        scale = questionnaire.scale
        for item, answer in answers.items():
            if item in choices or answer.status == "truncated":
                continue
            choice = self_reported(
                answer.text, character.names, low=scale.low, high=scale.high, reasoned=method == "SR-CoT"
            )
            if choice is not None:
                choices[item] = choice
    return Sitting(
        character=character,
        questionnaire=questionnaire,
        method=method,
        run=run,
        answers=answers,
        choices=choices,
        unasked=unasked,
    )
