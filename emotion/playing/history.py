"""The dialogue so far, as an agent is shown it: in words, or with the pictures and the sound of the clips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

from emotion.descriptions import Description
from emotion.playing.targets import Target
from emotion.playing.wording import WORDINGS, one_line
from emotion.response_records import AgentUtterance
from mmrole.core.languages import Language
from mmrole.llm.chat import AudioPart, ImagePart

Source = Literal["text", "images", "audio", "media"]
HISTORY_SOURCES: Final[tuple[Source, ...]] = ("text", "images", "audio", "media")
"""Words only; with pictures; with sound; with both. What is not there as picture or sound is there as words."""

_SEEN: Final = ("face", "body")
_HEARD: Final = "speech"
MODALITIES: Final = (*_SEEN, _HEARD)


class Clips(Protocol):
    """The clips of a dialogue's utterances."""

    def pictures(self, utterance_id: str) -> Sequence[ImagePart]:
        """Pictures of an utterance; empty when there are none."""

    def sound(self, utterance_id: str) -> AudioPart | None:
        """Sound of an utterance; None when there is none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """A history as the parts of a message.

    Attributes:
        parts: lines of text, pictures, sound; text that stands together is one part
        lines: number of utterances
        pictures: number of pictures
        sounds: number of sounds
    """

    parts: tuple[str | ImagePart | AudioPart, ...]
    lines: int
    pictures: int
    sounds: int


@dataclass(frozen=True, kw_only=True)
class _Line:
    utterance_id: str
    speaker: str
    text: str
    described: Mapping[str, str]
    is_clip: bool


@dataclass(frozen=True, kw_only=True)
class History:
    """Shows histories.

    Attributes:
        language: of the words around the descriptions
        source: see `HISTORY_SOURCES`
        descriptions: utterance id -> modality -> description, of the dialogues' own utterances
        clips: their pictures and sound; None for none
        most: at most so many utterances, the last ones; None for all
    """

    language: Language
    source: Source = "text"
    descriptions: Mapping[str, Mapping[str, Description]] = field(default_factory=dict)
    clips: Clips | None = None
    most: int | None = None

    def shown(self, target: Target, own: Mapping[str, Sequence[AgentUtterance]] | None = None) -> Shown:
        """The dialogue before a target.

        Args:
            target: the turn that comes next
            own: the agent's answers to earlier targets, by their ids, which take the place of the ground truth; None for the ground truth
                throughout

        Returns:
            at least one line: a target has a predecessor
        """
        lines = list(self._lines(target, own or {}))
        if self.most is not None:
            lines = lines[-self.most :]
        parts: list[str | ImagePart | AudioPart] = []
        text: list[str] = []
        pictures = sounds = 0
        for line in lines:
            seen, heard = self._media(line)
            text.append(self._text(line, seen=bool(seen), heard=heard is not None))
            if seen or heard is not None:
                parts += ["\n".join(text), *seen, *([] if heard is None else [heard])]
                text = []
            pictures += len(seen)
            sounds += heard is not None
        if text:
            parts.append("\n".join(text))
        return Shown(parts=tuple(parts), lines=len(lines), pictures=pictures, sounds=sounds)

    def _lines(self, target: Target, own: Mapping[str, Sequence[AgentUtterance]]) -> Iterator[_Line]:
        skip = 0
        utterances = target.dialogue.utterances
        lengths = {turn.turn_id: len(turn.utterances) for turn in target.dialogue.turns} if own else {}
        for utterance in utterances[: target.start]:
            answer = own.get(utterance.utterance_id)
            if answer is not None:
                skip = lengths[utterance.utterance_id]
                for number, said in enumerate(answer):
                    described = {name: getattr(said, name) for name in MODALITIES if getattr(said, name) is not None}
                    yield _Line(
                        utterance_id=f"{utterance.utterance_id}/{number}", speaker=target.role, text=said.text,
                        described=described, is_clip=False,
                    )  # fmt: skip
            if skip:
                skip -= 1
                continue
            found = self.descriptions.get(utterance.utterance_id, {})
            yield _Line(
                utterance_id=utterance.utterance_id,
                speaker=utterance.speaker,
                text=utterance.text,
                described={name: text for name in MODALITIES if (text := _text_of(found.get(name))) is not None},
                is_clip=True,
            )

    def _media(self, line: _Line) -> tuple[Sequence[ImagePart], AudioPart | None]:
        if self.clips is None or not line.is_clip:
            return (), None
        seen = self.clips.pictures(line.utterance_id) if self.source in ("images", "media") else ()
        heard = self.clips.sound(line.utterance_id) if self.source in ("audio", "media") else None
        return seen, heard

    def _text(self, line: _Line, *, seen: bool, heard: bool) -> str:
        wording = WORDINGS[self.language]
        told = [name for name in MODALITIES if name in line.described and not (heard if name == _HEARD else seen)]
        first = f"{one_line(line.speaker)}{wording.colon}{one_line(line.text)}"
        if not told:
            return first
        words = (f"{wording.parts[name]}{wording.colon}{one_line(line.described[name])}" for name in told)
        left, right = wording.brackets
        return f"{first} {left}{wording.semicolon.join(words)}{right}"


def _text_of(description: Description | None) -> str | None:
    return None if description is None else description.text
