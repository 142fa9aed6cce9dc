"""What the interviewer model is asked: to convert answers into choices (SR, OC, d-OC), or to rate a dimension (ER).

InCharacter, section 3.3. Names are masked in d-OC and ER.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from mmrole.core.canonical import content_key
from mmrole.core.languages import Language
from mmrole.core.prompts import Prompt
from mmrole.llm import BatchItem, ChatReply, ChatRequest, Parameters, user
from textbench.benchmark import prompt_hashes
from textbench.incharacter.batches import plan_batches
from textbench.incharacter.characters import Character
from textbench.incharacter.interview import option_lines, prompt
from textbench.incharacter.plan import STYLE_OF, InCharacterPlan
from textbench.incharacter.problems import cut_repetition
from textbench.incharacter.questionnaire import Questionnaire
from textbench.incharacter.sittings import Sitting
from textbench.incharacter.verdicts import read_choices, read_rating
from textbench.masking import STAND_IN, Masker
from textbench.verdict import Verdict

MOST_IN_A_CALL: Final = 60
"""So many answers are converted by one call."""

_WORDS: Final = {
    "en": {
        "statement": "Statement",
        "question": "Question",
        "answer": "Answer",
        "colon": ": ",
        "none": "(declines to answer)",
    },
    "zh": {"statement": "陈述", "question": "问题", "answer": "回答", "colon": "：", "none": "（拒绝回答）"},
}
_STEPS: Final = {
    "en": {"strong": "strongly {}", "some": "somewhat {}", "middle": "neither {} nor {}"},
    "zh": {"strong": "非常{}", "some": "有点{}", "middle": "既不{}也不{}"},
}


def calls_of(plan: InCharacterPlan, sitting: Sitting) -> Iterator[BatchItem]:
    """What the interviewer model is asked about one sitting; nothing about one that is not whole."""
    if not sitting.whole:
        return
    scale = sitting.questionnaire.scale
    waiting = sitting.to_judge
    if sitting.method in ("SR", "SR-CoT", "OC"):
        for start in range(0, len(waiting), MOST_IN_A_CALL):
            yield _conversion(sitting, waiting[start : start + MOST_IN_A_CALL], start // MOST_IN_A_CALL)
        return
    for dimension in scale.dimensions:
        if sitting.method == "d-OC":
            items = [item for item in waiting if item in scale.keys[dimension]]
            for start in range(0, len(items), MOST_IN_A_CALL):
                part = items[start : start + MOST_IN_A_CALL]
                yield _dimension_conversion(sitting, dimension, part, start // MOST_IN_A_CALL)
        else:
            yield from _ratings(
                plan, sitting, dimension, [item for item in sitting.answers if item in scale.keys[dimension]]
            )


def _ratings(plan: InCharacterPlan, sitting: Sitting, dimension: str, items: list[str]) -> Iterator[BatchItem]:
    if sitting.method == "ER_all":
        batches = [list(range(len(items)))]
    else:
        seed = f"{plan.seed}/{sitting.character.character_id}/{sitting.questionnaire.name}/{dimension}"
        batches = plan_batches(len(items), run=sitting.run, seed=seed)
    for number, batch in enumerate(batches):
        yield _rating(sitting, dimension, [items[place] for place in batch], number)


def _conversion(sitting: Sitting, items: Sequence[str], number: int) -> BatchItem:
    language, scale = sitting.character.language, sitting.questionnaire.scale
    template = prompt("convert", language)
    text = template.fill(
        count=str(len(items)),
        name=sitting.character.name,
        options=option_lines(sitting.questionnaire.options(language), language),
        first=items[0],
        low=str(scale.low),
        pairs=_pairs(sitting, items, masker=None, statements=True, numbered=True),
    )
    return _call(sitting, f"choices/{number}", text, template, items=items)


def _dimension_conversion(sitting: Sitting, dimension: str, items: Sequence[str], number: int) -> BatchItem:
    language, questionnaire = sitting.character.language, sitting.questionnaire
    template = prompt("convert-dimension", language)
    text = template.fill(
        count=str(len(items)),
        name=STAND_IN[language],
        dimension=questionnaire.label(dimension, language),
        description=questionnaire.description(dimension, language),
        options=option_lines(pole_options(questionnaire, dimension, language), language),
        first=items[0],
        low=str(questionnaire.scale.low),
        pairs=_pairs(sitting, items, masker=_masker(sitting.character), statements=False, numbered=True),
    )
    return _call(sitting, f"{dimension}/{number}", text, template, items=items, dimension=dimension)


def _rating(sitting: Sitting, dimension: str, items: Sequence[str], number: int) -> BatchItem:
    language, questionnaire = sitting.character.language, sitting.questionnaire
    values = {
        "name": STAND_IN[language],
        "dimension": questionnaire.label(dimension, language),
        "description": questionnaire.description(dimension, language),
        "pairs": _pairs(sitting, items, masker=_masker(sitting.character), statements=False, numbered=False),
    }
    if questionnaire.percent:
        template = prompt("rate-percent", language)
        first, second = dimension.split("/", 1)
        values |= {"first": first, "second": second}
    else:
        template = prompt("rate", language)
        low, high = questionnaire.poles(dimension, language)
        scale = questionnaire.scale
        values |= {
            "low": f"{scale.score_low:g}",
            "high": f"{scale.score_high:g}",
            "middle": f"{scale.score_midpoint:g}",
        }
        values |= {"pole_low": low, "pole_high": high}
    return _call(sitting, f"{dimension}/{number}", template.fill(**values), template, items=items, dimension=dimension)


def _call(
    sitting: Sitting, name: str, text: str, template: Prompt, *, items: Sequence[str], dimension: str | None = None
) -> BatchItem:
    fields: dict[str, Any] = {
        "character": sitting.character.character_id,
        "scale": sitting.questionnaire.name,
        "method": sitting.method,
        "run": sitting.run,
        "dimension": dimension,
        "questions": list(items),
        "prompts": prompt_hashes([template]),
    }
    request = ChatRequest(messages=(user(text),), parameters=Parameters(temperature=0.0))
    return BatchItem(item_id=f"{sitting.key}/{name}", request=request, fields=fields)


def _pairs(sitting: Sitting, items: Sequence[str], *, masker: Masker | None, statements: bool, numbered: bool) -> str:
    """The questions with their answers; each answer stands between marks that it cannot foresee, so that it cannot end itself."""
    language: Language = sitting.character.language
    words, questionnaire = _WORDS[language], sitting.questionnaire
    reported = STYLE_OF[sitting.method] != "interview"
    blocks = []
    for item in items:
        answer = cut_repetition(sitting.answers[item].text.strip()) or words["none"]
        mark = f"answer-{content_key(item=item, answer=answer, key=sitting.key)[:8]}"
        lines = [f"{item}."] if numbered else []
        if statements:
            lines.append(f"{words['statement']}{words['colon']}{questionnaire.statement(item, language)}")
        if not reported:
            lines.append(f"{words['question']}{words['colon']}{questionnaire.question(item, language)}")
        shown = answer if masker is None else masker.mask(answer)
        lines.append(f"{words['answer']}{words['colon'].rstrip()}\n<{mark}>\n{shown}\n</{mark}>")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _masker(character: Character) -> Masker:
    return Masker(character.names, stand_in=STAND_IN[character.language])


def pole_options(questionnaire: Questionnaire, dimension: str, language: Language) -> dict[int, str]:
    """The options of d-OC: how strongly an answer shows one pole or the other; the highest number is the high pole."""
    scale = questionnaire.scale
    low_pole, high_pole = questionnaire.poles(dimension, language)
    words = _STEPS[language]
    options = {}
    for number in range(scale.low, scale.high + 1):
        if number == scale.midpoint:
            options[number] = words["middle"].format(low_pole, high_pole)
            continue
        pole = high_pole if number > scale.midpoint else low_pole
        far = abs(number - scale.midpoint) > scale.span / 4
        options[number] = words["strong" if far else "some"].format(pole)
    if scale.span > 4:  # between the words there is no word for every number
        options = {
            n: text if n in (scale.low, scale.high) or n == scale.midpoint else "" for n, text in options.items()
        }
    return options


def read_reply(call: BatchItem, reply: ChatReply) -> Verdict:
    """Reads a reply to one of `calls_of`."""
    fields = call.fields
    if fields["method"] in ("ER_all", "ER_batch"):
        percent = "/" in (fields["dimension"] or "")
        key = fields["dimension"].split("/", 1) if percent else "score"
        return read_rating(reply.text, key, reply.finish_reason)
    return read_choices(reply.text, fields["questions"], reply.finish_reason)
