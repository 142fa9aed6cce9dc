"""`mmrole bench incharacter run`: the agent is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from mmrole.jobs.asking import asking_of, keep_to
from mmrole.jobs.bench.incharacter.stages import new_manifest
from mmrole.jobs.bench.stages import MANIFEST, Cache, Progress, write_manifest
from mmrole.llm import ChatModel, Estimate, Prices
from mmrole.llm.stage import StageResult
from textbench.benchmark import BenchmarkFolder
from textbench.incharacter.plan import BENCHMARK, plan_from

AGENT: Final = "agent.json"


def run(
    folder: str | Path,
    agent: ChatModel | str,
    *,
    config: str | Path | None = None,
    cache: Cache = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
    on_progress: Progress | None = None,
) -> StageResult:
    """Asks the agent. What is answered is never asked again.

    Args:
        folder: from `build`
        agent: a model, or the name of an endpoint
        config: see `mmrole.jobs.asking.asking_of`, as everything else
        cache: see there
        prices: see there
        max_cost: see there
        on_progress: see there

    Raises:
        UsageError: no such endpoint, or the folder holds the answers of another agent
        ModelError: the agent cannot answer at all; what was answered is stored
        StoreError: the folder is damaged, or in use
    """
    asking = asking_of(agent, config=config, cache=cache, prices=prices, max_cost=max_cost, on_progress=on_progress)
    place = BenchmarkFolder(folder, BENCHMARK)
    plan = plan_from(place.plan())
    with place.locked():
        keep_to(place.path / AGENT, asking.model, "agent")
        manifest = new_manifest("run", plan, {"agent": dict(asking.model.identity)})
        result = place.run(asking, runs=plan.runs)
        write_manifest(manifest, place.path / MANIFEST, result)
    result.raise_if_stopped()
    return result


def estimate_run(folder: str | Path, agent: ChatModel | str, **asked: Any) -> Estimate:
    """What `run` would take with the same arguments; asks nothing."""
    asking = asking_of(agent, asks=False, **asked)
    place = BenchmarkFolder(folder, BENCHMARK)
    plan = plan_from(place.plan())
    keep_to(place.path / AGENT, asking.model, "agent", write=False)
    with place.locked():
        return place.estimate_run(asking, runs=plan.runs)
