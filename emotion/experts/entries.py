"""The tables of a panel, one form per kind of expert; the local ones become experts here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from emotion.experts import llm
from emotion.experts.expert import Expert
from emotion.votes import STREAMS
from mmrole.core.canonical import Record
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet
from mmrole.llm.chat import Parameters

if TYPE_CHECKING:
    from emotion.experts.classifiers import Hear

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def _is_a_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError("is no name: letters, digits, dots, - and _, at most 64; it becomes the name of a file")
    return name


def _as_list(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


def _are_files(paths: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if paths is not None and (not paths or not all(paths) or len(set(paths)) < len(paths)):
        raise ValueError("is no list of files, each once")
    return paths


class ExpertEntry(BaseModel):
    """One table ``[[experts]]``.

    Attributes:
        name: of the expert
        kind: one of `KINDS`
        rounds: how often it votes on each utterance and stream
        streams: that it votes on; what its kind reads when empty
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    reads: ClassVar[tuple[str, ...]] = STREAMS
    """Streams that experts of this kind can read."""
    default_streams: ClassVar[tuple[str, ...]] = ()
    """Streams that they vote on when the panel does not say; `reads` when empty."""
    needs_features: ClassVar[bool] = False
    """Whether they read what was measured, so that they can vote on clips, not on responses."""
    repeatable: ClassVar[bool] = False
    """Whether another round may give another vote."""

    name: Annotated[str, AfterValidator(_is_a_name)]
    kind: str
    rounds: int = Field(default=1, ge=1, le=1000, strict=True)
    streams: tuple[str, ...] = ()

    @property
    def voted(self) -> tuple[str, ...]:
        """Streams that it votes on, in the order of `STREAMS`."""
        chosen = self.streams or self.default_streams or self.reads
        return tuple(stream for stream in STREAMS if stream in chosen)

    def to_record(self) -> Record:
        """The entry as JSON values."""
        return {**self.model_dump(mode="json"), "streams": list(self.voted)}


class LlmEntry(ExpertEntry):
    """An expert that asks a language model.

    Attributes:
        endpoint: name of the model in mmrole.toml
        history_streams: streams whose prompts show the dialogue before the utterance
        temperature: see `mmrole.llm.chat.Parameters`, as the three that follow; what is not set is left to the endpoint
        top_p: see there
        max_tokens: see there
        seed: see there
    """

    reads = llm.READS
    default_streams = llm.DEFAULT_STREAMS
    repeatable = True

    kind: Literal["llm"]
    endpoint: str = Field(min_length=1)
    history_streams: tuple[str, ...] = llm.READS
    temperature: float | None = Field(default=None, ge=0, le=2, allow_inf_nan=False)
    top_p: float | None = Field(default=None, gt=0, le=1, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=1)
    seed: int | None = None

    @property
    def parameters(self) -> Parameters:
        """What is said to the endpoint."""
        return Parameters(temperature=self.temperature, top_p=self.top_p, max_tokens=self.max_tokens, seed=self.seed)


class LocalEntry(ExpertEntry):
    """An expert that computes its votes."""

    def build(self, labels: LabelSet, folder: Path, hear: Hear | None = None) -> Expert:
        """The expert.

        Args:
            labels: of the run
            folder: where paths of the table begin
            hear: gives the sound of clips, for those that listen

        Raises:
            UsageError: it has no label in common with the run
            InputError: one of its files cannot be used
            MissingExtraError: it needs a part that is not installed
        """
        raise NotImplementedError

    def lines_read(self, _expert: Expert) -> int:
        """Lines before an utterance that the expert wants to see."""
        return 0


class LexiconEntry(LocalEntry):
    """The lexicon: counts emotion words in the text or in descriptions; baseline.

    Attributes:
        lexicon: a file of one's own (see `emotion.experts.lexicon_files.read_lexicon`) instead of the packaged ones, or several; a path
            from the folder of the panel
        without_word: what a text without an emotion word gives: ``abstain`` or ``neutral``
    """

    default_streams = ("text",)

    kind: Literal["lexicon"]
    lexicon: Annotated[tuple[str, ...] | None, BeforeValidator(_as_list), AfterValidator(_are_files)] = None
    without_word: Literal["abstain", "neutral"] = "abstain"

    def build(self, labels: LabelSet, folder: Path, hear: Hear | None = None) -> Expert:  # noqa: ARG002  it reads
        """See `LocalEntry.build`."""
        from emotion.experts.lexicon import LexiconExpert
        from emotion.experts.lexicon_files import read_lexicon

        return LexiconExpert(
            name=self.name,
            labels=labels,
            streams=self.voted,
            lexicons=None if self.lexicon is None else [read_lexicon(folder / path) for path in self.lexicon],
            without_word=self.without_word,
        )


