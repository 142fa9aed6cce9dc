"""The files of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from emotion.score_folder import write_lines
from mmrole.core.canonical import Record, to_json
from mmrole.core.files import write_atomically
from mmrole.core.manifest import Manifest
from mmrole.jobs.comparison_tables import Comparison, csv_table, latex_table, markdown_page
from mmrole.jobs.result_folder import check_counts, seal, unseal

PAGE: Final = "table.md"
LATEX: Final = "table.tex"
CSV: Final = "table.csv"
DIFFERENCES: Final = "differences.jsonl"


def write_comparison(
    folder: Path, comparison: Comparison, notes: Sequence[str], *, runs: Sequence[Record], all_pairs: bool
) -> None:
    """Writes tables and differences, and the manifest that vouches for them.

    Args:
        folder: held by `mmrole.jobs.result_folder.result_folder`
        comparison: what is written
        notes: what has to be said beside it
        runs: name, folder and hashes of the files of each run
        all_pairs: whether every two runs were compared
    """
    unseal(folder)
    write_atomically(folder / PAGE, markdown_page(comparison, notes).encode())
    write_atomically(folder / LATEX, latex_table(comparison).encode())
    write_atomically(folder / CSV, csv_table(comparison).encode("utf-8-sig"))
    records = [
        {"first_run": pair.first, "second_run": pair.second, **score.to_record()}
        for pair in comparison.pairs
        for score in pair.scores
    ]
    write_lines(folder / DIFFERENCES, map(to_json, records))
    manifest = Manifest(
        command="compare",
        settings={
            "runs": list(runs),
            "all_pairs": all_pairs,
            "bootstrap": comparison.bootstrap,
            "seed": comparison.seed,
        },
        counts=check_counts(len(runs), len(runs)),
        extra={"notes": list(notes)},
    )
    seal(folder, manifest, [PAGE, LATEX, CSV, DIFFERENCES])
