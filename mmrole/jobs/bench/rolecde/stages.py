"""What the stages share: the plan with its personas, manifests, names of judges, and one cost limit for several models."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record, bytes_sha256, to_json
from mmrole.core.errors import StoreError, UsageError
from mmrole.core.journal import read_records
from mmrole.core.manifest import Manifest, library_versions
from mmrole.jobs.bench.asking import asking_of
from mmrole.llm import ChatModel
from textbench.benchmark import BenchmarkFolder
from textbench.rolecde.personas import Persona, persona_of
from textbench.rolecde.plan import BENCHMARK, RoleCDEPlan, plan_from
from textbench.rolecde.role_options import RoleOption, role_option_from
from textbench.stage import Asking, StageResult

PERSONAS: Final = "personas.jsonl"
AUDIT: Final = "audit.jsonl"
_LIBRARIES: Final = ("mmrole", "numpy", "openai", "pydantic")
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_UNFIT: Final = re.compile(r"[^A-Za-z0-9._-]+")


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


def lines(records: Iterable[Record]) -> bytes:
    """Records as the bytes of a JSONL file."""
    return "".join(f"{to_json(record)}\n" for record in records).encode()


def new_manifest(command: str, plan: RoleCDEPlan, extra: Record) -> Manifest:
    """The manifest of a stage that begins now."""
    manifest = Manifest(command=f"bench {BENCHMARK} {command}", settings=plan.to_record(), counts={})
    manifest.extra = extra
    manifest.libraries = library_versions(*_LIBRARIES)
    return manifest


def judge_name(model: ChatModel | str, opened: ChatModel, name: str | None = None) -> str:
    """The name of the folder of a judge's or an auditor's replies: that of its endpoint, or of the model.

    Args:
        model: as it was given
        opened: the model itself
        name: chosen by the caller; None for none

    Raises:
        UsageError: a name that is none
    """
    if name is not None:
        return checked_name(name)
    chosen = model if isinstance(model, str) else str(opened.identity.get("model", "model"))
    return checked_name(_UNFIT.sub("-", chosen).strip("-.") or "model")


def checked_name(name: str) -> str:
    """A name that a folder can have.

    Raises:
        UsageError: it is none
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name for a judge: use letters, digits, dots, - and _")
    return name


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


def cost_left(limit: float | None, results: Iterable[StageResult]) -> float | None:
    """What is left of a cost limit that several models share."""
    return None if limit is None else max(limit - sum(result.spent.cost or 0.0 for result in results), 0.0)
