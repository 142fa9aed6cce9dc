"""From answers and verdicts to the rows of the two corpora, with a log of everything that was left out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mmrole.core.canonical import Record
from textbench.rolecde.deciding import CHOICE_FIELD, decide_items, shown
from textbench.rolecde.mini.answers import FORM_OF, TeacherAnswer
from textbench.rolecde.mini.rules import Rules, failures, reject_record
from textbench.rolecde.personas import LEVELS, Level, Persona
from textbench.rolecde.plan import RoleCDEPlan

PAIRS: Final = ((("RC", "AC"), ("RF", "AF")), (("RC", "AF"), ("RF", "AC")))
"""DPO: (chosen, rejected); those of the second line stand in for a first one that lacks an answer."""


@dataclass(frozen=True, kw_only=True)
class Corpora:
    """What came of the teacher's answers.

    Attributes:
        sft: rows {"messages": [system, user, assistant]}, from RF and RC
        dpo: rows {"prompt": [system, user], "chosen": [assistant], "rejected": [assistant]}
        accepted: the answers that passed, one per dilemma and decision type
        rejected: what did not pass, with its reasons
        unpaired: ``{persona, level, decision, reason}`` of role answers without an alignment answer to stand against
        counts: answers = accepted + spare + rejected; rows by kind
    """

    sft: Sequence[Record]
    dpo: Sequence[Record]
    accepted: Sequence[Record]
    rejected: Sequence[Record]
    unpaired: Sequence[Record]
    counts: Record


def build_corpora(
    personas: Mapping[str, Persona],
    answers: Iterable[TeacherAnswer],
    verdicts: Mapping[str, str | None],
    *,
    rules: Rules | None = None,
) -> Corpora:
    """Filters the answers and makes the rows.

    Args:
        personas: by id
        answers: of the teacher
        verdicts: key of an answer -> what the judge says of it, ``compromise`` or ``following``; None where its reply could not be read;
            an answer that is not there was not verified
        rules: how strict the rules are
    """
    chosen: dict[tuple[str, Level, str], TeacherAnswer] = {}
    rejected: list[Record] = []
    spare = total = 0
    for answer in answers:
        total += 1
        wrong = _wrong(personas[answer.persona], answer, verdicts, rules)
        if wrong:
            rejected.append(reject_record(answer.to_record(), wrong, answer.reason or ""))
        elif (answer.persona, answer.level, answer.decision) in chosen:
            spare += 1
        else:
            chosen[answer.persona, answer.level, answer.decision] = answer
    sft: list[Record] = []
    dpo: list[Record] = []
    unpaired: list[Record] = []
    pairs: Counter[str] = Counter()
    for persona in personas.values():
        for level in LEVELS:
            there = {
                d: chosen[persona.persona_id, level, d] for d in FORM_OF if (persona.persona_id, level, d) in chosen
            }
            sft += [
                {"messages": [*_asked(persona, there[d]), _said(persona, there[d])]} for d in ("RF", "RC") if d in there
            ]
            for better in ("RC", "RF"):
                if better not in there:
                    continue
                worse = next((bad for line in PAIRS for good, bad in line if good == better and bad in there), None)
                if worse is None:
                    unpaired.append(
                        {
                            "persona": persona.persona_id,
                            "level": level,
                            "decision": better,
                            "reason": "no_alignment_answer",
                        }
                    )
                    continue
                pairs[f"{better}>{worse}"] += 1
                dpo.append(
                    {
                        "prompt": _asked(persona, there[better]),
                        "chosen": [_said(persona, there[better])],
                        "rejected": [_said(persona, there[worse])],
                    }
                )
    counts: Record = {
        "answers": total,
        "accepted": len(chosen),
        "spare": spare,
        "rejected": len(rejected),
        "reasons": dict(sorted(Counter(reason for record in rejected for reason in record["reasons"]).items())),
        "accepted_by_decision": dict(sorted(Counter(decision for _, _, decision in chosen).items())),
        "sft": len(sft),
        "dpo": len(dpo),
        "dpo_by_pair": dict(sorted(pairs.items())),
        "unpaired": len(unpaired),
    }
    accepted = [answer.to_record() for answer in chosen.values()]
    return Corpora(sft=sft, dpo=dpo, accepted=accepted, rejected=rejected, unpaired=unpaired, counts=counts)


def _wrong(
    persona: Persona, answer: TeacherAnswer, verdicts: Mapping[str, str | None], rules: Rules | None
) -> tuple[str, ...]:
    """Why an answer is left out; empty when it is not."""
    if answer.status != "ok":
        return (f"answer_{answer.status}",)
    wrong = ["wrong_option"] if answer.option != answer.wanted else []
    wrong += failures(persona, answer.level, answer.decision, answer.reasoning, rules)
    if answer.reasoning.strip():
        if answer.key not in verdicts:
            wrong.append("not_verified")
        elif verdicts[answer.key] is None:
            wrong.append("judge_unread")
        elif verdicts[answer.key] != FORM_OF[answer.decision]:
            wrong.append("judge_disagrees")
    return tuple(wrong)


def _asked(persona: Persona, answer: TeacherAnswer) -> list[Record]:
    """The messages of the benchmark's own neutral prompt, so that training and evaluation ask alike."""
    plan = RoleCDEPlan(
        personas=(persona.persona_id,), personas_sha256="", levels=(answer.level,), orders=(answer.order,)
    )
    (item,) = decide_items(plan, [persona])
    return [{"role": message["role"], "content": message["text"]} for message in item["messages"]]


def _said(persona: Persona, answer: TeacherAnswer) -> Record:
    letter = shown(persona.dilemmas[answer.level], answer.order).letter("AB".index(answer.wanted))
    reply = {CHOICE_FIELD: letter, "reasoning": answer.reasoning}
    return {"role": "assistant", "content": json.dumps(reply, ensure_ascii=False)}
