import pytest

from mmrole.cli.tables import text_table, width_of


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("林一", 4), ("é", 1), ("（", 2), ("", 0)])
def test_width_on_a_terminal(text, width):
    assert width_of(text) == width


def test_columns_are_aligned_and_cells_stay_on_their_line():
    lines = text_table(["name", "n"], [["林一", 5], ["a\nb\x1b[1m", 1000]], "lr")
    assert lines == ["name            n", "林一            5", r"a\nb\x1b[1m  1000"]
    assert {width_of(line) for line in lines} == {17}


def test_no_space_at_the_end():
    assert text_table(["a", "b"], [["x", ""]]) == ["a  b", "x"]
