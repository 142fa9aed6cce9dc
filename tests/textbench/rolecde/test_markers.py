import pytest

from textbench.rolecde.markers import concession_markers, markers


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("Although I care, I go. But I care.", "en", ("although", "but")),
        ("EVEN THOUGH it hurts", "en", ("even though",)),
        ("even  though it hurts, but", "en", ("even though", "but")),
        ("The butler gave nothing to the throughout-yeti.", "en", ()),
        ("It is mine and stays mine.", "en", ()),
        ("虽然他们需要，但是地图是我的。", "zh", ("虽然", "但是")),
        ("儘管如此，我不後悔。", "zh", ("儘管如此",)),
        ("地图是我的。", "zh", ()),
        ("", "en", ()),
    ],
)
def test_markers_in_a_text(text, language, found):
    assert concession_markers(text, language) == found


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_marker_is_found_in_itself(language):
    for marker in markers(language):
        assert concession_markers(marker, language) == (marker,)
    assert len(set(markers(language))) == len(markers(language))
