"""The validity report of a construction: how every step went, and what the finished personas look like as a data set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from mmrole.core.canonical import Record
from textbench.rolecde.construction.pipeline import Constructed
from textbench.rolecde.overlap import words
from textbench.rolecde.personas import CATEGORIES, Dilemma, Persona


def validity_report(made: Constructed) -> Record:
    """What can be told without people.

    Args:
        made: see `textbench.rolecde.construction.construct`

    Returns:
        ``counts``: seeds = personas + rejected + failed + pending; ``steps``: per step how many were asked, and how they ended;
        ``rejected``: reasons by step; ``categories``, ``languages``, ``role_option``: how many are of each; ``option_words``: mean words of
        the role's and the aligned options, and ``role_longer``, the share of dilemmas with the longer one the role's (of those with a
        difference; far from .5, length gives the option away); ``repeated``: personas whose scenario or personal value is that of an
        earlier one, dilemmas whose options are
    """
    personas = made.personas
    return {
        "counts": made.counts,
        "steps": made.steps.report["steps"],
        "rejected": _reasons(made.rejected),
        "categories": {code: sum(each.category == code for each in personas) for code in CATEGORIES},
        "languages": dict(sorted(Counter(each.language for each in personas).items())),
        **_options([dilemma for each in personas for dilemma in each.dilemmas.values()]),
        "repeated": _repeated(personas),
    }


def _reasons(rejected: Iterable[Record]) -> Record:
    found: dict[str, Counter[str]] = {}
    for record in rejected:
        found.setdefault(record["step"], Counter())[record["status"]] += 1
    return {step: dict(sorted(counts.items())) for step, counts in found.items()}


def _options(dilemmas: Sequence[Dilemma]) -> Record:
    lengths = [
        tuple(
            len(words(text)) for _, text in sorted(each.options.items(), key=lambda pair: pair[0] != each.role_option)
        )
        for each in dilemmas
    ]
    longer = [role > aligned for role, aligned in lengths if role != aligned]
    return {
        "role_option": {letter: sum(each.role_option == letter for each in dilemmas) for letter in ("A", "B")},
        "option_words": {
            "role": _mean([role for role, _ in lengths]),
            "alignment": _mean([aligned for _, aligned in lengths]),
        },
        "role_longer": _mean(longer),
    }


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _repeated(personas: Sequence[Persona]) -> Record:
    options = [frozenset(dilemma.options.values()) for each in personas for dilemma in each.dilemmas.values()]
    return {
        "scenario": len(personas) - len({each.scenario.casefold() for each in personas}),
        "personal_value": len(personas) - len({each.personal_value.casefold() for each in personas}),
        "options": len(options) - len(set(options)),
    }
