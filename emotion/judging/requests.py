"""What a judge is asked about one response and one aspect.

One request asks for the evidence of both sides: a request for one side alone would be a leading question, to which a model finds
something to say; it would also double the cost. Each aspect has a request of its own, because Cha must not show what Exp and Rel
are judged against, previous information.

Everything that comes from outside stands between marks with a code that depends on all of it, so that no text can know the code,
end its own mark, or give a verdict that carries it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, get_args

from emotion.judging.samples import Sample
from emotion.metrics.rc import Aspect
from emotion.playing.wording import WORDINGS, Wording, one_line
from emotion.response_records import PARTS, AgentUtterance
from mmrole.core.canonical import content_key
from mmrole.core.languages import Language
from mmrole.core.prompts import Prompt, load_prompt
from mmrole.llm import BatchItem, ChatRequest, Parameters, user

JudgeMethod = Literal["evidence", "subjective"]
JUDGE_METHODS: Final[tuple[JudgeMethod, ...]] = get_args(JudgeMethod)

_PREVIOUS: Final[Mapping[Language, str]] = {"zh": "此前发生的事", "en": "What happened before"}
_NOTHING: Final[Mapping[Language, str]] = {
    "zh": "（无：回应是对话的开头）",
    "en": "(nothing: the response opens the dialogue)",
}


def item_id(sample: Sample, aspect: Aspect, method: JudgeMethod) -> str:
    """Name of a request in the journal of a judge."""
    return f"{method}/{aspect}/{sample.response.utterance_id}"


def judge_item(sample: Sample, aspect: Aspect, method: JudgeMethod, language: Language) -> BatchItem:
    """The request about a sample; it has to be one that can be judged.

    Args:
        sample: the response with what it is judged against
        aspect: exp, rel or cha
        method: ``evidence`` for both sides with quotes, ``subjective`` for a rating from 1 to 5
        language: of the prompt
    """
    blocks = shown_blocks(sample, aspect, language)
    code = code_for(blocks.values(), aspect=aspect, method=method, utterance_id=sample.response.utterance_id)
    prompts = judge_prompts(aspect, method, language)
    template, of_aspect = prompts
    text = template.fill(
        role=one_line(sample.response.role),
        aspect=of_aspect.text,
        code=code,
        material="\n\n".join(_marked(name, blocks[name], code) for name in ("previous", "profile") if name in blocks),
        dialogue=_marked("dialogue", blocks["dialogue"], code),
        response=_marked("response", blocks["response"], code),
    )
    fields: dict[str, Any] = {
        "utterance_id": sample.response.utterance_id,
        "aspect": aspect,
        "method": method,
        "code": code,
        "prompts": {prompt.name: prompt.sha256 for prompt in prompts},
    }
    request = ChatRequest(messages=(user(text),), parameters=Parameters(temperature=0.0))
    return BatchItem(item_id=item_id(sample, aspect, method), request=request, fields=fields)


def shown_blocks(sample: Sample, aspect: Aspect, language: Language) -> dict[str, str]:
    """What is shown of a sample, as text: ``previous`` and ``profile`` where there are any, ``dialogue``, ``response``."""
    wording = WORDINGS[language]
    headings = {**wording.profile, "previous": _PREVIOUS[language]}
    blocks = {
        name: "\n\n".join(f"{headings[part]}{wording.colon.rstrip()}\n{text.strip()}" for part, text in parts)
        for name, parts in sample.material(aspect).items()
    }
    said = [f"{one_line(each.speaker)}{wording.colon}{one_line(each.text)}" for each in sample.history]
    blocks["dialogue"] = "\n".join(said) or _NOTHING[language]
    shown = enumerate(sample.response.utterances or (), start=1)
    blocks["response"] = "\n".join(_utterance(each, number, wording) for number, each in shown)
    return blocks


def judge_prompts(aspect: Aspect, method: JudgeMethod, language: Language) -> tuple[Prompt, Prompt]:
    """The templates of a request: of the method, and what the aspect is."""
    names = f"judge/{method}.{language}", f"judge/{aspect}.{language}"
    return load_prompt("emotion", names[0]), load_prompt("emotion", names[1])


def code_for(texts: Iterable[str], **key: str) -> str:
    """Eight hexadecimal digits that depend on all of the texts and stand in none of them; the same each time.

    Args:
        texts: what will stand between marks
        **key: what else the code depends on
    """
    shown: Sequence[str] = list(texts)
    number = 0
    while True:
        code = content_key(texts=shown, key=key, number=number)[:8]
        if not any(code in text.lower() for text in shown):
            return code
        number += 1


def _marked(name: str, text: str, code: str) -> str:
    return f"<{name}-{code}>\n{text}\n</{name}-{code}>"


def _utterance(utterance: AgentUtterance, number: int, wording: Wording) -> str:
    shown = [(wording.parts[part], getattr(utterance, part)) for part in PARTS]
    lines = [f"{name}{wording.colon}{one_line(text)}" for name, text in shown if text is not None]
    return "\n".join([f"{number}. {lines[0]}", *(f"   {line}" for line in lines[1:])])
