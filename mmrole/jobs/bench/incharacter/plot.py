"""`mmrole bench incharacter plot`: radar charts of the characters, or the map of them all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, get_args

from mmrole.core.errors import StoreError, UsageError
from mmrole.jobs.bench.incharacter.score import MEASURED, labels_of
from mmrole.jobs.plot import write_picture
from mmrole.plotting.pages import Page
from mmrole.plotting.personality import RadarDisplay
from mmrole.plotting.personality_map import PersonalityMapDisplay
from textbench.benchmark import BenchmarkFolder
from textbench.incharacter.distinctiveness_metrics import personality_map
from textbench.incharacter.json_files import read_object
from textbench.incharacter.plan import BENCHMARK, InCharacterPlan, plan_from
from textbench.incharacter.questionnaire import Language

PlotKind = Literal["radar", "map"]
MOST_IN_A_PICTURE: Final = 12


def plot(
    kind: PlotKind,
    folder: str | Path,
    *,
    out: str | os.PathLike[str],
    grades: str | None = None,
    labels: str | Path | None = None,
    method: str | None = None,
    scale: str | None = None,
    only: Sequence[str] = (),
    source: str | None = None,
    lang: Language = "en",
) -> Path:
    """Draws what was scored.

    Args:
        kind: ``radar``: measured beside labelled, a chart per character; ``map``: the characters on two principal components
        folder: with scores
        out: picture to write: .png, .svg or .pdf
        grades: name of the grades; needed when there are several
        labels: labels file; those of the characters file when None
        method: which one is drawn; the last of the plan's that was scored when None
        scale: which one is drawn in a radar chart; the first when None
        only: ids of characters; all when empty
        source: of the labels, ``pdb`` or ``annotation``; annotators' when None and there are any
        lang: language of the words

    Returns:
        the path of the picture

    Raises:
        UsageError: there is nothing of that name, or too many charts for one picture
        StoreError: the folder holds no scores
    """
    if kind not in get_args(PlotKind):
        raise UsageError(f"{kind!r} is no kind of plot: choose one of {', '.join(get_args(PlotKind))}")
    place = BenchmarkFolder(folder, BENCHMARK)
    plan = plan_from(place.plan())
    home = place.grades(grades)
    if not (home / MEASURED).is_file():
        raise StoreError(f"{home / MEASURED} is missing: make it with mmrole bench incharacter score")
    measured = read_object(home / MEASURED)
    known = list(dict.fromkeys(name for of_scale in measured.values() for name in of_scale))
    chosen = method or next((name for name in reversed(plan.methods) if name in known), None)
    if chosen is None or chosen not in known:
        raise UsageError(f"{home} holds no scores of {chosen or 'any method'}; it holds {', '.join(known) or 'none'}")
    for name in only:
        if name not in {each.character_id for each in plan.characters}:
            raise UsageError(f"there is no character {name!r} in {folder}")
    if kind == "map":
        return write_picture(out, [_map(plan, measured, chosen, only, lang)])
    pages = list(_radars(plan, measured, chosen, scale, only, labels_of(plan, labels), source, lang))
    if not str(out).lower().endswith(".pdf") and len(pages) > MOST_IN_A_PICTURE:
        raise UsageError(
            f"{len(pages)} charts do not fit into one picture: write a .pdf, or name {MOST_IN_A_PICTURE} at most"
        )
    return write_picture(out, pages)


def _map(
    plan: InCharacterPlan, measured: Mapping[str, Any], method: str, only: Sequence[str], lang: Language
) -> PersonalityMapDisplay:
    chosen = {
        name: {c: d for c, d in of[method].items() if not only or c in only}
        for name, of in measured.items()
        if method in of
    }
    found = personality_map(chosen, {each.name: each.scale for each in plan.questionnaires})
    return PersonalityMapDisplay(
        found,
        groups={each.character_id: each.language for each in plan.characters},
        roleless=[each.character_id for each in plan.characters if each.roleless],
        names={each.character_id: each.name for each in plan.characters},
        lang=lang,
    )


def _radars(
    plan: InCharacterPlan,
    measured: Mapping[str, Any],
    method: str,
    scale: str | None,
    only: Sequence[str],
    labels: Mapping[str, Any],
    source: str | None,
    lang: Language,
) -> Iterator[Page]:
    named = scale or next(name for name, of in measured.items() if method in of)
    if method not in measured.get(named, {}):
        raise UsageError(f"there are no scores of {method} on {named}; scales are {', '.join(measured)}")
    questionnaire = plan.questionnaire(named)
    of = questionnaire.scale
    origin = source or next(
        (name for name in ("annotation", "pdb") if any(named in s for s in labels.get(name, {}).values())), ""
    )
    for who in plan.characters:
        character, scores = who.character_id, measured[named][method].get(who.character_id)
        if scores is None or (only and character not in only):
            continue
        own = labels.get(origin, {}).get(character, {}).get(named, {})
        given = [own.get(dimension, {}) for dimension in of.dimensions]
        runs = [[value for value in scores[dimension] if value is not None] for dimension in of.dimensions]
        yield RadarDisplay(
            [questionnaire.label(dimension, lang) for dimension in of.dimensions],
            [sum(values) / len(values) if values else None for values in runs],
            [None if label.get("score") in ("X", None) else label["score"] for label in given],
            low=of.score_low,
            high=of.score_high,
            runs=[[min(values), max(values)] if values else [float("nan")] * 2 for values in runs],
            marginal=[
                questionnaire.label(dimension, lang)
                for dimension, label in zip(of.dimensions, given, strict=True)
                if label.get("type") == "X"
            ],
            title=who.name,
            lang=lang,
        )
