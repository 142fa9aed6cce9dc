import math

import pytest

from textbench.retrieval import Retriever, tokens


def test_tokens_are_words_and_pairs_of_chinese_characters():
    assert tokens("The dog's DOG, 2 cafés") == ["the", "dog", "dog", "2", "cafés"]
    assert tokens("借芭蕉扇！我") == ["借芭", "芭蕉", "蕉扇", "我"]
    assert tokens("用AI写") == ["用", "ai", "写"]


def test_scores_by_hand():
    # N = 2, both passages 2 tokens long, mean 2: tf part = 1 * 2.5 / (1 + 1.5) = 1; "b" is in both, "a" in one
    scores = Retriever(["a b", "b c"]).scores("a b")
    of_a, of_b = math.log(1 + 1.5 / 1.5), math.log(1 + 0.5 / 2.5)
    assert scores == pytest.approx({0: of_a + of_b, 1: of_b})


def test_the_best_first_and_the_first_ones_fill_up():
    memory = ["about ships", "about tea", "tea and more tea", "about ships and tea houses"]
    assert Retriever(memory).best("tea", 2) == [2, 1]
    assert Retriever(memory).best("nothing known", 3) == [0, 1, 2]
    assert Retriever(memory).best("tea", 9) == [2, 1, 3, 0]
    assert Retriever([]).best("tea", 3) == []


def test_chinese():
    assert Retriever(["白骨精三次变化", "过火焰山借芭蕉扇"]).best("芭蕉扇在哪里", 1) == [1]
