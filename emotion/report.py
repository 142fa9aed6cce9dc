"""`ScoreReport`: all scores of one agent under one condition, and what figures and files are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from emotion.corpus import PLAYED
from emotion.draws import Sides
from emotion.judgements import Judgement
from emotion.metrics.mec import at_level, per_class, set_confusion
from emotion.metrics.rc_episodes import EpisodeScore, rc_by_episode
from emotion.options import ScoreOptions
from emotion.responses import Responses
from emotion.transitions import KINDS, Kind, TransitionMatrix
from mmrole.core.counting import counted
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, Level
from mmrole.core.scores import Score

if TYPE_CHECKING:
    import pandas as pd

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class TransitionPair:
    """Transitions of the ground truth and of the agent over the same turns.

    Attributes:
        kind: of transition
        role: the role; None for all roles together
        truth: counts of the ground truth
        prediction: counts of the agent
    """

    kind: Kind
    role: str | None
    truth: TransitionMatrix
    prediction: TransitionMatrix


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreReport:
    """The scores of one agent under one condition.

    Attributes:
        scores: one per metric and part
        labels: the label set
        options: what decided the scores
        responses: the responses that were scored
        judgements: what the scores of role consistency are from, of played turns only
        matrices: kind -> transition matrices by role, also of the kinds and roles that were not scored
        bootstrap: draws of the intervals
        seed: of the draws
    """

    scores: list[Score]
    labels: LabelSet
    options: ScoreOptions
    responses: Responses
    judgements: tuple[Judgement, ...] = ()
    matrices: Mapping[Kind, Sides]
    bootstrap: int
    seed: int

    def __repr__(self) -> str:
        scores = counted(len(self.scores), "score")
        return f"ScoreReport({self.labels.name}, {scores} of {counted(len(self.responses.turn), 'response')})"

    def __getitem__(self, key: tuple[str, str]) -> Score:
        """The first score of a metric and part, such as ``report["mec", "lower"]``."""
        for score in self.scores:
            if (score.metric, score.part) == key:
                return score
        raise KeyError(key)

    def confusion(self, level: Level = "lower") -> IntArray:
        """Counts per label over the responses of MEC, shape (K, 2, 2): [[TN, FP], [FN, TP]].

        Args:
            level: ``lower`` for the labels, ``upper`` for their sentiments (shape (3, 2, 2))

        Raises:
            UsageError: ``upper`` where sentiment is no function of the label
        """
        truth, prediction = self.responses.truth_sets(), self.responses.predicted_sets()
        kept = truth.any(axis=1)
        if self.options.empty == "excluded":
            kept &= prediction.any(axis=1)
        given, fused = (at_level(side[kept], self.labels, level) for side in (truth, prediction))
        if given is None or fused is None:
            raise UsageError(f"{self.labels.name} has no map from labels to sentiments")
        return set_confusion(given, fused)

    def classes(self, level: Level = "lower") -> dict[str, dict[str, Any]]:
        """Precision, recall, F1 and counts of each label over the responses of MEC (see `confusion`)."""
        names = self.labels.at(level)
        if names is None:
            raise UsageError(f"{self.labels.name} has no map from labels to sentiments")
        return per_class(self.confusion(level), names)

    def transitions(self, kind: Kind, role: str | None = None) -> TransitionPair:
        """Transitions of the ground truth and of the agent.

        Args:
            kind: ``intra``, ``inter`` or ``same_speaker``
            role: one role; all together when None

        Raises:
            UsageError: an unknown kind, or a role that did not answer
        """
        if kind not in KINDS:
            raise UsageError(f"kind has to be one of {', '.join(KINDS)}, not {kind!r}")
        sides = self.matrices[kind]
        if role is not None and role not in sides.truth:
            raise UsageError(f"role {role!r} has no response; there are {', '.join(sides.truth)}")
        chosen = [role] if role is not None else list(sides.truth)
        truth, prediction = (
            sum((side[name] for name in chosen), TransitionMatrix.empty(self.labels))
            for side in (sides.truth, sides.prediction)
        )
        return TransitionPair(kind=kind, role=role, truth=truth, prediction=prediction)

    def transitions_record(self) -> dict[str, Any]:
        """What transitions.json holds: the label order and kind -> role -> truth, prediction (K x K counts)."""
        kinds: dict[str, Any] = {
            kind: {
                role: {"truth": sides.truth[role].counts.tolist(), "prediction": sides.prediction[role].counts.tolist()}
                for role in sides.truth
            }
            for kind, sides in self.matrices.items()
        }
        return {"label_set": self.labels.name, "labels": list(self.labels.labels), **kinds}

    def label_records(self) -> Iterator[dict[str, Any]]:
        """What labels.jsonl holds: the fused label of every utterance and stream that was voted on."""
        return self.responses.counts.label_records(self.responses.codes)

    @cached_property
    def episodes(self) -> list[EpisodeScore]:
        """Role consistency by episode; nothing where no judgement knows its episode."""
        return rc_by_episode(
            self.judgements,
            method=self.options.rc_method,
            clusters=self.responses.corpus.dialogue_of_turns() if self.judgements else None,
            bootstrap=self.bootstrap,
            seed=self.seed,
        )

    def coverage(self) -> dict[str, int]:
        """How much of the data set the scores are of.

        Returns:
            dialogues, played_dialogues (with a turn to be produced), turns, played_turns, answered (turns with a response),
            utterances (voted on, of those responses), and left out, by reason, as in the scores
        """
        corpus = self.responses.corpus
        played = corpus.status == PLAYED
        return {
            "dialogues": len(corpus.dialogues),
            "played_dialogues": len(np.unique(corpus.dialogue[played])),
            "turns": len(corpus.status),
            "played_turns": int(played.sum()),
            "answered": len(self.responses.turn),
            "utterances": len(self.responses.owner),
            **{reason: count for reason, count in self.responses.left_out.items() if count},
        }

    def to_frame(self) -> pd.DataFrame:
        """The scores as a table, one row per metric and part; the ends of the interval are columns of their own."""
        import pandas as pd

        rows = []
        for score in self.scores:
            low, high = score.ci if score.ci is not None else (None, None)
            rows.append(
                {
                    "metric": score.metric,
                    "part": score.part,
                    "value": score.value,
                    "ci_low": low,
                    "ci_high": high,
                    "n": score.n,
                    "direction": score.direction,
                    "reason": score.reason,
                    "excluded": sum(score.excluded.values()),
                    "definition": score.definition,
                }
            )
        frame = pd.DataFrame(rows)
        return frame.astype({"value": "float64", "ci_low": "float64", "ci_high": "float64"})
