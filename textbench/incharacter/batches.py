"""Which items the interviewer model rates together in expert rating by batches (ER_batch).

Source: InCharacter (ACL 2024), section 3.3, and the batches of its published results.
"""

from __future__ import annotations

import random
from typing import Final

from mmrole.core.errors import UsageError

SIZE: Final = 4
"""Items in a batch."""
SMALLEST: Final = 3
"""Items that the last batch has at least, when there is another."""
ONE_BATCH: Final = 6
"""Fewer items than this are one batch."""


def plan_batches(items: int, *, run: int = 0, seed: int | str = 0) -> list[list[int]]:
    """Positions of the items of one dimension in each batch.

    Batches of 4; fewer than 6 items are one batch. A last batch of fewer than 3 takes the last position of batch 0, then that of
    batch 1, ... until it has 3.

    Args:
        items: number of items of the dimension, > 0
        run: run 0 keeps the order of the questionnaire; later runs shuffle the positions first
        seed: of the shuffle, which depends on it and on the run; give one per character and dimension

    Returns:
        positions from 0, each once

    Raises:
        UsageError: no items, or a negative run

    >>> plan_batches(9), plan_batches(5)
    ([[0, 1, 2], [4, 5, 6], [8, 3, 7]], [[0, 1, 2, 3, 4]])
    """
    if items < 1 or run < 0:
        raise UsageError(f"batches are of 1 item or more in run 0, 1, ..., not of {items} items in run {run}")
    order = list(range(items))
    if run:
        random.Random(f"{seed}/{run}").shuffle(order)  # noqa: S311  # text seeds are hashed alike on every machine
    if items < ONE_BATCH:
        return [order]
    batches = [order[start : start + SIZE] for start in range(0, items, SIZE)]
    for giver in range(SMALLEST - len(batches[-1])):
        batches[-1].append(batches[giver].pop())
    return batches
