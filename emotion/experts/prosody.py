"""The prosody expert: rate, pitch and volume against the speaker's usual -> emotion. A baseline without a model, not for reporting.

The patterns and their sources are in ``data/prosody.toml``. Three means say how aroused a voice is far better than whether it is glad
or angry; expect anger and happiness to be taken for one another. A voice within half a standard deviation of the usual in all three is
taken as neutral. Without a reference, or when one of the three could not be measured, there is no label: a voice cannot be high by itself.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

import numpy as np
import numpy.typing as npt

from emotion.experts.expert import ABSENT, Case, ExpertVote, require_whole
from emotion.experts.pattern_expert import NEUTRAL, PatternExpert
from mmrole.core.canonical import bytes_sha256
from mmrole.core.errors import InputError
from mmrole.core.labels import LabelSet

RULE: Final = "prosody/cosine/v1"
MEASURES: Final = ("rate", "pitch", "volume")
NO_PROSODY: Final = "no_prosody"


@dataclass(frozen=True, kw_only=True, eq=False)
class _Table:
    """``data/prosody.toml``; patterns: label -> `MEASURES`, shape (3,)."""

    sha256: str
    patterns: Mapping[str, npt.NDArray[np.float64]]
    usual: float
    fit: float
    margin: float


@lru_cache
def _table() -> _Table:
    data = files("emotion.experts").joinpath("data", "prosody.toml").read_bytes()
    content = tomllib.loads(data.decode("utf-8"))
    return _Table(
        sha256=bytes_sha256(data),
        patterns={
            label: np.array([steps[measure] for measure in MEASURES], dtype=np.float64)
            for label, steps in content["emotions"].items()
        },
        **{name: content[name] for name in ("usual", "fit", "margin")},
    )


class ProsodyExpert(PatternExpert):
    """Compares the prosody of an utterance with the patterns of four emotions.

    Args:
        name: of the expert in its panel
        labels: label set of the run, or its name
        streams: ``speech`` is all that it reads

    Raises:
        UsageError: another stream, or no label in common with the run
    """

    kind = "prosody"
    stream = "speech"
    rule = RULE

    def __init__(
        self,
        *,
        name: str = "prosody",
        labels: LabelSet | str = "cped-13",
        streams: Sequence[str] = ("speech",),
    ) -> None:
        table = _table()
        super().__init__(name=name, labels=labels, streams=streams, patterns=table.patterns, table=table.sha256)

    def vote(self, case: Case, stream: str, round: int) -> ExpertVote:  # noqa: A002, ARG002  equal in every round
        """The vote on one case; equal in every round.

        Args:
            case: its prosody is read: ``rate_z``, ``pitch_z``, ``volume_z``
            stream: ``speech``
            round: pass, from 0

        Raises:
            InputError: a value is no number
            StoreError: the features lack the clip
        """
        require_whole(case, stream)
        if case.prosody is None:
            return ExpertVote(label=None, status=ABSENT, reason=NO_PROSODY)
        given = {measure: case.prosody.get(f"{measure}_z") for measure in MEASURES}
        if missing := [measure for measure, value in given.items() if value is None]:
            return ExpertVote(label=None, status=ABSENT, reason=f"no_{missing[0]}_against_a_reference")
        values = np.array([_number(measure, value) for measure, value in given.items()])
        table = _table()
        if (np.abs(values) <= table.usual).all():
            return self._named(NEUTRAL, {})
        return self._best(values, table.patterns, {}, fit=table.fit, margin=table.margin)


def _number(measure: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise InputError(f"{measure}_z of the prosody has to be a number, not {value!r}: extract the clip again")
    return float(value)
