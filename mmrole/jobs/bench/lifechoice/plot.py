"""`mmrole bench lifechoice plot`: accuracies with intervals, heat maps by motivation and genre, the curve over time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal, get_args

from mmrole.core.errors import StoreError, UsageError
from mmrole.core.journal import read_records
from mmrole.core.languages import Language
from mmrole.core.scores import Score, score_of_record
from mmrole.jobs.bench.lifechoice.score import SCORES
from mmrole.jobs.bench.lifechoice.stages import opened_folder
from mmrole.jobs.plot import write_picture
from mmrole.plotting.accuracy import AccuracyDisplay
from mmrole.plotting.accuracy_grid import AccuracyGridDisplay
from mmrole.plotting.accuracy_time import AccuracyTimeDisplay
from mmrole.plotting.pages import Page

PlotKind = Literal["accuracy", "motivation", "genre", "time"]
KINDS: Final[tuple[PlotKind, ...]] = get_args(PlotKind)
_METRIC: Final = "accuracy"

Table = dict[tuple[str, str, str], Score]
"""(Method, how the items were parted, name of the part) -> accuracy."""


def plot(
    kind: PlotKind,
    folder: str | Path,
    *,
    out: str | os.PathLike[str],
    methods: Sequence[str] = (),
    lang: Language = "en",
) -> Path:
    """Draws what was scored.

    Args:
        kind: ``accuracy``, ``motivation``, ``genre`` or ``time``
        folder: with scores
        out: picture to write: .png, .svg or .pdf
        methods: which are drawn, in order; all when empty
        lang: language of the words

    Returns:
        the path of the picture

    Raises:
        UsageError: there is nothing of that kind or name
        StoreError: the folder holds no scores
    """
    if kind not in KINDS:
        raise UsageError(f"{kind!r} is no kind of plot: choose one of {', '.join(KINDS)}")
    place, plan = opened_folder(folder)
    known = [method.name for method in plan.parsed]
    for name in methods:
        if name not in known:
            raise UsageError(f"{folder} has no method {name!r}; it has {', '.join(known)}")
    chosen = list(dict.fromkeys(methods)) or known
    return write_picture(out, [_page(kind, _read(place.path / SCORES), chosen, lang)])


def _page(kind: PlotKind, table: Table, methods: Sequence[str], lang: Language) -> Page:
    if kind == "accuracy":
        return AccuracyDisplay(
            {name: table[name, "all", "all"] for name in methods if (name, "all", "all") in table}, lang=lang
        )
    if kind == "time":
        shares = {
            name: {_share(part): score for (method, by, part), score in table.items() if (method, by) == (name, "time")}
            for name in methods
        }
        return AccuracyTimeDisplay(shares, lang=lang)
    parts = dict.fromkeys(part for _, by, part in table if by == kind)
    if not parts:
        raise UsageError(f"no item says its {kind}: there is nothing to draw")
    rows = {part: {name: table.get((name, kind, part)) for name in methods} for part in parts}
    rows["all"] = {name: table.get((name, "all", "all")) for name in methods}
    return AccuracyGridDisplay(rows, methods, kind=kind, lang=lang)


def _share(part: str) -> float:
    number, _, count = part.partition("/")
    return int(number) / int(count)


def _read(path: Path) -> Table:
    if not path.is_file():
        raise StoreError(f"{path} is missing: make it with mmrole bench lifechoice score")
    found: Table = {}
    for number, record in enumerate(read_records(path), 1):
        if record.get("metric") == _METRIC:
            score = score_of_record(record, f"{path}, line {number}")
            found[record["method"], record["by"], score.part] = score
    return found
