"""Prosody of one clip: speed, pitch and volume on the common grid, and the summaries that normalisation needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.audio.grid import STEP_S
from extractors.audio.moments import FeatureSummary
from extractors.audio.nuclei import find_nuclei
from extractors.audio.pitch import PitchMethod, track_f0
from extractors.audio.speech import find_speech
from extractors.audio.speed import speaking_rate
from extractors.audio.syllables import count_syllables
from extractors.audio.volume import frame_levels_db
from extractors.audio.waveform import Waveform
from mmrole.core.media import Caution, Reason

# Less sound than this is not measured: it holds no syllable, and Praat's pitch needs 40 ms.
SHORTEST_S = 0.05


@dataclass(frozen=True, kw_only=True)
class ProsodyFeatures:
    """The three features of an utterance as `normalize` takes them.

    Attributes:
        speed: local speaking rate in syllables per second, over speech frames
        pitch: ln F0 (F0 in Hz), over voiced frames
        volume: level in dBFS, over speech frames
    """

    speed: FeatureSummary
    pitch: FeatureSummary
    volume: FeatureSummary


@dataclass(frozen=True, kw_only=True)
class Prosody:
    """What was measured of a clip's sound.

    Arrays have one value per frame of the 10 ms grid, `[shape=(frames,)]`; NaN is missing.

    Attributes:
        time_s: 0, 0.01, ... to the clip's end; values are measured around these times
        f0_hz: fundamental frequency; NaN where unvoiced
        volume_db: level in dBFS; NaN in digital silence
        speech: whether the frame is speech; means nothing where `measured` is False
        measured: whether there was sound to measure at all
        local_rate_syll_s: local speaking rate; NaN outside speech
        speech_s: seconds of speech; None when the clip was not measured
        syllables: by the transcript or else by acoustic nuclei; None when neither says
        syllables_from: `transcript`, `sound`, or None
        rate_syll_s: syllables per second of speech
        f0_median_hz: over voiced frames, whether or not they are speech
        volume_mean_db: mean level of the speech frames
        features: for normalisation
        reason: why something could not be measured; None when all could
        cautions: what a reader of the numbers should know
    """

    time_s: NDArray[np.float64]
    f0_hz: NDArray[np.float32]
    volume_db: NDArray[np.float32]
    speech: NDArray[np.bool_]
    measured: NDArray[np.bool_]
    local_rate_syll_s: NDArray[np.float32]
    speech_s: float | None
    syllables: int | None
    syllables_from: str | None
    rate_syll_s: float | None
    f0_median_hz: float | None
    volume_mean_db: float | None
    features: ProsodyFeatures
    reason: Reason | None
    cautions: tuple[Caution, ...]


def measure_prosody(waveform: Waveform, *, pitch: PitchMethod = "parselmouth", text: str | None = None) -> Prosody:
    """Measures speed, pitch and volume.

    Args:
        waveform: of one clip, whatever its length or content
        pitch: how to find F0, see `track_f0`
        text: transcript of what is said, for the count of syllables

    Returns:
        the measures; with less than 50 ms of sound all are missing, and `reason` says so

    Raises:
        UsageError: no such pitch method
        MissingExtraError: pYIN without librosa
    """
    spoken = count_syllables(text) if text else None
    measured = waveform.measured_frames()
    too_short = waveform.measured_s < SHORTEST_S
    if too_short:
        f0_hz, volume_db = np.full((2, waveform.frames), np.nan, np.float32)
        speech = np.zeros(waveform.frames, np.bool_)
        nuclei = np.zeros(0, np.int64)
    else:
        volume_db = frame_levels_db(waveform)
        f0_hz = track_f0(waveform, method=pitch)
        # what is below the floor of the level is silent in every respect
        f0_hz[np.isnan(volume_db)] = np.nan
        speech = find_speech(waveform, levels_db=volume_db, f0_hz=f0_hz)
        nuclei = find_nuclei(waveform, f0_hz=f0_hz)
    rate = speaking_rate(speech=speech, nuclei=nuclei, transcript_syllables=spoken)

    voiced = np.isfinite(f0_hz)
    spoken_db = volume_db[speech & np.isfinite(volume_db)].astype(np.float64)
    cautions = list(waveform.cautions)
    if not too_short and not speech.any():
        cautions.append(Caution.NO_SPEECH)
    if not rate.plausible:
        cautions.append(Caution.TRANSCRIPT_MISMATCH)
    return Prosody(
        time_s=waveform.time_s,
        f0_hz=f0_hz,
        volume_db=volume_db,
        speech=speech,
        measured=measured & (not too_short),
        local_rate_syll_s=rate.curve_syll_s,
        speech_s=None if too_short else round(int(speech.sum()) * STEP_S, 2),
        syllables=rate.syllables,
        syllables_from=None if rate.syllables is None else "sound" if spoken is None else "transcript",
        rate_syll_s=rate.rate_syll_s,
        f0_median_hz=float(np.median(f0_hz[voiced].astype(np.float64))) if voiced.any() else None,
        volume_mean_db=float(spoken_db.mean()) if len(spoken_db) else None,
        features=ProsodyFeatures(
            speed=FeatureSummary.of(rate.curve_syll_s),
            pitch=FeatureSummary.of(np.log(f0_hz.astype(np.float64))),
            volume=FeatureSummary.of(np.where(speech, volume_db, np.nan)),
        ),
        reason=_reason(waveform, volume_db, voiced),
        cautions=tuple(cautions),
    )


def _reason(waveform: Waveform, volume_db: NDArray[np.float32], voiced: NDArray[np.bool_]) -> Reason | None:
    if not waveform.measured_s:
        return Reason.EMPTY_AUDIO
    if waveform.measured_s < SHORTEST_S:
        return Reason.TOO_SHORT
    if not np.isfinite(volume_db).any():
        return Reason.SILENT
    if not voiced.any():
        return Reason.UNVOICED
    return None
