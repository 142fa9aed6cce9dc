"""From a judge's reply to a record of ``judgements.jsonl``; each quote is looked for where it has to be.

Beside the fields of `emotion.judgements.Judgement` a record has ``dialogue_id``, ``role``, ``condition``, ``agent``, ``material``
(what the aspect was judged against), ``explanation``, ``detail`` (of a reason, for people), ``prompts`` (name -> SHA-256) and
``request`` (SHA-256 of what was asked). A piece of evidence has its ``reason`` and ``source``: where the quote was found
(``response``, ``previous``, ``profile``; ``dialogue``, which is no evidence; null for nowhere). ``weightless`` holds the pieces that
the judge itself gave the strength 0: they are on no side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from emotion.judgements import is_quoted_from
from emotion.judging.requests import JudgeMethod
from emotion.judging.samples import Sample
from emotion.metrics.rc import Aspect
from mmrole.core.canonical import Record
from mmrole.llm.items import OK

SIDES: Final = ("supporting", "contradicting")
EVIDENCE_SOURCES: Final = ("response", "previous", "profile")
"""Where a quote has to be found; one from the dialogue so far is recognised, but it shows nothing of the response or the role."""


def judgement_record(
    sample: Sample, aspect: Aspect, judge: str, method: JudgeMethod, stored: Mapping[str, Any] | None
) -> Record:
    """The record of one sample, aspect and judge.

    Args:
        sample: what was judged, or could not be
        aspect: exp, rel or cha
        judge: name of the judge
        method: how it was asked
        stored: the record of its reply (see `mmrole.llm.items`); None when it was not asked
    """
    response = sample.response
    read = stored is not None and stored["status"] == OK
    value: Mapping[str, Any] = stored["value"] if stored is not None and read else {}
    texts = _texts(sample, aspect)
    sides = {side: [_piece(piece, texts) for piece in value.get(side, ())] for side in SIDES}
    reason, detail = sample.reason, None
    if sample.reason == "no_response":
        detail = f"{response.status}: {response.reason}" if response.reason else response.status
    elif stored is not None and not read:
        reason, detail = stored["status"], stored["reason"]
    return {
        "utterance_id": response.utterance_id,
        "dialogue_id": response.dialogue_id,
        "role": response.role,
        "condition": response.condition,
        "agent": response.agent,
        "show": sample.show,
        "episode": sample.episode,
        "aspect": aspect,
        "judge": judge,
        "method": method,
        **{side: [piece for piece in pieces if piece["strength"]] for side, pieces in sides.items()},
        "weightless": [piece | {"side": side} for side in SIDES for piece in sides[side] if not piece["strength"]],
        "rating": value.get("rating"),
        "explanation": value.get("explanation"),
        "reason": reason,
        "detail": detail,
        "material": [] if sample.reason is not None else list(sample.material(aspect)),
        "prompts": None if stored is None else stored["prompts"],
        "request": None if stored is None else stored["request"],
    }


def _piece(piece: Mapping[str, Any], texts: Mapping[str, Sequence[str]]) -> Record:
    source = next((name for name, there in texts.items() if is_quoted_from(piece["quote"], there)), None)
    return {
        "quote": piece["quote"],
        "strength": piece["strength"],
        "reason": piece["reason"],
        "source": source,
        "verified": source in EVIDENCE_SOURCES,
    }


def _texts(sample: Sample, aspect: Aspect) -> dict[str, list[str]]:
    """Where a quote may be from, in the order in which it is looked for; parts stay apart, a quote does not reach across."""
    material = {name: [text for _, text in parts] for name, parts in sample.material(aspect).items()}
    return {
        "response": sample.response_texts(),
        **material,
        "dialogue": [utterance.text for utterance in sample.history],
    }
