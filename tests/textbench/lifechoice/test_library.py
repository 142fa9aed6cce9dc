import pytest

from textbench.lifechoice.library import KEPT, Library
from textbench.tokens import approximate


class Memory:
    made = 0

    def __init__(self, passages):
        Memory.made += 1
        self.passages = passages

    def ranked(self, query):
        return [(n, 1.0) for n, passage in enumerate(self.passages) if query in passage]


def test_a_text_is_made_searchable_once():
    Memory.made = 0
    library = Library(chunk=5, counter=approximate, embedded=Memory)
    text = "Ann left the house. Bob came home late. Ann slept."
    assert library.ranked(text, "embedding", ["Bob", "Ann"]) == [[(1, 1.0)], [(0, 1.0), (2, 1.0)]]
    library.ranked(text, "embedding", ["Bob"])
    assert Memory.made == 1
    assert [number for number, _ in library.ranked(text, "bm25", ["Bob"])[0]] == [1]
    for number in range(KEPT):
        library.ranked(f"{text} {number}", "embedding", ["Bob"])
    library.ranked(text, "embedding", ["Bob"])
    assert Memory.made == KEPT + 2  # the oldest was let go


def test_a_memory_that_nobody_wanted():
    with pytest.raises(ValueError, match="no embedding memory"):
        Library(chunk=5, counter=approximate).ranked("Ann.", "embedding", ["Ann"])
