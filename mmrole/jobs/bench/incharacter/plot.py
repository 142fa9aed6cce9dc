"""`mmrole bench incharacter plot`: radar charts of the characters, or the map of them all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from mmrole.core.errors import StoreError, UsageError
from mmrole.core.languages import Language
from mmrole.jobs.bench.incharacter.score import MEASURED, labels_of
from mmrole.jobs.plot import write_picture
from mmrole.plotting.pages import Page
from mmrole.plotting.personality import RadarDisplay
from mmrole.plotting.personality_map import PersonalityMapDisplay
from textbench.benchmark import BenchmarkFolder
from textbench.incharacter.distinctiveness_metrics import personality_map
from textbench.incharacter.plan import BENCHMARK, InCharacterPlan, plan_from
from textbench.json_files import read_object

PlotKind = Literal["radar", "map"]
MOST_IN_A_PICTURE: Final = 12


@dataclass(frozen=True, kw_only=True)
class PlotResult:
    """What was drawn.

    Attributes:
        out: the picture
        method: which one it shows
        scales: which ones it shows
    """

    out: Path
    method: str
    scales: tuple[str, ...]


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
) -> PlotResult:
    """Draws what was scored.

    Args:
        kind: ``radar``: measured beside labelled, a chart per character; ``map``: the characters on two principal components
        folder: with scores
        out: picture to write: .png, .svg or .pdf
        grades: name of the grades; needed when there are several
        labels: labels file; those of the characters file when None
        method: which one is drawn; the first of the plan's that has scores when None
        scale: which one is drawn in a radar chart; the first on which the method has scores when None
        only: ids of characters; all when empty
        source: of the labels, ``pdb`` or ``annotation``; annotators' when None and there are any
        lang: language of the words

    Returns:
        the picture, and what it shows

    Raises:
        UsageError: there is nothing of that name, no scores, or too many charts for one picture
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
    chosen, on = _chosen(plan, measured, method, scale if kind == "radar" else None, home)
    for name in only:
        if name not in {each.character_id for each in plan.characters}:
            raise UsageError(f"there is no character {name!r} in {folder}")
    if kind == "map":
        path = write_picture(out, [_map(plan, measured, chosen, only, lang)])
        return PlotResult(out=path, method=chosen, scales=on)
    pages = list(_radars(plan, measured, chosen, on[0], only, labels_of(plan, labels), source, lang))
    if not pages:
        raise UsageError(f"there are no scores of {chosen} on {on[0]} of {', '.join(only)}")
    if not str(out).lower().endswith(".pdf") and len(pages) > MOST_IN_A_PICTURE:
        raise UsageError(
            f"{len(pages)} charts do not fit into one picture: write a .pdf, or name {MOST_IN_A_PICTURE} at most"
        )
    return PlotResult(out=write_picture(out, pages), method=chosen, scales=on[:1])


def _chosen(
    plan: InCharacterPlan, measured: Mapping[str, Any], method: str | None, scale: str | None, home: Path
) -> tuple[str, tuple[str, ...]]:
    """The method that is drawn, and the scales on which it has scores, or the one that was asked for."""
    known = list(dict.fromkeys(name for of_scale in measured.values() for name in of_scale))
    if method is not None and method not in known:
        raise UsageError(f"{home} holds no scores of {method}; it holds {', '.join(known) or 'none'}")
    if scale is not None and (scale not in measured or (method is not None and method not in measured[scale])):
        raise UsageError(
            f"there are no scores of {method or 'any method'} on {scale}; scales are {', '.join(measured)}"
        )
    scored = {
        name: tuple(each for each, of in measured.items() if scale in (None, each) and _has_scores(of.get(name, {})))
        for name in plan.methods
    }
    there = [name for name, on in scored.items() if on]
    if not there:
        raise UsageError(
            f"{home} holds no scores{f' on {scale}' if scale else ''}: of no method could anything be read"
        )
    if method is not None and not scored[method]:
        others = f"; {', '.join(there)} {'has' if len(there) == 1 else 'have'}"
        raise UsageError(f"{method} has no scores{f' on {scale}' if scale else ''}: nothing could be read{others}")
    chosen = method or there[0]
    return chosen, scored[chosen]


def _has_scores(of_characters: Mapping[str, Mapping[str, Sequence[float | None]]]) -> bool:
    return any(value is not None for of in of_characters.values() for runs in of.values() for value in runs)


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
        method=method,
        lang=lang,
    )


def _radars(
    plan: InCharacterPlan,
    measured: Mapping[str, Any],
    method: str,
    named: str,
    only: Sequence[str],
    labels: Mapping[str, Any],
    source: str | None,
    lang: Language,
) -> Iterator[Page]:
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
            subtitle=f"{method}, {named}",
            lang=lang,
        )
