"""Speed: syllables per second of speech, pauses left out, for the utterance and over time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.audio.grid import STEP_S

# The local rate is the density of nuclei seen through a Gaussian of this width: about two syllables of ordinary speech, so
# that single syllables do not show as waves and phrases do.
_SIGMA_S = 0.2
_REACH_S = 0.8

# Nobody speaks faster: then the transcript is not what is heard, or most of the speech was not found.
FASTEST_SYLL_S = 20.0


@dataclass(frozen=True, kw_only=True)
class SpeakingRate:
    """How fast an utterance is spoken.

    Attributes:
        syllables: how many it has, by the transcript or else by the nuclei; None when neither says
        rate_syll_s: syllables per second of speech; None when there is no speech, no syllable, or no possible rate
        curve_syll_s: local rate `[shape=(frames,)]`, with `rate_syll_s` as its mean over speech; NaN outside speech, and
            everywhere when no nucleus tells where the syllables are
        plausible: False when transcript and speech time do not fit each other, so that there is no rate
    """

    syllables: int | None
    rate_syll_s: float | None
    curve_syll_s: NDArray[np.float32]
    plausible: bool = True


def speaking_rate(
    *, speech: NDArray[np.bool_], nuclei: NDArray[np.int64], transcript_syllables: int | None
) -> SpeakingRate:
    """Measures the speaking rate.

    Args:
        speech: whether each frame of the 10 ms grid is speech `[shape=(frames,)]`
        nuclei: frames at which syllables have their peak; those outside speech do not count
        transcript_syllables: how many the transcript has; None without a transcript

    Returns:
        the rate; its curve is the smoothed density of the nuclei, scaled so that its mean over speech is the rate
    """
    speech_s = int(speech.sum()) * STEP_S
    heard = nuclei[speech[nuclei]]
    syllables = transcript_syllables if transcript_syllables is not None else (len(heard) or None)
    nothing = np.full(len(speech), np.nan, np.float32)
    if syllables is None or not speech_s:
        return SpeakingRate(syllables=syllables, rate_syll_s=None, curve_syll_s=nothing)
    rate_syll_s = syllables / speech_s
    if rate_syll_s > FASTEST_SYLL_S:
        return SpeakingRate(syllables=syllables, rate_syll_s=None, curve_syll_s=nothing, plausible=False)
    curve = nothing if not len(heard) else _curve(speech, heard, rate_syll_s)
    return SpeakingRate(syllables=syllables, rate_syll_s=rate_syll_s, curve_syll_s=curve)


def _curve(speech: NDArray[np.bool_], nuclei: NDArray[np.int64], rate_syll_s: float) -> NDArray[np.float32]:
    """Density of nuclei per second of speech around each frame, scaled to the mean `rate_syll_s` over speech."""
    reach = round(_REACH_S / STEP_S)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) * STEP_S / _SIGMA_S) ** 2)
    impulses = np.zeros(len(speech))
    np.add.at(impulses, nuclei, 1.0)
    # divided by the speech within the kernel, so that the rate does not fall towards pauses and edges
    count, time = (np.convolve(np.pad(a, reach), kernel, mode="valid") for a in (impulses, speech.astype(float)))
    density = np.where(speech, count / np.where(speech, time, 1.0), np.nan)
    return np.asarray(density * (rate_syll_s / np.nanmean(density)), np.float32)
