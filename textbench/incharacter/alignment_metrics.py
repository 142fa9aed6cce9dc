"""Alignment of measured personalities with labels: Acc_Dim, Acc_Full, MAE, MSE.

Each is computed per run over characters and unmasked dimensions; the value is the mean of the values of the runs.

Conventions
    A dimension is high (H) when its score is above the midpoint, else low (a tie is low). Types, values and mask may come from
    different labels: the accuracies of tables 2 and 3 use PDb types, their MAE annotator scores under the PDb mask; tables 8 and 9
    have MAE against PDb scores; what table 11 calls MAE is the MSE, and its EPQ-R needs ``mirror=("Lying",)``; table 6 counts
    an annotator's X on a dimension that PDb does not mask as wrong.

Source: InCharacter (ACL 2024), section 4.1; formulas checked against its published raw results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from mmrole.core.bootstrap import Estimate
from mmrole.core.errors import UsageError
from mmrole.core.scores import Score, definition
from textbench.incharacter.labels import ABSENT, Labels, label_arrays
from textbench.incharacter.scales import Keys, Scale
from textbench.incharacter.scales import scale as find_scale
from textbench.incharacter.score_table import DimensionScores, score_table

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
OnX = Literal["wrong", "excluded"]
OutOfRange = Literal["kept", "excluded"]

METRICS: Final = ("acc_dim", "acc_full", "mae", "mse")


def alignment(
    scores: DimensionScores,
    labels: Labels,
    scale: str | Scale = "BFI",
    *,
    types: str = "pdb",
    values: str = "annotation",
    mask: str = "pdb",
    mirror: Sequence[str] = (),
    keys: Keys | str | None = None,
    unmasked_x: OnX = "wrong",
    out_of_range: OutOfRange = "kept",
    bootstrap: int = 0,
    seed: int = 0,
) -> dict[str, Score]:
    """How well measured personalities fit the labels.

    Args:
        scores: character -> dimension -> one score per run (see `textbench.incharacter.dimension_scores`)
        labels: source -> character -> scale -> dimension -> score and type
        scale: the scale or its name
        types: source of the types that the accuracies compare with
        values: source of the scores that MAE and MSE compare with
        mask: source whose X leave a dimension out
        mirror: dimensions whose labels are turned round
        keys: another key of the scale
        unmasked_x: what a type X is on a dimension that the mask keeps: ``wrong`` as published, or ``excluded``
        out_of_range: measured scores outside the scale's range are ``kept`` as published (and counted), or ``excluded``
        bootstrap: draws of the intervals (characters are drawn); 0 for none
        seed: of the draws

    Returns:
        ``acc_dim`` and ``acc_full``, shares in [0, 1], up; ``mae`` and ``mse`` of the error divided by the range, down. ``n`` pairs
        of character and dimension in any run, characters for acc_full. ``excluded`` masked, no_label, not_measured,
        no_label_type, label_x, no_label_score (pairs); all_masked, incomplete (characters; an unmasked dimension was not
        measured). ``details`` runs (value per run), pairs or characters (number per run), out_of_range (measured scores).
        Undefined: ``no_pairs``; ``all_masked``, ``incomplete`` or ``no_characters`` of acc_full

    Raises:
        UsageError: an unknown scale, dimension, source or option
    """
    cells = alignment_cells(
        scores, labels, scale, types=types, values=values, mask=mask, mirror=mirror, keys=keys, unmasked_x=unmasked_x,
        out_of_range=out_of_range,
    )  # fmt: skip
    return cells.scores(bootstrap=bootstrap, seed=seed)


@dataclass(frozen=True, kw_only=True, eq=False)
class AlignmentCells:
    """Every measured score beside its label; made by `alignment_cells`.

    Attributes:
        scale: the scale
        characters: the rows
        measured: NaN where not measured, shape (characters, dimensions, runs)
        typed: type of the label, shape (characters, dimensions)
        valued: score of the label, NaN where none, shape (characters, dimensions)
        state: ``kept``, or why a pair is left out: ``masked``, ``no_label``; shape (characters, dimensions)
        beyond: whether a score was outside the scale's range, also where it was left out; shape as measured
        unmasked_x: see `alignment`
        options: what decides the values, for the definition
    """

    scale: Scale
    characters: tuple[str, ...]
    measured: FloatArray
    typed: npt.NDArray[np.str_]
    valued: FloatArray
    state: npt.NDArray[np.str_]
    beyond: BoolArray
    unmasked_x: OnX
    options: dict[str, object]

    def scores(
        self,
        *,
        rows: BoolArray | None = None,
        columns: BoolArray | None = None,
        part: str | None = None,
        bootstrap: int = 0,
        seed: int = 0,
    ) -> dict[str, Score]:
        """The metrics over some characters and dimensions.

        Args:
            rows: characters that count, all when None
            columns: dimensions that count, all when None
            part: name of the part; the scale when None
            bootstrap: draws of the intervals; 0 for none
            seed: of the draws
        """
        inside = np.ones(self.state.shape, dtype=bool)
        inside &= True if rows is None else rows[:, None]
        inside &= True if columns is None else columns[None, :]
        kept = inside & (self.state == "kept")
        left_out = {reason: int((inside & (self.state == reason)).sum()) for reason in ("masked", "no_label")}
        there = ~np.isnan(self.measured)
        unmeasured = {"not_measured": int((kept & ~there.any(axis=2)).sum())}
        is_x, untyped = kept & (self.typed == "X"), kept & (self.typed == ABSENT)
        no_score = kept & np.isnan(self.valued)

        high = np.where(self.measured > self.scale.score_midpoint, "H", "L")
        hits = (high == self.typed[:, :, None]) & there
        judged = kept & ~untyped & ~(is_x if self.unmasked_x == "excluded" else np.zeros_like(is_x))
        error = np.abs(self.measured - self.valued[:, :, None]) / self.scale.score_span
        x_out = {
            "no_label_type": int(untyped.sum()),
            "label_x": int(is_x.sum()) if self.unmasked_x == "excluded" else 0,
        }
        pairs = {
            "acc_dim": (hits.astype(np.float64), judged, x_out),
            "mae": (error, kept & ~no_score, {"no_label_score": int(no_score.sum())}),
            "mse": (error**2, kept & ~no_score, {"no_label_score": int(no_score.sum())}),
        }
        details = {"out_of_range": int((self.beyond & kept[:, :, None]).sum())}
        out = {}
        for name, (what, where, more) in pairs.items():
            counted = there & where[:, :, None]
            out[name] = self._score(
                name, np.where(counted, what, 0.0).sum(axis=1), counted.sum(axis=1), int(counted.any(axis=2).sum()),
                {**left_out, **unmeasured, **more}, details, part, bootstrap, seed,
            )  # fmt: skip
        any_kept, of_group = judged.any(axis=1), inside.any(axis=1)
        complete = (there | ~judged[:, :, None]).all(axis=1) & any_kept[:, None]
        full = (hits | ~judged[:, :, None]).all(axis=1) & complete
        out["acc_full"] = self._score(
            "acc_full", full.astype(np.float64), complete, int(complete.any(axis=1).sum()),
            {"all_masked": int((of_group & ~any_kept).sum()), "incomplete": int((any_kept & ~complete.any(axis=1)).sum())},
            details, part, bootstrap, seed,
        )  # fmt: skip
        return {name: out[name] for name in METRICS}

    def _score(
        self,
        name: str,
        sums: FloatArray,
        sizes: npt.NDArray[Any],
        n: int,
        excluded: dict[str, int],
        details: dict[str, Any],
        part: str | None,
        bootstrap: int,
        seed: int,
    ) -> Score:
        """A score from what each character adds to each run, both of shape (characters, runs)."""
        estimate = Estimate(rows=np.hstack([sums, sizes]).astype(np.float64), statistic=mean_over_runs)
        total, count = sums.sum(axis=0), sizes.sum(axis=0)
        value = estimate.value() if n else None
        share = name.startswith("acc")
        return Score(
            metric=name,
            part=part or self.scale.name,
            value=value,
            n=n,
            excluded=excluded,
            ci=estimate.interval(draws=bootstrap, seed=seed) if value is not None else None,
            definition=definition(f"incharacter/{name.replace('_', '-')}/v1", scale=self.scale.name, **self.options),
            bounds=(0.0, 1.0 if share or not details["out_of_range"] else None),
            direction="up" if share else "down",
            reason=None if value is not None else _why_nothing(name, excluded),
            details={
                "runs": [float(t / c) if c else None for t, c in zip(total, count, strict=True)],
                "characters" if name == "acc_full" else "pairs": [int(c) for c in count],
                **details,
            },
        )


def alignment_cells(
    scores: DimensionScores,
    labels: Labels,
    scale: str | Scale = "BFI",
    *,
    types: str = "pdb",
    values: str = "annotation",
    mask: str = "pdb",
    mirror: Sequence[str] = (),
    keys: Keys | str | None = None,
    unmasked_x: OnX = "wrong",
    out_of_range: OutOfRange = "kept",
) -> AlignmentCells:
    """Measured scores beside labels; arguments and errors as `alignment`."""
    of = find_scale(scale, keys)
    for name, option, allowed in (("unmasked_x", unmasked_x, OnX), ("out_of_range", out_of_range, OutOfRange)):
        if option not in get_args(allowed):
            raise UsageError(f"{name} is one of {', '.join(get_args(allowed))}, not {option!r}")
    table = score_table(scores, of)
    found = {name: label_arrays(labels, name, of, table.characters, mirror) for name in {types, values, mask}}
    masks = found[mask][0]
    state = np.where(masks == "X", "masked", np.where(masks == ABSENT, "no_label", "kept"))
    # of a dimension that neither was measured nor has a label nothing is said
    state[np.isnan(table.values).all(axis=2) & (masks == ABSENT)] = "nothing"
    beyond = (table.values < of.score_low) | (table.values > of.score_high)
    measured = np.where(beyond, np.nan, table.values) if out_of_range == "excluded" else table.values
    options: dict[str, object] = {
        "types": types,
        "values": values,
        "mask": mask,
        "unmasked_x": unmasked_x,
        "out_of_range": out_of_range,
    }
    if mirror:
        options["mirror"] = "+".join(mirror)
    return AlignmentCells(
        scale=of,
        characters=table.characters,
        measured=measured,
        typed=found[types][0],
        valued=found[values][1],
        state=state,
        beyond=beyond,
        unmasked_x=unmasked_x,
        options=options,
    )


def _why_nothing(name: str, excluded: Mapping[str, int]) -> str:
    if name != "acc_full":
        return "no_pairs"
    return next((reason for reason in ("incomplete", "all_masked") if excluded[reason]), "no_characters")


def mean_over_runs(sums: FloatArray) -> FloatArray:
    """The mean of the runs' means: first half of the features over the second; runs without anything are left out.

    Args:
        sums: sums and counts of the runs, shape (draws, 2 runs)

    Returns:
        shape (draws,), NaN where no run has anything
    """
    half = sums.shape[1] // 2
    total, count = sums[:, :half], sums[:, half:]
    there = count > 0
    means = np.divide(total, count, out=np.zeros_like(total), where=there)
    runs = there.sum(axis=1)
    value: FloatArray = np.divide(means.sum(axis=1), runs, out=np.full(len(sums), np.nan), where=runs > 0)
    return value
