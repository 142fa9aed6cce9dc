"""From the names of judges to how they are asked, and where their replies are kept."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import content_key
from mmrole.core.errors import UsageError
from mmrole.jobs.asking import asking_of
from mmrole.llm import ChatModel
from mmrole.llm.cost import Budget
from mmrole.llm.stage import Asking

Judges = Sequence[ChatModel | str] | Mapping[str, ChatModel | str]
"""Names of endpoints or models, each with its own name; or name -> endpoint or model."""

JUDGES: Final = "judges"
_FIT: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_UNFIT: Final = re.compile(r"[^A-Za-z0-9._-]+")


def askings_of(judges: Judges, *, max_cost: float | None = None, **how: Any) -> dict[str, Asking]:
    """Name of a judge -> how it is asked; also whether each can be held to the limit, before any of them is paid for.

    Args:
        judges: the judges, at least one
        max_cost: see `mmrole.jobs.asking.asking_of`, as is the rest
        **how: see there

    Raises:
        UsageError: no judge, two of one name, no such endpoint, or a limit on cost for a model whose price is not known
    """
    if isinstance(judges, str):
        judges = [judges]
    pairs = list(judges.items()) if isinstance(judges, Mapping) else [(_name(judge), judge) for judge in judges]
    if not pairs:
        raise UsageError("there is no judge: name one or more endpoints")
    asked: dict[str, Asking] = {}
    for name, judge in pairs:
        if not name.strip() or name in asked:
            raise UsageError(
                f"two judges are called {name!r}: give each its own name" if name in asked else "a judge has no name"
            )
        asking = asking_of(judge, max_cost=max_cost, **how)
        model = str(asking.model.identity.get("model", name))
        Budget(max_cost, None if asking.prices is None else asking.prices.of(model), model=model)
        asked[name] = asking
    return asked


def _name(judge: ChatModel | str) -> str:
    return judge if isinstance(judge, str) else str(judge.identity.get("model", "judge"))


def home_of(folder: Path, name: str) -> Path:
    """The folder of a judge; a name that no folder can have gets one made of what it can, and a hash."""
    if not _FIT.fullmatch(name):
        name = f"{_UNFIT.sub('-', name).strip('-.')[:60] or 'judge'}-{content_key(name=name)[:8]}"
    return folder / JUDGES / name
