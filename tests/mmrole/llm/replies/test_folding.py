import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmrole.llm.replies.folding import PLACE, fold, folded, mask, plain, quoted_spans, unquoted, without_end_marks


@given(st.text())
def test_fold_keeps_positions(text):
    once = fold(text)
    assert len(once) == len(text)
    assert fold(once) == once


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_is_folded_already(text):
    assert fold(text) == text


@given(st.characters(min_codepoint=0xFF01, max_codepoint=0xFF5E))
def test_full_width(character):
    assert fold(character) == unicodedata.normalize("NFKC", character)


def test_what_is_not_folded():
    # an exponent, a footnote mark and a fraction must not join the digits before them
    assert fold("10² 8① 7½") == "10² 8① 7½"


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("**Answer:**  `B`", "Answer: B"),
        ("# Answer\n\n\n  B  ", "Answer\nB"),
        ("```python\nx\n```", "x"),
        ("~~A~~ B", "B"),
        ("<b>B</b><br/>", "B"),
        ("Answer: <B>", "Answer: <B>"),
        ("\\(\\text{B}\\)", "B"),
        ("__B__", "B"),
        ("other_positive", "other_positive"),
        ("“Ｂ”　：\u200b８", '"B" :8'),
    ],
)
def test_plain(text, bare):
    assert plain(text) == bare


@given(st.text())
def test_plain_has_no_empty_lines_and_no_runs(text):
    lines = plain(text).split("\n")
    assert all(line == " ".join(line.split()) for line in lines)
    assert len(lines) == 1 or all(lines)


def test_mask_marks_the_places_and_only_these():
    masked = mask(f"a{PLACE}b{{1}}c", [(3, 6)])
    assert plain(masked).split("\n") == ["a b", PLACE, "c"]


def test_quotes():
    text = "He said \"no\" and 'yes', didn't he?\n> so\n\"unpaired"
    assert [text[start:end] for start, end in quoted_spans(text)] == ['"no"', "'yes'", "> so"]
    assert [unquoted(each) for each in ('"a"', "'a'", '"a" b "c"', "> a\n> b", "a")] == [
        "a",
        "a",
        '"a" b "c"',
        "a\nb",
        "a",
    ]


def test_end_marks():
    assert without_end_marks("B<|im_end|>\n</s>") == "B"
    assert without_end_marks("</s>" * 50_000) == ""
    assert without_end_marks("a < b > c") == "a < b > c"


def test_folded():
    assert folded("She  **Leaves**\nat dawn") == "she leaves at dawn"
