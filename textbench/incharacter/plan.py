"""What a run of InCharacter is: characters, questionnaires, methods, and how the agent is set up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from mmrole.core.canonical import Record
from mmrole.core.errors import StoreError, UsageError
from textbench.incharacter.characters import Character, character_from
from textbench.incharacter.questionnaire import Questionnaire, questionnaire_of

Setting = Literal["D", "M", "D+M"]
Style = Literal["interview", "SR", "SR-CoT"]

BENCHMARK: Final = "incharacter"
SETTINGS: Final[tuple[Setting, ...]] = get_args(Setting)
"""What the agent is told: a description, retrieved memory, or both."""
STYLE_OF: Final[dict[str, Style]] = {
    "SR": "SR",
    "SR-CoT": "SR-CoT",
    "OC": "interview",
    "d-OC": "interview",
    "ER_all": "interview",
    "ER_batch": "interview",
}
"""Method -> how the agent is asked for it; the four that share the interview share its answers."""
METHODS: Final = tuple(STYLE_OF)


@dataclass(frozen=True, kw_only=True)
class InCharacterPlan:
    """What a run is.

    Attributes:
        characters: who is asked
        questionnaires: what is asked
        methods: how it is graded, see `METHODS`
        setting: what the agent is told, see `SETTINGS`
        runs: how often everything is repeated
        seed: of the shuffles of ER_batch
        temperature: of the agent
        passages: how many passages of memory are retrieved for a question
    """

    characters: tuple[Character, ...]
    questionnaires: tuple[Questionnaire, ...]
    methods: tuple[str, ...] = ("ER_batch",)
    setting: Setting = "D"
    runs: int = 3
    seed: int = 0
    temperature: float = 0.7
    passages: int = 4

    def __post_init__(self) -> None:
        if not self.characters or not self.questionnaires or not self.methods:
            raise UsageError("there is nothing to ask: name characters, scales and methods")
        for method in self.methods:
            if method not in METHODS:
                raise UsageError(f"there is no method {method!r}: choose from {', '.join(METHODS)}")
        if len(set(self.methods)) < len(self.methods):
            raise UsageError("a method is named twice")
        if self.setting not in SETTINGS:
            raise UsageError(f"there is no setting {self.setting!r}: choose one of {', '.join(SETTINGS)}")
        if self.runs < 1:
            raise UsageError(f"{self.runs} runs make no sense: give 1 or more")
        if self.passages < 1:
            raise UsageError(f"{self.passages} passages make no sense: give 1 or more")
        if not 0 <= self.temperature <= 2:
            raise UsageError(f"a temperature of {self.temperature} makes no sense: give 0 to 2")
        for character in self.characters:
            self._check(character)

    def _check(self, character: Character) -> None:
        if character.roleless:
            return
        if "M" in self.setting and not character.memory:
            raise UsageError(
                f"{character.character_id} has no memory, which setting {self.setting} needs: add it, or use D"
            )
        if "D" in self.setting and not character.description:
            raise UsageError(
                f"{character.character_id} has no description, which setting {self.setting} needs: add it, or use M"
            )
        for each in self.questionnaires:
            for dimension in character.labels.get(each.name, {}):
                each.scale.checked_dimension(dimension)

    @property
    def styles(self) -> tuple[Style, ...]:
        """How the agent is asked, in the order of the methods."""
        return tuple(dict.fromkeys(STYLE_OF[method] for method in self.methods))

    def character(self, character_id: str) -> Character:
        """The character of an id.

        Raises:
            KeyError: there is none
        """
        return {each.character_id: each for each in self.characters}[character_id]

    def questionnaire(self, name: str) -> Questionnaire:
        """The questionnaire of a scale.

        Raises:
            KeyError: there is none
        """
        return {each.name: each for each in self.questionnaires}[name]

    def labels(self) -> dict[str, dict[str, Any]]:
        """The labels of the characters file, as labels from annotators."""
        return {each.character_id: dict(each.labels) for each in self.characters if each.labels}

    def to_record(self) -> Record:
        """As JSON values."""
        return {
            "characters": [each.to_record() for each in self.characters],
            "questionnaires": [{"place": each.place, "content": each.record} for each in self.questionnaires],
            "methods": list(self.methods),
            "setting": self.setting,
            "runs": self.runs,
            "seed": self.seed,
            "temperature": self.temperature,
            "passages": self.passages,
        }


def plan_from(record: Record) -> InCharacterPlan:
    """The plan that `InCharacterPlan.to_record` stored.

    Raises:
        StoreError: it is none
    """
    try:
        return InCharacterPlan(
            characters=tuple(character_from(each) for each in record["characters"]),
            questionnaires=tuple(questionnaire_of(each["content"], each["place"]) for each in record["questionnaires"]),
            methods=tuple(record["methods"]),
            **{name: record[name] for name in ("setting", "runs", "seed", "temperature", "passages")},
        )
    except (KeyError, TypeError) as error:
        raise StoreError(f"the plan is damaged ({type(error).__name__}: {error}): build it anew") from None


def chosen_characters(characters: Sequence[Character], names: Sequence[str]) -> tuple[Character, ...]:
    """Some of the characters, by id; all of them when no id is given.

    Raises:
        UsageError: there is none of an id
    """
    there = {each.character_id: each for each in characters}
    for name in names:
        if name not in there:
            raise UsageError(f"there is no character {name!r}; there are {', '.join(list(there)[:20])}")
    return tuple(there[name] for name in dict.fromkeys(names)) if names else tuple(characters)
