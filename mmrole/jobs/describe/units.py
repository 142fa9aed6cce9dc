"""What is described: the utterances of the dialogues, or the clips of the features where no dialogues are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mmrole.core.canonical import Record
from mmrole.core.dialogue import Dialogue
from mmrole.core.features import FeatureStore

NOT_IN_DIALOGUES: Final = "not_in_dialogues"
"""Why a clip is skipped that belongs to no utterance."""


@dataclass(frozen=True, kw_only=True)
class Unit:
    """One utterance.

    Attributes:
        utterance_id: its name in the descriptions
        clip_id: its clip; None where the features have none
        speaker: who speaks, None where unknown
        show: the series, None where unknown
        text: what is said, None where unknown
    """

    utterance_id: str
    clip_id: str | None
    speaker: str | None = None
    show: str | None = None
    text: str | None = None


@dataclass(frozen=True, kw_only=True)
class Units:
    """All utterances.

    Attributes:
        units: in the order of the dialogues, or of the clip ids
        skipped: ``{path, reason}`` of clips that belong to no utterance
    """

    units: tuple[Unit, ...]
    skipped: tuple[Record, ...]


def units_of(store: FeatureStore, dialogues: Sequence[Dialogue] | None) -> Units:
    """The utterances to describe.

    A clip belongs to the utterance that its id, or the last part of it, is the id of (as in `mmrole extract`).

    Args:
        store: the features
        dialogues: None for all clips
    """
    if dialogues is None:
        records = (store.records[clip_id] for clip_id in sorted(store.records))
        units = [Unit(utterance_id=r["clip_id"], clip_id=r["clip_id"], speaker=r.get("speaker")) for r in records]
        return Units(units=tuple(units), skipped=())
    known = {utterance.utterance_id for dialogue in dialogues for utterance in dialogue.utterances}
    clips: dict[str, str] = {clip_id: clip_id for clip_id in store.records if clip_id in known}
    skipped: list[Record] = []
    for clip_id in sorted(store.records):
        if clip_id in known:
            continue
        name = clip_id.rpartition("/")[2]
        if name not in known:
            skipped.append({"path": clip_id, "reason": NOT_IN_DIALOGUES})
        elif clips.setdefault(name, clip_id) != clip_id:
            skipped.append({"path": clip_id, "reason": f"second_clip: {clips[name]} is the clip of {name}"})
    units = [
        Unit(
            utterance_id=utterance.utterance_id,
            clip_id=clips.get(utterance.utterance_id),
            speaker=utterance.speaker or None,
            show=dialogue.show,
            text=utterance.text,
        )
        for dialogue in dialogues
        for utterance in dialogue.utterances
    ]
    return Units(units=tuple(units), skipped=tuple(skipped))
