import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.audio.syllables import count_syllables

# All counts by reading aloud.
MANDARIN = {
    "你好": 2,
    "今天,天气很好!": 6,
    "  我 不 知道 。": 4,
    "": None,
    "……": None,
    "〇": 1,
    "慢慢儿来": 4,
    "々": 1,
    "(笑)好": 1,
    "（日语）": None,
    "【旁白】走吧": 2,
    "我要去KTV": 6,
    "VIP卡": 4,
    "一起high": 3,
    "给我一个A": 5,
    "W": 3,
    "OK的": 3,
    "《红楼梦》": 3,
}
MANDARIN_NUMBERS = {
    "2000": 2,  # liang qian
    "0": 1,
    "10": 1,
    "15": 2,
    "20": 2,
    "21": 3,
    "100": 2,
    "105": 4,  # yi bai ling wu
    "110": 4,  # yi bai yi shi
    "115": 5,
    "1000": 2,
    "1001": 4,  # yi qian ling yi
    "1010": 5,  # yi qian ling yi shi
    "1100": 4,
    "2005": 4,
    "10000": 2,
    "10005": 4,
    "14250": 8,  # yi wan si qian er bai wu shi
    "100000": 2,  # shi wan
    "110000": 3,
    "100015": 6,  # shi wan ling yi shi wu
    "20003000": 5,  # liang qian wan san qian
    "１２": 2,
    "3.14": 4,  # san dian yi si
    "2005年": 5,  # er ling ling wu nian
    "007": 3,
    "13812345678": 11,
    "1,250": 6,
    "20%": 5,  # bai fen zhi er shi
    "2:30": 4,  # liang dian san shi
    "10万": 2,
    "3个": 2,
}
ENGLISH = {
    "What time is it?": 4,
    "I looked at the table.": 6,
    "She wanted boxes.": 5,
    "He likes it, they're there's": 5,
    "I didn't, you can't, we don't": 7,
    "going trying saying": 6,
    "OK": 2,
    "Mr. Bing": 3,
    "hmm": 1,
    "TV": 2,
    "NO! STOP IT!": 3,
    "café naïve": 4,
    "ni3 hǎo": 3,  # ni, the digit three, hao
    "[laughs] Yes": 1,
    "ma’am": 2,
    "Łódź": 1,
    "Zoë": 2,
    "née": 1,
}
ENGLISH_NUMBERS = {
    "I am 0": 4,
    "I am 7": 4,
    "I am 15": 4,
    "I am 21": 5,
    "I am 70": 5,
    "in 1995": 6,  # nineteen ninety-five
    "in 1905": 5,  # nineteen oh five
    "in 1900": 5,  # nineteen hundred
    "in 2000": 4,
    "in 2015": 6,  # two thousand fifteen
    "the 100": 4,  # one hundred
    "the 1,250": 9,  # one thousand two hundred fifty
    "the 21st": 4,
    "the 90s": 3,
    "at 8:30": 4,
    "at 3.5": 4,  # three point five
    "pay $5": 4,  # five dollars
    "about 50%": 6,
    "room 007": 7,  # zero zero seven
    "a 1000000": 4,  # one million
}


def _cases(*tables):
    return [case for table in tables for case in table.items()]


@pytest.mark.parametrize(("text", "count"), _cases(MANDARIN, MANDARIN_NUMBERS))
def test_mandarin(text, count):
    assert count_syllables(text) == count


@pytest.mark.parametrize(("text", "count"), _cases(ENGLISH, ENGLISH_NUMBERS))
def test_english(text, count):
    assert count_syllables(text) == count


@pytest.mark.parametrize("text", ["こんにちは", "안녕", "привет", "你好こ", "hello мир"])
def test_other_scripts_are_not_guessed(text):
    assert count_syllables(text) is None


@given(st.text(max_size=40))
def test_any_text_gives_a_count_or_none(text):
    count = count_syllables(text)
    assert count is None or 1 <= count <= 60 * len(text)


@given(st.integers(1, 99_999_999))
def test_mandarin_numbers_agree_with_their_spelling(value):
    assert count_syllables(str(value)) == len(_spell(value))


def _spell(value):
    """A number in Chinese characters, the schoolbook way: place by place, one zero for any run of zeros within."""
    if value >= 10_000:
        high, low = divmod(value, 10_000)
        between = "零" if 0 < low < 1000 else ""
        return _spell(high) + "万" + (between + _spell_below(low) if low else "")
    return _spell_below(value)[1:] if 10 <= value < 20 else _spell_below(value)


def _spell_below(value):
    digits, out = "零一二三四五六七八九", ""
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, value = divmod(value, unit)
        if digit:
            out += digits[digit] + name
        elif out and value and not out.endswith("零"):
            out += "零"
    return out
