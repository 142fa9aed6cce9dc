from collections import Counter

import pytest

from mmrole.llm import BatchResult, ScriptedModel, Spent
from mmrole.llm.stage import Asking, StageResult


def test_a_stage_is_counted_as_its_batch():
    batch = BatchResult(
        total=5, done=2, failed=1, pending=2, reused=1, statuses=Counter(ok=2, error=1), failures=[{"item": "a"}],
        spent=Spent(), spent_before=Spent(),
    )  # fmt: skip
    stage = StageResult.of(batch)
    assert stage.counts == {"inputs": 5, "done": 2, "failed": 3, "skipped": 0, "pending": 2, "reused": 1}
    assert stage.statuses == {"ok": 2, "error": 1}
    assert stage.failures == [{"item": "a"}]


@pytest.mark.parametrize(
    ("limit", "cost", "left"), [(None, 2.0, None), (5.0, None, 5.0), (5.0, 2.0, 3.0), (5.0, 7.0, 0.0), (0.0, 0.0, 0.0)]
)
def test_what_was_spent_is_taken_off_the_limit_that_is_shared(limit, cost, left):
    asking = Asking(model=ScriptedModel([]), max_cost=limit)
    assert asking.after(Spent(cost=cost)).max_cost == Spent(cost=cost).left_of(limit) == left
    assert asking.max_cost == limit
