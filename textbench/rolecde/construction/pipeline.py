"""The steps from a seed to a persona."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from mmrole.core.canonical import Record
from mmrole.core.errors import InputError
from mmrole.llm import BatchItem, ChatRequest, Parameters, user
from mmrole.llm.stage import Asking
from textbench.benchmark import prompt_hashes
from textbench.rolecde.construction.drafts import SCHEMAS, STEPS, Draft, Seed, StepName
from textbench.rolecde.deciding import prompt, value_lines
from textbench.rolecde.personas import CATEGORIES, Persona
from textbench.stepwise import Step, Stepped, run_steps

INVALID: Final = "invalid"


@dataclass(frozen=True, kw_only=True)
class Constructed:
    """What came of the seeds.

    Attributes:
        personas: the finished ones, in the order of the seeds
        rejected: ``{draft, step, status, reason}``, see `textbench.stepwise.Stepped`; the step ``persona`` is no call: what was
            written does not make a persona
        steps: how the steps went
    """

    personas: tuple[Persona, ...]
    rejected: tuple[Record, ...]
    steps: Stepped[Draft]

    @property
    def counts(self) -> Record:
        """Seeds = personas + rejected + failed + pending."""
        counts = self.steps.counts
        return {
            "seeds": counts["drafts"],
            "personas": len(self.personas),
            "rejected": len(self.rejected),
            "failed": counts["failed"],
            "pending": counts["pending"],
        }


def construction_steps(temperature: float | None = None) -> list[Step[Draft]]:
    """The five steps.

    Args:
        temperature: of the author; None for the endpoint's own
    """
    return [
        Step(
            name=name,
            schema=SCHEMAS[name],
            ask=partial(_item, name, temperature=temperature),
            take=lambda draft, value, name=name: draft.with_step(name, value),  # type: ignore[misc]
        )
        for name in STEPS
    ]


def _item(step: StepName, draft: Draft, *, temperature: float | None) -> BatchItem:
    template = prompt(f"construct-{step}", draft.seed.language)
    return BatchItem(
        item_id=draft.draft_id,
        request=ChatRequest(
            messages=(user(template.fill(**_values(step, draft))),), parameters=Parameters(temperature=temperature)
        ),
        fields={"seed": draft.draft_id, "step": step, "prompts": prompt_hashes([template])},
    )


def _values(step: StepName, draft: Draft) -> dict[str, str]:
    if step == "profile":
        return {"persona": draft.seed.text}
    found = {"profile": draft.profile_text()}
    if step in ("values", "dilemmas"):
        found["scenario"] = draft.given["scenario"]["scenario"]
    if step == "dilemmas":
        found["alignment"] = value_lines(draft.given["values"]["alignment_values"])
        found["personal"] = draft.given["values"]["personal_value"]
    if step == "category":
        found["categories"] = "\n".join(f"{code}: {names[draft.seed.language]}" for code, names in CATEGORIES.items())
    return found


def construct(
    seeds: Sequence[Seed], asking: Asking, folder: Path, *, temperature: float | None = None, seed: int = 0
) -> Constructed:
    """Makes personas of seeds.

    Args:
        seeds: where to begin
        asking: how the author model is asked
        folder: gets a journal for each step
        temperature: of the author; None for the endpoint's own
        seed: of the letters of the options

    Raises:
        DiskError: the folder cannot be written
    """
    steps = run_steps([Draft(seed=one) for one in seeds], construction_steps(temperature), asking, folder)
    personas: list[Persona] = []
    unfit: list[Record] = []
    for draft in steps.finished:
        try:
            personas.append(draft.persona(seed))
        except InputError as error:  # such as two options that differ by their letter only
            unfit.append({"draft": draft.draft_id, "step": "persona", "status": INVALID, "reason": str(error)})
    return Constructed(personas=tuple(personas), rejected=(*steps.rejected, *unfit), steps=steps)
