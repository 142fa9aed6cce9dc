"""`mmrole bench lifechoice build`: a data set becomes a folder that the later stages need nothing beside."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final, Literal

from mmrole.core.canonical import file_sha256, to_json
from mmrole.core.errors import InputError, UsageError
from mmrole.core.files import write_atomically
from mmrole.jobs.bench.lifechoice.preparation import EVERY_BOOK, maps_from, prepared
from mmrole.jobs.bench.lifechoice.stages import keep_apart
from textbench.benchmark import BenchmarkFolder
from textbench.entities import entity_map_from
from textbench.lifechoice.item_store import item_records
from textbench.lifechoice.items import Item, Items, Refused, read_items
from textbench.lifechoice.moral_items import SUFFIX, moral_items
from textbench.lifechoice.plan import BENCHMARK, DataVersion, LifeChoicePlan, Masking
from textbench.lifechoice.profiles import Order
from textbench.lifechoice.summaries import Sizes
from textbench.tokens import approximate

EXAMPLE: Final = "example"
REFUSED: Final = "refused.jsonl"
_ONE_MAP: Final = frozenset({"entities", "characters", "places", "phrases"})


@dataclass(frozen=True, kw_only=True)
class BuildResult:
    """What was prepared.

    Attributes:
        out: the folder
        items: number of items that will be asked
        books: number of books
        characters: number of characters
        methods: names
        questions: to the agent: items x methods x prefixes x runs
        refused: items of the file that cannot be used
        notes: what is to be known of the data: values outside of the lists, fields that are missing
    """

    out: Path
    items: int
    books: int
    characters: int
    methods: list[str]
    questions: int
    refused: list[Refused]
    notes: list[str]


def build(
    out: str | Path,
    *,
    data: str | Path = EXAMPLE,
    only: Sequence[str] = (),
    lenient: bool = False,
    index_base: Literal[0, 1] | None = None,
    methods: Sequence[str] = ("hierarchical", "bm25", "hierarchical+bm25", "hierarchical+bm25+charmap"),
    budget: int = 5000,
    split: float = 0.5,
    order: Order = "description-first",
    sizes: Sizes | None = None,
    embedder: str | None = None,
    seed: int | None = 0,
    runs: int = 1,
    temperature: float | None = 0.0,
    prefixes: int = 1,
    truncate_descriptions: bool = False,
    masking: Masking = "none",
    entities: str | Path | None = None,
    data_version: DataVersion = "own",
) -> BuildResult:
    """Prepares a folder.

    Args:
        out: the folder; one agent under one condition
        data: the data set; ``example`` for the packaged one; a ``.csv`` file is one of MoralChoice, see
            `textbench.lifechoice.moral_items`
        only: ids of items; all when empty
        lenient: leave out items that cannot be used, and list them, instead of giving up
        index_base: see `textbench.lifechoice.items.read_items`
        methods: see `textbench.lifechoice.methods`
        budget: see `textbench.lifechoice.plan.LifeChoicePlan`, as everything else
        split: see there
        order: see there
        sizes: see there
        embedder: see there
        seed: see there
        runs: see there
        temperature: see there
        prefixes: see there
        truncate_descriptions: see there
        masking: see there
        entities: file with the names to be replaced, for ``given``
        data_version: see there

    Raises:
        UsageError: an argument makes no sense, or the folder holds answers to another plan
        InputError: the data cannot be understood
        LockedError: another run works on the folder
        DiskError: it cannot be written
    """
    keep_apart(Path(out), "run")
    read, source = _read(data, lenient, index_base)
    chosen = _chosen(read.items, only)
    plan = LifeChoicePlan(
        methods=tuple(methods),
        budget=budget,
        split=split,
        order=order,
        sizes=sizes or Sizes(),
        embedder=embedder,
        seed=seed,
        runs=runs,
        temperature=temperature,
        prefixes=prefixes,
        truncate_descriptions=truncate_descriptions,
        masking=masking,
        data_version=data_version,
        counter=approximate.name,
        data={**source, "items": len(chosen)},
        entities=None if entities is None else read_maps(entities),
    )
    _check(plan, chosen)
    if plan.masking == "given":
        prepared(
            [(item, "") for item in chosen], maps_from(plan.entities or {}, str(entities))
        )  # a character may be missing
    folder = BenchmarkFolder(out, BENCHMARK)
    with folder.locked():
        folder.write_plan(plan.to_record(), item_records(chosen, folder.path))
        refused = [{"place": r.place, "name": r.name, "field": r.field, "reason": r.reason} for r in read.refused]
        write_atomically(folder.path / REFUSED, "".join(f"{to_json(record)}\n" for record in refused).encode())
    return BuildResult(
        out=Path(out),
        items=len(chosen),
        books=len({item.book for item in chosen if item.book is not None}),
        characters=len({(item.book, item.character) for item in chosen if item.character}),
        methods=[method.name for method in plan.parsed],
        questions=len(chosen) * len(plan.methods) * plan.prefixes * plan.runs,
        refused=list(read.refused),
        notes=_notes(read),
    )


def _read(data: str | Path, lenient: bool, index_base: Literal[0, 1] | None) -> tuple[Items, Mapping[str, Any]]:
    if str(data) == EXAMPLE:
        with as_file(files("textbench.lifechoice").joinpath("data", "example", "items.json")) as path:
            return read_items(path, strict=True), {"name": EXAMPLE, "sha256": file_sha256(path)}
    if Path(data).suffix.lower() == SUFFIX:
        read = moral_items(data, strict=not lenient)
    else:
        read = read_items(data, strict=not lenient, index_base=index_base)
    return read, {"name": Path(data).name, "sha256": file_sha256(data)}


def read_maps(path: str | Path) -> dict[str, Any]:
    """The maps of a file by book; one map is for every book."""
    try:
        record = json.loads(Path(path).read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as JSON ({error})") from None
    if not isinstance(record, dict) or not record:
        raise InputError(f"{path}: no object with characters, places and phrases, nor one of these by book")
    by_book = record if not _ONE_MAP.intersection(record) else {EVERY_BOOK: record}
    return {book: entity_map_from(each, f"{path}: {book}").to_record() for book, each in by_book.items()}


def _chosen(items: Sequence[Item], only: Sequence[str]) -> list[Item]:
    there = {item.item_id: item for item in items}
    for name in only:
        if name not in there:
            raise UsageError(
                f"there is no item {name!r}; there are {', '.join(list(there)[:10])}{', ...' if len(there) > 10 else ''}"
            )
    chosen = [there[name] for name in dict.fromkeys(only)] if only else list(items)
    if not chosen:
        raise UsageError("the data hold no item that can be used")
    return chosen


def _check(plan: LifeChoicePlan, items: Sequence[Item]) -> None:
    if any(not item.text for item in items) and (plan.masking != "none" or not all(m.roleless for m in plan.parsed)):
        raise UsageError("MoralChoice's scenarios have no story and no role: build with --methods roleless, unmasked")
    chinese = sum(item.language == "zh" for item in items)
    if chinese and plan.embedder is None and any(method.memory == "embedding" for method in plan.parsed):
        raise UsageError(
            f"{chinese:,} of {len(items):,} items are Chinese, and the packaged sentence encoder knows English only, so that their "
            "memories would be arbitrary: name a multilingual one (--embedder), or take the English items (--only)"
        )
    wanting = {method.name: method for method in plan.parsed}
    for name, method in wanting.items():
        missing = {
            "description": method.description == "human" and not any(item.description for item in items),
            "motivation": method.motivation and not any(item.motivation for item in items),
        }
        for field, none in missing.items():
            if none:
                raise UsageError(
                    f"method {name} needs the {field} of an item, and no item has one: leave the method out"
                )


def _notes(read: Items) -> list[str]:
    notes = [f"{count:,} items: {what.replace('_', ' ')}" for what, count in read.counts.items()]
    for what, values in read.unknown.items():
        named = ", ".join(f"{value} ({count:,})" for value, count in list(values.items())[:5])
        notes.append(f"{what} not in the list, kept: {named}{', ...' if len(values) > 5 else ''}")
    return notes
