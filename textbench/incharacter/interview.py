"""What the agent is asked: each question in a fresh context, in the character's language, by somebody of the character's world.

InCharacter, section 3.2. Interview questions are open; self-report (SR) asks for a number, SR-CoT for reasons and a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from mmrole.core.canonical import Record
from mmrole.core.languages import Language
from mmrole.core.prompts import Prompt, load_prompt
from textbench.benchmark import item_record
from textbench.incharacter.characters import Character
from textbench.incharacter.plan import InCharacterPlan, Style
from textbench.incharacter.questionnaire import Questionnaire
from textbench.retrieval import Retriever

_ASKS = {"interview": "interview", "SR": "self-report", "SR-CoT": "self-report-cot"}
_TELLS = {"D": "system-description", "M": "system-memory", "D+M": "system-both"}


def prompt(name: str, language: Language) -> Prompt:
    """A prompt of InCharacter."""
    return load_prompt("textbench", f"incharacter/{name}.{language}")


def interview_items(plan: InCharacterPlan) -> Iterator[Record]:
    """The lines of ``items.jsonl``: for every character, scale and style one per item, fillers too.

    Raises:
        InputError: a questionnaire has no text in a character's language
    """
    for character in plan.characters:
        for questionnaire in plan.questionnaires:
            for style in plan.styles:
                for item in asked_items(questionnaire, style):
                    yield _item(plan, character, questionnaire, style, item)


def asked_items(questionnaire: Questionnaire, style: Style) -> tuple[str, ...]:
    """Ids of the items that are asked, in the questionnaire's order; a filler is asked in a self-report only.

    Fillers are there to hide from the one who answers what is measured; each question has a context of its own here, but a
    published self-report has them.
    """
    scored = set(questionnaire.scale.items)
    fillers = set(questionnaire.scale.fillers) if style != "interview" else set()
    return tuple(sorted(scored | fillers, key=int))


def item_id(character: str, scale: str, style: str, item: str) -> str:
    """Id of an item in the journals."""
    return f"{character}/{scale}/{style}/{item}"


def _item(plan: InCharacterPlan, character: Character, questionnaire: Questionnaire, style: Style, item: str) -> Record:
    language = character.language
    asks = prompt(_ASKS[style], language)
    if style == "interview":
        core = questionnaire.question(item, language)
        said = asks.fill(asker=character.asker, question=core)
    else:
        core = questionnaire.statement(item, language)
        scale = questionnaire.scale
        said = asks.fill(
            asker=character.asker,
            statement=core,
            low=str(scale.low),
            high=str(scale.high),
            options=option_lines(questionnaire.options(language), language),
        )
    messages, prompts = [("user", said)], [asks]
    memory: list[int] = []
    if not character.roleless:
        tells = prompt(_TELLS[plan.setting], language)
        values = {"name": character.name}
        if "D" in plan.setting:
            values["description"] = character.description
        if "M" in plan.setting:
            memory = _retriever(character.memory).best(core, plan.passages)
            values["memory"] = "\n\n".join(character.memory[number] for number in memory)
        messages.insert(0, ("system", tells.fill(**values)))
        prompts.insert(0, tells)
    return item_record(
        item_id(character.character_id, questionnaire.name, style, item),
        messages,
        prompts=prompts,
        temperature=plan.temperature,
        character=character.character_id,
        scale=questionnaire.name,
        style=style,
        question_id=item,
        memory=memory,
    )


def option_lines(options: dict[int, str], language: Language) -> str:
    """The options, one a line; those without a meaning are left out, their number is told by the range."""
    colon = ": " if language == "en" else "："
    return "\n".join(f"{number}{colon}{meaning}" for number, meaning in sorted(options.items()) if meaning)


@lru_cache(maxsize=4)
def _retriever(memory: tuple[str, ...]) -> Retriever:
    return Retriever(memory)
