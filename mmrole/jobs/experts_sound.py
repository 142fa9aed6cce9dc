"""The sound of a clip for experts that listen."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mmrole.core.canonical import printable_path
from mmrole.core.errors import InputError, MediaError


def hear(path: Path, sample_rate_hz: int) -> npt.NDArray[np.float32]:
    """The sound of a file.

    Args:
        path: the file
        sample_rate_hz: wanted rate

    Returns:
        one channel, full scale 1, from the file's start on, silence where there is none; shape (samples,), empty without a sound

    Raises:
        InputError: the file cannot be read
    """
    from scipy.signal import resample_poly

    from extractors.audio.grid import SAMPLE_RATE_HZ
    from extractors.audio.waveform import WaveformBuilder
    from extractors.container import open_source
    from extractors.decoding import Pass

    try:
        source = open_source(path)
    except MediaError as error:
        raise InputError(
            f"{error.detail}: paths are those that mmrole extract was given, start from the same folder"
        ) from None
    sound = WaveformBuilder()
    try:
        if source.audio is not None:
            Pass(source=source, on_audio=sound.add, on_video=None).run()
    finally:
        source.close()
    samples = sound.finish().samples
    if sample_rate_hz == SAMPLE_RATE_HZ or not len(samples):
        return samples
    if sample_rate_hz <= 0:
        raise InputError(f"{printable_path(path)}: a rate of {sample_rate_hz} Hz makes no sense")
    common = math.gcd(sample_rate_hz, SAMPLE_RATE_HZ)
    return np.asarray(resample_poly(samples, sample_rate_hz // common, SAMPLE_RATE_HZ // common), dtype=np.float32)
