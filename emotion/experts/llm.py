"""The expert that asks a language model: a prompt per stream, one label in the reply.

The prompt has the parts that MERRY names (section on the emotion recognition experts): an instruction, the dialogue with its
speakers, the target utterance with its descriptions, the closed list of labels, the form of the reply. The wording is ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from emotion.experts.expert import ABSENT, Case, ExpertVote
from mmrole.core.canonical import Record, content_key
from mmrole.core.labels import LabelSet
from mmrole.core.languages import Language
from mmrole.core.prompts import Prompt, load_prompt
from mmrole.llm import BatchItem, ChatReply, ChatRequest, Parameters, Repair, user
from mmrole.llm.items import OK
from mmrole.llm.replies import Reply, parse_label

KIND: Final = "llm"
READS: Final = ("all", "text", "face", "body", "speech")
DEFAULT_STREAMS: Final = ("all", "face", "body", "speech")

_WORDS: Final = {
    "en": {
        "history": "The dialogue before it:",
        "colon": ": ",
        "said": "Words",
        "face": "Facial expression",
        "body": "Body movement",
        "speech": "Way of speaking",
        "text": "On the words",
        "between": ", ",
    },
    "zh": {
        "history": "此前的对话：",
        "colon": "：",
        "said": "话语",
        "face": "面部表情",
        "body": "肢体动作",
        "speech": "语音表现",
        "text": "关于话语",
        "between": "、",
    },
}
_MODALITIES: Final[Mapping[str, tuple[str, ...]]] = {
    "all": ("face", "body", "speech", "text"),
    "text": ("text",),
    "face": ("face",),
    "body": ("body",),
    "speech": ("speech",),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class LlmExpert:
    """An expert that asks a language model.

    Attributes:
        name: of the expert in its panel
        labels: the label set; the model sees the labels as the set spells them
        streams: that it is asked about
        history_streams: streams whose prompts show the dialogue before the utterance
        language: of the prompts
        parameters: of the model; what is None is left to the endpoint
    """

    name: str
    labels: LabelSet
    streams: tuple[str, ...] = DEFAULT_STREAMS
    history_streams: tuple[str, ...] = READS
    language: Language = "en"
    parameters: Parameters = field(default_factory=Parameters)

    kind = KIND
    baseline = False

    @property
    def can_give(self) -> tuple[str, ...]:
        """All labels of the set."""
        return self.labels.labels

    @cached_property
    def prompt(self) -> Prompt:
        """What the model is asked."""
        return load_prompt("emotion", f"experts/vote.{self.language}")

    @cached_property
    def repair_prompt(self) -> Prompt:
        """What it is asked, once, after a reply that cannot be read."""
        return load_prompt("emotion", f"experts/repair.{self.language}")

    @property
    def prompts(self) -> dict[str, str]:
        """Name -> SHA-256 of its prompts."""
        return {prompt.name: prompt.sha256 for prompt in (self.prompt, self.repair_prompt)}

    @property
    def identity(self) -> Record:
        """All that decides its votes beside the model and the case."""
        return {
            "kind": KIND,
            "labels": list(self.labels.labels),
            "history_streams": list(self.history_streams),
            "language": self.language,
            "parameters": self.parameters.to_record(),
            "prompts": self.prompts,
        }

    @cached_property
    def repair(self) -> Repair:
        """The repair request; it keeps to the language of the prompt, whatever language the dialogue is in."""
        text = self.repair_prompt.fill(labels=self._listed)
        return Repair(english=text, chinese=text)

    @cached_property
    def _listed(self) -> str:
        return _WORDS[self.language]["between"].join(self.labels.labels)

    def absent(self, case: Case, stream: str) -> ExpertVote | None:
        """The vote on a stream that shows nothing of the case; None where there is something to ask.

        Args:
            case: what there is
            stream: one of `streams`
        """
        if self._shown(case, stream):
            return None
        reason = {"all": "nothing_to_show", "text": "no_text"}.get(stream, "no_description")
        why = {name: case.undescribed[name] for name in _MODALITIES[stream] if name in case.undescribed}
        return ExpertVote(label=None, status=ABSENT, reason=reason, detail={"undescribed": why} if why else {})

    def item(self, case: Case, stream: str) -> BatchItem:
        """What the model is asked of a case.

        Args:
            case: with something to show in this stream (see `absent`)
            stream: one of `streams`
        """
        lines = self._shown(case, stream)
        told = [line for line in case.history if line.text.strip()] if stream in self.history_streams else []
        history = [_line(line.speaker, line.text, self.language) for line in told]
        # the mark stands for all that it encloses: nothing in there can foresee it
        mark = content_key(item=case.utterance_id, stream=stream, speaker=case.speaker, shown=lines, history=history)[
            :8
        ]
        before = ""
        if history:
            head = _WORDS[self.language]["history"]
            before = "\n".join(["", head, f"<dialogue-{mark}>", *history, f"</dialogue-{mark}>", ""])
        text = self.prompt.fill(
            history=before, speaker=_folded(case.speaker), mark=mark, shown="\n".join(lines), labels=self._listed
        )
        return BatchItem(
            item_id=item_id(case, stream),
            request=ChatRequest(messages=(user(text),), parameters=self.parameters),
            fields={"utterance_id": case.utterance_id, "stream": stream, "expert": self.name, "prompts": self.prompts},
        )

    def read(self, _item: BatchItem, reply: ChatReply) -> Reply[str]:
        """The label in a reply."""
        return parse_label(reply.text, self.labels, finish_reason=reply.finish_reason)

    def _shown(self, case: Case, stream: str) -> list[str]:
        """The lines that the stream shows of the utterance itself."""
        words = _WORDS[self.language]
        shown = [("said", case.text)] if stream in ("all", "text") else []
        shown += [(name, case.descriptions.get(name, "")) for name in _MODALITIES[stream]]
        return [f"{words[name]}{words['colon']}{_folded(text)}" for name, text in shown if text.strip()]


def item_id(case: Case, stream: str) -> str:
    """Name of what is asked of a case in a stream."""
    return f"{case.utterance_id}/{stream}"


def vote_of(record: Mapping[str, Any]) -> ExpertVote:
    """The vote in the record of a reply (see `mmrole.llm.items`)."""
    if record["status"] == OK:
        return ExpertVote(label=record["value"])
    return ExpertVote(label=None, status=record["status"], reason=record["reason"] or record["rule"])


def _line(speaker: str, text: str, language: Language) -> str:
    return f"{_folded(speaker)}{_WORDS[language]['colon']}{_folded(text)}"


def _folded(text: str) -> str:
    """A text on one line, so that no part of it can pass for a line of its own."""
    return " ".join(text.split())
