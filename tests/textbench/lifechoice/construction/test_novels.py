import os

import pytest

from mmrole.core.errors import InputError, UsageError
from textbench.lifechoice.construction import choose_novels
from textbench.lifechoice.construction.novels import language_of_novel, read_shelf, title_key

ENGLISH = "It was the year of the wind, and she walked to the shore with her brother. "
CHINESE = "那一年风很大，她和弟弟走到海边去看灯塔。"
FRENCH = "Longtemps, le vent soufflait sur la mer et elle marchait avec son petit chien. "


@pytest.fixture
def shelf(tmp_path):
    files = {
        "good.txt": ENGLISH * 200,
        "zh.txt": CHINESE * 200,
        "french.txt": FRENCH * 200,
        "short.txt": ENGLISH,
        "long.txt": ENGLISH * 3000,
        "twin.txt": ENGLISH * 200,
        "empty.txt": "",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "latin.txt").write_bytes("é".encode("latin-1") * 100)
    (tmp_path / "notes.md").write_text("no novel")
    return tmp_path


def test_every_file_is_chosen_or_refused_with_a_reason(shelf):
    found = choose_novels(shelf, min_tokens=100, max_tokens=20_000)
    assert [(novel.book, novel.language) for novel in found.chosen] == [("good", "en"), ("zh", "zh")]
    assert {one["path"].rpartition("/")[2]: one["reason"] for one in found.refused} == {
        "french.txt": "other_language",
        "short.txt": "too_short",
        "long.txt": "too_long",
        "twin.txt": "same_text",
        "empty.txt": "other_language",
        "latin.txt": "not_utf8",
    }


def test_of_two_books_of_one_title_the_first_is_chosen(tmp_path):
    for folder, text in (("a", ENGLISH), ("b", ENGLISH + "More. ")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "Emma.txt").write_text(text * 50)
    found = choose_novels([tmp_path / "a", tmp_path / "b"], min_tokens=1)
    assert [novel.path for novel in found.chosen] == [str(tmp_path / "a" / "Emma.txt")]
    assert [(one["reason"], one["detail"]) for one in found.refused] == [
        ("same_name", str(tmp_path / "a" / "Emma.txt"))
    ]


def test_a_name_that_is_no_text_is_shown_and_what_is_no_file_is_refused(tmp_path):
    path = os.fsencode(tmp_path) + b"/b\xfcch.txt"
    with open(path, "w") as file:
        file.write(ENGLISH * 50)
    (novel,) = choose_novels(tmp_path, min_tokens=1).chosen
    assert novel.book == "b\\xfcch"
    os.mkfifo(tmp_path / "pipe.txt")
    (refused,) = choose_novels(tmp_path / "pipe.txt", min_tokens=1).refused
    assert (refused["reason"], refused["detail"]) == ("unreadable", "no regular file")


def test_a_shelf_takes_novels_of_any_length_and_language(shelf):
    texts, refused = read_shelf(shelf)
    assert set(texts) == {"good", "zh", "french", "short", "long", "twin", "empty"}
    assert [one["reason"] for one in refused] == ["not_utf8"]
    assert texts["short"] == ENGLISH


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("jane_eyre", "Jane Eyre", True),
        ("Emma!", "EMMA", True),
        ("红楼梦", "红楼梦", True),
        ("Emma", "Emma 2", False),
        ("?", "!", False),
    ],
)
def test_titles(first, second, same):
    assert (title_key(first) == title_key(second)) == same


def test_a_language_can_be_left_out(shelf):
    found = choose_novels(shelf, min_tokens=100, max_tokens=20_000, languages=("zh",))
    assert [novel.book for novel in found.chosen] == ["zh"]


def test_the_wrapping_of_project_gutenberg_is_no_part_of_the_novel(tmp_path):
    (tmp_path / "n.txt").write_text(
        "Licence words\r\n*** START OF THE PROJECT GUTENBERG EBOOK N ***\r\n\r\n" + ENGLISH * 9
        + "\r\n*** END OF THE PROJECT GUTENBERG EBOOK N ***\r\nMore licence words", newline=""
    )  # fmt: skip
    (novel,) = choose_novels(tmp_path / "n.txt", min_tokens=1).chosen
    assert novel.text.strip() == (ENGLISH * 9).strip()


def test_what_is_not_there_is_said(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        choose_novels(tmp_path / "x.txt")
    with pytest.raises(InputError, match=r"no \.txt files"):
        choose_novels(tmp_path)
    with pytest.raises(UsageError, match="smaller"):
        choose_novels(tmp_path, min_tokens=5, max_tokens=1)


@pytest.mark.parametrize(
    ("text", "language"), [(ENGLISH, "en"), (CHINESE, "zh"), (FRENCH, None), ("  ", None), ("123", None)]
)
def test_the_language(text, language):
    assert language_of_novel(text) == language
