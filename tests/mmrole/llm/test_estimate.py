from __future__ import annotations

import pytest

from mmrole.llm.chat import AudioPart, ChatRequest, ImagePart, system, user
from mmrole.llm.cost import Price
from mmrole.llm.estimate import Estimate, estimate_text_tokens, estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("abcd", 1), ("abcde", 2), ("我很高兴", 4), ("我很高兴。", 5), ("我ok", 2), ("！", 1)],
)
def test_tokens_of_text_are_counted_as_said(text, tokens):
    assert estimate_text_tokens(text) == tokens


def test_tokens_of_a_request_are_counted_as_said():
    sound = AudioPart(data=bytes(32000))  # one second at 16 kHz and 16 bit
    request = ChatRequest(messages=(system("abcd"), user("我", ImagePart(data=b"x"), sound)))
    assert estimate_tokens(request) == (4 + 1) + (4 + 1 + 765 + 25)


COUNTS = {"total": 10, "stored": 3, "cached": 2, "calls": 5, "prompt_tokens": 1000}
PRICE = Price(input_per_million=10, output_per_million=100)


def test_the_cost_has_a_lower_and_an_upper_end():
    estimate = Estimate(**COUNTS, completion_tokens=100, price=PRICE)
    # by hand: 1000 * 10 / 10^6 and 100 * 100 / 10^6 on top
    assert (estimate.least_cost, estimate.most_cost) == (pytest.approx(0.01), pytest.approx(0.02))
    assert "from 0.0100 to 0.0200 USD" in str(estimate)
    assert "5 calls to make" in str(estimate)


def test_what_is_not_known_is_said_not_guessed():
    unlimited = Estimate(**COUNTS, completion_tokens=None, price=PRICE)
    assert unlimited.most_cost is None
    assert "at least 0.0100 USD; set max_tokens" in str(unlimited)
    unpriced = Estimate(**COUNTS, completion_tokens=100)
    assert (unpriced.least_cost, unpriced.most_cost) == (None, None)
    assert "cost unknown" in str(unpriced)
