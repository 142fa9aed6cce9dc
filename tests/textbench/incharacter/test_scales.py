import json
from importlib.resources import files

import pytest

from mmrole.core.errors import UsageError
from textbench.incharacter.scales import KEYED, SCALES, scale, scale_from_keys

# scored items and dimensions of each scale: InCharacter, table of the scales in its appendix
SIZES = {
    "BFI": (44, 5), "16Personalities": (60, 4), "EPQ-R": (100, 4), "DTDD": (12, 3), "BSRI": (40, 2), "CABIN": (164, 41), "ICB": (8, 1),
    "ECR-R": (36, 2), "GSE": (10, 1), "LOT-R": (6, 1), "LMS": (9, 3), "EIS": (33, 1), "WLEIS": (16, 4), "Empathy": (10, 1),
}  # fmt: skip
# reversed items as the manuals print them
REVERSED = {
    "BFI": "2 6 8 9 12 18 21 23 24 27 31 34 35 37 41 43",
    "ECR-R": "9 11 20 22 26 27 28 29 30 31 33 34 35 36",
    "EPQ-R": "2 4 5 7 9 10 12 14 18 19 21 24 27 32 33 41 44 47 49 53 54 57 59 64 66 68 71 77 79 81 82 85 88 89 93 96 99",
    "ICB": "5 6 7 8", "LOT-R": "3 7 9", "EIS": "5 28 33", "Empathy": "1 6 8 9", "DTDD": "", "CABIN": "", "WLEIS": "",
}  # fmt: skip


def reversed_items(name):
    return sorted(int(item) for key in scale(name).keys.values() for item, turned in key.items() if turned)


def test_fourteen_scales_with_73_dimensions():
    assert {name: (len(scale(name).items), len(scale(name).dimensions)) for name in SCALES} == SIZES
    assert sum(size for _, size in SIZES.values()) == 73


@pytest.mark.parametrize("name", REVERSED)
def test_reversed_items_are_those_of_the_manual(name):
    assert reversed_items(name) == [int(item) for item in REVERSED[name].split()]


def test_16_personalities_is_reported_from_0_to_100():
    of = scale("16Personalities")
    assert (of.low, of.high, of.midpoint, of.score_low, of.score_high, of.score_midpoint) == (1, 7, 4, 0, 100, 50)
    assert [of.rescaled(mean) for mean in (1, 4, 7, 2.5)] == [0, 50, 100, 25]


def test_other_scales_keep_the_mean():
    assert scale("LOT-R").rescaled(3.3) == 3.3


def test_fillers_are_items_without_a_dimension():
    assert scale("BSRI").fillers == tuple(str(item) for item in range(41, 61))
    assert scale("LOT-R").fillers == ("2", "5", "6", "8")


def test_published_variants():
    assert scale("16Personalities").keys["T/F"]["25"] is False
    assert scale("16Personalities", "item_25_f").keys["T/F"]["25"] is True
    five = scale("LOT-R", "upstream_items")
    assert (five.items, set(five.fillers), five.variant) == (
        ("1", "3", "4", "7", "10"),
        {"2", "5", "6", "8", "9"},
        "upstream_items",
    )


def test_keys_replace_those_of_the_dimensions_they_name():
    of = scale("BFI", {"Openness": [5, -10]})
    assert of.keys["Openness"] == {"5": False, "10": True}
    assert of.keys["Neuroticism"] == scale("BFI").keys["Neuroticism"]
    assert set(of.fillers) == {"15", "20", "25", "30", "35", "40", "41", "44"}


def test_the_public_domain_scale_is_keyed_like_its_questionnaire():
    path = files("textbench.incharacter") / "data" / "IPIP-50.json"
    questions = json.loads(path.read_text(encoding="utf-8"))["questions"]
    keyed = {
        item: (dimension, turned) for dimension, key in scale("IPIP-50").keys.items() for item, turned in key.items()
    }
    assert keyed == {item: (each["dimension"], each["category"] == "negative") for item, each in questions.items()}
    assert "IPIP-50" in KEYED
    assert "IPIP-50" not in SCALES


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: scale("Bfi"), r"there is no scale 'Bfi'; there are BFI, 16Personalities"),
        (lambda: scale("BFI", "item_25_f"), r"BFI has no key named 'item_25_f'; it has no variants"),
        (lambda: scale("LOT-R", "five"), r"LOT-R has no key named 'five'; its variants are upstream_items"),
        (lambda: scale("BFI", {"Warmth": [1]}), r"BFI has no dimension 'Warmth'; it has Extraversion, "),
        (lambda: scale("BFI", {"Openness": [1]}), r"BFI: item 1 belongs to Extraversion and to Openness"),
        (lambda: scale("BFI", {"Openness": [5, -5]}), r"BFI Openness: item 5 is there twice"),
        (lambda: scale("BFI", {"Openness": []}), r"BFI Openness: a dimension has items"),
        (lambda: scale("BFI", {"Openness": [True]}), r"whole numbers, negative when reversed, not True"),
        (lambda: scale("BFI", {"Openness": [0]}), r"whole numbers, negative when reversed, not 0"),
        (
            lambda: scale_from_keys("A", {"x": [1]}, choices=(5, 5)),
            r"A: a range goes from small to large, not \(5, 5\)",
        ),
        (lambda: scale_from_keys("A", {"x": [1]}, choices=(1, 5), scores=(9, 0)), r"not \(1, 5\) or \(9, 0\)"),
    ],
)
def test_what_makes_no_sense_is_named(call, message):
    with pytest.raises(UsageError, match=message):
        call()
