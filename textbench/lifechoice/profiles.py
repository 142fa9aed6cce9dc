"""From a description and a memory to the profile that the agent is given, within a budget. LIFECHOICE (arXiv 2404.12138).

The budget covers all that is said of the character: headings, description and memory. The gold motivation is appended beyond it.
Description and memory share it by a ratio; what one of them leaves over passes to the other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from mmrole.core.languages import Language
from textbench.chunks import Chunk, chunks
from textbench.lifechoice.methods import Method
from textbench.retrieval import Ranked, Selection, fill
from textbench.tokens import TokenCounter

Order = Literal["description-first", "memory-first"]
ORDERS: Final[tuple[Order, ...]] = get_args(Order)

_HEADINGS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "description": "Who {name} is:\n\n",
        "memory": "Passages of the story so far, in the order of the story:\n\n",
        "motivation": "What moves {name} in this decision:\n\n",
    },
    "zh": {
        "description": "{name}是怎样的人：\n\n",
        "memory": "此前故事的片段，按故事顺序排列：\n\n",
        "motivation": "{name}做这一决定的动机：\n\n",
    },
}
_BETWEEN: Final = "\n\n"
_SENTENCE_END: Final = re.compile(r"[.!?…]+[\"'”’)\]]*\s+|[。！？…]+[”’」』）)\]\"']*\s*")
_BACK: Final = 4000  # characters in which the end of a sentence is looked for


@dataclass(frozen=True, kw_only=True)
class Profile:
    """What the agent is told of the character.

    Attributes:
        text: the profile; empty where there is none
        tokens: of it without the motivation; never more than the budget
        description_tokens: of the description in it
        description_cut: the description was longer than its share and was cut
        memory: numbers of the chunks in it, in story order
        memory_tokens: of them
        hits: chunks that bear on the queries
    """

    text: str = field(repr=False)
    tokens: int = 0
    description_tokens: int = 0
    description_cut: bool = False
    memory: tuple[int, ...] = ()
    memory_tokens: int = 0
    hits: int = 0

    def to_record(self) -> dict[str, Any]:
        """As JSON values, without the text."""
        return {
            "tokens": self.tokens,
            "description_tokens": self.description_tokens,
            "description_cut": self.description_cut,
            "memory": list(self.memory),
            "memory_tokens": self.memory_tokens,
            "hits": self.hits,
        }


def room(method: Method, budget: int, *, name: str, language: Language, counter: TokenCounter) -> int:
    """Tokens that are left of a budget for description and memory together; 0 and up."""
    headings = _headings(method, name, language).values()
    return max(0, budget - sum(counter(heading + _BETWEEN) for heading in headings))


def description_share(
    method: Method, budget: int, split: float, *, name: str, language: Language, counter: TokenCounter
) -> int:
    """Most tokens that a description is written with: its share of the budget, all of it where there is no memory."""
    left = room(method, budget, name=name, language=language, counter=counter)
    return int(left * split) if method.memory is not None else left


def compose(
    method: Method,
    *,
    name: str,
    language: Language,
    counter: TokenCounter,
    budget: int,
    split: float,
    order: Order,
    description: str | None = None,
    parts: Sequence[Chunk] = (),
    ranked: Sequence[Ranked] = (),
    motivation: str | None = None,
) -> Profile:
    """The profile.

    Args:
        method: what is in it
        name: of the character
        language: of the headings
        counter: of tokens
        budget: most tokens, without the motivation
        split: share of the description where there is memory too, 0 to 1
        order: which of the two comes first
        description: the description
        parts: chunks of the text
        ranked: chunks that bear on each query, the best first
        motivation: the gold motivation
    """
    headings = _headings(method, name, language)
    left = room(method, budget, name=name, language=language, counter=counter)
    memory: Selection | None = None
    own, was_cut = (description or "").strip() if method.description is not None else "", False
    if method.memory is not None:
        share = int(left * split) if method.description is not None else 0
        if counter(own) > share:  # what the memory does not need passes to the description
            share = left - fill(ranked, parts, left - share, counter).tokens
        own, was_cut = cut_to(own, share, counter)
        memory = fill(ranked, parts, left - counter(own), counter)
    elif method.description is not None:
        own, was_cut = cut_to(own, left, counter)
    said = {"description": own, "memory": memory.text if memory is not None else ""}
    places = ("description", "memory") if order == "description-first" else ("memory", "description")
    sections = [headings[place] + said[place] for place in places if said[place]]
    text = _BETWEEN.join(sections)
    counted = counter(text)
    if method.motivation and motivation:
        heading = _HEADINGS[language]["motivation"].format(name=name)
        text = _BETWEEN.join([*sections, heading + motivation.strip()])
    return Profile(
        text=text,
        tokens=counted,
        description_tokens=counter(own),
        description_cut=was_cut,
        memory=memory.numbers if memory is not None else (),
        memory_tokens=memory.tokens if memory is not None else 0,
        hits=memory.hits if memory is not None else 0,
    )


def cut_to(text: str, most: int, counter: TokenCounter) -> tuple[str, bool]:
    """A text of at most so many tokens, cut at a sentence's end where that can be done; and whether it was cut."""
    if counter(text) <= most:
        return text, False
    if most < 1:
        return "", True
    too_large = {character for character in set(text) if counter(character) > most}
    if too_large:  # one Chinese character may be more than what is left
        text = text[: next(place for place, character in enumerate(text) if character in too_large)]
    return chunks(text, most, counter)[0].text.rstrip() if text else "", True


def prefix_of(text: str, number: int, count: int) -> str:
    """The first `number` of `count` parts of a text, up to the last sentence that ends within; each prefix holds the ones before.

    Args:
        text: the whole text
        number: 1 to `count`
        count: parts

    >>> prefix_of("It rained. We stayed in. He left.", 1, 2), prefix_of("It rained. We stayed in. He left.", 2, 2)
    ('It rained. ', 'It rained. We stayed in. He left.')
    """
    if number == count:
        return text
    stop = len(text) * number // count
    start = max(0, stop - _BACK)
    ends = [match.end() for match in _SENTENCE_END.finditer(text, start, stop) if match.end() <= stop]
    if ends:
        return text[: ends[-1]]
    space = text.rfind(" ", start, stop)
    return text[: space + 1 if space >= 0 else stop]


def _headings(method: Method, name: str, language: Language) -> dict[str, str]:
    wanted = {"description": method.description, "memory": method.memory}
    return {key: _HEADINGS[language][key].format(name=name) for key, there in wanted.items() if there}
