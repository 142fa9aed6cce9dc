import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from mmrole.plotting.fonts import lettering
from mmrole.plotting.matrix import EMPTY, Block, cell_pt, colour_bar, draw_matrix, fits, ink, names_in, width_in_cells
from mmrole.plotting.wording import wording

NAN = float("nan")


def contrast(first, second):
    """Contrast of two colours by WCAG 2.1, from its definition."""

    def luminance(colour):
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def block(values, **changes):
    values = np.array(values, dtype=np.float64)
    large = [[EMPTY if np.isnan(x) else "0" if x == 0 else f"{x:.2f}" for x in row] for row in values]
    return Block(values=values, large=large, columns=[f"c{k}" for k in range(values.shape[1])], **changes)


def axes(width=4.0, height=4.0):
    return Figure(figsize=(width, height)).add_axes((0, 0, 1, 1))


def draw(ax, blocks, **options):
    rows = [f"r{k}" for k in range(len(blocks[0].large))]
    return draw_matrix(ax, blocks, row_names=rows, letters=lettering(*rows), **options)


def hatched(ax):
    """Left, right and row of the hatched pieces."""
    pieces = [patch for patch in ax.patches if isinstance(patch, Rectangle) and patch.get_hatch()]
    return [(p.get_x(), p.get_x() + p.get_width(), int(p.get_y())) for p in pieces]


def test_every_cell_has_its_text_and_names_are_in_order():
    ax = axes()
    texts = draw(ax, [block([[0.25, 0.75], [0.5, 0.5], [0.0, 1.0]])])
    assert [[text.get_text() for text in row] for row in texts] == [["0.25", "0.75"], ["0.50", "0.50"], ["0", "1.00"]]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["r0", "r1", "r2"]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["c0", "c1"]
    # the first row is at the top, and each text in the middle of its cell
    assert ax.get_ylim() == (3, 0)
    assert [text.get_position() for row in texts for text in row][:3] == [(0.5, 0.5), (1.5, 0.5), (0.5, 1.5)]


def test_colours_are_those_of_the_values_and_empty_rows_are_hatched():
    ax = axes()
    texts = draw(ax, [block([[0.25, 0.75], [NAN, NAN], [0.0, 1.0]]), block([[0.5], [NAN], [0.5]], colours="Greys")])
    first, second = (mesh.get_array() for mesh in ax.collections)
    assert first.filled(-1).tolist() == [[0.25, 0.75], [-1, -1], [0, 1]]
    assert second.filled(-1).tolist() == [[0.5], [-1], [0.5]]
    assert hatched(ax) == [(0, 2, 1), (pytest.approx(2.35), pytest.approx(3.35), 1)]
    assert [text.get_text() for text in texts[1]] == ["–", "–", "–"]


def test_a_row_that_is_empty_in_part_is_hatched_there():
    ax = axes()
    draw(ax, [block([[NAN, 0.5, NAN, NAN]])])
    assert hatched(ax) == [(0, 1, 0), (2, 4, 0)]


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_ink_is_legible_on_every_colour(red, green, blue):
    # the better of black and white has at least the square root of 21
    assert contrast(ink(red, green, blue), (red, green, blue)) >= 4.5


@pytest.mark.parametrize("colours", ["Blues", "Greys", "RdBu_r"])
def test_texts_are_legible_in_every_cell(colours):
    ax = axes(12, 2)
    shown = block([np.linspace(0, 1, 60)], colours=colours)
    texts = draw(ax, [shown])
    map_, norm = shown.scale
    for text, value in zip(texts[0], shown.values[0], strict=True):
        assert contrast(text.get_color(), map_(norm(value))[:3]) >= 4.5


def test_second_texts_stand_below_the_first_and_zeros_have_none():
    small = [["10", "0"]]
    texts = draw(axes(), [block([[1.0, 0.0]], small=small)])
    assert [text.get_text() for text in texts[0]] == ["1.00", "10", "0"]
    assert texts[0][0].get_position()[1] < texts[0][1].get_position()[1]
    assert texts[0][0].get_fontsize() > texts[0][1].get_fontsize()


