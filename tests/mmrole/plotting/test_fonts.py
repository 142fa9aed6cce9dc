import io

import matplotlib as mpl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import font_manager
from matplotlib.figure import Figure

from mmrole.plotting.fonts import chinese_family, lettering, one_line


def drawn(text, letters):
    """Pixels of a picture with a text in it; any warning is an error here."""
    figure = Figure(figsize=(3, 1))
    figure.text(0.1, 0.4, letters.shown(text), **letters.style)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="raw")
    return buffer.getvalue()


def test_latin_text_is_drawn_in_the_font_of_the_session():
    letters = lettering("clip 01", "a, b; ü\n")
    assert list(letters.families) == mpl.rcParams["font.family"]
    assert letters.shown("clip 01") == "clip 01"


def test_chinese_gets_a_font_that_has_it_and_nothing_is_set_for_others(with_chinese_font):
    before = mpl.rcParams.find_all(r"^font\.")
    letters = lettering("speaker: 小棠")
    assert letters.families[-1] == "Noto Sans CJK SC"
    assert letters.families[:-1] == tuple(mpl.rcParams["font.family"])
    assert letters.absent == frozenset()
    # the squares of the test font are seen
    assert drawn("小棠", letters) != drawn("  ", letters)
    assert mpl.rcParams.find_all(r"^font\.") == before


def test_without_such_a_font_one_line_says_so_and_boxes_are_drawn(only_latin_fonts):
    assert chinese_family() is None
    with pytest.warns(UserWarning, match="no installed font has the characters") as seen:
        letters = lettering("speaker: 小棠", "阿凯 is 小棠's friend")
    assert len(seen) == 1
    message = str(seen[0].message)
    assert "小 (U+5C0F)" in message
    assert "and 1 more" in message  # four characters, three are named
    assert "fonts-noto-cjk" in message
    assert "\n" not in message
    assert letters.shown("speaker: 小棠") == "speaker: □□"
    drawn("speaker: 小棠", letters)  # matplotlib itself has nothing to warn of any more


def test_a_font_that_was_installed_later_is_found(only_latin_fonts, chinese_font, monkeypatch):
    damaged = chinese_font.with_name("simhei.ttf")
    damaged.write_bytes(b"no font")
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: [str(damaged), str(chinese_font)])
    assert chinese_family() == "Noto Sans CJK SC"


def test_a_font_that_is_called_chinese_and_is_not_is_passed_over(only_latin_fonts, monkeypatch):
    latin = font_manager.fontManager.ttflist[0]
    named = font_manager.FontEntry(fname=latin.fname, name="SimHei")
    monkeypatch.setattr(font_manager.fontManager, "ttflist", [*font_manager.fontManager.ttflist, named])
    assert chinese_family() is None


def test_a_dollar_sign_is_no_formula():
    # matplotlib would take what is between two of them for mathematics, and fail at this
    drawn("a $\\frac$ b", lettering("a $\\frac$ b"))


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("short", 10, "short"),
        ("tab\tand\nbreak", 20, "tab and break"),
        ("0123456789", 10, "0123456789"),
        # by hand: 9 columns beside the sign, two thirds of them before it
        ("0123456789a", 10, "012345…89a"),
        # a Chinese character takes two columns: three before, one after
        ("零一二三四五六七八九", 10, "零一二…九"),
        ("bytes \udcff", 20, "bytes □"),
    ],
)
def test_one_line_by_hand(text, columns, expected):
    assert one_line(text, columns) == expected


@given(st.text(), st.integers(4, 60))
def test_one_line_never_breaks_and_never_is_too_wide(text, columns):
    line = one_line(text, columns)
    assert len(line) <= columns
    assert len(line.splitlines()) <= 1
    line.encode()
