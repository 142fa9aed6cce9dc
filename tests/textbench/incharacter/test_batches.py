import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmrole.core.errors import UsageError
from textbench.incharacter.batches import plan_batches


@pytest.mark.parametrize(
    ("items", "batches"),
    [
        (1, [[0]]),
        (5, [[0, 1, 2, 3, 4]]),
        (6, [[0, 1, 2], [4, 5, 3]]),  # by the rule: the last chunk has 2 and takes one
        (8, [[0, 1, 2, 3], [4, 5, 6, 7]]),
        # the examples of the paper's procedure
        (9, [[0, 1, 2], [4, 5, 6], [8, 3, 7]]),
        (10, [[0, 1, 2], [4, 5, 6, 7], [8, 9, 3]]),
        (13, [[0, 1, 2], [4, 5, 6], [8, 9, 10, 11], [12, 3, 7]]),
    ],
)
def test_batches_of_the_first_run(items, batches):
    assert plan_batches(items) == batches


@given(items=st.integers(1, 200), run=st.integers(0, 5), seed=st.integers(0, 99))
def test_each_position_once_in_batches_of_three_or_four(items, run, seed):
    batches = plan_batches(items, run=run, seed=seed)
    assert sorted(position for batch in batches for position in batch) == list(range(items))
    assert items < 6 or {len(batch) for batch in batches} <= {3, 4}


def test_later_runs_are_shuffled_by_seed_and_run():
    first = plan_batches(20, run=1, seed="a")
    assert first == plan_batches(20, run=1, seed="a")
    assert (
        len(
            {
                str(x)
                for x in (first, plan_batches(20), plan_batches(20, run=2, seed="a"), plan_batches(20, run=1, seed="b"))
            }
        )
        == 4
    )


@pytest.mark.parametrize(("items", "run"), [(0, 0), (-1, 0), (4, -1)])
def test_nothing_to_batch(items, run):
    with pytest.raises(UsageError, match=f"not of {items} items in run {run}"):
        plan_batches(items, run=run)
