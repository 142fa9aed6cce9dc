"""The draft of an item as it grows, and what each step has to give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from textbench.chunks import Chunk
from textbench.lifechoice.construction.novels import Novel

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
DISTRACTORS: Final = 3


class _Given(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class FindGiven(_Given):
    """Step ``find``: a decision in the passage, or that there is none."""

    found: bool
    character: Text | None = None
    decision: Text | None = None
    quote: Text | None = None

    @model_validator(mode="after")
    def _whole(self) -> FindGiven:
        if self.found and None in (self.character, self.decision, self.quote):
            raise ValueError("found is true, so character, decision and quote have to be there")
        return self


class QuestionGiven(_Given):
    """Step ``question``."""

    scenario: Text
    question: Text
    answer: Text


class DistractorsGiven(_Given):
    """Step ``distractors``."""

    distractors: list[Text] = Field(min_length=DISTRACTORS, max_length=DISTRACTORS)


class MotivationGiven(_Given):
    """Step ``motivation``."""

    motivation: Text


class ClassifyGiven(_Given):
    """Step ``classify``."""

    type: Text


@dataclass(frozen=True, kw_only=True)
class DecisionDraft:
    """What is there of an item.

    Attributes:
        novel: where it is from
        passage: the chunk in which a decision is looked for
        start: of the quotation in the novel; -1 before it is found
        stop: the character after it
        cut: where the story (D) stops
        given: step -> what its reply gave, JSON values
    """

    novel: Novel
    passage: Chunk
    start: int = -1
    stop: int = -1
    cut: int = -1
    given: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def draft_id(self) -> str:
        """Book and chunk."""
        return f"{self.novel.book}/{self.passage.number}"

    def with_step(self, step: str, value: Mapping[str, Any]) -> DecisionDraft:
        """The draft with one more step."""
        return replace(self, given={**self.given, step: value})

    @property
    def before(self) -> str:
        """The passage up to the cut: nothing of the decision."""
        return self.novel.text[self.passage.start : self.cut]

    @property
    def through(self) -> str:
        """The passage up to the end of the quotation: nothing after it."""
        return self.novel.text[self.passage.start : self.stop]

    def said(self, step: str, name: str) -> str:
        """A text that a step gave."""
        return str(self.given[step][name])
