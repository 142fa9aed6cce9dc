import doctest

import pytest

from mmrole.jobs import markdown
from mmrole.jobs.markdown import escaped, interval, number, table


def test_the_examples_in_the_module():
    assert doctest.testmod(markdown).failed == 0


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.12345, "0.123"), (1.0, "1.000"), (-0.5, "-0.500"), (-0.0004, "0.000"), (0.0, "0.000"), (None, "–")],
)
def test_numbers(value, text):
    assert number(value) == text


def test_intervals():
    assert interval((-0.0001, 0.25)) == "[0.000, 0.250]"
    assert interval(None) == ""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("few_transitions", "few_transitions"),  # inside a word it needs no escape
        ("_x_", r"\_x\_"),
        ("a|b\nc", r"a\|b c"),
        ("[x](y) <b> `c` *d*", r"\[x\](y) \<b\> \`c\` \*d\*"),
        ("林一", "林一"),
    ],
)
def test_names_of_any_kind_stay_in_their_cell(text, shown):
    assert escaped(text) == shown


def test_table():
    assert table(["a", "b"], [["x", "1"]], "lr") == ["| a | b |", "| --- | ---: |", "| x | 1 |"]
