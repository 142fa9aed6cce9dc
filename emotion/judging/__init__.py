"""Judging role consistency: what judges are asked, how their replies are read, and whether their quotes are there.

MERRY (arXiv 2602.21941), role consistency: evidence of both sides, mapped to a score by a table (`emotion.metrics.rc`).
"""

from __future__ import annotations

from emotion.judging.records import judgement_record
from emotion.judging.replies import read_reply
from emotion.judging.requests import JUDGE_METHODS, JudgeMethod, item_id, judge_item, judge_prompts, shown_blocks
from emotion.judging.samples import NO_PROFILE, NO_RESPONSE, Sample, samples_of

__all__ = [
    "JUDGE_METHODS", "NO_PROFILE", "NO_RESPONSE", "JudgeMethod", "Sample", "item_id", "judge_item",
    "judge_prompts", "judgement_record", "read_reply", "samples_of", "shown_blocks",
]  # fmt: skip
