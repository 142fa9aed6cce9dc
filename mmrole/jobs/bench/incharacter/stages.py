"""What the stages of InCharacter share: the manifest."""

from __future__ import annotations

from mmrole.core.canonical import Record
from mmrole.core.manifest import Manifest
from mmrole.jobs.bench.stages import manifest_of
from textbench.incharacter.plan import BENCHMARK, InCharacterPlan


def new_manifest(command: str, plan: InCharacterPlan, extra: Record) -> Manifest:
    """The manifest of a stage that begins now."""
    settings = {key: value for key, value in plan.to_record().items() if key not in ("characters", "questionnaires")}
    settings["characters"] = [each.character_id for each in plan.characters]
    settings["questionnaires"] = {each.name: each.sha256 for each in plan.questionnaires}
    return manifest_of(BENCHMARK, command, settings, extra)
