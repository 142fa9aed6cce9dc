import wave

import numpy as np
import pytest

from mmrole.core.errors import InputError
from mmrole.jobs.experts_sound import hear


@pytest.fixture
def tone(tmp_path):
    """One second of 440 Hz at half of full scale, 16 kHz."""
    samples = np.round(16384 * np.sin(2 * np.pi * 440 * np.arange(16000) / 16000)).astype("<i2")
    path = tmp_path / "tone.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16000)
        file.writeframes(samples.tobytes())
    return path


@pytest.mark.parametrize("rate_hz", [16000, 8000, 22050])
def test_a_tone_at_any_rate(tone, rate_hz):
    samples = hear(tone, rate_hz)
    assert samples.dtype == np.float32
    assert abs(len(samples) - rate_hz) <= 1
    spectrum = np.abs(np.fft.rfft(samples))
    assert np.argmax(spectrum) * rate_hz / len(samples) == pytest.approx(440, abs=1)
    # the middle, where a filter has no edges: amplitude .5 has the root mean square .5 / sqrt 2
    middle = samples[rate_hz // 4 : 3 * rate_hz // 4]
    assert np.sqrt(np.mean(middle**2)) == pytest.approx(0.5 / np.sqrt(2), rel=0.01)


def test_what_cannot_be_heard(tmp_path):
    with pytest.raises(InputError, match=r"none\.wav cannot be read"):
        hear(tmp_path / "none.wav", 16000)
    (tmp_path / "text.wav").write_text("no sound at all, just words")
    with pytest.raises(InputError, match=r"text\.wav"):
        hear(tmp_path / "text.wav", 16000)