def test_letters_shrink_until_they_fit():
    wide = Block(values=np.array([[0.5]]), large=[["1,234,567,890"]], columns=["c"])
    ax = axes(0.5, 0.5)
    (text,) = draw(ax, [wide])[0]
    figure = ax.figure
    figure.draw_without_rendering()
    assert text.get_window_extent().width <= ax.get_window_extent().width
    (short,) = draw(axes(0.5, 0.5), [block([[0.5]])])[0]
    assert short.get_fontsize() > text.get_fontsize()


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_letters_do_not_grow_for_ever(scale):
    (text,) = draw(axes(20, 20), [block([[0.5]])], scale=scale)[0]
    assert text.get_fontsize() == pytest.approx(10.5 * scale)


def test_notes_stand_at_the_right_of_their_row():
    ax = axes()
    one = block([[0.5, 0.5], [1.0, 0.0]])
    draw(ax, [one], notes=("n", ["12", "3,400"]))
    assert ax.get_xlim() == (0, pytest.approx(width_in_cells([one], notes=True)))
    places = {text.get_text(): text.get_position() for text in ax.texts}
    assert places["12"][0] == places["3,400"][0] > 2
    assert (places["12"][1], places["3,400"][1]) == (0.5, 1.5)
    (heading,) = [text for text in ax.texts if text.get_text() == "n"]
    assert heading.xy == (places["12"][0], 2)  # below the last row


def test_the_diagonal_is_outlined():
    ax = axes()
    draw(ax, [block([[0.5, 0.5, 0], [NAN, NAN, NAN], [0, 0, 1]], diagonal=True)])
    frames = [p.get_xy() for p in ax.patches if not p.get_fill() and p.get_width() == 1]
    assert frames == [(0, 0), (2, 2)]  # not in the empty row


def test_names_of_columns_lie_flat_only_where_they_fit():
    for names, flat in ((["a", "b"], True), (["negative-other", "positive-other"], False)):
        ax = axes(1.5, 1.5)
        values = np.array([[0.5, 0.5], [0.5, 0.5]])
        shown = Block(values=values, large=[[".5"] * 2] * 2, columns=names)
        draw_matrix(ax, [shown], row_names=names, letters=lettering(*names))
        assert (ax.get_xticklabels()[0].get_rotation() == 0) is flat
        assert fits(names, ax.get_xticklabels()[0].get_fontsize(), cell_pt(ax, 2, 2)) is flat
    left, below = names_in(["negative-other", "happy"], 30)
    assert left > below > 0.5


def test_the_side_of_a_cell():
    # by hand: 4 x 3 inches hold 8 columns of half an inch, and 3 rows of an inch: squares of half an inch
    assert cell_pt(axes(4, 3), 8, 3) == pytest.approx(36)


def test_the_settings_of_the_session_do_not_matter_to_the_grid():
    ax = axes()
    ax.grid(True)
    draw(ax, [block([[0.5]])])
    assert not any(line.get_visible() for line in [*ax.get_xgridlines(), *ax.get_ygridlines()])


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [(0.0, 1.0, ["0", ".50", "1.00"]), (-0.3, 0.3, ["−.30", "0", "+.30"]), (0.0, 1240.0, ["0", "620", "1,240"])],
)
def test_the_scale_of_colours(low, high, labels):
    ax = axes(4, 0.3)
    colour_bar(ax, block([[0.5]], low=low, high=high), ("agent: less often", ""), scale=1.0, words=wording("en"))
    assert [text.get_text() for text in ax.get_xticklabels()] == labels
    assert [text.get_text() for text in ax.texts] == ["agent: less often"]
    ends = [text.get_horizontalalignment() for text in ax.get_xticklabels()]
    assert ends == ["left", "center", "right"]  # an end that stood out would run into the bar beside it
