import pytest

from textbench.entities import entity_map
from textbench.residuals import Residual, ResidualFinder

MAP = entity_map(
    characters=[["Anna Berg", "Anna"], ["Mr. Thornton"], ["孙悟空"], ["哈利·波特"]],
    places=[["Hollow Hall"], "Millcote"],
    phrases=["the lamp that never burned"],
)


@pytest.mark.parametrize(
    ("text", "remaining"),
    [
        ("Anna Berg went to Millcote.", {}),
        ("Berg said nothing; Thornton did.", {"fragment": 2}),
        ("the hall was hollow, at the Hall", {}),  # words, not the place
        ("They went up to Hollow.", {"fragment": 1}),
        ("anna and millcote", {"other_case": 2}),
        ("the Annas of Millcotes", {"plural": 2}),
        ("Mrs. Thornton", {"fragment": 1}),
        ("悟空大闹天宫，哈利来了，波特", {"fragment": 3}),
        ("孙悟空和哈利·波特", {}),
    ],
)
def test_what_is_left(text, remaining):
    _, left = ResidualFinder(MAP).mask(text)
    assert left.remaining == remaining


def test_the_rate_is_of_all_mentions():
    masked, left = ResidualFinder(MAP).mask("Anna saw Berg and Anna Berg, the lamp that never burned, and anna.")
    assert masked == "[character A] saw Berg and [character A], [phrase A], and anna."
    assert (left.replaced, left.remaining) == (3, {"fragment": 1, "other_case": 1})
    assert left.rate == 2 / 5
    score = left.score("book 1")
    assert (score.value, score.n, score.direction, score.part) == (0.4, 5, "down", "book 1")
    assert left.examples == (
        "[character A] fragment: [character A] saw Berg and [character A], [phrase A]",
        "[character A] other_case: character A], [phrase A], and anna.",
    )


def test_no_mention_has_no_rate():
    _, left = ResidualFinder(MAP).mask("Nobody was there.")
    assert left.rate is None
    assert left.score().reason == "no_mentions"
    assert left.to_record()["rate"] is None


def test_sums():
    total = Residual(replaced=3, remaining={"plural": 1}, examples=("a",)) + Residual(
        replaced=1, remaining={"fragment": 3}
    )
    assert (total.replaced, total.remaining, total.rate, total.examples) == (
        4,
        {"fragment": 3, "plural": 1},
        0.5,
        ("a",),
    )
