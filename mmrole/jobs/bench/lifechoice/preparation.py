"""From the stored items of a run to its cases, and to the library of its texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import to_json
from mmrole.core.errors import StoreError
from mmrole.core.files import write_atomically
from mmrole.core.journal import parse_line
from mmrole.jobs.bench.lifechoice.stages import StoredItem
from mmrole.llm.cache import cache_folder
from textbench.benchmark import BenchmarkFolder
from textbench.embeddings import ENGLISH, EmbeddingCache, EmbeddingMemory, SentenceEncoder
from textbench.entities import EntityMap, entity_map_from
from textbench.lifechoice.cases import Case
from textbench.lifechoice.items import Item
from textbench.lifechoice.library import Library, Searchable
from textbench.lifechoice.masked_items import ItemMasker
from textbench.lifechoice.plan import LifeChoicePlan
from textbench.residuals import Residual
from textbench.retrieval import Retriever
from textbench.tokens import approximate

ENTITIES: Final = "entities.json"
MASKING: Final = "masking.json"
EVERY_BOOK: Final = "*"


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """The cases of a run.

    Attributes:
        cases: as the agent is to meet them
        residual: mentions that masking left behind; None where nothing is masked
    """

    cases: list[Case]
    residual: Residual | None = None


def prepared(items: Sequence[StoredItem], maps: Mapping[str, EntityMap] | None) -> Prepared:
    """The cases, with placeholders where there are maps.

    Args:
        items: the stored items
        maps: book -> map, `EVERY_BOOK` for all others; None where names are left

    Raises:
        UsageError: a book has no map, or its map lacks the character who decides
    """
    if maps is None:
        return Prepared(cases=[_case(item, content) for item, content in items])
    maskers = {book: ItemMasker(entities) for book, entities in maps.items()}
    total = Residual(replaced=0, remaining={})
    cases = []
    for item, content in items:
        masker = maskers.get(item.book or EVERY_BOOK, maskers.get(EVERY_BOOK))
        if masker is None:
            raise StoreError(
                f"there is no map of names for the book {item.book!r} of {item.item_id}: add one to the entities"
            )
        masked = masker.mask(item)
        total += masked.residual
        cases.append(_case(masked.item, content))
    return Prepared(cases=cases, residual=total)


def masked_cases(plan: LifeChoicePlan, place: BenchmarkFolder, items: Sequence[StoredItem]) -> list[Case]:
    """The cases of a folder after `run` has begun.

    Raises:
        StoreError: the names are not found yet
    """
    return prepared(items, stored_maps(plan, place)).cases


def stored_maps(plan: LifeChoicePlan, place: BenchmarkFolder) -> dict[str, EntityMap] | None:
    """The maps of a folder by book; None where names are left.

    Raises:
        StoreError: a model is to find the names, and has not yet
    """
    if plan.masking == "none":
        return None
    if plan.masking == "given":
        return maps_from(plan.entities or {}, "the plan")
    path = place.path / ENTITIES
    if not path.is_file():
        raise StoreError(f"{path} is missing: the names are found by mmrole bench lifechoice run")
    return maps_from(parse_line(path.read_bytes(), path, 1), str(path))


def maps_from(record: Mapping[str, Any], source: str) -> dict[str, EntityMap]:
    """Maps from JSON values: book -> map."""
    return {book: entity_map_from(each, f"{source}: {book}") for book, each in record.items()}


def write_masking(place: BenchmarkFolder, maps: Mapping[str, EntityMap] | None, residual: Residual | None) -> None:
    """Stores what masking did; nothing where names are left."""
    if maps is None or residual is None:
        return
    record = {"residual": residual.to_record(), "maps": {book: entities.sha256 for book, entities in maps.items()}}
    write_atomically(place.path / MASKING, f"{to_json(record)}\n".encode())


def library_of(
    plan: LifeChoicePlan,
    *,
    cache: str | Path | None = None,
    estimating: bool = False,
    note: Callable[[str], object] | None = None,
) -> Library:
    """The texts of a run.

    Args:
        plan: the plan
        cache: folder of embeddings; the user's own when None
        estimating: only sizes matter, so that nothing is embedded
        note: is told when the embedding of texts begins, which takes its time
    """
    embedded: Searchable | None = None
    if any(method.memory == "embedding" for method in plan.parsed):
        embedded = Retriever if estimating else _embedder(plan, cache, note)
    return Library(chunk=plan.sizes.chunk, counter=approximate, embedded=embedded)


def _embedder(plan: LifeChoicePlan, cache: str | Path | None, note: Callable[[str], object] | None) -> Searchable:
    encoder = SentenceEncoder(plan.embedder or ENGLISH)
    kept = EmbeddingCache(cache_folder(cache))
    told = False

    def memory(passages: Sequence[str]) -> EmbeddingMemory:
        nonlocal told
        if note is not None and not told:
            note(f"embedding the passages of the texts with {encoder.model}; what is embedded is kept in {kept.folder}")
        told = True
        return EmbeddingMemory(passages, encoder, kept)

    return memory


def _case(item: Item, content: str) -> Case:
    return Case(
        item_id=item.item_id,
        content=content,
        book=item.book,
        character=item.character,
        language=item.language,
        text=item.text,
        scenario=item.scenario,
        question=item.question,
        options=item.options,
        correct=item.correct,
        motivation=item.motivation,
        genres=item.genres,
        description=item.description,
    )
