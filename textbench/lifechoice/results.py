"""What the agent chose, question by question, read out of the journal of its answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mmrole.core.canonical import Record
from mmrole.llm.items import ERROR, record_key
from mmrole.llm.replies import Reply, ReplyStatus, parse_choice
from mmrole.llm.replies.reply import Rule
from textbench.choices import Answer, read_answer
from textbench.lifechoice.cases import Case, units
from textbench.lifechoice.plan import LifeChoicePlan

NOT_ASKED: Final = "not_asked"
"""Status of a question without a record, while nothing says why it could not be asked: the run has not come so far."""
_READ: Final = frozenset({ReplyStatus.OK, ReplyStatus.AMBIGUOUS, ReplyStatus.UNPARSED})


@dataclass(frozen=True, kw_only=True)
class Result:
    """What came of one question.

    Attributes:
        key: of the unit
        case: the decision
        method: name
        prefix: of the text, from 1
        run: from 0
        answer: what was chosen
        status: of the answer; where there is no reply ``error``, `NOT_ASKED`, or the reason why it could not be asked
        record: of the reply; None where there is none
    """

    key: str
    case: Case
    method: str
    prefix: int
    run: int
    answer: Answer
    status: str
    record: Record | None = None

    def to_record(self) -> Record:
        """As JSON values: a line of ``results.jsonl``."""
        motivation = self.case.motivation
        given = self.record or {}
        return {
            **self.answer.to_record(),
            "key": self.key,
            "item_id": self.case.item_id,
            "content": self.case.content,
            "book": self.case.book,
            "character": self.case.character,
            "method": self.method,
            "prefix": self.prefix,
            "run": self.run,
            "outcome": self.status,
            "motivation": None if motivation is None else motivation.type,
            "motivation_class": None if motivation is None else motivation.motivation_class,
            "genres": list(self.case.genres),
            "profile": given.get("profile"),
            "query": given.get("query"),
        }


def results_of(
    plan: LifeChoicePlan, cases: Sequence[Case], answers: Sequence[Record], unasked: Sequence[Record]
) -> list[Result]:
    """One result for every question of the plan, in its order.

    Args:
        plan: the plan
        cases: all cases
        answers: records of ``answers.jsonl``
        unasked: records of ``unasked.jsonl``
    """
    stored = {record["key"]: record for record in answers}
    reasons = {record["key"]: str(record["reason"]) for record in unasked}
    found = []
    for unit in units(plan, cases):
        case = unit.told.case
        shown = case.shown(plan, unit.run)
        record = stored.get(record_key(unit.key, 0))
        if record is not None and (record["content"] != case.content or record["order"] != list(shown.order)):
            record = None  # of an item that was another one then
        if record is None or record["status"] == ERROR:
            status = ERROR if record is not None else reasons.get(unit.key, NOT_ASKED)
            answer = read_answer(shown, None, without=status)
        else:
            answer = read_answer(shown, _reply(record))
            status = answer.status
        found.append(
            Result(
                key=unit.key,
                case=case,
                method=unit.method.name,
                prefix=unit.told.prefix,
                run=unit.run,
                answer=answer,
                status=status,
                record=record,
            )
        )
    return found


def _reply(record: Mapping[str, Any]) -> Reply[str]:
    """The letter, read anew out of what the agent said: a better parser needs no agent."""
    if record["status"] in _READ and record["replies"]:
        last = record["replies"][-1]
        return parse_choice(last["text"], record["options"], finish_reason=last["finish_reason"])
    return Reply(status=ReplyStatus(record["status"]), value=None, rule=Rule.NO_ANSWER, raw=None)
