"""`mmrole bench rolecde plot`: stacked bars of the decisions, or DBR with its intervals."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal, get_args

from mmrole.core.canonical import Record
from mmrole.core.errors import UsageError
from mmrole.core.journal import read_records
from mmrole.core.languages import Language
from mmrole.core.scores import Score, score_of_record
from mmrole.jobs.bench.rolecde.score import SCORES, graded_by, read_decisions
from mmrole.jobs.bench.rolecde.stages import place_of
from mmrole.jobs.plot import write_picture
from mmrole.plotting.decisions import DecisionsDisplay
from mmrole.plotting.scores import ScoresDisplay
from mmrole.plotting.wording import wording
from textbench.rolecde.dbr_metrics import DECISIONS
from textbench.rolecde.evaluation import FLAGGED, Items, shares_by
from textbench.rolecde.personas import CATEGORIES

PlotKind = Literal["decisions", "dbr"]
By = Literal["category", "level"]
Metric = Literal["dbr", "debiased_dbr"]

_WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "all": "all", "easy": "easy", "mid": "mid", "hard": "hard", "without": "without flagged dilemmas", "dbr": "DBR",
        "debiased_dbr": "debiased DBR", "decisions": "decisions in dilemmas", "comma": ", ",
    },
    "zh": {
        "all": "全部", "easy": "简单", "mid": "中等", "hard": "困难", "without": "不含存疑的两难处境", "dbr": "DBR",
        "debiased_dbr": "去偏 DBR", "decisions": "两难处境中的决定", "comma": "，",
    },
}  # fmt: skip


def plot(
    kind: PlotKind,
    folder: str | Path,
    *,
    out: str | os.PathLike[str],
    grades: str | None = None,
    by: By = "category",
    metric: Metric = "dbr",
    items: Items = "all",
    lang: Language = "en",
) -> Path:
    """Draws what was scored.

    Args:
        kind: ``decisions``: stacked bars of RF, RC, AC, AF; ``dbr``: a metric with its intervals, all judges side by side
        folder: with scores
        out: picture to write: .png, .svg or .pdf
        grades: name of one judge; needed for ``decisions`` when there are several
        by: ``category`` or ``level``
        metric: which one the kind ``dbr`` shows
        items: ``all``, or ``without_flagged``
        lang: language of the words

    Returns:
        the path of the picture

    Raises:
        UsageError: there is nothing of that name, or no scores
    """
    if kind not in get_args(PlotKind):
        raise UsageError(f"{kind!r} is no kind of plot: choose one of {', '.join(get_args(PlotKind))}")
    place = place_of(folder)
    homes = graded_by(place, grades)
    words = _WORDS[wording(lang).language]
    shown = words["decisions"] if kind == "decisions" else words[metric]
    title = shown if items == "all" else f"{shown}{words['comma']}{words['without']}"
    if kind == "dbr":
        scores = {home.name: _scores(home, by, metric, items, lang) for home in homes}
        return write_picture(out, [ScoresDisplay(scores, title=None if items == "all" else title, lang=lang)])
    if len(homes) > 1:
        raise UsageError(f"there are grades of {', '.join(home.name for home in homes)}: say which with --grades")
    records = [_kept(each) if items == "without_flagged" else each for each in read_decisions(homes[0])]
    rows = {words["all"]: _total(records)}
    rows |= {_name(key, lang): counts for key, counts in shares_by(records, by).items()}
    return write_picture(out, [DecisionsDisplay(rows, title=title, lang=lang)])


def _kept(record: Record) -> Record:
    return {**record, "decision": None, "reason": FLAGGED} if record["flagged"] else record


def _total(records: Sequence[Record]) -> dict[str, int]:
    return {kind: sum(each["decision"] == kind for each in records) for kind in DECISIONS}


def _scores(home: Path, by: By, metric: Metric, items: Items, lang: Language) -> list[Score]:
    path = home / SCORES
    if not path.is_file():
        raise UsageError(f"{home} holds no scores: make them with mmrole bench rolecde score")
    words = _WORDS[wording(lang).language]
    found = [
        score_of_record(record, str(path))
        for record in read_records(path)
        if record["metric"] == metric and record["items"] == items and record["by"] in ("all", by)
    ]
    return [replace(score, metric=words[metric], part=_name(score.part, lang)) for score in found]


def _name(part: str, lang: Language) -> str:
    language = wording(lang).language
    return f"{part} {CATEGORIES[part][language]}" if part in CATEGORIES else _WORDS[language].get(part, part)
