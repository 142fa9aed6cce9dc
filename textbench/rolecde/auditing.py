"""The audit: an auditor model is asked which option serves the personal value, in both orders of the options.

An auditor that names the other option in the other order, or both, or neither, has not settled the dilemma.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from mmrole.core.canonical import Record
from mmrole.llm import BatchItem, ChatReply, ChatRequest, Parameters, user
from mmrole.llm.items import OK
from mmrole.llm.replies import parse_json
from mmrole.llm.replies.fields import field_key
from textbench.benchmark import prompt_hashes
from textbench.rolecde.deciding import decision_id, prompt, shown_options, value_lines
from textbench.rolecde.personas import Dilemma, Persona
from textbench.rolecde.plan import ORDERS, Order, shown_letters
from textbench.rolecde.role_options import Key
from textbench.rolecde.role_options import Verdict as OptionVerdict
from textbench.verdict import Verdict

_SAID: Final = {
    **{field_key(text): "A" for text in ("A", "option A", "选项A")},
    **{field_key(text): "B" for text in ("B", "option B", "选项B")},
    **{field_key(text): "both" for text in ("both", "A and B", "都", "两者", "两者都")},
    **{field_key(text): "neither" for text in ("neither", "none", "都不", "两者都不")},
}


def audit_calls(personas: Iterable[Persona]) -> Iterator[BatchItem]:
    """What an auditor is asked: two calls for each dilemma, one in each order."""
    for persona in personas:
        for dilemma in persona.dilemmas.values():
            for order in ORDERS:
                yield _call(persona, dilemma, order)


def _call(persona: Persona, dilemma: Dilemma, order: Order) -> BatchItem:
    template, options = prompt("audit", persona.language), shown_options(dilemma, order)
    text = template.fill(
        personal=persona.personal_value,
        alignment=value_lines(persona.alignment_values),
        scenario=persona.scenario,
        description=dilemma.description,
        first=options["A"],
        second=options["B"],
    )
    fields: dict[str, Any] = {
        "persona": persona.persona_id,
        "level": dilemma.level,
        "order": order,
        "prompts": prompt_hashes([template]),
    }
    request = ChatRequest(messages=(user(text),), parameters=Parameters(temperature=0.0))
    return BatchItem(item_id=decision_id(persona.persona_id, dilemma.level, order), request=request, fields=fields)


def read_audit(_: BatchItem, reply: ChatReply) -> Verdict:
    """Reads a reply to one of `audit_calls`: ``A``, ``B`` (as they were shown), ``both`` or ``neither``."""
    read = parse_json(reply.text, dict[str, Any], reply.finish_reason)
    record = read.value or {}
    said = next((value for name, value in record.items() if field_key(str(name)) in ("option", "选项")), None)
    value = _SAID.get(field_key(said).strip("。.,'\"“”")) if isinstance(said, str) else None
    notes = tuple(note.value for note in read.notes)
    if value is None:
        status = read.status.value if read.value is None else "unparsed"
        detail = read.detail or f"no option: {said!r}"[:80]
        return Verdict(status=status, value=None, rule=read.rule.value, detail=detail, notes=notes)
    return Verdict(status=OK, value=value, rule=read.rule.value, notes=notes)


def auditor_verdicts(
    name: str, personas: Iterable[Persona], replies: Callable[[str], list[Record]]
) -> dict[Key, OptionVerdict]:
    """What one auditor says of every dilemma.

    Args:
        name: of the auditor
        personas: that it was asked about
        replies: id of a call -> its stored replies, the first one first
    """
    out: dict[Key, OptionVerdict] = {}
    for persona in personas:
        for level in persona.dilemmas:
            said: set[str | None] = set()
            for order in ORDERS:
                last = replies(decision_id(persona.persona_id, level, order))[-1:]
                value = last[0]["value"] if last and last[0]["status"] == OK else None
                said.add(shown_letters(order)[value] if value in ("A", "B") else value)
            settled = said.pop() if len(said) == 1 else "unsettled"
            out[persona.persona_id, level] = OptionVerdict(
                source=name,
                kind="auditors",
                option="A" if settled == "A" else "B" if settled == "B" else None,
                reason=None if settled in ("A", "B") else "unread" if None in said or settled is None else "unsettled",
            )
    return out
