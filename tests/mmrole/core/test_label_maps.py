import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.core.label_maps import LabelMap, label_map, label_maps, read_label_map
from mmrole.core.labels import INVALID, MISSING, label_set


def test_iemocap_merge_is_named_and_explicit():
    assert label_maps() == ("iemocap-6-to-4",)
    mapping = label_map("iemocap-6-to-4")
    assert label_map(mapping) is mapping
    assert [mapping.resolve(label) for label in ("exc", "hap", "fru", "ang")] == ["happy", "happy", None, "angry"]
    assert [mapping.code(label) for label in ("fru", None, "bored")] == [MISSING, MISSING, INVALID]
    assert mapping.lines()[-2:] == ["excited -> happy", "frustrated -> (dropped)"]


def test_unknown_map():
    with pytest.raises(UsageError, match=r"no label map 'x'; there are iemocap-6-to-4"):
        label_map("x")


FULL = {"happy": "happy", "sad": "sad", "neutral": "neutral", "angry": "angry"}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"to": FULL, "dropped": ("excited",)}, "says nothing of frustrated"),
        ({"to": {**FULL, "excited": "happy"}, "dropped": ("frustrated",)}, "two labels go to one"),
        ({"to": {**FULL, "excited": "joy"}, "dropped": ("frustrated",)}, "maps to 'joy', which is no label"),
        ({"to": {**FULL, "bored": "sad"}, "dropped": ("excited", "frustrated")}, "maps from 'bored'"),
        ({"to": FULL, "dropped": ("happy", "excited", "frustrated")}, "'happy' is both mapped and dropped"),
    ],
)
def test_a_map_is_total_and_injective_unless_it_says_so(fields, message):
    with pytest.raises(InputError, match=message):
        LabelMap(name="m", source=label_set("iemocap-6"), target=label_set("iemocap-4"), **fields)


def test_own_map(tmp_path):
    path = tmp_path / "m.toml"
    path.write_text(
        'name = "m"\nsource = "iemocap-4"\ntarget = "sentiment-3"\nmerges = true\n'
        '[map]\nhappy = "positive"\nneutral = "neutral"\nsad = "negative"\nangry = "negative"\n',
        encoding="utf-8",
    )
    assert read_label_map(path).resolve("ang") == "negative"
    path.write_text("name = ", encoding="utf-8")
    with pytest.raises(InputError, match=r"m\.toml: not TOML"):
        read_label_map(path)
    with pytest.raises(InputError, match="cannot be read as a label map"):
        read_label_map(tmp_path / "none.toml")
