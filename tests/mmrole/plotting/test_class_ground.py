import numpy as np
import pytest
from matplotlib.figure import Figure

from mmrole.plotting.class_ground import NOTE_PT, SIDE, draw_ground, words_on_ground, wrapped
from mmrole.plotting.fonts import lettering
from mmrole.plotting.text_size import width_in
from mmrole.plotting.wording import wording


def test_curves_of_equal_f1():
    ax = Figure(figsize=(SIDE, SIDE)).add_axes((0, 0, 1, 1))
    draw_ground(ax, wording("en"), lettering("x"), 1.0)
    *curves, diagonal = ax.lines
    for curve, f1 in zip(curves, (0.2, 0.4, 0.6, 0.8), strict=True):
        recall, precision = curve.get_data()
        # the harmonic mean of both
        assert 2 * precision * recall / (precision + recall) == pytest.approx(np.full(len(recall), f1))
        assert (precision[0], recall[-1]) == pytest.approx((1, 1))
    assert [values.tolist() for values in diagonal.get_data()] == [[0, 1], [0, 1]]
    said = [text.get_text() for text in ax.texts]
    assert said == ["F1 .2", "F1 .4", "F1 .6", "F1 .8", "predicted too often", "predicted too rarely"]
    assert not any(line.get_visible() for line in ax.get_xgridlines())


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_words_on_the_ground_are_where_they_are_drawn(scale):
    side = SIDE * scale
    ax = Figure(figsize=(side, side), dpi=200).add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, 1), ylim=(0, 1))
    draw_ground(ax, wording("en"), lettering("x"), scale)
    ax.figure.draw_without_rendering()
    boxes = words_on_ground(wording("en"), scale)
    assert len(boxes) == len(ax.texts)
    drawn = [text.get_window_extent() for text in ax.texts]
    for box in boxes:
        middle = np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]) * 200
        assert any(extent.contains(*middle) for extent in drawn)


def test_names_go_on_in_the_next_line():
    names = [f"emotion {k}" for k in range(12)]
    lines = wrapped("absent:", names, 3.0)
    assert lines[0].startswith("absent: emotion 0, emotion 1,")
    assert len(lines) > 1
    assert max(width_in(line, NOTE_PT) for line in lines) <= 3.0
    assert " ".join("".join(lines).split()).endswith("emotion 10, emotion 11")
