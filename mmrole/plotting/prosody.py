"""How a clip sounds: pitch, volume and speaking rate over time, and the normalised sequences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
from matplotlib.figure import Figure, FigureBase
from matplotlib.ticker import NullLocator
from numpy.typing import NDArray

from extractors.audio.grid import STEP_S
from extractors.audio.moments import STRETCHES
from extractors.audio.normalize import LEVEL_CUTS, LEVEL_WORDS
from mmrole.core.errors import StoreError, UsageError
from mmrole.core.features import UTTERANCES, FeatureStore, prosody_file
from mmrole.core.tables import read_table
from mmrole.plotting.fonts import Lettering, lettering, one_line
from mmrole.plotting.prosody_axes import (
    PROBLEM,
    Floats,
    pitch_axis,
    rate_axis,
    shade,
    volume_axis,
    write_in_margin,
    write_in_middle,
)
from mmrole.plotting.words import count, in_words, not_measured

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, kw_only=True)
class _Curve:
    """One of the three measures.

    Attributes:
        name: in words
        column: of the prosody table
        label: of the axis, with its unit
        number: column of the utterance table with the clip's own number
        level: column with its level in words
        sequence: column with the normalised sequence
        axis: sets the axis for what was measured
        missing: said where nothing was measured
    """

    name: str
    column: str
    label: str
    number: str
    level: str
    sequence: str
    colour: str
    marker: str
    axis: Callable[[Axes, Floats], None]
    missing: str


_CURVES: Final = (
    _Curve(
        name="pitch", column="f0_hz", label="pitch (Hz)", number="f0_median_hz", level="pitch_level", sequence="pitch_seq",
        colour="tab:blue", marker="o", axis=pitch_axis, missing="no voiced sound, so no pitch",
    ),
    _Curve(
        name="volume", column="volume_db", label="volume (dBFS)", number="volume_mean_db", level="volume_level",
        sequence="volume_seq", colour="tab:green", marker="s", axis=volume_axis, missing="digital silence",
    ),
    _Curve(
        name="speaking rate", column="rate_syll_s", label="rate (syll/s)", number="rate_syll_s", level="rate_level",
        sequence="speed_seq", colour="tab:orange", marker="^", axis=rate_axis, missing="no speech, so no rate",
    ),
)  # fmt: skip
_REFERENCES: Final[dict[str | None, str]] = {
    "speaker": "normalised by all clips of the speaker", "gender": "normalised by all clips of the gender",
    "corpus": "normalised by all clips of the corpus",
}  # fmt: skip
_SPEECH, _UNMEASURED, _FAINT = "#dfe7f1", "0.45", "0.4"
_BANDS: Final = ("#f4f4f4", "#e4e4e4")
_SMALLEST_REACH: Final = 2.2
_PLACES: Final = ((0.668, 0.205), (0.497, 0.14), (0.326, 0.14), (0.065, 0.22))
"""Bottom and height of the four axes."""


class ProsodyDisplay:
    """Pitch, volume and speaking rate of a clip, and its three normalised sequences.

    What was not measured stays empty: curves have gaps there.

    Args:
        utterance: the clip's row of utterances.parquet; None where a value is missing
        prosody: the clip's prosody on the 10 ms grid: time_s, f0_hz, volume_db, speech, rate_syll_s; None when the sound
            was not measured

    Attributes:
        axes_: the four Axes from top to bottom, once it has been drawn: pitch, volume, rate, sequences
        figure_: the figure that they are part of
    """

    axes_: list[Axes]
    figure_: FigureBase

    def __init__(self, *, utterance: Mapping[str, Any], prosody: pd.DataFrame | None) -> None:
        self.utterance = utterance
        self.prosody = prosody

    @classmethod
    def from_features(cls, store: FeatureStore, clip_id: str) -> Self:
        """Reads what is to be drawn of one clip.

        Args:
            store: an open features folder
            clip_id: the clip

        Raises:
            InputError: there is no such clip
            StoreError: a file of the folder is missing or damaged
        """
        record = store.record(clip_id)
        table = read_table(store.folder / UTTERANCES)
        ids = table.column("clip_id").to_pylist()
        if clip_id not in ids:
            raise StoreError(f"{store.folder / UTTERANCES} has no row for {clip_id!r}; run mmrole extract again")
        row: dict[str, Any] = table.slice(ids.index(clip_id), 1).to_pylist()[0]
        measured = prosody_file(clip_id) in record["files"]
        return cls(utterance=row, prosody=store.prosody(clip_id) if measured else None)

    @property
    def size_in(self) -> tuple[float, float]:
        """Width and height of its own figure in inches."""
        return 10.0, 8.8

    def plot_on(self, figure: FigureBase) -> Self:
        """Draws on new axes that fill a figure."""
        axes = [figure.add_axes((0.075, bottom, 0.765, height)) for bottom, height in _PLACES]
        for upper in axes[:3]:
            upper.sharex(axes[3])
            upper.tick_params(labelbottom=False)
        return self.plot(axes)

    def plot(self, axes: Sequence[Axes] | None = None) -> Self:
        """Draws.

        Args:
            axes: four Axes to draw on, for pitch, volume, rate and sequences; those of a new figure when None

        Returns:
            itself, with `axes_` and `figure_`

        Raises:
            UsageError: another number of axes
        """
        if axes is None:
            return self.plot_on(Figure(figsize=self.size_in))
        if len(axes) != 4:
            raise UsageError(f"a prosody display is drawn on 4 axes (pitch, volume, rate, sequences), not {len(axes)}")
        self.axes_ = list(axes)
        self.figure_ = self.axes_[0].figure
        self._title()
        for curve, ax in zip(_CURVES, self.axes_, strict=False):
            self._curve(ax, curve)
        self._sequences(self.axes_[3])
        self._time_axis()
        return self

    def _title(self) -> None:
        row = self.utterance
        known = [one_line(str(row[name]), 40) for name in ("speaker", "gender") if row.get(name)]
        reference = _REFERENCES.get(row.get("reference"), "not normalised")
        lines = [
            one_line(str(row["clip_id"]), 84),
            f"speaker: {', '.join(known) or 'not known'}   ·   {reference}",
            "   ·   ".join(f"{curve.name}: {self._level(curve)}" for curve in _CURVES),
        ]
        letters = lettering(*lines)
        self._line(lines[0], letters, 44, fontsize=14)
        self._line(lines[1], letters, 27, fontsize=9.5)
        self._line(lines[2], letters, 12, fontsize=9.5)
        if row.get("audio_status") == "partial":
            note = f"not everything was measured: {in_words(row.get('audio_reason'))}"
            self._line(note, letters, 62, fontsize=9, color=PROBLEM)

    def _level(self, curve: _Curve) -> str:
        if self.utterance.get(curve.level):
            return str(self.utterance[curve.level])
        return "not measured" if self.utterance.get(curve.number) is None else "not normalised"

    def _line(self, text: str, letters: Lettering, above_pt: float, **style: Any) -> None:
        """Writes a line above the uppermost axes."""
        self.axes_[0].annotate(
            letters.shown(text), (0, 1), (0, above_pt), xycoords="axes fraction", textcoords="offset points",
            ha="left", va="center", annotation_clip=False, **letters.style, **style,
        )  # fmt: skip

    def _curve(self, ax: Axes, curve: _Curve) -> None:
        ax.set_ylabel(curve.label)
        if self.prosody is None:
            ax.yaxis.set_major_locator(NullLocator())
            if curve is _CURVES[0]:  # once is enough
                row = self.utterance
                write_in_middle(ax, not_measured("audio", row.get("audio_status"), row.get("audio_reason")))
            return
        time_s = self.prosody["time_s"].to_numpy(np.float64)
        self._shade(ax, time_s, self.prosody["speech"], legend=curve is _CURVES[0])
        values = self.prosody[curve.column].to_numpy(np.float64)
        measured = values[np.isfinite(values)]
        if not len(measured):
            ax.yaxis.set_major_locator(NullLocator())
            write_in_middle(ax, curve.missing)
            return
        curve.axis(ax, measured)
        # dots, so that a single frame between two gaps is seen as well
        ax.plot(time_s, values, color=curve.colour, linewidth=1.4, marker=".", markersize=2.5)
        number = self.utterance.get(curve.number)
        if number is not None:
            ax.axhline(number, color=curve.colour, linewidth=0.9, linestyle=":")
            write_in_margin(ax, number, self._number(curve, number), colour=curve.colour)

    def _number(self, curve: _Curve, number: float) -> str:
        """The clip's own number in words."""
        if curve.name == "pitch":
            return f"median\n{number:.0f} Hz"
        if curve.name == "volume":
            return f"mean of the\nspeech {number:.1f} dB"
        syllables, origin = self.utterance.get("syllables"), self.utterance.get("syllables_from")
        counted = [] if syllables is None else [count(int(syllables), "syllable")]
        counted += [f"from the {origin}"] if origin else []
        return "\n".join([f"mean {number:.1f} syll/s", *counted])

    def _shade(self, ax: Axes, time_s: Floats, speech: pd.Series[Any], *, legend: bool) -> None:
        """Marks speech, and what could not be measured."""
        spans: tuple[tuple[str, NDArray[np.bool_], dict[str, Any]], ...] = (
            ("speech", speech.eq(True).to_numpy(np.bool_), {"color": _SPEECH}),
            ("not measured", speech.isna().to_numpy(), {"facecolor": "none", "edgecolor": _UNMEASURED, "hatch": "///"}),
        )
        for name, where, look in spans:
            if where.any():
                shade(ax, time_s, where, label=name, **look)
        if legend and any(where.any() for _, where, _ in spans):
            _legend(ax)

    def _sequences(self, ax: Axes) -> None:
        sequences = [_numbers(self.utterance.get(curve.sequence)) for curve in _CURVES]
        measured = np.concatenate(sequences)
        measured = measured[np.isfinite(measured)]
        reach = max(_SMALLEST_REACH, 1.1 * float(np.abs(measured).max(initial=0.0)))
        edges = (-reach, *LEVEL_CUTS, reach)
        for index, word in enumerate(LEVEL_WORDS):
            low, high = edges[index], edges[index + 1]
            ax.axhspan(low, high, color=_BANDS[index % 2], linewidth=0, zorder=0)
            write_in_margin(ax, (low + high) / 2, word, colour=_FAINT)
        ax.set_ylim(-reach, reach)
        ax.set_ylabel("standard deviations")
        ax.set_title("normalised sequences: means of 20 equal parts of the clip", fontsize=9, loc="left", pad=4)
        if self.prosody is None or not len(measured):
            anything = any(self.utterance.get(curve.number) is not None for curve in _CURVES)
            write_in_middle(ax, "no spread to compare with (no_reference)" if anything else "nothing to normalise")
            return
        time_s = self.prosody["time_s"].to_numpy(np.float64)
        begin_s, length_s = time_s[0] - STEP_S / 2, len(time_s) * STEP_S
        centres_s = begin_s + (np.arange(STRETCHES) + 0.5) * length_s / STRETCHES
        for curve, values in zip(_CURVES, sequences, strict=True):
            label = curve.name if np.isfinite(values).any() else f"{curve.name} (none)"
            look: dict[str, Any] = {"color": curve.colour, "marker": curve.marker}
            ax.plot(centres_s, values, markersize=4.5, linewidth=1.2, label=label, **look)
        _legend(ax)

    def _time_axis(self) -> None:
        end_s = float(self.utterance.get("duration_s") or 0.0)
        if self.prosody is not None and len(self.prosody):
            end_s = max(end_s, float(self.prosody["time_s"].iloc[-1]) + STEP_S / 2)
        for ax in self.axes_:
            ax.set_xlim(0, end_s or 1.0)
            if not end_s:
                ax.xaxis.set_major_locator(NullLocator())
        self.axes_[3].set_xlabel("time in the clip (s)")


def _legend(ax: Axes) -> None:
    """A legend in one line above the axes, at the right."""
    style: dict[str, Any] = {"frameon": False, "fontsize": 8.5, "borderaxespad": 0.2, "ncols": 3}
    ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), **style)


def _numbers(values: Sequence[float | None] | None) -> Floats:
    """A sequence as an array; missing is NaN."""
    return np.full(STRETCHES, np.nan) if values is None else np.array(values, dtype=np.float64)
