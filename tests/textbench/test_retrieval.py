import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mmrole.core.errors import UsageError
from textbench.chunks import chunks
from textbench.retrieval import NEXT, Retriever, fill, tokens
from textbench.tokens import approximate


def test_tokens_are_words_and_pairs_of_chinese_characters():
    assert tokens("The dog's DOG, 2 cafés") == ["the", "dog", "dog", "2", "cafés"]
    assert tokens("借芭蕉扇！我") == ["借芭", "芭蕉", "蕉扇", "我"]
    assert tokens("用AI写") == ["用", "ai", "写"]
    assert tokens("Анна, _Jane_ ＡＢ e\u0301t") == ["анна", "jane", "ab", "ét"]


def test_scores_by_hand():
    # N = 2, both passages 2 tokens long, mean 2: tf part = 1 / (1 + 1.5) = 0.4; "b" is in both, "a" in one
    of_a, of_b = math.log(1 + 1.5 / 1.5) / 2.5, math.log(1 + 0.5 / 2.5) / 2.5
    found = Retriever(["a b", "b c"]).ranked("a b")
    assert [number for number, _ in found] == [0, 1]
    assert [score for _, score in found] == pytest.approx([of_a + of_b, of_b])
    assert dict(Retriever(["a b", "b c"]).ranked("a a b"))[0] == pytest.approx(2 * of_a + of_b)


def test_passages_without_a_common_term_are_no_hits():
    assert [number for number, _ in Retriever(["ships", "tea", "tea time"]).ranked("tea")] == [1, 2]
    assert Retriever(["ships"]).ranked("nothing known") == []
    assert Retriever(["ships"]).ranked("") == []
    assert Retriever(["", "…"]).ranked("ships") == []
    assert Retriever([]).ranked("ships") == []


def test_the_best_first_and_the_first_ones_fill_up():
    memory = ["about ships", "about tea", "tea and more tea", "about ships and tea houses"]
    assert Retriever(memory).best("tea", 2) == [2, 1]
    assert Retriever(memory).best("nothing known", 3) == [0, 1, 2]
    assert Retriever(memory).best("tea", 9) == [2, 1, 3, 0]
    assert Retriever([]).best("tea", 3) == []


def test_chinese():
    assert Retriever(["白骨精三次变化", "过火焰山借芭蕉扇"]).best("芭蕉扇在哪里", 1) == [1]


STORY = chunks("".join(f"Sentence number {n} is here. " for n in range(12)), 8)


def selected(ranked, budget):
    selection = fill(ranked, STORY, budget)
    return list(selection.numbers), selection


def test_chunks_are_taken_by_rank_and_put_into_story_order():
    assert [chunk.tokens for chunk in STORY[:3]] == [7, 7, 7]  # "Sentence number 0 is here. ": 27 characters
    numbers, selection = selected([[(7, 3.0), (2, 2.0), (9, 1.0), (4, 0.5)]], 23)
    assert numbers == [2, 7]  # a third one would make 3 x 26 + 2 x 9 characters = 24 tokens
    assert selection.text == f"{STORY[2].text.strip()}{NEXT}{STORY[7].text.strip()}"
    assert selection.tokens == approximate(selection.text)
    assert (selection.hits, selection.left_out) == (4, 2)


def test_neighbours_stand_as_in_the_story():
    _, selection = selected([[(4, 2.0), (3, 3.0)]], 100)
    assert selection.text == (STORY[3].text + STORY[4].text).strip()


def test_a_smaller_chunk_of_lower_rank_does_not_slip_in():
    story = chunks(f"{'a' * 39}. {'b' * 39}. {'c' * 3}.", 11)
    assert [chunk.tokens for chunk in story] == [11, 11, 1]
    selection = fill([[(0, 3.0), (1, 2.0), (2, 1.0)]], story, 13)
    assert selection.numbers == (0,)
    assert selection.left_out == 2


def test_several_queries_take_turns_and_no_hit_is_no_hit():
    lists = [[(5, 9.0), (6, 8.0), (7, 7.0)], [(1, 0.2), (5, 0.1), (8, 0.0)], []]
    assert selected(lists, 14)[0] == [5]
    assert selected(lists, 21)[0] == [1, 5]  # 2 x 26 + 9 characters = 16 tokens
    assert selected(lists, 22)[0] == [1, 5, 6]  # 6 is a neighbour of 5: 26 + 9 + 27 + 26 characters = 22 tokens
    assert selected(lists, 1000)[0] == [1, 5, 6, 7]
    assert selected([[(3, 0.0), (4, -1.0)]], 1000)[0] == []


def test_nothing_fits_into_nothing():
    numbers, selection = selected([[(0, 1.0)]], 0)
    assert numbers == []
    assert (selection.text, selection.tokens, selection.hits) == ("", 0, 1)


def test_what_makes_no_sense_is_said():
    with pytest.raises(UsageError, match="0 tokens or more, not -1"):
        fill([], STORY, -1)
    with pytest.raises(UsageError, match="chunk 99 was found, but there are 12"):
        fill([[(99, 1.0)]], STORY, 10)


class Letters:
    name = "letters"

    def __call__(self, text: str) -> int:
        return sum(character.isalpha() for character in text) + 3 * text.count("[")


@given(
    st.text("ab. 读。\n", max_size=200),
    st.integers(2, 20),
    st.lists(st.lists(st.tuples(st.integers(0, 40), st.floats(-1, 5)), max_size=8), max_size=4),
    st.integers(0, 80),
    st.sampled_from([approximate, Letters()]),
)
@example("a. b. a. b.", 2, [[(0, 1.0), (2, 1.0)]], 3, approximate)
def test_budgets_are_never_exceeded_and_the_story_keeps_its_order(text, size, ranked, budget, counter):
    story = chunks(text, size, counter)
    inside = [[(number, score) for number, score in of if number < len(story)] for of in ranked]
    selection = fill(inside, story, budget, counter)
    assert counter(selection.text) == selection.tokens <= budget
    assert list(selection.numbers) == sorted(set(selection.numbers))
    hits = {number for of in inside for number, score in of if score > 0}
    assert set(selection.numbers) <= hits
    assert selection.left_out == len(hits) - len(selection.numbers)
    places = [selection.text.find(story[number].text.strip()) for number in selection.numbers]
    assert -1 not in places
