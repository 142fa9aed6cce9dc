import pytest

from textbench.lifechoice.motivations import (
    GENRES,
    MOTIVATION_CLASSES,
    MOTIVATION_TYPES,
    Motivation,
    genre,
    parse_motivation,
)


def test_the_lists_of_the_paper():
    assert len(MOTIVATION_TYPES) == 12
    assert {name: len(types) for name, types in MOTIVATION_CLASSES.items()} == {"character-driven": 5, "plot-driven": 7}
    assert len(set(GENRES)) == len(GENRES) == 18


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[Values and Beliefs] He cannot lie.", ("Values and Beliefs", "He cannot lie.", True)),
        ("[values & beliefs]: he cannot", ("Values and Beliefs", "he cannot", True)),
        ("【Power and Control】他要权力。", ("Power and Control", "他要权力。", True)),
        ("Desires and Goals: to go home", ("Desires and Goals", "to go home", True)),
        ("Desires and Goals", ("Desires and Goals", "", True)),
        ("[Love of Tea] He is thirsty.", ("Love of Tea", "He is thirsty.", False)),
        ("He is thirsty: very.", (None, "He is thirsty: very.", False)),
        ("[] He", (None, "[] He", False)),
    ],
)
def test_type_and_text(text, expected):
    found = parse_motivation(text)
    assert (found.type, found.text, found.known) == expected


def test_classes():
    assert parse_motivation("[Intrigue and Betrayal] x").motivation_class == "plot-driven"
    assert parse_motivation("[Social Relationships] x").motivation_class == "character-driven"
    assert parse_motivation("[Love of Tea] x").motivation_class is None
    assert Motivation(type=None, text="x", known=False).motivation_class is None


def test_written_again():
    assert parse_motivation("Desires and Goals: to go home").full == "[Desires and Goals] to go home"
    assert parse_motivation("just so").full == "just so"


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("science fiction", "Science Fiction"),
        ("Science-Fiction", "Science Fiction"),
        ("Historical Fiction", "Historical"),
        ("Women’s", "Women's"),
        ("Horror & Supernatural", "Horror and Supernatural"),
        ("Poetry", None),
    ],
)
def test_genres(name, known):
    assert genre(name) == known
