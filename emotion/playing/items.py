"""What an agent is asked to play a turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from emotion.playing.history import History
from emotion.playing.material import Condition, Material
from emotion.playing.targets import Target
from emotion.response_records import AgentUtterance
from mmrole.core.languages import Language
from mmrole.core.prompts import Prompt, load_prompt
from mmrole.llm.chat import AudioPart, ChatRequest, ImagePart, Message, Parameters, system, user
from mmrole.llm.items import BatchItem
from mmrole.llm.repair import Repair

TEMPERATURE: Final = 0.7
TOP_P: Final = 0.95
"""Decoding in the paper (MERRY, arXiv 2602.21941), where the endpoint says nothing else."""

_FOLDER: Final = "respond"


def parameters_for(identity: Mapping[str, Any]) -> Parameters:
    """The paper's decoding, where an agent has no parameters of its own.

    Args:
        identity: of the agent
    """
    own: Mapping[str, Any] = identity.get("parameters") or {}
    return Parameters(
        temperature=TEMPERATURE if own.get("temperature") is None else None,
        top_p=TOP_P if own.get("top_p") is None else None,
    )


def prompt_of(name: str, language: Language) -> Prompt:
    """A prompt of this package: role, profile, previous, format, image, history, turn or repair."""
    return load_prompt("emotion", f"{_FOLDER}/{name}.{language}")


def repair_for(language: Language) -> Repair:
    """What is said, once, after an answer that cannot be read."""
    text = prompt_of("repair", language).fill()
    return Repair(english=text, chinese=text)


@dataclass(frozen=True, kw_only=True)
class Stage:
    """How turns are played.

    Attributes:
        condition: what the agent is told
        language: in which it is asked
        history: shows it the dialogue so far
        parameters: of the model
        images: path of a role's picture -> the picture, where pictures are shown
    """

    condition: Condition
    language: Language
    history: History
    parameters: Parameters = field(default_factory=Parameters)
    images: Mapping[str, ImagePart] = field(default_factory=dict)

    def prompts(self) -> list[Prompt]:
        """The prompts that are in use, the repair request with them."""
        names = [*_system_names(self.condition), *(["image"] if self.images else []), "history", "turn", "repair"]
        return [prompt_of(name, self.language) for name in names]


def _system_names(condition: Condition) -> tuple[str, ...]:
    told = {"none": (), "prev": ("previous",), "prof": ("profile",), "all": ("profile", "previous")}[condition]
    return ("role", *told, "format")


def item_of(
    target: Target,
    material: Material,
    stage: Stage,
    *,
    own: Mapping[str, Sequence[AgentUtterance]] | None = None,
) -> BatchItem:
    """What the agent is asked to play a turn; its id is that of the turn.

    Args:
        target: the turn
        material: what is told of the role
        stage: how turns are played
        own: see `emotion.playing.history.History.shown`
    """
    values = {"role": {}, "profile": {"profile": material.profile}, "previous": {"previous": material.previous}}
    used: list[Prompt] = []

    def filled(name: str) -> str:
        prompt = prompt_of(name, stage.language)
        used.append(prompt)
        given = {key: text or "" for key, text in values.get(name, {}).items()}
        return prompt.fill(**given, **({"name": target.role} if "name" in prompt.variables else {}))

    told = "\n\n".join(filled(name) for name in _system_names(stage.condition))
    parts: list[str | ImagePart | AudioPart] = []
    image = None if material.image is None else stage.images.get(material.image)
    if image is not None:
        parts += [filled("image"), image]
    shown = stage.history.shown(target, own)
    parts += [f"{filled('history')}\n", *shown.parts, f"\n{filled('turn')}"]
    return BatchItem(
        item_id=target.utterance_id,
        request=ChatRequest(messages=(system(told), _joined(parts)), parameters=stage.parameters),
        fields={
            "utterance_id": target.utterance_id,
            "dialogue_id": target.dialogue.dialogue_id,
            "role": target.role,
            "condition": stage.condition,
            "history": {"utterances": shown.lines, "pictures": shown.pictures, "sounds": shown.sounds},
            "prompts": {prompt.name: prompt.sha256 for prompt in used},
        },
    )


def _joined(parts: Sequence[str | ImagePart | AudioPart]) -> Message:
    """A message in which texts that stand together are one part."""
    out: list[str | ImagePart | AudioPart] = []
    for part in parts:
        if isinstance(part, str) and out and isinstance(out[-1], str):
            out[-1] = f"{out[-1]}\n{part}"
        else:
            out.append(part)
    return user(*out)
