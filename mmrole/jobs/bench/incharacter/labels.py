"""`mmrole bench incharacter labels`: a labels file from votes of the Personality Database and from annotators' sheets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mmrole.core.canonical import to_json
from mmrole.core.errors import UsageError
from mmrole.core.files import write_atomically
from mmrole.core.scores import Score
from textbench.incharacter.label_building import labels_from_shares, labels_from_sheets, read_pdb, read_sheets
from textbench.incharacter.labels import OfSource
from textbench.incharacter.questionnaire_files import find_questionnaires
from textbench.incharacter.rater_agreement import annotator_kappa


@dataclass(frozen=True, kw_only=True)
class LabelsResult:
    """What was built.

    Attributes:
        out: the labels file
        labels: source -> character -> scale -> dimension -> score and type
        kappas: scale -> agreement of the annotators, where there are sheets
    """

    out: Path
    labels: dict[str, OfSource] = field(repr=False)
    kappas: dict[str, Score]

    @property
    def counts(self) -> dict[str, int]:
        """Source -> number of labels."""
        return {
            source: sum(len(dimensions) for of in characters.values() for dimensions in of.values())
            for source, characters in self.labels.items()
        }


def build_labels(
    out: str | Path,
    *,
    pdb: str | Path | None = None,
    sheets: str | Path | None = None,
    mirror: Sequence[str] = (),
    questionnaires: str | Path | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> LabelsResult:
    """Builds a labels file.

    Args:
        out: the JSON file
        pdb: CSV with the columns ``character, type, votes`` or ``character, scale, dimension, share``
        sheets: CSV with the columns ``character, scale, dimension, annotator, score``
        mirror: ``SCALE:DIMENSION`` of dimensions that were labelled the other way round, such as ``EPQ-R:Lying``
        questionnaires: folder of questionnaire files, for scales of one's own
        bootstrap: draws of the intervals of kappa, 0 for none
        seed: of the draws

    Raises:
        UsageError: neither votes nor sheets, or a dimension that is not there
        InputError: a file cannot be understood
        DiskError: the file cannot be written
    """
    if pdb is None and sheets is None:
        raise UsageError("there is nothing to build labels from: give --pdb, --sheets, or both")
    scales = [] if questionnaires is None else [each.scale for each in find_questionnaires(["all"], questionnaires)]
    turned: dict[str, list[str]] = {}
    for pair in mirror:
        scale, colon, dimension = pair.partition(":")
        if not colon:
            raise UsageError(f"{pair!r}: --mirror takes SCALE:DIMENSION, such as EPQ-R:Lying")
        turned.setdefault(scale, []).append(dimension)
    labels: dict[str, OfSource] = {}
    kappas: dict[str, Score] = {}
    if pdb is not None:
        labels["pdb"] = labels_from_shares(read_pdb(pdb, scales), scales, mirror=turned)
    if sheets is not None:
        rated = read_sheets(sheets, scales)
        labels["annotation"] = labels_from_sheets(rated, scales, mirror=turned)
        own = {each.name: each for each in scales}
        kappas = {name: annotator_kappa(rated, own.get(name, name), bootstrap=bootstrap, seed=seed) for name in rated}
    write_atomically(Path(out), f"{to_json(labels)}\n".encode())
    return LabelsResult(out=Path(out), labels=labels, kappas=kappas)
