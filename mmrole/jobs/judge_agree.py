"""`mmrole judge-agree`: sheets that people filled in, against the judges.

People's evidence becomes a score by the same table as that of the judges; the mean of the people is the truth; alpha is taken between
that and each judge (MERRY, arXiv 2602.21941, human studies).
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, Field

from emotion.judgements import judgements_of
from emotion.metrics.rc import ASPECTS, EVIDENCE_SCORES, Aspect, Method, rated_samples
from mmrole.core.agreement import krippendorff_alpha
from mmrole.core.bootstrap import require_draws
from mmrole.core.errors import InputError, UsageError
from mmrole.core.files import write_atomically
from mmrole.core.review import read_sheet
from mmrole.core.scores import Score
from mmrole.jobs.judge_folder import JudgeFolder, read_judge_folder

File = str | os.PathLike[str]
Ratings = dict[str, float]
"""Sample -> score; one without a score is not there."""

PEOPLE: Final = "people"
JUDGES: Final = "all judges"

_SPELLINGS: Final = {
    **dict.fromkeys(("yes", "y", "true", "1", "x", "是", "有", "对"), "yes"),
    **dict.fromkeys(("no", "n", "false", "0", "否", "无", "没有", "不是"), "no"),
}


def _folded(cell: object) -> object:
    return _SPELLINGS.get(cell.strip().lower(), cell) if isinstance(cell, str) else cell


YesNo = Annotated[Literal["yes", "no"] | None, BeforeValidator(_folded)]


class SheetRow(BaseModel):
    """A row of a sheet of `mmrole.jobs.judge_sheet` that came back.

    Attributes:
        item: id of the response and the aspect
        supporting: whether there is evidence for
        contradicting: whether there is evidence against
        rating: from 1 to 5
    """

    item: str
    supporting: YesNo = None
    contradicting: YesNo = None
    rating: Annotated[int, Field(ge=1, le=5)] | None = None


@dataclass(frozen=True, kw_only=True)
class JudgeAgreement:
    """What `judge_agree` found.

    Attributes:
        scores: ordinal alphas: ``metric`` alpha, ``part`` ASPECT/WHO, where WHO is ``people`` (among themselves) or a judge, or
            ``all judges`` (their mean), against the mean of the people; ``n`` samples that both have
        people: name of a person -> number of samples rated
        no_evidence: rows in which a person found no evidence on either side: no score
        tables: aspect -> the ratings of people and judges as a CSV file for `mmrole agree`
    """

    scores: list[Score]
    people: dict[str, int]
    no_evidence: int
    tables: dict[str, Path]


def judge_agree(
    folders: Sequence[File] | File,
    sheets: Mapping[str, File] | Sequence[File],
    *,
    out: File | None = None,
    bootstrap: int = 1000,
    seed: int = 0,
) -> JudgeAgreement:
    """Agreement of judges with people.

    Args:
        folders: the ``--out`` of `mmrole judge`, of one agent; several for several methods
        sheets: name of a person -> the sheet that came back; or sheets, each named by its file
        out: folder that gets a table of ratings per aspect; none when None
        bootstrap: draws of the intervals (samples are drawn); 0 for none
        seed: of the draws

    Raises:
        InputError: a sheet that cannot be used, a cell that does not fit, a row of something that was not judged; names file, row, column
        UsageError: no sheet, or two people or judges of one name
        StoreError: no such folder
    """
    require_draws(bootstrap, name="--bootstrap")
    places = [folders] if isinstance(folders, (str, os.PathLike)) else list(folders)
    judges = _judges([read_judge_folder(place) for place in places])
    known = {
        (sample, aspect) for of_judge in judges.values() for aspect, (_, asked) in of_judge.items() for sample in asked
    }
    people: dict[str, dict[Aspect, Ratings]] = {}
    no_evidence = 0
    for name, path in _named(sheets):
        if name in people or name in judges or name == PEOPLE:
            raise UsageError(f"two raters are called {name!r}: name a sheet as NAME=FILE")
        people[name], empty = _read(path, known)
        no_evidence += empty
    scores: list[Score] = []
    tables: dict[str, Path] = {}
    for aspect in (aspect for aspect in ASPECTS if any(aspect in of_judge for of_judge in judges.values())):
        mine = {name: ratings[aspect] for name, ratings in people.items() if ratings[aspect]}
        theirs = {name: of_judge[aspect][0] for name, of_judge in judges.items() if aspect in of_judge}
        if not mine:
            continue
        scores += _alphas(aspect, mine, theirs, bootstrap=bootstrap, seed=seed)
        if out is not None:
            apart = {name: ratings for name, ratings in theirs.items() if not name.startswith(JUDGES)}
            tables[aspect] = _write(Path(out) / f"ratings_{aspect}.csv", mine, {**mine, **apart})
    return JudgeAgreement(
        scores=scores,
        people={name: sum(map(len, ratings.values())) for name, ratings in people.items()},
        no_evidence=no_evidence,
        tables=tables,
    )


def _named(sheets: Mapping[str, File] | Sequence[File]) -> list[tuple[str, File]]:
    pairs = list(sheets.items()) if isinstance(sheets, Mapping) else [(Path(sheet).stem, sheet) for sheet in sheets]
    if not pairs:
        raise UsageError("there is no sheet: name one or more that people filled in")
    return pairs


def _judges(folders: Sequence[JudgeFolder]) -> dict[str, dict[Aspect, tuple[Ratings, set[str]]]]:
    """Name -> aspect -> scores, and the samples that were asked about; with several folders the method is part of the name."""
    out: dict[str, dict[Aspect, tuple[Ratings, set[str]]]] = {}
    for folder in folders:
        mark = f" ({folder.method})" if len(folders) > 1 else ""
        method: Method = "subjective" if folder.method == "subjective" else "evidence"
        judgements = judgements_of(folder.records)
        for aspect in folder.aspects:
            rated = rated_samples(judgements, aspect, method)
            asked = {
                j.utterance_id
                for j in judgements
                if j.aspect == aspect and j.reason not in ("no_profile", "no_response")
            }
            rows = list(zip(rated.judges, rated.table.tolist(), strict=True))
            if len(rows) > 1:
                rows.append((JUDGES, rated.means().tolist()))
            for name, row in rows:
                of_judge = out.setdefault(f"{name}{mark}", {})
                if aspect in of_judge:
                    raise UsageError(f"two judges are called {name + mark!r}: give one folder for each method")
                ratings = {sample: score for sample, score in zip(rated.samples, row, strict=True) if score == score}
                of_judge[aspect] = ratings, asked
    return out


def _read(path: File, known: set[tuple[str, Aspect]]) -> tuple[dict[Aspect, Ratings], int]:
    """The scores of one person, and how many rows have no evidence on either side."""
    sheet = read_sheet(path, SheetRow)
    found: dict[Aspect, Ratings] = {aspect: {} for aspect in ASPECTS}
    no_evidence = 0
    seen: set[str] = set()
    for number, row in enumerate(sheet):
        sample, _, name = row.item.rpartition("/")
        aspect = next((aspect for aspect in ASPECTS if aspect == name), None)
        if aspect is None or (sample, aspect) not in known:
            raise InputError(f"{sheet.place(number, 'item')}: nothing of that name was judged, got {row.item!r}")
        if row.item in seen:
            raise InputError(f"{sheet.place(number, 'item')}: the item is there a second time, got {row.item!r}")
        seen.add(row.item)
        sides = {"supporting": row.supporting, "contradicting": row.contradicting}
        lacking = [side for side, answer in sides.items() if answer is None]
        if len(lacking) == 1:
            raise InputError(
                f"{sheet.place(number, lacking[0])}: the cell is empty, but the other side is filled in: say yes or no"
            )
        if not lacking and row.rating is not None:
            raise InputError(
                f"{sheet.place(number, 'rating')}: evidence and a rating in one row: leave one of them empty"
            )
        score: float | None = row.rating
        if not lacking:
            score = EVIDENCE_SCORES[row.supporting == "yes", row.contradicting == "yes"]
            no_evidence += score is None
        if score is not None:
            found[aspect][sample] = float(score)
    if not no_evidence and not any(found.values()):
        raise InputError(
            f"{sheet.path}: nothing is filled in: fill in yes or no in supporting and contradicting, or a rating from 1 to 5"
        )
    return found, no_evidence


def _alphas(aspect: Aspect, people: Mapping[str, Ratings], judges: Mapping[str, Ratings], **draws: Any) -> list[Score]:
    samples = list(dict.fromkeys(sample for ratings in people.values() for sample in ratings))
    rows = [[ratings.get(sample) for sample in samples] for ratings in people.values()]
    given = [[rating for rating in column if rating is not None] for column in zip(*rows, strict=True)]
    truth = [sum(column) / len(column) for column in given]
    compared = {PEOPLE: rows} if len(people) > 1 else {}
    for name, ratings in judges.items():
        compared[name] = [truth, [ratings.get(sample) for sample in samples]]
    return [
        replace(krippendorff_alpha(table, level="ordinal", **draws), part=f"{aspect}/{name}")
        for name, table in compared.items()
    ]


def _write(path: Path, people: Mapping[str, Ratings], raters: Mapping[str, Ratings]) -> Path:
    """A wide table: a row per sample that somebody rated, a column per person and judge."""
    samples = list(dict.fromkeys(sample for ratings in people.values() for sample in ratings))
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["unit", *raters])
    for sample in samples:
        writer.writerow([sample, *(f"{ratings[sample]:g}" if sample in ratings else "" for ratings in raters.values())])
    write_atomically(path, text.getvalue().encode())
    return path
