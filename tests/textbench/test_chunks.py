import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mmrole.core.errors import UsageError
from textbench.chunks import chunks
from textbench.tokens import approximate

PIECES = st.sampled_from(
    [
        "He came. ",
        'She said: "No!" ',
        "Mr. Reed sat. ",
        "\n\n",
        "\n",
        "  ",
        "读者。",
        "他说：“走吧！”",
        "long" * 9,
        "x",
        "…",
        "\u3000\u3000",
        "é",
    ]
)
TEXT = st.lists(PIECES, max_size=60).map("".join)


class Words:
    """Counts as a tokenizer does that knows whole words: the beginning of a word it does not know is dearer than the word."""

    name = "words"

    def __call__(self, text: str) -> int:
        return sum(1 if len(word) != 3 else 3 for word in text.split())


def check(text, size, counter):
    found = chunks(text, size, counter)
    assert "".join(chunk.text for chunk in found) == text
    assert [chunk.number for chunk in found] == list(range(len(found)))
    for chunk in found:
        assert text[chunk.start : chunk.stop] == chunk.text
        assert 0 <= chunk.tokens == counter(chunk.text) <= size
        assert chunk.text
    return found


@given(TEXT, st.integers(2, 40))
@example("", 5)
@example("x" * 1000, 3)
@example(" " * 100, 2)
def test_chunks_cover_the_text_and_are_never_too_long(text, size):
    check(text, size, approximate)


@given(TEXT, st.integers(3, 12))
@example("foot foot foot foot", 3)
def test_a_counter_for_which_a_part_may_be_dearer_than_the_whole(text, size):
    check(text, size, Words())


def test_ends_with_sentences_and_keeps_the_last_part():
    text = "Mr. Reed came in. “Who is there?” she asked. J. Eyre said nothing! And so on for ever"
    found = [chunk.text for chunk in check(text, 8, approximate)]  # 8 tokens are 32 characters
    assert found == [
        "Mr. Reed came in. ",
        "“Who is there?” she asked. ",
        "J. Eyre said nothing! ",
        "And so on for ever",
    ]


def test_prefers_the_end_of_a_paragraph_when_nearly_full():
    text = f"{'a' * 80}.\n\nHi there. {'B' * 60}"
    assert chunks(text, 25)[0].text == f"{'a' * 80}.\n\n"  # 83 of 100 characters
    assert chunks(text, 35)[0].text == f"{'a' * 80}.\n\nHi there. "  # 83 of 140 are too few


def test_a_long_sentence_is_cut_between_words_and_a_long_word_anywhere():
    assert [chunk.text for chunk in chunks("one two three four", 2)] == ["one two ", "three ", "four"]
    assert [chunk.text for chunk in chunks("x" * 10, 1)] == ["xxxx", "xxxx", "xx"]


def test_chinese_ends_with_sentences_and_their_quotes():
    text = "　　他走进屋里。\n　　“谁在那儿？”她问道。没有人回答。门开着"
    found = [chunk.text for chunk in check(text, 16, approximate)]
    assert found == ["　　他走进屋里。\n　　", "“谁在那儿？”她问道。", "没有人回答。门开着"]


def test_what_makes_no_sense_is_said():
    with pytest.raises(UsageError, match="1 token or more, not 0"):
        chunks("text", 0)
    with pytest.raises(UsageError, match="character '读' alone has more than 1 tokens"):
        chunks("读", 1)
