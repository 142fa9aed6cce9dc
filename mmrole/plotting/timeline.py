"""The emotions of a dialogue, utterance by utterance: ground truth and prediction in one grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Self

from matplotlib.figure import Figure, FigureBase

from emotion.report import ScoreReport
from emotion.score_folder import ScoreFolder
from mmrole.core.dialogue import Dialogue
from mmrole.core.errors import UsageError
from mmrole.core.label_maps import LabelMap
from mmrole.core.labels import LabelSet, label_set
from mmrole.core.languages import Language
from mmrole.plotting.panels import axes_in, joined
from mmrole.plotting.timeline_grid import Grid, draw_timeline
from mmrole.plotting.timeline_turns import (
    TimelineTurn,
    turns_of_folder,
    turns_of_predictions,
    turns_of_responses,
    why_unscored,
    why_unscored_in,
)
from mmrole.plotting.wording import wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class TimelineDisplay:
    """The emotions of a dialogue: a dot for the ground truth, a diamond for the prediction, one column per utterance.

    A response may have more or fewer utterances than the turn that it stands for: both begin at the turn's first column. An ambiguous
    prediction, a label outside the set and a missing one have rows of their own, and so has a turn without a response.

    Args:
        turns: the turns in order
        labels: the label set or its name
        dialogue_id: of the dialogue, for the title
        name: of the run, in front of the title
        why: where nothing is predicted, a reason of `emotion.glossary.REASONS` that says why
        lang: language of names and words, ``en`` or ``zh``

    Attributes:
        ax_: the Axes, once it has been drawn
        figure_: the figure that they are part of
        rows_: names of the rows of the grid from top to bottom

    Raises:
        UsageError: no turns
    """

    ax_: Axes
    figure_: FigureBase
    rows_: tuple[str, ...]

    def __init__(
        self,
        turns: Sequence[TimelineTurn],
        *,
        labels: LabelSet | str = "cped-13",
        dialogue_id: str | None = None,
        name: str | None = None,
        why: str | None = None,
        lang: Language = "en",
    ) -> None:
        if not turns:
            raise UsageError("a timeline needs at least one turn")
        self.turns = list(turns)
        self.labels = label_set(labels)
        self.dialogue_id = dialogue_id
        self.name = name
        self.why = why
        self.lang = lang

    @classmethod
    def from_report(
        cls, report: ScoreReport, dialogue_id: str, *, name: str | None = None, lang: Language = "en"
    ) -> Self:
        """A dialogue of what `mmrole.score` gave.

        Args:
            report: the scores
            dialogue_id: the dialogue
            name: see the class
            lang: see the class

        Raises:
            InputError: no such dialogue
        """
        turns = turns_of_responses(report.responses, dialogue_id)
        why = why_unscored(report.responses.corpus, dialogue_id)
        return cls(turns, labels=report.labels, dialogue_id=dialogue_id, name=name, why=why, lang=lang)

    @classmethod
    def from_folder(
        cls,
        folder: ScoreFolder,
        dialogue: Dialogue,
        *,
        truth_map: LabelMap | None = None,
        name: str | None = None,
        lang: Language = "en",
    ) -> Self:
        """A dialogue with the labels in a folder of scores.

        Args:
            folder: of `mmrole score`
            dialogue: its ground truth
            truth_map: from the labels of the dialogue to those of the scores, where they differ
            name: see the class
            lang: see the class

        Raises:
            StoreError: the folder's labels are missing or damaged
        """
        turns = turns_of_folder(folder, dialogue, truth_map=truth_map)
        why = why_unscored_in(folder, dialogue)
        return cls(turns, labels=folder.labels, dialogue_id=dialogue.dialogue_id, name=name, why=why, lang=lang)

    @classmethod
    def from_predictions(
        cls,
        dialogue: Dialogue,
        predictions: Mapping[str, str | None],
        *,
        labels: LabelSet | str = "cped-13",
        truth_map: LabelMap | None = None,
        name: str | None = None,
        lang: Language = "en",
    ) -> Self:
        """A dialogue with predicted labels of its utterances or of an agent's responses.

        Args:
            dialogue: the ground truth
            predictions: id of an utterance -> label, None where ambiguous; ``ID/k`` for utterance k of the response to the turn
                that begins with ID
            labels: see the class
            truth_map: from the labels of the dialogue to these, where they differ
            name: see the class
            lang: see the class
        """
        turns = turns_of_predictions(dialogue, predictions, label_set(labels), truth_map=truth_map)
        return cls(turns, labels=labels, dialogue_id=dialogue.dialogue_id, name=name, lang=lang)

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height of its own figure in inches."""
        return self._grid().size_in

    def plot_on(self, figure: FigureBase) -> Self:
        """Draws on new Axes that fill a figure."""
        return self.plot(axes_in(figure, self.size_in, (0, 0, 0, 0)))

    def plot(self, ax: Axes | None = None) -> Self:
        """Draws.

        Args:
            ax: Axes to draw on, best of the shape of `size_in`; those of a new figure when None

        Returns:
            itself, with `ax_`, `figure_`, `rows_`
        """
        if ax is None:
            return self.plot_on(Figure(figsize=self.size_in))
        grid = self._grid()
        words, self.rows_ = grid.words, grid.names
        self.ax_, self.figure_ = ax, ax.figure
        known = self.dialogue_id is not None
        what = words("dialogue {name}", name=self.dialogue_id) if known else words("emotions of a dialogue")
        draw_timeline(ax, grid, joined(self.name, what))
        return self

    def _grid(self) -> Grid:
        return Grid(turns=tuple(self.turns), labels=self.labels, words=wording(self.lang), why=self.why)
