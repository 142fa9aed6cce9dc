import pytest

from mmrole.core.errors import UsageError
from textbench.rolecde.similarity_difference import similarity_difference


def row(persona, value, words=5, level="easy"):
    return {"persona": persona, "level": level, "order": "AB", "run": 0, "rougeL_f": value, "candidate_words": words}


FIRST = [row("a", 0.2), row("b", 0.4), row("c", None), row("d", 0.9)]
SECOND = [row("a", 0.3, 20), row("b", 0.9, 40), row("c", 0.5, 9)]


def test_over_what_both_have_with_the_lengths():
    found = similarity_difference(FIRST, SECOND, name="rougeL_f", bootstrap=200)
    # by hand: (.3 + .9) / 2 - (.2 + .4) / 2, over a and b
    assert (found.value, found.n, found.excluded) == (pytest.approx(0.3), 2, {"not_in_both": 2})
    assert (found.details["first_words"], found.details["second_words"]) == (5.0, 30.0)
    # of two personas a draw has either one twice, or both: .1, .5 or .3
    assert found.ci == (pytest.approx(0.1), pytest.approx(0.5))


def test_nothing_in_common_is_null():
    found = similarity_difference(FIRST[2:], SECOND[:1], name="rougeL_f")
    assert (found.value, found.reason, found.ci) == (None, "no_common_decisions", None)


def test_draws_that_make_no_sense():
    with pytest.raises(UsageError):
        similarity_difference(FIRST, SECOND, name="rougeL_f", bootstrap=-1)
