"""InCharacter: personality fidelity of role-playing agents by psychological interviews, on 14 scales.

Nothing is imported until it is asked for. Source: "InCharacter: Evaluating Personality Fidelity in Role-Playing Agents through
Psychological Interviews" (ACL 2024).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textbench.incharacter.alignment_metrics import alignment as alignment
    from textbench.incharacter.batches import plan_batches as plan_batches
    from textbench.incharacter.breakdowns import alignment_by as alignment_by
    from textbench.incharacter.breakdowns import mean_over_scales as mean_over_scales
    from textbench.incharacter.consistency_metrics import consistency as consistency
    from textbench.incharacter.distinctiveness_metrics import distinctiveness as distinctiveness
    from textbench.incharacter.distinctiveness_metrics import personality_map as personality_map
    from textbench.incharacter.label_building import labels_from_shares as labels_from_shares
    from textbench.incharacter.label_building import labels_from_sheets as labels_from_sheets
    from textbench.incharacter.label_building import read_pdb as read_pdb
    from textbench.incharacter.label_building import read_sheets as read_sheets
    from textbench.incharacter.labels import label_type as label_type
    from textbench.incharacter.labels import mirrored as mirrored
    from textbench.incharacter.labels import read_labels as read_labels
    from textbench.incharacter.rater_agreement import annotator_kappa as annotator_kappa
    from textbench.incharacter.rater_agreement import interviewer_agreement as interviewer_agreement
    from textbench.incharacter.scales import Scale as Scale
    from textbench.incharacter.scales import scale as scale
    from textbench.incharacter.scales import scale_from_keys as scale_from_keys
    from textbench.incharacter.scoring import batch_scores as batch_scores
    from textbench.incharacter.scoring import choice_counts as choice_counts
    from textbench.incharacter.scoring import dimension_scores as dimension_scores
    from textbench.incharacter.scoring import rating_counts as rating_counts
    from textbench.incharacter.tables import dimensions_table as dimensions_table
    from textbench.incharacter.tables import results_table as results_table

_PLACES = {
    "Scale": "textbench.incharacter.scales",
    "alignment": "textbench.incharacter.alignment_metrics",
    "alignment_by": "textbench.incharacter.breakdowns",
    "annotator_kappa": "textbench.incharacter.rater_agreement",
    "batch_scores": "textbench.incharacter.scoring",
    "choice_counts": "textbench.incharacter.scoring",
    "consistency": "textbench.incharacter.consistency_metrics",
    "dimension_scores": "textbench.incharacter.scoring",
    "dimensions_table": "textbench.incharacter.tables",
    "distinctiveness": "textbench.incharacter.distinctiveness_metrics",
    "interviewer_agreement": "textbench.incharacter.rater_agreement",
    "label_type": "textbench.incharacter.labels",
    "labels_from_shares": "textbench.incharacter.label_building",
    "labels_from_sheets": "textbench.incharacter.label_building",
    "mean_over_scales": "textbench.incharacter.breakdowns",
    "mirrored": "textbench.incharacter.labels",
    "personality_map": "textbench.incharacter.distinctiveness_metrics",
    "plan_batches": "textbench.incharacter.batches",
    "rating_counts": "textbench.incharacter.scoring",
    "read_labels": "textbench.incharacter.labels",
    "read_pdb": "textbench.incharacter.label_building",
    "read_sheets": "textbench.incharacter.label_building",
    "results_table": "textbench.incharacter.tables",
    "scale": "textbench.incharacter.scales",
    "scale_from_keys": "textbench.incharacter.scales",
}
__all__ = [  # the keys of _PLACES
    "Scale",
    "alignment",
    "alignment_by",
    "annotator_kappa",
    "batch_scores",
    "choice_counts",
    "consistency",
    "dimension_scores",
    "dimensions_table",
    "distinctiveness",
    "interviewer_agreement",
    "label_type",
    "labels_from_shares",
    "labels_from_sheets",
    "mean_over_scales",
    "mirrored",
    "personality_map",
    "plan_batches",
    "rating_counts",
    "read_labels",
    "read_pdb",
    "read_sheets",
    "results_table",
    "scale",
    "scale_from_keys",
]


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(sorted(_PLACES))}")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PLACES])
