"""The facial action expert: blendshapes -> action units -> emotion. A baseline that needs no model of emotions, not for reporting.

The sources of every number are in ``data/facial_action.toml``. A face without any action unit of the patterns is neutral: that is what
neutral means in FACS, and it is seen, not missing. An utterance without a face gets no label.

What to expect: the blendshapes are means over an utterance of a *talking* face, without the person's own face at rest to compare with;
lowered brows by build look like anger. Some blendshapes of MediaPipe's model hardly ever move (cheekSquint, noseSneer, mouthFrown,
mouthStretch), so disgust, sadness and fear are rarely found.
"""

from __future__ import annotations

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

RULE: Final = "facial-action/cosine/v1"
NO_FACE: Final = "no_face"


@dataclass(frozen=True, kw_only=True, eq=False)
class _Table:
    """``data/facial_action.toml``.

    Attributes:
        sha256: of the file
        units: action unit -> its blendshapes
        patterns: label -> weight of each unit, in the order of `units`
    """

    sha256: str
    units: Mapping[str, tuple[str, ...]]
    patterns: Mapping[str, npt.NDArray[np.float64]]
    rest: float
    weakest: float
    fit: float
    margin: float


@lru_cache
def _table() -> _Table:
    data = files("emotion.experts").joinpath("data", "facial_action.toml").read_bytes()
    content = tomllib.loads(data.decode("utf-8"))
    units = {unit: tuple(names) for unit, names in content["action_units"].items()}
    return _Table(
        sha256=bytes_sha256(data),
        units=units,
        patterns={
            label: np.array([weights.get(unit, 0.0) for unit in units], dtype=np.float64)
            for label, weights in content["emotions"].items()
        },
        **{name: content[name] for name in ("rest", "weakest", "fit", "margin")},
    )


def action_units(blendshapes: npt.NDArray[np.float64], names: Sequence[str]) -> dict[str, float]:
    """Strength of the action units of a face.

    Args:
        blendshapes: 0 to 1 each, shape (n,)
        names: their names, in ARKit's spelling, shape (n,)

    Returns:
        number of the unit -> 0 (at rest) to 1: mean of its blendshapes above the level of a face at rest

    Raises:
        InputError: lengths differ, a blendshape is missing, or a value is no number from 0 to 1
    """
    if len(names) != len(blendshapes):
        raise InputError(f"{len(blendshapes)} blendshapes came with {len(names)} names")
    values = np.asarray(blendshapes, dtype=np.float64)
    if not (np.isfinite(values).all() and (values >= 0).all() and (values <= 1).all()):
        raise InputError("a blendshape is no number from 0 to 1: extract the clip again")
    place = {name: position for position, name in enumerate(names)}
    table = _table()
    strengths = {}
    for unit, shapes in table.units.items():
        if missing := [shape for shape in shapes if shape not in place]:
            raise InputError(f"the blendshapes have no {missing[0]}; they need the names of ARKit")
        mean = float(np.mean([values[place[shape]] for shape in shapes]))
        strengths[unit] = max(0.0, (mean - table.rest) / (1 - table.rest))
    return strengths


class FacialActionExpert(PatternExpert):
    """Compares the action units of a face with the patterns of six emotions.

    Args:
        name: of the expert in its panel
        labels: label set of the run, or its name
        streams: ``face`` is all that it reads

    Raises:
        UsageError: another stream, or no label in common with the run
    """

    kind = "facial-action"
    stream = "face"
    rule = RULE

    def __init__(
        self,
        *,
        name: str = "facial-action",
        labels: LabelSet | str = "cped-13",
        streams: Sequence[str] = ("face",),
    ) -> None:
        table = _table()
        super().__init__(name=name, labels=labels, streams=streams, patterns=table.patterns, table=table.sha256)

    def vote(self, case: Case, stream: str, round: int) -> ExpertVote:  # noqa: A002, ARG002  equal in every round
        """The vote on one case; equal in every round.

        Args:
            case: its blendshapes are read
            stream: ``face``
            round: pass, from 0

        Raises:
            InputError: the blendshapes make no sense
            StoreError: the track of the clip is damaged
        """
        require_whole(case, stream)
        if case.blendshapes is None:
            return ExpertVote(label=None, status=ABSENT, reason=NO_FACE)
        table = _table()
        strengths = action_units(case.blendshapes, case.blendshape_names)
        measured = np.array(list(strengths.values()))
        detail = {"action_units": _shown(strengths)}
        if float(np.linalg.norm(measured)) < table.weakest:
            return self._named(NEUTRAL, detail)
        return self._best(measured, table.patterns, detail, fit=table.fit, margin=table.margin)


def _shown(strengths: Mapping[str, float]) -> dict[str, float]:
    """The action units that are there, as they are stored."""
    return {unit: round(strength, 4) for unit, strength in strengths.items() if strength}
