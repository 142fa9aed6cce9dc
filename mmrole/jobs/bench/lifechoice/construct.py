"""`mmrole bench lifechoice construct`: novels become a data set, which people look over before it is used.

::

    steps/1-find.jsonl ...   the author's replies, a journal for each step
    novels.jsonl             novels that were chosen; refused.jsonl: the others, with reasons
    items.jsonl              finished items, for ``build --data``; rejected.jsonl: passages that came to nothing, with reasons
    report.json              how the steps went
    sheets/reviewer-1.csv    for the manual filter, one for each reviewer
    manifest.json
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from mmrole.core.canonical import Record, file_sha256
from mmrole.core.errors import InputError, UsageError
from mmrole.core.files import write_atomically
from mmrole.core.languages import Language
from mmrole.core.lock import RunLock
from mmrole.jobs.asking import asking_of, keep_to
from mmrole.jobs.bench.blank_sheets import write_blank
from mmrole.jobs.bench.lifechoice.stages import keep_apart, manifest_of, stage_fields
from mmrole.jobs.bench.stages import MANIFEST, Cache, Progress, lines
from mmrole.llm import ChatModel, Estimate, Prices
from textbench.benchmark import ITEMS
from textbench.lifechoice.construction import (
    ItemsBuilt,
    Novel,
    NovelChoice,
    Where,
    build_items,
    choose_novels,
    review_rows,
)
from textbench.lifechoice.construction.filtering import COLUMNS, FILL
from textbench.lifechoice.construction.novels import title_key
from textbench.lifechoice.construction.pipeline import construction_steps, passages
from textbench.lifechoice.items import Item
from textbench.lifechoice.motivations import genre
from textbench.stepwise import estimate_steps
from textbench.tokens import approximate

AUTHOR: Final = "author.json"
STEPS: Final = "steps"
NOVELS: Final = "novels.jsonl"
REFUSED: Final = "refused.jsonl"
REJECTED: Final = "rejected.jsonl"
REPORT: Final = "report.json"
SHEETS: Final = "sheets"
MOST_SHEETS: Final = 26
_NOT_READ: Final = ("unreadable", "not_utf8")


@dataclass(frozen=True, kw_only=True)
class ConstructResult:
    """What came of the novels.

    Attributes:
        out: the folder
        novels: chosen and refused
        built: items, and what came to nothing
        items: the file; None when the stage ended early and left an earlier one as it was
        sheets: that were written
        notes: what is to be known: novels without a passage, sheets that were left as they are
    """

    out: Path
    novels: NovelChoice = field(repr=False)
    built: ItemsBuilt = field(repr=False)
    items: Path | None
    sheets: list[Path]
    notes: list[str]

    @property
    def unread(self) -> int:
        """Files that cannot be read as text."""
        return sum(one["reason"] in _NOT_READ for one in self.novels.refused)


def construct(
    novels: Sequence[str | Path] | str | Path,
    author: ChatModel | str,
    *,
    out: str | Path,
    where: Where | None = None,
    min_tokens: int = 20_000,
    max_tokens: int = 400_000,
    languages: Sequence[Language] = ("en", "zh"),
    genres: str | Path | None = None,
    temperature: float | None = None,
    seed: int = 0,
    sheets: int = 2,
    config: str | Path | None = None,
    cache: Cache = None,
    prices: Prices | None = None,
    max_cost: float | None = None,
    on_progress: Progress | None = None,
) -> ConstructResult:
    """Makes items of novels. What the author has answered is never asked again.

    Args:
        novels: text files, or folders with ``.txt`` files
        author: writes the items: a model, or the name of an endpoint
        out: the folder
        where: decisions are looked for, and how much has to be told before them
        min_tokens: of a novel
        max_tokens: of a novel
        languages: of the novels wanted
        genres: JSON file: title -> genre, or list of genres
        temperature: of the author; None for the endpoint's own
        seed: of the orders of the options
        sheets: review sheets to write, one for each reviewer. One that somebody has begun to fill in is never written over
        config: see `mmrole.jobs.asking.asking_of`, as everything else
        cache: see there
        prices: see there
        max_cost: of all steps together
        on_progress: see there

    Raises:
        UsageError: no such endpoint, an argument that makes no sense, or the folder holds the replies of another author
        InputError: there is no such novel, none can be used, or the genres cannot be understood
        ModelError: the author cannot answer at all; what was answered is stored
        LockedError: another run works on the folder
        DiskError: it cannot be written
    """
    _check(temperature, sheets)
    keep_apart(Path(out), "construction")
    asking = asking_of(author, config=config, cache=cache, prices=prices, max_cost=max_cost, on_progress=on_progress)
    looked, place = where or Where(), Path(out)
    of_book = {} if genres is None else _genres(genres)
    choice = _chosen(novels, min_tokens, max_tokens, languages)
    _check_genres(of_book, choice, genres)
    with RunLock(place):
        keep_to(place / AUTHOR, asking.model, "author")
        settings: Record = {
            "where": looked.to_record(), "min_tokens": min_tokens, "max_tokens": max_tokens, "languages": list(languages),
            "temperature": temperature, "seed": seed, "counter": approximate.name, "sheets": sheets,
        }  # fmt: skip
        manifest = manifest_of("construct", settings, {"author": dict(asking.model.identity)})
        manifest.extra["inputs"] = {
            "novels": [novel.to_record() for novel in choice.chosen],
            "genres": None if genres is None else {"path": str(genres), "sha256": file_sha256(genres)},
        }
        built = build_items(choice.chosen, asking, place / STEPS, where=looked, temperature=temperature, seed=seed)
        built = replace(
            built,
            items=tuple(replace(item, genres=of_book.get(title_key(item.book or ""), ())) for item in built.items),
        )
        stage = built.steps.stage
        written, notes = list[Path](), list[str]()
        if stage.stopped is None:
            _write(place, choice, built)
            written, notes = _sheets(place, built.items, sheets)
            notes += _without_passage(choice.chosen, looked)
        counts = built.counts
        open_ = counts["failed"] + counts["pending"]
        manifest.counts = {
            "inputs": counts["passages"], "done": counts["items"], "failed": open_, "skipped": counts["rejected"],
            "pending": counts["pending"],
        }  # fmt: skip
        manifest.extra |= {"calls": stage_fields(stage), "report": built.steps.report, "refused": list(choice.refused)}
        manifest.write(place / MANIFEST)
    stage.raise_if_stopped()
    return ConstructResult(
        out=place,
        novels=choice,
        built=built,
        items=place / ITEMS if stage.stopped is None else None,
        sheets=written,
        notes=notes,
    )


def estimate_construct(
    novels: Sequence[str | Path] | str | Path,
    author: ChatModel | str,
    *,
    out: str | Path,
    where: Where | None = None,
    min_tokens: int = 20_000,
    max_tokens: int = 400_000,
    languages: Sequence[Language] = ("en", "zh"),
    temperature: float | None = None,
    **asked: Any,
) -> dict[str, Estimate]:
    """Step -> what it would take for the passages that have come so far; asks nothing. See `construct` for the arguments."""
    _check(temperature, 0)
    asking = asking_of(author, asks=False, **asked)
    looked, place = where or Where(), Path(out)
    choice = _chosen(novels, min_tokens, max_tokens, languages)
    keep_to(place / AUTHOR, asking.model, "author", write=False)
    drafts = list(passages(choice.chosen, looked))
    return estimate_steps(drafts, construction_steps(looked, temperature=temperature), asking, place / STEPS)


def _check(temperature: float | None, sheets: int) -> None:
    if temperature is not None and not 0 <= temperature <= 2:
        raise UsageError(f"a temperature of {temperature} makes no sense: give 0 to 2")
    if not 0 <= sheets <= MOST_SHEETS:
        raise UsageError(f"{sheets} sheets make no sense: give 0 to {MOST_SHEETS}")


def _chosen(
    novels: Sequence[str | Path] | str | Path, min_tokens: int, max_tokens: int, languages: Sequence[Language]
) -> NovelChoice:
    choice = choose_novels(novels, min_tokens=min_tokens, max_tokens=max_tokens, languages=languages)
    if not choice.chosen:
        first = choice.refused[0]
        more = f" (and {len(choice.refused) - 1} more files)" if len(choice.refused) > 1 else ""
        raise InputError(
            f"{first['path']}: cannot be used: {first['reason']}, {first['detail']}{more}; no novel is left"
        )
    return choice


def _genres(path: str | Path) -> dict[str, tuple[str, ...]]:
    try:
        record = json.loads(Path(path).read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read as JSON ({error})") from None
    if not isinstance(record, dict):
        raise InputError(f"{path}: no object with the genres of each title")
    found = {}
    for title, given in record.items():
        names = [given] if isinstance(given, str) else given
        if not isinstance(names, list) or not all(isinstance(name, str) and name.strip() for name in names):
            raise InputError(f"{path}: {title}: give a genre or a list of genres, not {str(given)[:60]!r}")
        found[title_key(title)] = tuple(dict.fromkeys(genre(name) or name.strip() for name in names))
    return found


def _check_genres(of_book: Mapping[str, object], choice: NovelChoice, path: str | Path | None) -> None:
    if of_book and not any(title_key(novel.book) in of_book for novel in choice.chosen):
        raise InputError(f"{path}: none of its titles is that of a novel; the first novel is {choice.chosen[0].book}")


def _write(place: Path, choice: NovelChoice, built: ItemsBuilt) -> None:
    items = Counter(item.book for item in built.items)
    novels = [{**novel.to_record(), "items": items[novel.book]} for novel in choice.chosen]
    write_atomically(place / NOVELS, lines(novels))
    write_atomically(place / REFUSED, lines(choice.refused))
    write_atomically(place / ITEMS, lines(item.to_record() for item in built.items))
    write_atomically(place / REJECTED, lines([*built.rejected, *built.steps.failed]))
    report = {"counts": built.counts, **built.steps.report}
    write_atomically(place / REPORT, f"{json.dumps(report, sort_keys=True, indent=1)}\n".encode())


def _without_passage(novels: Sequence[Novel], where: Where) -> list[str]:
    named = {draft.novel.book for draft in passages(novels, where)}
    return [
        f"{novel.book}: no passage of it has {where.min_story:,} to {where.max_story:,} tokens of story before it and lies between "
        f"{where.first:g} and {where.last:g} of the book"
        for novel in novels
        if novel.book not in named
    ]


def _sheets(place: Path, items: Sequence[Item], count: int) -> tuple[list[Path], list[str]]:
    """Writes the sheets; one that is no longer as it was written belongs to whoever fills it in."""
    if not items:
        return [], ["no item was finished, so that there is no sheet to fill in"] if count else []
    written, notes = [], []
    for number in range(1, count + 1):
        path = place / SHEETS / f"reviewer-{number}.csv"
        if write_blank(path, COLUMNS, list(review_rows(items)), fill=FILL):
            written.append(path)
        else:
            notes.append(f"{path} was changed since it was written and is left as it is; move it away for a new one")
    return written, notes
