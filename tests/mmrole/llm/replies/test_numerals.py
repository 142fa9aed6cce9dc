import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmrole.llm.replies.numerals import numeral_at

# by hand
CHINESE = {
    "零": 0, "〇": 0, "一": 1, "两": 2, "九": 9, "十": 10, "十一": 11, "二十": 20, "八十五": 85, "九十九": 99, "百": 100, "一百": 100,
    "一百零五": 105, "一百二十": 120, "一二": 12,
}  # fmt: skip


@pytest.mark.parametrize(("text", "value"), CHINESE.items())
def test_chinese_numerals(text, value):
    assert numeral_at(text, 0).value == value
    assert numeral_at(f"{text}分", 0).value == value


@pytest.mark.parametrize(
    "text", ["十十", "百百", "二百", "一般", "十分满意", "五花八门", "一百五十五十", "八分钟", "七分半"]
)
def test_what_is_no_chinese_numeral(text):
    assert numeral_at(text, 0) is None


@given(st.integers(-(10**9), 10**9))
def test_integers(number):
    assert numeral_at(str(number), 0).value == number
    assert numeral_at(f"{number:,}", 0).value == number


@given(st.floats(-1e6, 1e6), st.integers(1, 6))
def test_decimals(number, digits):
    assert numeral_at(f"{number:.{digits}f}", 0).value == float(f"{number:.{digits}f}")


@pytest.mark.parametrize(
    "text",
    ["", "a", "-", ".", "1,00", "1.2.3", "8+", "8?", "8a", "2026-04-19", "04/19/2026", "3:45", "8-bit", "1,0000"],
)
def test_what_is_no_number(text):
    assert numeral_at(text, 0) is None


@pytest.mark.parametrize(
    ("text", "top"),
    [
        ("8/10", 10),
        ("8 out of 10", 10),
        ("8分（满分10分）".replace("（", "(").replace("）", ")"), 10),
        ("4 on a scale of 1-5", 5),
        ("8 of 10", 10),
    ],
)
def test_what_it_is_of(text, top):
    assert numeral_at(text, 0).top == top
