from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textbench.chunks import chunks
from textbench.lifechoice.methods import method_of
from textbench.lifechoice.profiles import compose, cut_to, description_share, prefix_of, room
from textbench.tokens import approximate

TEXT = " ".join(f"On day {number} Ann walked to the mill and came home." for number in range(200))
PARTS = chunks(TEXT, 50)
ALL = [[(number, 1.0) for number in range(len(PARTS))]]
DESCRIPTION = "Ann is a miller's daughter, she walks. " * 40


def made(name, *, budget=500, split=0.5, order="description-first", ranked=ALL, description=DESCRIPTION, **more):
    return compose(
        method_of(name), name="Ann", language="en", counter=approximate, budget=budget, split=split, order=order,
        description=description, parts=PARTS, ranked=ranked, **more,
    )  # fmt: skip


@given(
    name=st.sampled_from(["human", "bm25", "human+bm25", "human+bm25+charmap"]),
    budget=st.integers(50, 3000),
    split=st.floats(0.05, 0.95),
    order=st.sampled_from(["description-first", "memory-first"]),
    length=st.integers(0, 400),
    hits=st.lists(st.integers(0, len(PARTS) - 1), unique=True),
)
def test_the_budget_is_never_exceeded_and_the_story_keeps_its_order(name, budget, split, order, length, hits):
    ranked = [[(number, float(len(hits) - rank)) for rank, number in enumerate(hits)]]
    found = made(name, budget=budget, split=split, order=order, ranked=ranked, description="She walks far. " * length)
    assert found.tokens == approximate(found.text) <= budget
    assert list(found.memory) == sorted(found.memory)


def test_what_the_description_leaves_over_passes_to_the_memory():
    whole, joint = made("bm25"), made("human+bm25", description="Ann walks.")
    assert joint.description_tokens == 3
    assert whole.memory_tokens - joint.memory_tokens <= 50 + 10  # a chunk, and the description with its heading


def test_what_the_memory_leaves_over_passes_to_the_description():
    assert made("human+bm25", ranked=[[(3, 1.0)]]).description_tokens > made("human+bm25").description_tokens > 200
    alone, without_hit = made("human"), made("human+bm25", ranked=[[]])
    assert alone.description_tokens - without_hit.description_tokens <= 30  # the heading of a memory that is not there


def test_a_description_that_is_too_long_is_cut_at_a_sentence_and_this_is_told():
    found = made("human", budget=100)
    assert found.description_cut
    assert found.text.endswith("she walks.")
    assert not made("human", description="Ann walks.").description_cut


def test_the_order_is_a_parameter():
    first, last = made("human+bm25"), made("human+bm25", order="memory-first")
    assert first.text.index("Who Ann is") < first.text.index("Passages of the story")
    assert last.text.index("Who Ann is") > last.text.index("Passages of the story")


def test_the_motivation_is_appended_beyond_the_budget():
    found = made("bm25+motivation", budget=100, motivation="[Values and Beliefs] She keeps her word.")
    assert found.text.endswith("What moves Ann in this decision:\n\n[Values and Beliefs] She keeps her word.")
    assert found.tokens <= 100
    assert found.tokens == approximate(found.text.split("\n\nWhat moves")[0])
    assert made("bm25", budget=100, motivation="She keeps her word.").text.endswith("home.")


def test_nothing_to_tell_is_no_text():
    assert made("no-profile").text == ""
    assert made("bm25", ranked=[[]]).text == ""


def test_a_model_is_asked_for_no_more_than_there_is_room_for():
    joint, alone = (
        description_share(method_of(name), 500, 0.4, name="Ann", language="en", counter=approximate)
        for name in ("hierarchical+bm25", "hierarchical")
    )
    assert joint == int(0.4 * room(method_of("hierarchical+bm25"), 500, name="Ann", language="en", counter=approximate))
    assert joint < 200 < alone < 500


def test_cut_to():
    assert cut_to("Ann left. Bob stayed.", 4, approximate) == ("Ann left.", True)
    assert cut_to("Ann left.", 400, approximate) == ("Ann left.", False)
    assert cut_to("Ann left.", 0, approximate) == ("", True)


@pytest.mark.parametrize(
    ("text", "kept"), [("沈望来了。", ""), ("abcd沈望", "abcd"), ("沈 望", ""), ("ab 沈望 cd", "ab")]
)
def test_one_token_is_less_than_a_chinese_character(text, kept):
    # by hand: a Chinese character has 1.3 tokens, four letters have 1
    assert cut_to(text, 1, approximate) == (kept, True)


@pytest.mark.parametrize(
    "text", [TEXT, "沈望每夜记一页日志。他写清风向。船来了，船走了！" * 30, "no end at all " * 90, "x" * 500, ""]
)
def test_prefixes_grow_and_end_with_the_whole(text):
    found = [prefix_of(text, number, 5) for number in range(1, 6)]
    assert found[-1] == text
    assert all(longer.startswith(shorter) for shorter, longer in pairwise(found))
    assert [len(each) <= len(text) * number / 5 for number, each in enumerate(found, 1)] == [True] * 5


def test_a_prefix_ends_with_a_sentence():
    for number in range(1, 5):
        assert prefix_of(TEXT, number, 5).rstrip().endswith("home.")
        assert len(prefix_of(TEXT, number, 5)) > len(TEXT) * number / 5 - 60  # no more than a sentence is missing
