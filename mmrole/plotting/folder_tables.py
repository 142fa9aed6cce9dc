"""Counts out of a folder of scores, as the pictures need them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from emotion.report import TransitionPair
from emotion.score_folder import CONFUSION, TRANSITIONS, ScoreFolder
from emotion.transitions import KINDS, Kind, TransitionMatrix
from mmrole.core.errors import MMRoleError, StoreError, UsageError
from mmrole.core.labels import LabelSet, Level

What = Literal["mec", "erc"]


@dataclass(frozen=True, kw_only=True, eq=False)
class ConfusionTable:
    """Confusion counts with their labels.

    Attributes:
        what: ``mec`` for the label sets of responses, ``erc`` for the labels of utterances
        counts: shape (K, 2, 2) or (K, K + 2)
        labels: the label set
    """

    what: What
    counts: npt.NDArray[np.int64]
    labels: LabelSet


def confusion_of(found: ScoreFolder, level: Level | None = None) -> ConfusionTable:
    """The confusion counts of a folder.

    Args:
        found: the folder
        level: ``lower`` for the labels, ``upper`` for their sentiments; None for what there is, lower first

    Raises:
        UsageError: there are none of that level
        StoreError: the file is missing or damaged
    """
    record = _content(found, CONFUSION)
    with _explained(found, CONFUSION):
        if found.command == "erc":
            there: Level = found.settings["level"]
            if level not in (None, there):
                raise UsageError(f"{found.folder} holds recognition of level {there}: leave --level out")
            level, counts = there, None if record["erc"] is None else record["erc"]["counts"]
        else:
            level = level or "lower"
            counts = record["mec"][level]
        names = found.labels.at(level)
        if names is None or counts is None:
            raise UsageError(f"{found.folder}: {found.labels.name} has no map from labels to sentiments")
        size = len(names)
        if found.command == "erc":
            return ConfusionTable(what="erc", counts=_table(counts, (size, size + 2)), labels=names)
        return ConfusionTable(what="mec", counts=_table(counts, (size, 2, 2)), labels=names)


def transitions_of(found: ScoreFolder, kind: Kind, role: str | None = None) -> TransitionPair:
    """Transitions of a role in a folder.

    Args:
        found: the folder
        kind: ``intra``, ``inter`` or ``same_speaker``
        role: the role; all together when None

    Raises:
        UsageError: an unknown kind, a role that did not answer, or a folder without transitions
        StoreError: the file is missing or damaged
    """
    if kind not in KINDS:
        raise UsageError(f"kind has to be one of {', '.join(KINDS)}, not {kind!r}")
    record = _content(found, TRANSITIONS)
    names = found.labels
    with _explained(found, TRANSITIONS):
        roles = record[kind]
        if role is not None and role not in roles:
            some = ", ".join([*roles][:10]) + (", ..." if len(roles) > 10 else "")
            raise UsageError(f"{found.folder}: role {role!r} has no response; there are {len(roles)}: {some}")
        chosen = list(roles) if role is None else [role]
        sides = {
            side: sum(
                (
                    TransitionMatrix(counts=_table(roles[name][side], (len(names),) * 2), labels=names)
                    for name in chosen
                ),
                TransitionMatrix.empty(names),
            )
            for side in ("truth", "prediction")
        }
    return TransitionPair(kind=kind, role=role, truth=sides["truth"], prediction=sides["prediction"])


def _content(found: ScoreFolder, name: str) -> dict[str, Any]:
    if name not in found.manifest["files"]:
        raise UsageError(f"{found.folder} holds the results of mmrole {found.command}: there is no {name} to draw")
    found.check(name)
    with _explained(found, name):
        content: dict[str, Any] = json.loads((found.folder / name).read_bytes())
        return content


@contextmanager
def _explained(found: ScoreFolder, name: str) -> Iterator[None]:
    """Turns what a damaged file raises into a `StoreError`."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, MMRoleError):
            raise
        what = f"{found.folder / name} is damaged ({type(error).__name__}: {error})"
        raise StoreError(f"{what}; run mmrole {found.command} again") from None


def _table(counts: Any, shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    table = np.array(counts)
    if table.shape != shape or not np.issubdtype(table.dtype, np.integer):
        raise ValueError(f"counts of the shape {table.shape} and not {shape}")
    return table.astype(np.int64)
