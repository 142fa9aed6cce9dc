import pytest

from textbench.lifechoice.construction.locating import locate, sentence_start
from textbench.stepwise import RejectedError

PASSAGE = "It rained.  “I  will\nnot go—never,” she said. He nodded. “I will not stay,” she said."


@pytest.mark.parametrize(
    "quote",
    [
        "“I  will\nnot go—never,” she said.",
        '"I will not go - never," she said',
        "I will not go-never, she said",
        "'I WILL NOT GO—never,' she said...",
    ],
)
def test_a_quotation_is_found_whatever_its_marks_and_spaces(quote):
    start, stop = locate(quote, PASSAGE, language="en")
    assert PASSAGE[start:stop] == "“I  will\nnot go—never,” she said"


@pytest.mark.parametrize(
    ("passage", "quote"),
    [
        ("He said--and _never_ looked back--that he would go.", "He said—and never looked back—that he would go."),
        ("He said\u2014and never looked back.", "He said -- and *never* looked back."),
        ("The cafe\u0301 was closed for ever, alas.", "The caf\u00e9 was closed for ever, alas."),
        ("The ﬁrst ﬂame went out at once.", "The first flame went out at once."),
    ],
)
def test_dashes_italics_and_accents_may_be_written_otherwise(passage, quote):
    start, stop = locate(quote, passage, language="en")
    assert passage[start:stop].rstrip(".") == passage.rstrip(".")


def test_chinese():
    passage = "天黑了。“我绝不离开这座灯塔！”她说。船走了。"
    start, stop = locate("“我绝不离开这座灯塔!”", passage, language="zh")
    assert passage[start:stop].startswith("“我绝不离开这座灯塔")


@pytest.mark.parametrize(
    ("quote", "reason"),
    [("I will", "quote_too_short"), ("I will not sing, she said.", "quote_not_found"), ("", "quote_too_short")],
)
def test_what_is_not_there_is_rejected(quote, reason):
    with pytest.raises(RejectedError) as error:
        locate(quote, PASSAGE, language="en")
    assert error.value.reason == reason


def test_several_places_are_one_too_many():
    with pytest.raises(RejectedError, match="quote_ambiguous"):
        locate(
            "And so she went all the way home.",
            "And so she went all the way home. And so she went all the way home.",
            language="en",
        )


@pytest.mark.parametrize(
    ("text", "at", "begin"),
    [
        ("One. Two three.", "three", "Two"),
        ("One three.", "three", "One"),
        ("他来了。她走了吗", "走", "她"),
        ("One.\n\nTwo three", "three", "Two"),
        ("“Go!” he said. “Now three.”", "three", "“Now"),
    ],
)
def test_the_beginning_of_a_sentence(text, at, begin):
    assert text[sentence_start(text, 0, text.index(at)) :].startswith(begin)
