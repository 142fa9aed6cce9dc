"""`mmrole bench incharacter build`: characters and questionnaires become questions to the agent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from textbench.benchmark import BenchmarkFolder
from textbench.incharacter.characters import EXAMPLE, read_all_characters, roleless
from textbench.incharacter.interview import interview_items
from textbench.incharacter.plan import BENCHMARK, InCharacterPlan, Setting, chosen_characters
from textbench.incharacter.questionnaire_files import find_questionnaires


@dataclass(frozen=True, kw_only=True)
class BuildResult:
    """What was prepared.

    Attributes:
        out: the folder
        characters: ids
        scales: name -> number of items that are asked
        styles: how the agent is asked
        items: questions to the agent in one run
        runs: how often they are asked
    """

    out: Path
    characters: list[str]
    scales: dict[str, int]
    styles: list[str]
    items: int
    runs: int


def build(
    out: str | Path,
    *,
    characters: Sequence[str | Path] = (EXAMPLE,),
    only: Sequence[str] = (),
    scales: Sequence[str] = ("IPIP-50",),
    questionnaires: str | Path | None = None,
    methods: Sequence[str] = ("ER_batch",),
    setting: Setting = "D",
    runs: int = 3,
    seed: int = 0,
    temperature: float = 0.7,
    passages: int = 4,
    with_roleless: bool = False,
) -> BuildResult:
    """Prepares what the agent will be asked.

    Args:
        out: the folder; one agent under one condition
        characters: characters files; ``example`` for the packaged one
        only: ids of characters, all when empty
        scales: names of scales; ``all`` for every file of `questionnaires`
        questionnaires: folder of questionnaire files
        methods: ``SR SR-CoT OC d-OC ER_all ER_batch``
        setting: what the agent is told: ``D`` description, ``M`` retrieved memory, ``D+M``
        runs: how often everything is repeated
        seed: of the shuffles of ER_batch
        temperature: of the agent
        passages: passages of memory for a question
        with_roleless: ask the bare model as well, to compare with

    Raises:
        UsageError: an argument makes no sense, or the folder holds answers to another plan
        InputError: a file cannot be understood
        LockedError: another run works on the folder
        DiskError: it cannot be written
    """
    chosen = chosen_characters(read_all_characters(characters), only)
    if with_roleless:
        chosen += tuple(roleless(language) for language in dict.fromkeys(each.language for each in chosen))
    plan = InCharacterPlan(
        characters=chosen,
        questionnaires=tuple(find_questionnaires(list(scales), questionnaires)),
        methods=tuple(methods),
        setting=setting,
        runs=runs,
        seed=seed,
        temperature=temperature,
        passages=passages,
    )
    items = list(interview_items(plan))  # before the folder is touched: a text may be missing
    folder = BenchmarkFolder(out, BENCHMARK)
    with folder.locked():
        folder.write_plan(plan.to_record(), items)
    return BuildResult(
        out=Path(out),
        characters=[each.character_id for each in plan.characters],
        scales=dict(Counter(item["fields"]["scale"] for item in items if item["fields"]["character"] == chosen[0].character_id
                            and item["fields"]["style"] == plan.styles[0])),
        styles=list(plan.styles),
        items=len(items),
        runs=plan.runs,
    )  # fmt: skip
