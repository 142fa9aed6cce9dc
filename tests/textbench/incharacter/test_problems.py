import pytest

from textbench.incharacter.problems import cut_repetition, problems_of


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("I like the sea, and I like ships.", "en", set()),
        ("I like it. 我觉得大海非常美丽。", "en", {"other_language"}),
        ("I like the sea and the wind. 我觉得大海非常美丽。", "en", {"several_languages"}),
        ("I like it, 好.", "en", set()),
        ("我喜欢大海，I really like the wide open sea。", "zh", {"several_languages"}),
        ("I really like the wide open sea.", "zh", {"other_language"}),
        ("我用的是 Microsoft Office 软件，OK？", "zh", set()),
        ("As an AI language model, I have no feelings.", "en", {"no_immersion"}),
        ("I'm just an AI, my friend.", "en", {"no_immersion"}),
        ("I met an AI once.", "en", set()),
        ("作为一个人工智能，我没有情感。", "zh", {"no_immersion"}),
        ("我不喜欢人工智能。", "zh", set()),
        ("I am fond of it. " * 3, "en", {"repetition"}),
    ],
)
def test_problems(text, language, found):
    assert problems_of(text, language) == found


def test_a_name_is_no_foreign_word():
    assert problems_of("My master calls me 齐天大圣 always", "en", ["齐天大圣"]) == set()
    assert problems_of("My master calls me 齐天大圣 and 弼马温", "en") == {"several_languages"}


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Well. I go to sea. I go to sea. I go to sea. Bye.", "Well. I go to sea. Bye."),
        ("One of them. Two of them. " * 4 + "End.", "One of them. Two of them. End."),
        ("我每天都出海打鱼。" * 5, "我每天都出海打鱼。"),
        ("I go to sea. I go to sea.", "I go to sea. I go to sea."),  # twice is emphasis
        ("No! No! No! No!", "No! No! No! No!"),  # short: manner
        ("哈哈哈哈哈哈哈哈", "哈哈哈哈哈哈哈哈"),
        ("and then we went " * 6, "and then we went "),
        ("", ""),
    ],
)
def test_a_repeated_passage_is_cut(text, cut):
    assert cut_repetition(text) == cut


def test_a_long_text_is_no_burden():
    text = "".join(chr(97 + (n * n) % 26) for n in range(20_000))
    assert len(cut_repetition(text)) <= len(text)
