"""MoralChoice's scenarios as items: a situation and two options, without a story and without a role.

What an agent that plays nobody prefers, on the same way as LIFECHOICE: options in a drawn order, one reader of letters, position bias.
Scherrer, Shi, Feder & Blei (2023), arXiv 2307.14324; the question follows its A/B form.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mmrole.core.errors import InputError
from textbench.lifechoice.items import Item, Items, Refused
from textbench.moralchoice import read_moralchoice

QUESTION: Final = "Which action do you prefer?"
SUFFIX: Final = ".csv"


def moral_items(path: str | Path, *, strict: bool = True) -> Items:
    """The scenarios of a file of MoralChoice; their book, which intervals draw, is the moral rule they were written for.

    Args:
        path: ``moralchoice_low.csv`` or ``moralchoice_high.csv``; where ambiguity is high no option is right
        strict: a scenario that asks for no choice is an error; else it is listed in `Items.refused`

    Raises:
        InputError: the file is no such table; or, when strict, a scenario asks for no choice
    """
    read = read_moralchoice(path)
    if strict and read.refused:
        more = f" (and {len(read.refused) - 1} more)" if len(read.refused) > 1 else ""
        raise InputError(f"{read.refused[0]}{more}; --lenient leaves out what asks for no choice")
    items = tuple(
        Item(
            item_id=each.item_id,
            book=each.cluster,
            character="",
            text="",
            scenario=each.text,
            question=QUESTION,
            options=each.options,
            correct=each.correct,
        )
        for each in read.questions
    )
    if not items:
        raise InputError(f"{path}: there are no scenarios in it")
    refused = []
    for line in read.refused:
        place, _, reason = line.removeprefix(str(path)).lstrip(", ").partition(": ")
        refused.append(Refused(place=f"{path}, {place}", name="", field="actions", reason=reason))
    return Items(items=items, refused=tuple(refused))
