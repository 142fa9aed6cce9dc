from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmrole.llm.retry import RetryPolicy, retry_after_s

NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after": "86400"}, 86400.0),
        ({"retry-after": "Thu, 01 Jan 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Thursday, 01-Jan-26 12:01:00 GMT"}, 60.0),  # the obsolete form of RFC 850
        ({"retry-after": "Thu Jan  1 12:00:05 2026"}, 5.0),  # asctime, which names no zone
        ({"retry-after": "Thu, 01 Jan 2026 11:00:00 GMT"}, 0.0),  # already past
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after-ms": "x", "retry-after": "1"}, 1.0),
    ],
)
def test_both_forms_of_retry_after_are_understood(headers, seconds):
    assert retry_after_s(headers, now=NOW) == seconds


@given(st.text())
def test_no_retry_after_breaks_the_reader(text):
    seconds = retry_after_s({"retry-after": text}, now=NOW)
    assert seconds is None or seconds >= 0


@given(attempt=st.integers(1, 60), seed=st.integers(0, 99))
def test_waits_double_within_their_bounds(attempt, seed):
    policy = RetryPolicy(base_s=0.5, longest_s=30.0)
    wait = policy.wait_s(attempt, random.Random(seed))
    full = min(30.0, 0.5 * 2 ** (attempt - 1))
    assert full / 2 <= wait <= full


def test_waits_differ_so_that_requests_do_not_come_back_at_once():
    rng = random.Random(0)
    assert len({RetryPolicy().wait_s(3, rng) for _ in range(20)}) == 20
