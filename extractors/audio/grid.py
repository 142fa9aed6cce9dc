"""The common time grid of all measures.

One frame every 10 ms: frame k stands at k * 10 ms from the clip's start, and each value is measured around that time, not
after it.
"""

from __future__ import annotations

SAMPLE_RATE_HZ = 16_000
STEP_SAMPLES = 160
STEP_S = STEP_SAMPLES / SAMPLE_RATE_HZ
