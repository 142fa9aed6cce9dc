"""What a description run is given, checked and read before anything is described."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from emotion.playing.wording import language_of
from mmrole.core.canonical import Record
from mmrole.core.counting import counted, noun
from mmrole.core.dialogue_readers import read_dialogues
from mmrole.core.errors import InputError, UsageError
from mmrole.core.features import MANIFEST, read_features
from mmrole.core.languages import LANGUAGES, Language
from mmrole.core.manifest import Manifest
from mmrole.jobs.describe.measures import Measures
from mmrole.jobs.describe.portraits import Portraits
from mmrole.jobs.describe.units import NOT_IN_DIALOGUES, Units, units_of
from mmrole.jobs.result_folder import input_records
from mmrole.llm import ChatModel

File = str | os.PathLike[str]
EMBEDDED: Final = "embedded"
DESCRIBED: Final = ("face", "body", "speech")
"""The modalities that are described."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """What was asked for, checked and read.

    Attributes:
        units: the utterances
        measures: their features
        portraits: pictures of the roles, None for none
        modalities: in the order of `DESCRIBED`
        language: of prompts and descriptions
        vision: face and body by pictures
        inputs: what the manifest says of the files
    """

    units: Units
    measures: Measures
    portraits: Portraits | None
    modalities: tuple[str, ...]
    language: Language
    vision: bool
    inputs: Record

    def kept(self, *, asks: bool) -> Record:
        """What is the same for all descriptions of a folder.

        Args:
            asks: a model is asked
        """
        seen = {"vision": self.vision, "pictures of the roles": self.portraits is not None} if asks else {}
        return {"language": self.language, **seen}


def prepare(
    features: File,
    dialogues: File | None,
    roles: File | None,
    describer: ChatModel | str,
    modalities: Sequence[str],
    vision: bool,
    lang: str | None,
    format: str,  # noqa: A002
) -> Job:
    """Checks and reads what `mmrole.jobs.describe.describe` is given; see there.

    Raises:
        UsageError: an option that makes no sense
        InputError: a file that cannot be understood
        StoreError: there are no features
    """
    chosen = tuple(each for each in DESCRIBED if each in modalities)
    unknown = sorted(set(modalities) - set(DESCRIBED))
    if unknown or not chosen:
        raise UsageError(f"modalities {', '.join(unknown) or 'none'}: give some of {', '.join(DESCRIBED)}")
    if lang not in (None, *LANGUAGES):
        raise UsageError(f"language {lang!r}: give one of {', '.join(LANGUAGES)}")
    if roles is not None and (describer == EMBEDDED or not vision):
        raise UsageError(
            "--roles is for a model that sees pictures: leave it out, or give a vision model as --describer"
        )
    store = read_features(os.fspath(features))
    inputs = input_records({"dialogues": dialogues, "roles": roles, "features": Path(features) / MANIFEST})
    read = None if dialogues is None else read_dialogues(os.fspath(dialogues), format)
    if not store.records:
        raise InputError(f"{features} holds no clip: there is nothing to describe")
    language: Language = "en" if read is None else language_of(read)
    language = next((each for each in LANGUAGES if each == lang), language)
    units = units_of(store, read)
    if read is not None and all(unit.clip_id is None for unit in units.units):
        ids, clips = [unit.utterance_id for unit in units.units[:2]], sorted(store.records)[:2]
        raise InputError(
            f"{dialogues}: none of its {len(units.units):,} utterances ({', '.join(ids)}, ...) has a clip in {features}, whose clips "
            f"are called {', '.join(clips)}, ...: give the dialogues of these clips"
        )
    return Job(
        units=units,
        measures=Measures(store),
        portraits=None if roles is None else Portraits(roles),
        modalities=chosen,
        language=language,
        vision=vision,
        inputs=inputs,
    )


def new_manifest(job: Job, describer: Record) -> Manifest:
    """The manifest of a run that begins now.

    Args:
        job: what is described
        describer: its identity
    """
    settings = {
        "describer": describer,
        "modalities": list(job.modalities),
        "lang": job.language,
        "vision": None if describer.get("kind") == EMBEDDED else job.vision,
    }
    manifest = Manifest(command="describe", settings=settings, counts={}, skipped=list(job.units.skipped))
    manifest.extra = {"inputs": job.inputs}
    return manifest


def notes_on(job: Job) -> tuple[str, ...]:
    """What has to be said beside the counts."""
    notes = []
    second = sum(each["reason"] != NOT_IN_DIALOGUES for each in job.units.skipped)
    if strangers := len(job.units.skipped) - second:
        notes.append(
            f"{counted(strangers, 'clip')} of the features {noun(strangers, 'belongs', 'belong')} to no utterance of the dialogues"
        )
    if second:
        notes.append(
            f"not described, since an utterance has a clip already: {counted(second, 'second clip')} (see manifest.json)"
        )
    if job.portraits is not None:
        shown = sum(job.portraits.of(unit) is not None for unit in job.units.units)
        notes.append(f"{shown:,} of {len(job.units.units):,} utterances are of a role with a picture")
    return tuple(notes)
