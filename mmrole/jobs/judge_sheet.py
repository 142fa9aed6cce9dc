"""`mmrole judge-sheet`: some of the judged responses on a sheet, for people to judge by the same instructions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from emotion.judging import Sample, judge_prompts, shown_blocks
from emotion.metrics.rc import Aspect
from mmrole.core.canonical import Record
from mmrole.core.errors import UsageError
from mmrole.core.languages import Language
from mmrole.core.review import write_sheet
from mmrole.jobs.judge_folder import read_judge_folder

File = str | os.PathLike[str]

FILL: Final[Mapping[str, tuple[str, ...]]] = {
    "evidence": ("supporting", "contradicting", "comment"),
    "subjective": ("rating", "comment"),
}
"""Method -> the columns that people fill in: yes or no for evidence on either side; a rating from 1 to 5."""

_COLUMNS: Final = ("item", "role", "question", "material", "dialogue", "response")
_EVIDENCE: Final = "evidence of the judges"


@dataclass(frozen=True, kw_only=True)
class SheetResult:
    """What `judge_sheet` wrote.

    Attributes:
        path: the sheet
        responses: so many responses are on it
        rows: one per response and aspect
        judged: so many responses could have been
        fill: the columns to fill in
    """

    path: Path
    responses: int
    rows: int
    judged: int
    fill: tuple[str, ...]


def judge_sheet(
    folder: File,
    *,
    out: File,
    samples: int = 100,
    seed: int = 0,
    blind: bool = False,
    **moved: File | None,
) -> SheetResult:
    """Writes a review sheet of judged responses, drawn by chance.

    Args:
        folder: the ``--out`` of `mmrole judge`
        out: the sheet, CSV; one that is there is left alone
        samples: number of responses, all when there are fewer; each has a row per aspect
        seed: of the draw; the same responses and seed give the same sheet
        blind: do not show what the judges found; what agreement between people and judges is to be measured on should be blind
        **moved: responses, dialogues, roles, previous -> where the file is now; None for where it was when it was judged

    Raises:
        UsageError: fewer than one sample, no response that was judged, or the sheet is there already
        StoreError: no such folder
        InputError: a file that was judged is not where it was, or is another one
    """
    if samples < 1:
        raise UsageError(f"{samples} samples make no sheet: give 1 or more")
    path = Path(out)
    if path.exists():
        raise UsageError(f"{path} is there already, maybe with ratings in it: choose another file for --out")
    found = read_judge_folder(folder)
    inputs = found.inputs(moved)
    judged = [sample for sample in inputs.samples if sample.reason is None]
    if not judged:
        raise UsageError(f"{folder} has no response that was judged")
    size = min(samples, len(judged))
    drawn = np.random.default_rng(seed).choice(len(judged), size=size, replace=False)
    chosen = [judged[number] for number in drawn.tolist()]
    columns = [*_COLUMNS, *([] if blind else [_EVIDENCE])]
    fill = FILL[found.method]
    said: dict[tuple[str, str], list[Record]] = {}
    for record in found.records:
        said.setdefault((record["utterance_id"], record["aspect"]), []).append(record)
    rows = write_sheet(path, columns, _rows(chosen, found.aspects, inputs.language, None if blind else said), fill=fill)
    return SheetResult(path=path, responses=size, rows=rows, judged=len(judged), fill=fill)


def _rows(
    samples: Sequence[Sample],
    aspects: Sequence[Aspect],
    language: Language,
    said: Mapping[tuple[str, str], Sequence[Record]] | None,
) -> Iterator[dict[str, object]]:
    for sample in samples:
        for aspect in aspects:
            utterance_id = sample.response.utterance_id
            blocks = shown_blocks(sample, aspect, language)
            row: dict[str, object] = {
                "item": f"{utterance_id}/{aspect}",
                "role": sample.response.role,
                "question": judge_prompts(aspect, "evidence", language)[1].text,
                "material": "\n\n".join(blocks[name] for name in ("previous", "profile") if name in blocks),
                "dialogue": blocks["dialogue"],
                "response": blocks["response"],
            }
            if said is not None:
                row[_EVIDENCE] = "\n".join(map(_shown, said.get((utterance_id, aspect), ())))
            yield row


def _shown(record: Mapping[str, Any]) -> str:
    """What a judge said, in one line or more."""
    if record["reason"] is not None:
        return f"{record['judge']}: ({record['reason']})"
    if record["rating"] is not None:
        return f"{record['judge']}: {record['rating']}: {record['explanation']}"
    lines = []
    for side, sign in (("supporting", "+"), ("contradicting", "−")):
        for piece in record[side]:
            place = piece["source"] if piece["verified"] else "not found, does not count"
            why = f": {piece['reason']}" if piece["reason"] else ""
            lines.append(f"  {sign}{piece['strength']} “{piece['quote']}” [{place}]{why}")
    return "\n".join([f"{record['judge']}:" if lines else f"{record['judge']}: no evidence", *lines])