class FacialActionEntry(LocalEntry):
    """Facial action: blendshapes to action units to an emotion; baseline."""

    reads = ("face",)
    needs_features = True

    kind: Literal["facial-action"]

    def build(self, labels: LabelSet, folder: Path, hear: Hear | None = None) -> Expert:  # noqa: ARG002  it has no file
        """See `LocalEntry.build`."""
        from emotion.experts.facial_action import FacialActionExpert

        return FacialActionExpert(name=self.name, labels=labels, streams=self.voted)


class ProsodyEntry(LocalEntry):
    """Prosody: rate, pitch and volume against the speaker's usual; baseline."""

    reads = ("speech",)
    needs_features = True

    kind: Literal["prosody"]

    def build(self, labels: LabelSet, folder: Path, hear: Hear | None = None) -> Expert:  # noqa: ARG002  it has no file
        """See `LocalEntry.build`."""
        from emotion.experts.prosody import ProsodyExpert

        return ProsodyExpert(name=self.name, labels=labels, streams=self.voted)


class TrainedEntry(LocalEntry):
    """A text classifier that `mmrole experts train` made.

    Attributes:
        model: its file; a path from the folder of the panel
    """

    reads = ("all", "text")
    default_streams = ("text",)

    kind: Literal["trained"]
    model: str = Field(min_length=1)

    def build(self, labels: LabelSet, folder: Path, hear: Hear | None = None) -> Expert:  # noqa: ARG002  it reads
        """See `LocalEntry.build`."""
        from emotion.experts.trained import TrainedExpert

        return TrainedExpert(folder / self.model, name=self.name, labels=labels, streams=self.voted)

    def lines_read(self, expert: Expert) -> int:
        """As many as it was trained with."""
        from emotion.experts.trained import TrainedExpert

        return expert.model.context if isinstance(expert, TrainedExpert) else 0


class _ClassifierEntry(LocalEntry):
    """A classifier through transformers.

    Attributes:
        model: its folder (a path from the folder of the panel), or its name on the model hub
        label_map: label of the classifier -> label of the run; by spelling when empty
        drop: labels of the classifier that have none
        device: ``cpu``, ``cuda``, ``cuda:1``, ...
        dtype: ``auto``, ``float32``, ``bfloat16``, ...
    """

    model: str = Field(min_length=1)
    label_map: dict[str, str] = Field(default_factory=dict)
    drop: tuple[str, ...] = ()
    device: str = "cpu"
    dtype: str = "auto"

    def _place(self, folder: Path) -> str:
        return str(folder / self.model) if (folder / self.model).is_dir() else self.model

    def _named(self, labels: LabelSet) -> dict[str, Any]:
        return {
            "name": self.name,
            "labels": labels,
            "streams": self.voted,
            "label_map": self.label_map or None,
            "drop": self.drop,
        }


class TextClassifierEntry(_ClassifierEntry):
    """A text classification model (extra local): the text, or descriptions.

    Attributes:
        batch_size: texts at once; with more than 1 the last decimals of scores depend on the neighbours
    """

    default_streams = ("text",)

    kind: Literal["text-classifier"]
    batch_size: int = Field(default=1, ge=1, le=4096)

    def build(self, labels: LabelSet, folder: Path, hear: Hear | None = None) -> Expert:  # noqa: ARG002  it reads
        """See `LocalEntry.build`."""
        from emotion.experts.classifiers import TextClassifierExpert
        from mmrole.llm.local import TextClassifier

        model = TextClassifier(self._place(folder), device=self.device, dtype=self.dtype, batch_size=self.batch_size)
        return TextClassifierExpert(model, **self._named(labels))


class SpeechClassifierEntry(_ClassifierEntry):
    """A sound classification model (extra local): the clip itself."""

    reads = ("speech",)
    needs_features = True

    kind: Literal["speech-classifier"]

    def build(self, labels: LabelSet, folder: Path, hear: Hear | None = None) -> Expert:
        """See `LocalEntry.build`."""
        from emotion.experts.classifiers import SpeechClassifierExpert
        from mmrole.llm.local import AudioClassifier

        if hear is None:
            raise UsageError(f"the expert {self.name} listens, and nothing gives it the sound of clips")
        model = AudioClassifier(self._place(folder), device=self.device, dtype=self.dtype)
        return SpeechClassifierExpert(model, hear, **self._named(labels))


KINDS: Final[Mapping[str, type[ExpertEntry]]] = {
    "llm": LlmEntry,
    "lexicon": LexiconEntry,
    "facial-action": FacialActionEntry,
    "prosody": ProsodyEntry,
    "trained": TrainedEntry,
    "text-classifier": TextClassifierEntry,
    "speech-classifier": SpeechClassifierEntry,
}
"""Kind of an expert -> the form of its table."""
