"""What the leak test is over: items of a run or of a data set, the novels they are from, and the names to be masked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mmrole.core.canonical import Record, bytes_sha256, file_sha256
from mmrole.core.errors import UsageError
from mmrole.jobs.bench.lifechoice.build import read_maps
from mmrole.jobs.bench.lifechoice.preparation import EVERY_BOOK, maps_from, stored_maps
from mmrole.jobs.bench.lifechoice.stages import opened_folder, stored_items
from textbench.entities import EntityMap
from textbench.lifechoice.construction.novels import read_shelf
from textbench.lifechoice.items import Item, read_items
from textbench.lifechoice.leaks import LeakCases, leak_cases
from textbench.lifechoice.plan import Masking

LEAST_TOKENS: Final = 20


@dataclass(frozen=True, kw_only=True)
class LeakSource:
    """What is tested.

    Attributes:
        items: of the run or data set
        malformed: items of the data set that cannot be used
        shelf: title -> text of the novels
        refused: novels that cannot be read
        masking: see `textbench.lifechoice.plan.LifeChoicePlan`
        maps: book -> names; None where nothing is masked, or where they are not found yet
        inputs: for the manifest
    """

    items: Sequence[Item]
    malformed: int
    shelf: Mapping[str, str]
    refused: Sequence[Record]
    masking: Masking
    maps: Mapping[str, EntityMap] | None
    inputs: Record

    def cases(self, maps: Mapping[str, EntityMap] | None, tokens: int) -> LeakCases:
        """Ends of stories with what follows them; masked ones, too, where there are maps."""
        by_book = None
        if maps is not None:
            names = {item.book: maps.get(item.book or EVERY_BOOK, maps.get(EVERY_BOOK)) for item in self.items}
            by_book = {book: each for book, each in names.items() if book is not None and each is not None}
        return leak_cases(self.items, self.shelf, maps=by_book, tokens=tokens)


def leak_source(
    folder: str | Path | None,
    data: str | Path | None,
    novels: Sequence[str | Path] | str | Path,
    masking: Masking | None,
    entities: str | Path | None,
    tokens: int,
) -> LeakSource:
    """Reads what is tested; the arguments are those of `mmrole.jobs.bench.lifechoice.leak.leak`.

    Raises:
        UsageError: arguments that make no sense together
        InputError: data, novels or names cannot be understood
        StoreError: the run's folder is damaged, or its names are not found yet
    """
    if tokens < LEAST_TOKENS:
        raise UsageError(f"{tokens} tokens make no sense: give {LEAST_TOKENS} or more")
    if (folder is None) == (data is None):
        raise UsageError("the items are those of a run's folder, or of a data set (--data): name one of the two")
    if entities is not None and masking != "given":
        raise UsageError("a file with names is for --masking given")
    if masking == "given" and entities is None and folder is None:
        raise UsageError("--masking given needs the names: --entities FILE")
    maps: Mapping[str, EntityMap] | None = None
    malformed = 0
    inputs: Record = {"novels": None, "entities": None}
    if folder is not None:
        place, plan = opened_folder(folder)
        items = [item for item, _ in stored_items(place)]
        inputs |= {"folder": str(folder), "data": dict(plan.data)}
        if entities is None and masking in (None, plan.masking):
            masking, maps = plan.masking, stored_maps(plan, place)
        elif masking == "given" and entities is None:
            raise UsageError(f"{folder} was built without a map of names: give one with --entities")
    else:
        read = read_items(str(data), strict=False)
        items, malformed = list(read.items), len(read.refused)
        inputs["data"] = {"name": Path(str(data)).name, "sha256": file_sha256(str(data))}
    if entities is not None:
        maps = maps_from(read_maps(entities), str(entities))
        inputs["entities"] = {"name": Path(entities).name, "sha256": file_sha256(entities)}
    shelf, refused = read_shelf(novels)
    hashes = {title: bytes_sha256(text.encode("utf-8")) for title, text in shelf.items()}
    inputs["novels"] = [{"title": title, "text_sha256": hashes[title]} for title in sorted(shelf)]
    return LeakSource(
        items=items,
        malformed=malformed,
        shelf=shelf,
        refused=refused,
        masking=masking or "none",
        maps=maps,
        inputs=inputs,
    )
