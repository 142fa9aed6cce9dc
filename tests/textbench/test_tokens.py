import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textbench.tokens import TokenCounter, approximate

TEXT = st.text("ab .é读者，。😀한か\n", max_size=60)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("a", 1),  # 0.25, rounded up
        ("four", 1),
        ("fours", 2),
        ("读", 2),  # 1.3
        ("读者读者读者读者读者", 13),  # 10 x 1.3, exactly
        ("读者 married", 5),  # 2.6 + 8 / 4
        ("，。", 3),  # Chinese punctuation counts as Chinese: 2.6
    ],
)
def test_counts_by_hand(text, count):
    assert approximate(text) == count


def test_it_is_a_counter_with_a_name():
    assert isinstance(approximate, TokenCounter)
    assert approximate.name == "approximate/v1"


def test_a_lone_surrogate_is_a_character():
    assert approximate("\ud83d" * 4) == 1


@given(TEXT, TEXT)
def test_two_texts_together_have_no_more_than_both_and_no_less_than_one(first, second):
    both = approximate(first + second)
    assert max(approximate(first), approximate(second)) <= both <= approximate(first) + approximate(second)


@given(st.integers(0, 400))
def test_the_definition(length):
    assert approximate("x" * length) == math.ceil(length / 4)
