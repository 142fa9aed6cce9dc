import numpy as np
import pytest
from matplotlib.figure import Figure

from mmrole.plotting.class_tables import draw_tables, tables_size_in
from mmrole.plotting.wording import wording


def tables(counts, names):
    size = tables_size_in(len(names))
    ax = Figure(figsize=size).add_axes((0, 0, 1, 1))
    texts = draw_tables(ax, np.array(counts), names, title="title", words=wording("en"))
    return ax, [[text.get_text() for text in row] for row in texts]


def words(ax):
    return [text.get_text() for text in ax.texts]


def test_each_label_has_its_four_counts_and_their_shares():
    # by hand: [[TN, FP], [FN, TP]]
    ax, texts = tables([[[90, 10], [2, 6]], [[50, 0], [25, 33]]], ["happy", "anger"])
    assert texts == [["90", "10", "2", "6"], ["50", "0", "25", "33"]]
    said = words(ax)
    assert said.index("happy") < said.index("anger")
    # by hand: 6 / 16, 6 / 8, 12 / 24; 33 / 33, 33 / 58, 66 / 91
    assert "P .38  R .75  F1 .50" in said
    assert "P 1.00  R .57  F1 .73" in said
    for share in (".90", ".10", ".25", ".75", "1.00", ".43"):
        assert share in said
    assert (said.count("true"), said.count("predicted")) == (1, 2)
    assert (said.count("no"), said.count("yes")) == (3, 3)


def test_a_row_without_anything_is_hatched_and_quality_without_a_denominator_is_a_dash():
    ax, texts = tables([[[7, 0], [0, 0]]], ["grateful"])
    assert texts == [["7", "0", "–", "–"]]
    assert "P –  R –  F1 –" in words(ax)
    assert [patch.get_y() for patch in ax.patches if patch.get_hatch()] == [pytest.approx(1.22 + 0.4)]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 13, 30])
def test_tables_lie_apart_and_within_the_picture(count):
    ax, texts = tables([[[3, 1], [1, 2]]] * count, [f"label {k}" for k in range(count)])
    assert len(texts) == count
    frames = [p for p in ax.patches if not p.get_fill()]
    corners = [p.get_xy() for p in frames]
    assert len(set(corners)) == count
    width, height = tables_size_in(count)
    for frame in frames:
        assert 0 < frame.get_x() < frame.get_x() + frame.get_width() < width
        assert 0 < frame.get_y() < frame.get_y() + frame.get_height() < height
    for k, one in enumerate(corners):
        for other in corners[k + 1 :]:
            assert abs(one[0] - other[0]) > frames[0].get_width() or abs(one[1] - other[1]) > frames[0].get_height()


def test_a_long_name_is_shortened():
    ax, _ = tables([[[1, 1], [1, 1]]] * 2, ["an emotion that has a very long name", "joy"])
    assert any(text.startswith("an emotion") and "…" in text for text in words(ax))
