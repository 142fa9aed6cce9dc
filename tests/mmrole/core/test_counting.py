from mmrole.core.counting import counted, noun


def test_one_is_no_plural():
    # English by hand: only one takes the singular, nought the plural
    assert [counted(number, "turn") for number in (0, 1, 2, 1000)] == ["0 turns", "1 turn", "2 turns", "1,000 turns"]
    assert counted(2, "reply", "replies") == "2 replies"
    assert (noun(1, "pair of roles", "pairs of roles"), noun(3, "pair of roles", "pairs of roles")) == (
        "pair of roles", "pairs of roles",
    )  # fmt: skip
