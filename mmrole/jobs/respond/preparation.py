"""What has to be known before an agent is asked to play: from files and options to turns, material and history."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from emotion.descriptions import Description, read_descriptions
from emotion.playing import (
    CONDITIONS,
    HISTORY_SOURCES,
    Clips,
    History,
    Lack,
    Material,
    Materials,
    Stage,
    Target,
    Targets,
    language_of,
    parameters_for,
    targets_of,
)
from emotion.playing.history import Source
from emotion.playing.material import NEEDS_PREVIOUS, NEEDS_PROFILE, Condition
from mmrole.core.canonical import Record
from mmrole.core.dialogue import NOBODY, Dialogue
from mmrole.core.dialogue_readers import read_data_set
from mmrole.core.errors import InputError, UsageError
from mmrole.core.languages import LANGUAGES, Language
from mmrole.core.roles import read_previous, read_roles
from mmrole.jobs.pictures import picture
from mmrole.jobs.respond.clips import FeatureClips
from mmrole.jobs.result_folder import file_of, input_records
from mmrole.llm import ChatModel, ImagePart

File = str | os.PathLike[str]


@dataclass(frozen=True, kw_only=True)
class Setup:
    """The files and options that decide what an agent is asked.

    Attributes:
        dialogues: the ground truth: CPED, MELD or the project's JSONL
        condition: what the agent is told: none, prev, prof or all
        roles: roles.jsonl; needed by prof and all
        previous: previous.jsonl; needed by prev and all
        descriptions: descriptions.jsonl, shown beside the lines of the history
        features: features folder, for pictures and sound
        context: how the history is shown: text, images, audio or media (both)
        history: at most so many utterances of history, the last ones; None for all
        rollout: the history has the agent's own earlier answers instead of the ground truth
        lang: zh or en, in which the agent is asked; that of the dialogues when None
        only: roles to play; all when empty
        nobody: speakers that are never played
        two_speakers_only: only dialogues of exactly two speakers
        format: of the dialogues; ``auto`` tells it from the file
    """

    dialogues: File
    condition: Condition
    roles: File | None = None
    previous: File | None = None
    descriptions: File | None = None
    features: File | None = None
    context: Source = "text"
    history: int | None = None
    rollout: bool = False
    lang: Language | None = None
    only: Sequence[str] = ()
    nobody: Sequence[str] = tuple(sorted(NOBODY))
    two_speakers_only: bool = True
    format: str = "auto"

    def check(self) -> None:
        """Refuses what makes no sense.

        Raises:
            UsageError: an unknown word, a number that makes no sense, or a file that the condition needs and that is not given
        """
        for option, given, known in (
            ("--condition", self.condition, CONDITIONS),
            ("--context", self.context, HISTORY_SOURCES),
            ("--lang", self.lang, (None, *LANGUAGES)),
        ):
            if given not in known:
                raise UsageError(f"{option} has to be one of {', '.join(filter(None, known))}, not {given!r}")
        if self.history is not None and self.history < 1:
            raise UsageError(f"--history {self.history} makes no sense: give 1 or more utterances")
        if self.condition in NEEDS_PROFILE and self.roles is None:
            raise UsageError(f"condition {self.condition} tells the role's profile: name a file with --roles")
        if self.condition in NEEDS_PREVIOUS and self.previous is None:
            raise UsageError(f"condition {self.condition} tells what happened before: name a file with --previous")
        if self.context != "text" and self.features is None:
            raise UsageError(f"--context {self.context} shows the clips: name their features folder with --features")
        if self.context == "text" and self.features is not None:
            raise UsageError("--features is only used with --context images, audio or media")


@dataclass(frozen=True, kw_only=True)
class Play:
    """Everything that is needed to ask.

    Attributes:
        setup: what was given
        format: of the dialogues
        targets: the turns
        material: id of a turn -> what the agent is told of its role, or why it is not asked
        stage: how turns are played
        dialogues: that were read
        inputs: hashes of the files
    """

    setup: Setup
    format: str
    targets: Targets
    material: Mapping[str, Material | Lack]
    stage: Stage
    dialogues: Sequence[Dialogue] = ()
    inputs: Record = field(default_factory=dict)

    def playable(self) -> list[Target]:
        """The turns for which everything is there."""
        return [target for target in self.targets.targets if isinstance(self.material[target.utterance_id], Material)]

    def kept(self) -> Record:
        """What is the same for all responses of a folder."""
        return {
            "condition": self.setup.condition,
            "context": self.setup.context,
            "history": self.setup.history,
            "rollout": self.setup.rollout,
            "language": self.stage.language,
        }


def prepare(setup: Setup, model: ChatModel) -> Play:
    """Reads everything.

    Args:
        setup: files and options
        model: the agent; its own parameters win over the paper's

    Raises:
        UsageError: see `Setup.check`; a role that never speaks; nothing to play
        InputError: a file that cannot be used, or not one turn can be played
        StoreError: no finished run in the features folder
    """
    setup.check()
    if setup.descriptions is not None:
        setup = replace(setup, descriptions=file_of(setup.descriptions, "descriptions.jsonl", "describe"))
    inputs = input_records(
        {
            "dialogues": setup.dialogues,
            "roles": setup.roles,
            "previous": setup.previous,
            "descriptions": setup.descriptions,
        }
    )
    data_set = read_data_set(os.fspath(setup.dialogues), format=setup.format, strict=True)
    dialogues = data_set.dialogues
    targets = targets_of(
        dialogues, roles=setup.only, nobody=frozenset([*setup.nobody, ""]), two_speakers_only=setup.two_speakers_only
    )
    language = setup.lang or language_of(dialogues)
    materials = Materials(
        condition=setup.condition,
        language=language,
        roles={} if setup.roles is None else read_roles(setup.roles),
        previous={} if setup.previous is None else read_previous(setup.previous),
    )
    material = {
        target.utterance_id: materials.of(target.role, target.dialogue.show, target.dialogue.dialogue_id)
        for target in targets.targets
    }
    _require_some(material.values(), setup)
    ids = {utterance.utterance_id for dialogue in dialogues for utterance in dialogue.utterances}
    history = History(
        language=language,
        source=setup.context,
        descriptions=_descriptions(setup.descriptions, ids),
        clips=_clips(setup, ids),
        most=setup.history,
    )
    if setup.features is not None:
        inputs |= input_records({"features": Path(setup.features) / "manifest.json"})
    stage = Stage(
        condition=setup.condition,
        language=language,
        history=history,
        parameters=parameters_for(model.identity),
        images=_images(material.values(), setup) if setup.context in ("images", "media") else {},
    )
    return Play(
        setup=setup, format=data_set.format, targets=targets, material=material, stage=stage, dialogues=dialogues, inputs=inputs,
    )  # fmt: skip


def _descriptions(path: File | None, ids: set[str]) -> Mapping[str, Mapping[str, Description]]:
    if path is None:
        return {}
    found = read_descriptions(os.fspath(path))
    if not ids.intersection(found):
        raise InputError(
            f"{path} describes no utterance of these dialogues (it has {min(found)!r}, ...; they have {min(ids)!r}, ...)"
        )
    return found


def _clips(setup: Setup, ids: set[str]) -> Clips | None:
    return None if setup.features is None else FeatureClips(os.fspath(setup.features), ids)


def _images(material: Iterable[Material | Lack], setup: Setup) -> dict[str, ImagePart]:
    """The pictures of the roles, by their paths as the roles file has them, from its folder."""
    if setup.roles is None:
        return {}
    home = Path(setup.roles).parent
    paths = dict.fromkeys(each.image for each in material if isinstance(each, Material) and each.image)
    return {path: picture(home / path, f"{setup.roles}: image of a role") for path in paths}


def _require_some(material: Collection[Material | Lack], setup: Setup) -> None:
    lacks = [each for each in material if isinstance(each, Lack)]
    if lacks and len(lacks) == len(material):
        counts = Counter(lack.status for lack in lacks)
        files = {"no_profile": setup.roles, "no_previous": setup.previous}
        where = ", ".join(f"{status} {count:,} ({files[status]})" for status, count in counts.items())
        raise InputError(f"not one of {len(lacks):,} turns can be played: {where}; the first: {lacks[0].reason}")
