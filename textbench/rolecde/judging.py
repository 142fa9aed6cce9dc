"""What a judge is asked about a decision: whether its reasons weigh both sides (compromise) or hold to one (following).

The direction is no matter for a judge: it follows from the option, and code computes it (the published judge of RoleCDE is
asked for both at once, and told that B is always the role's option).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, get_args

from mmrole.core.canonical import Record, content_key
from mmrole.llm import BatchItem, ChatReply, ChatRequest, Parameters, user
from mmrole.llm.items import OK
from mmrole.llm.replies import parse_json
from mmrole.llm.replies.fields import field_key
from textbench.benchmark import prompt_hashes
from textbench.rolecde.deciding import Decision, prompt, shown
from textbench.rolecde.markers import concession_markers
from textbench.rolecde.personas import Persona
from textbench.verdict import Verdict

Form = Literal["compromise", "following"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)

_SPELLINGS: Final[dict[str, Form]] = {
    **{field_key(word): "compromise" for word in ("compromise", "compromising", "折中", "折衷", "妥协", "权衡")},
    **{field_key(word): "following" for word in ("following", "follow", "遵从", "遵循", "跟随")},
}


def judge_calls(personas: Mapping[str, Persona], decisions: Iterable[Decision]) -> Iterator[BatchItem]:
    """What a judge is asked: one call for each decision with an option and reasons."""
    for decision in decisions:
        if decision.option is not None and decision.reasoning.strip():
            yield judge_call(personas[decision.persona], decision)


def judge_call(persona: Persona, decision: Decision) -> BatchItem:
    """The call about one decision.

    The reasons stand between marks that they cannot foresee, so that they cannot end themselves.
    """
    template = prompt("judge", persona.language)
    dilemma = persona.dilemmas[decision.level]
    options = shown(dilemma, decision.order)
    reasoning = decision.reasoning.strip()
    mark = f"reasons-{content_key(reasoning=reasoning, key=decision.key)[:8]}"
    text = template.fill(
        description=dilemma.description,
        first=options.options["A"],
        second=options.options["B"],
        chosen=options.letter(0 if decision.option == "A" else 1),
        mark=mark,
        reasoning=reasoning,
    )
    fields: dict[str, Any] = {
        "persona": decision.persona,
        "level": decision.level,
        "order": decision.order,
        "run": decision.run,
        "prompts": prompt_hashes([template]),
    }
    request = ChatRequest(messages=(user(text),), parameters=Parameters(temperature=0.0))
    return BatchItem(item_id=decision.key, request=request, fields=fields)


def read_judgement(_: BatchItem, reply: ChatReply) -> Verdict:
    """Reads a reply to `judge_call`: ``compromise`` or ``following``, else it cannot be read."""
    read = parse_json(reply.text, dict[str, Any], reply.finish_reason)
    record: Mapping[str, Any] = read.value or {}
    said = next((value for name, value in record.items() if field_key(str(name)) in ("verdict", "判断", "结论")), None)
    form = _SPELLINGS.get(field_key(said)) if isinstance(said, str) else None
    notes = tuple(note.value for note in read.notes)
    if form is None:
        status = read.status.value if read.value is None else "unparsed"
        detail = read.detail or f"no verdict: {said!r}"[:80]
        return Verdict(status=status, value=None, rule=read.rule.value, detail=detail, notes=notes)
    return Verdict(status=OK, value=form, rule=read.rule.value, notes=notes)


def rating_record(persona: Persona, decision: Decision, replies: Iterable[Record]) -> Record:
    """A line of ``ratings.jsonl``: the decision, and what the judge says of its reasons.

    Args:
        persona: whose dilemma
        decision: what the agent decided
        replies: the stored replies of the judge to its call, the first one first

    Returns:
        ``form`` is the verdict, and ``form_status`` that of the judge's last reply: ``ok``, or why there is none: a status of the
        reply, ``error`` or ``missing`` (the next run asks), ``no_reasoning``; null where there was nothing to judge
    """
    found = concession_markers(decision.reasoning, persona.language)
    record: Record = {
        "persona": decision.persona,
        "level": decision.level,
        "order": decision.order,
        "run": decision.run,
        "status": decision.status,
        "option": decision.option,
        "first": decision.first,
        "rule": decision.rule,
        "reason": decision.reason,
        "reasoning_chars": len(decision.reasoning.strip()),
        "form": None,
        "form_status": None,
        "regenerations": 0,
        "markers": list(found),
    }
    if decision.option is None:
        return record
    if not decision.reasoning.strip():
        return record | {"form_status": "no_reasoning"}
    there = list(replies)
    if not there:
        return record | {"form_status": "missing"}
    last = there[-1]
    form = last["value"] if last["status"] == OK else None
    return record | {"form": form, "form_status": last["status"], "regenerations": len(there) - 1}
