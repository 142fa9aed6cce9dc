"""`mmrole bench rolecde run`: the agent decides; or the decisions of a published run are taken over."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from mmrole.jobs.asking import asking_of, keep_to
from mmrole.jobs.bench.rolecde.stages import new_manifest, place_of
from mmrole.jobs.bench.stages import MANIFEST, Cache, Progress, write_manifest
from mmrole.llm import ChatModel, Estimate, Prices
from mmrole.llm.stage import StageResult

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
    place = place_of(folder)
    home = place.folder
    with home.locked():
        keep_to(home.path / AGENT, asking.model, "agent")
        manifest = new_manifest("run", place.plan, {"agent": dict(asking.model.identity)})
        result = home.run(asking, runs=place.plan.runs)
        write_manifest(manifest, home.path / MANIFEST, result)
    result.raise_if_stopped()
    return result


def estimate_run(folder: str | Path, agent: ChatModel | str, **asked: Any) -> Estimate:
    """What `run` would take with the same arguments; asks nothing."""
    asking = asking_of(agent, **asked, asks=False)
    place = place_of(folder)
    keep_to(place.folder.path / AGENT, asking.model, "agent", write=False)
    with place.folder.locked():
        return place.folder.estimate_run(asking, runs=place.plan.runs)
