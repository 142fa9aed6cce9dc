"""What the stages share: the plan with its personas, the manifest, and one cost limit for several models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record, bytes_sha256
from mmrole.core.errors import StoreError, UsageError
from mmrole.core.journal import read_records
from mmrole.core.manifest import Manifest
from mmrole.jobs.asking import asking_of
from mmrole.jobs.bench.stages import judge_name, lines, manifest_of
from mmrole.llm import ChatModel
from mmrole.llm.stage import Asking
from textbench.benchmark import BenchmarkFolder
from textbench.rolecde.personas import Persona, persona_of
from textbench.rolecde.plan import BENCHMARK, RoleCDEPlan, plan_from
from textbench.rolecde.role_options import RoleOption, role_option_from

PERSONAS: Final = "personas.jsonl"
AUDIT: Final = "audit.jsonl"


@dataclass(frozen=True, kw_only=True)
class Place:
    """A folder of RoleCDE that was built.

    Attributes:
        folder: the folder
        plan: what its run is
        personas: id -> persona, in the plan's order
    """

    folder: BenchmarkFolder
    plan: RoleCDEPlan
    personas: dict[str, Persona]

    def role_options(self) -> list[RoleOption]:
        """The role option of every dilemma.

        Raises:
            StoreError: the audit is not there, because it did not come to its end, or it is damaged
        """
        path = self.folder.path / AUDIT
        if not path.is_file():
            raise StoreError(
                f"{path} is missing: the audit has not come to its end; run mmrole bench rolecde build again"
            )
        found = [role_option_from(record) for record in read_records(path)]
        wanted = {(name, level) for name, persona in self.personas.items() for level in persona.dilemmas}
        if {(each.persona, each.level) for each in found} != wanted:
            raise StoreError(f"{path} is the audit of other dilemmas: run mmrole bench rolecde build again")
        return found


def place_of(folder: str | Path) -> Place:
    """A folder that was built.

    Raises:
        StoreError: it was not, or it is damaged
    """
    found = BenchmarkFolder(folder, BENCHMARK)
    plan = plan_from(found.plan())
    path = found.path / PERSONAS
    if not path.is_file():
        raise StoreError(f"{path} is missing: make it with mmrole bench rolecde build")
    if bytes_sha256(path.read_bytes()) != plan.personas_sha256:
        raise StoreError(f"{path} is not the file that the plan was made with: build it anew, in another folder")
    personas = [persona_of(record, str(path)) for record in read_records(path)]
    return Place(folder=found, plan=plan, personas={each.persona_id: each for each in personas})


def persona_lines(personas: Iterable[Persona]) -> bytes:
    """The bytes of ``personas.jsonl``."""
    return lines(persona.to_record() for persona in personas)


def new_manifest(command: str, plan: RoleCDEPlan, extra: Record) -> Manifest:
    """The manifest of a stage that begins now."""
    return manifest_of(BENCHMARK, command, plan.to_record(), extra)


def opened(models: Sequence[ChatModel | str], **asked: Any) -> dict[str, Asking]:
    """Name -> how each of several models is asked.

    Raises:
        UsageError: no such endpoint, or two models of one name
    """
    out: dict[str, Asking] = {}
    for model in models:
        asking = asking_of(model, **asked)
        name = judge_name(model, asking.model)
        if name in out:
            raise UsageError(f"two models are called {name}: give each a name of its own in the configuration")
        out[name] = asking
    return out
