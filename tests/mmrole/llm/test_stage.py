from collections import Counter

from mmrole.llm import BatchResult, Spent
from mmrole.llm.stage import StageResult


def test_a_stage_is_counted_as_its_batch():
    batch = BatchResult(
        total=5, done=2, failed=1, pending=2, reused=1, statuses=Counter(ok=2, error=1), failures=[{"item": "a"}],
        spent=Spent(), spent_before=Spent(),
    )  # fmt: skip
    stage = StageResult.of(batch)
    assert stage.counts == {"inputs": 5, "done": 2, "failed": 3, "skipped": 0, "pending": 2, "reused": 1}
    assert stage.statuses == {"ok": 2, "error": 1}
    assert stage.failures == [{"item": "a"}]
