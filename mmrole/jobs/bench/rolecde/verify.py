"""`mmrole bench rolecde verify`: what annotators and their leader say of constructed dilemmas.

Files, in the folder ``verified`` below that of the construction::

    personas.jsonl      personas with the dilemmas that stand, role options as decided; `mmrole bench rolecde build` reads them
    rejected.jsonl      dilemmas that do not stand: invalid, or not decided yet
    decisions.jsonl     every dilemma with all answers
    disputed.csv        for the leader: what the annotators differ on; nothing where they do not
    scores.jsonl        share of arbitration, pairwise Pearson, alpha
    verification.md     the same for people, beside the figures of the paper
    manifest.json
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mmrole.core.canonical import file_sha256
from mmrole.core.errors import UsageError
from mmrole.core.files import write_atomically
from mmrole.core.lock import RunLock
from mmrole.core.review import read_sheet
from mmrole.jobs.bench.blank_sheets import write_blank
from mmrole.jobs.bench.rolecde.construct import constructed_personas
from mmrole.jobs.bench.rolecde.stages import PERSONAS, persona_lines
from mmrole.jobs.bench.rolecde.verification_page import changed_options, verification_page
from mmrole.jobs.bench.stages import MANIFEST, lines, manifest_of
from textbench.rolecde.construction import Verification
from textbench.rolecde.construction import verify as verified
from textbench.rolecde.construction.verification import COLUMNS, FILL, SheetRow
from textbench.rolecde.plan import BENCHMARK

File = str | os.PathLike[str]

VERIFIED: Final = "verified"
DECISIONS: Final = "decisions.jsonl"
REJECTED: Final = "rejected.jsonl"
SCORES: Final = "scores.jsonl"
PAGE: Final = "verification.md"
DISPUTED: Final = "disputed.csv"


@dataclass(frozen=True, kw_only=True)
class VerifyResult:
    """What people say.

    Attributes:
        out: the folder of the files
        found: decisions, disputes, accepted personas, scores
        disputed: the leader's sheet; None when nothing is disputed
        kept: whether that sheet was there, with changes, and was left as it is
    """

    out: Path
    found: Verification = field(repr=False)
    disputed: Path | None = None
    kept: bool = False

    @property
    def changed_options(self) -> int:
        """Dilemmas in which people say that the other option is the role's than the author said."""
        return changed_options(self.found)


def verify(folder: str | Path, sheets: Sequence[File], *, leader: File | None = None) -> VerifyResult:
    """Reads filled sheets, decides what stands, and writes the rest onto a sheet for the leader.

    Args:
        folder: of `mmrole.jobs.bench.rolecde.construct`
        sheets: one per annotator, two or more; four in the paper
        leader: the leader's filled sheet; None as long as there is none

    Raises:
        UsageError: fewer than two sheets, or one of them twice
        InputError: a sheet cannot be understood, or there are no personas; names file, row, column, value
        StoreError: the folder is in use or cannot be written
    """
    home = Path(folder)
    paths = [*sheets, *([] if leader is None else [leader])]
    places = [Path(path).resolve() for path in paths]
    if twice := [str(path) for path, place in zip(paths, places, strict=True) if places.count(place) > 1]:
        raise UsageError(f"{twice[0]} is given twice: each annotator has a sheet, and the leader another one")
    personas = constructed_personas(home)  # before the lock, which would make a folder
    with RunLock(home):
        settings = {"annotators": len(sheets), "leader": leader is not None}
        manifest = manifest_of(BENCHMARK, "verify", settings, {}, libraries=("mmrole", "numpy", "pydantic"))
        read = [read_sheet(path, SheetRow) for path in sheets]
        found = verified(personas, read, None if leader is None else read_sheet(leader, SheetRow))
        out = home / VERIFIED
        files = {
            PERSONAS: persona_lines(found.accepted),
            REJECTED: lines(found.rejected),
            DECISIONS: lines(found.decisions),
            SCORES: lines(each.to_record() for each in found.scores),
            PAGE: verification_page(found, len(sheets)).encode(),
        }
        for name, data in files.items():
            write_atomically(out / name, data)
        written = bool(found.disputed) and write_blank(out / DISPUTED, COLUMNS, found.disputed, fill=FILL)
        open_still = sum(each["by"] == "undecided" for each in found.decisions)
        manifest.counts = {
            "inputs": len(found.decisions), "done": len(found.decisions) - open_still, "failed": 0, "skipped": open_still,
        }  # fmt: skip
        manifest.extra = {
            "inputs": {
                PERSONAS: file_sha256(home / PERSONAS),
                **{os.fspath(path): file_sha256(Path(path)) for path in paths},
            },
            "files": {name: file_sha256(out / name) for name in files},
            "changed_options": changed_options(found),
        }
        manifest.write(out / MANIFEST)
    return VerifyResult(
        out=out,
        found=found,
        disputed=out / DISPUTED if found.disputed else None,
        kept=bool(found.disputed) and not written,
    )
