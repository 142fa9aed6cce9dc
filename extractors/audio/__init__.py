"""Speech: waveform, pitch, volume, speaking rate, prosody, normalisation."""
