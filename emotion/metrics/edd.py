"""EDD, Emotional Distribution Divergence: the emotion transitions of an agent's role against those of the ground truth.

Conventions
    Each role r has a matrix of transition counts for the ground truth, G_r, and for the agent, P_r, counted over the same
    answered turns. Divided by their totals they are joint distributions, and with the Hellinger distance H

        EDD = mean over roles of 1 - H(P_r, G_r)

    so that, in spite of its name, more is better.

    Few transitions make two matrices of one role look different by chance alone, so roles with fewer than `min_transitions` in
    either matrix are left out. EDD is biased downwards at small counts and more so under resampling: a bootstrap interval need
    not hold the value.

Source: MERRY (arXiv 2602.21941), dynamic emotions; direction as in the paper, 1 - H reconstructed with high confidence.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from emotion.metrics.role_matrices import (
    FEW_TRANSITIONS,
    MIN_TRANSITIONS,
    ComparedRoles,
    Matrices,
    Normalise,
    compared_roles,
    joint_roots,
    row_distance,
)
from mmrole.core.divergence import hellinger, hellinger_of_roots
from mmrole.core.errors import UsageError
from mmrole.core.scores import Score, definition


def edd(
    prediction: Matrices,
    truth: Matrices,
    min_transitions: int = MIN_TRANSITIONS,
    *,
    part: str = "intra",
    normalise: Normalise = "joint",
    drop_self_loops: bool = False,
    equalise: bool = False,
    seed: int = 0,
) -> Score:
    """Emotional Distribution Divergence.

    Args:
        prediction: role -> the agent's transition matrix
        truth: role -> the ground truth's transition matrix
        min_transitions: roles with fewer in either matrix are left out
        part: kind of transition, for the result
        normalise: ``joint``: by the matrix total; ``row``: H is the mean over the rows with mass in both matrices
        drop_self_loops: count only transitions to another label
        equalise: draw a role's larger matrix down to the total of the smaller
        seed: of these draws

    Returns:
        value in [0, 1], up; ``n`` roles, ``excluded`` few_transitions and no_common_row (roles); ``details`` roles: role ->
        {value, prediction, truth} with the numbers of transitions, left_out: the same of the others, pooled: 1 - H of the
        sums over the kept roles. ``no_roles`` is undefined

    Raises:
        UsageError: an unknown option, matrices of different label sets
    """
    if normalise not in ("joint", "row"):
        raise UsageError(f"normalise has to be 'joint' or 'row', not {normalise!r}")
    options = {"drop_self_loops": drop_self_loops, "equalise": equalise, "seed": seed}
    compared = compared_roles(prediction, truth, min_transitions=min_transitions, **options)  # type: ignore[arg-type]
    values = _values(compared, normalise)
    scored = {role: value for role, value in values.items() if value is not None}
    return Score(
        metric="edd",
        part=part,
        value=float(np.mean(list(scored.values()))) if scored else None,
        n=len(scored),
        excluded={FEW_TRANSITIONS: len(compared.left_out), "no_common_row": len(values) - len(scored)},
        definition=definition(
            f"edd/one-minus-hellinger-{normalise}/v1",
            labels=_labels_of(prediction, truth),
            min_transitions=min_transitions,
            self_loops="dropped" if drop_self_loops else "kept",
            **({"equalise": seed} if equalise else {}),
        ),
        bounds=(0.0, 1.0),
        direction="up",
        reason=None if scored else "no_roles",
        details={
            "roles": {
                role: {"value": values[role], "prediction": int(p.sum()), "truth": int(g.sum())}
                for role, p, g in zip(compared.roles, compared.prediction, compared.truth, strict=True)
            },
            "left_out": compared.left_out,
            "pooled": _pooled(compared, normalise) if scored else None,
        },
    )


def _values(compared: ComparedRoles, normalise: Normalise) -> dict[str, float | None]:
    if normalise == "joint":
        distances = hellinger_of_roots(joint_roots(compared.prediction), joint_roots(compared.truth))
        return {role: 1 - float(h) for role, h in zip(compared.roles, distances, strict=True)}
    pairs = zip(compared.roles, compared.prediction, compared.truth, strict=True)
    return {role: None if (h := row_distance(p, g)) is None else 1 - h for role, p, g in pairs}


def _pooled(compared: ComparedRoles, normalise: Normalise) -> float | None:
    whole = compared.prediction.sum(axis=0), compared.truth.sum(axis=0)
    distance = hellinger(*whole) if normalise == "joint" else row_distance(*whole)
    return None if distance is None else 1 - distance


def _labels_of(*sides: Matrices) -> Any:
    return next((matrix.labels.name for side in sides for matrix in side.values()), "none")
