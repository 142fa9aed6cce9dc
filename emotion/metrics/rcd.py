"""RCD, Relative Character Discrepancy: whether characters differ from one another as they really do.

Conventions
    With the transition matrices G_r (ground truth) and P_r (agent) of each role r, as joint distributions, and the Hellinger
    distance H:

        pairwise = mean over pairs of roles r < s of  H(P_r, P_s) - H(G_r, G_s)          0 is ideal, negative: blurred
        margin   = mean over r of  (1 - H(P_r, G_r)) - mean over s != r of (1 - H(P_r, G_s))     more is better

    Both are in [-1, 1]. Sampling noise makes matrices of few transitions look different, so `pairwise` is inflated when the
    agent's matrices have fewer transitions than the truth's: look at the interval, or `equalise`. It is biased under resampling
    as well: a bootstrap interval need not hold the value.

Source: MERRY (arXiv 2602.21941), dynamic emotions; both forms reconstructed with low to medium confidence.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from emotion.metrics.role_matrices import FEW_TRANSITIONS, MIN_TRANSITIONS, Matrices, compared_roles, joint_roots
from mmrole.core.divergence import hellinger_of_roots
from mmrole.core.errors import UsageError
from mmrole.core.scores import Direction, Score, definition

FloatArray = npt.NDArray[np.float64]
RcdKind = Literal["pairwise", "margin"]


def rcd(
    prediction: Matrices,
    truth: Matrices,
    kind: RcdKind = "pairwise",
    min_transitions: int = MIN_TRANSITIONS,
    *,
    part: str = "intra",
    drop_self_loops: bool = False,
    equalise: bool = False,
    seed: int = 0,
) -> Score:
    """Relative Character Discrepancy.

    Args:
        prediction: role -> the agent's transition matrix
        truth: role -> the ground truth's transition matrix
        kind: ``pairwise`` (the default of RCD) or ``margin``
        min_transitions: roles with fewer in either matrix are left out
        part: kind of transition, for the result
        drop_self_loops: count only transitions to another label
        equalise: draw a role's larger matrix down to the total of the smaller
        seed: of these draws

    Returns:
        value in [-1, 1]; pairwise: towards zero, ``n`` pairs of roles; margin: up, ``n`` roles; ``excluded`` few_transitions
        (roles); ``details`` roles: role -> its part of the mean, left_out, and for pairwise mean_absolute_difference,
        mean_h_prediction, mean_h_truth and relative = mean H(P) / mean H(G) - 1. ``fewer_than_two_roles`` is undefined

    Raises:
        UsageError: an unknown option, matrices of different label sets
    """
    if kind not in ("pairwise", "margin"):
        raise UsageError(f"kind has to be 'pairwise' or 'margin', not {kind!r}")
    compared = compared_roles(
        prediction,
        truth,
        min_transitions=min_transitions,
        drop_self_loops=drop_self_loops,
        equalise=equalise,
        seed=seed,
    )
    count = len(compared.roles)
    p, g = joint_roots(compared.prediction), joint_roots(compared.truth)
    direction: Direction = "zero" if kind == "pairwise" else "up"
    value: float | None = None
    details: dict[str, Any] = {}
    n = 0
    if count > 1:
        value, details = _pairwise(p, g, compared.roles) if kind == "pairwise" else _margin(p, g, compared.roles)
        n = count * (count - 1) // 2 if kind == "pairwise" else count
    return Score(
        metric="rcd",
        part=part,
        value=value,
        n=n,
        excluded={FEW_TRANSITIONS: len(compared.left_out)},
        definition=definition(
            f"rcd/hellinger-{kind}/v1",
            labels=next((m.labels.name for side in (prediction, truth) for m in side.values()), "none"),
            min_transitions=min_transitions,
            self_loops="dropped" if drop_self_loops else "kept",
            **({"equalise": seed} if equalise else {}),
        ),
        bounds=(-1.0, 1.0),
        direction=direction,
        reason=None if value is not None else "fewer_than_two_roles",
        details={**details, "left_out": compared.left_out},
    )


def _pairwise(p: FloatArray, g: FloatArray, roles: tuple[str, ...]) -> tuple[float, dict[str, Any]]:
    of_agent, of_truth = pair_distances(p), pair_distances(g)
    upper = np.triu_indices(len(roles), k=1)
    difference = of_agent - of_truth
    mean_p, mean_g = float(of_agent[upper].mean()), float(of_truth[upper].mean())
    per_role = difference.sum(axis=1) / (len(roles) - 1)
    return float(difference[upper].mean()), {
        "roles": dict(zip(roles, per_role.tolist(), strict=True)),
        "mean_absolute_difference": float(np.abs(difference[upper]).mean()),
        "mean_h_prediction": mean_p,
        "mean_h_truth": mean_g,
        "relative": mean_p / mean_g - 1 if mean_g > 0 else None,
    }


def pair_distances(roots: FloatArray) -> FloatArray:
    """Hellinger distance of every two roles, shape (R, n) -> (R, R), zeros in the diagonal."""
    out = np.zeros((len(roots), len(roots)))
    for r in range(len(roots) - 1):  # row by row: all at once would need R * R * n numbers
        out[r, r + 1 :] = out[r + 1 :, r] = hellinger_of_roots(roots[r + 1 :], roots[r])
    return out


def _margin(p: FloatArray, g: FloatArray, roles: tuple[str, ...]) -> tuple[float, dict[str, Any]]:
    closeness = np.stack([1 - hellinger_of_roots(g, row) for row in p])  # rows: agent, columns: truth
    own = np.diag(closeness)
    others = (closeness.sum(axis=1) - own) / (len(roles) - 1)
    return float((own - others).mean()), {"roles": dict(zip(roles, (own - others).tolist(), strict=True))}
