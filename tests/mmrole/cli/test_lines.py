import pytest

from mmrole.cli.lines import one_line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain.mp4", "plain.mp4"), ("空格 和 'q' 🎬👩\u200d🚀.mp4", "空格 和 'q' 🎬👩\u200d🚀.mp4"), ("new\nline", "new\\nline"),
        ("tab\there\r", "tab\\there\\r"), ("\x1b[31mred\x07", "\\x1b[31mred\\x07"), ("\x85\u2028\u2029", "\\x85\\u2028\\u2029"),
        ("gpj.\u202emp4", "gpj.\\u202emp4"), ("\udcff.mp4", "\\udcff.mp4"), ("back\\slash", "back\\slash"),
    ],
)  # fmt: skip
def test_nothing_starts_a_line_or_moves_the_cursor(text, line):
    assert one_line(text) == line
    assert one_line(text).isprintable() or "\u200d" in text


def test_anything_that_has_a_text_will_do():
    assert one_line(ValueError("a\nb")) == "a\\nb"
