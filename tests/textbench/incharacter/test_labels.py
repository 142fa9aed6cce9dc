import json

import numpy as np
import pytest

from mmrole.core.errors import InputError, UsageError
from textbench.incharacter.labels import label_arrays, label_type, mirrored, read_labels
from textbench.incharacter.scales import scale, scale_from_keys


@pytest.mark.parametrize(
    ("score", "name", "kind"),
    [
        # u = (score - min) / (max - min): H from 0.6, L up to 0.4
        (3.4, "BFI", "H"), (3.3999, "BFI", "X"), (2.6, "BFI", "L"), (2.6001, "BFI", "X"),
        (60, "16Personalities", "H"), (40, "16Personalities", "L"), (50, "16Personalities", "X"),
        (4.6, "BSRI", "H"), (3.4, "BSRI", "L"),  # 3.5999999999999996 / 6 in binary
        (2.4, "LOT-R", "H"), (0.5, "EPQ-R", "X"),
    ],
)  # fmt: skip
def test_types(score, name, kind):
    assert label_type(score, name) == kind


FILE = {"pdb": {"Ann": {"BFI": {"Openness": {"score": 4, "type": "H"}, "Neuroticism": {"score": "X", "type": "X"}}}}}


def written(tmp_path, labels):
    path = tmp_path / "labels.json"
    path.write_text(json.dumps(labels), encoding="utf-8")
    return path


def test_read_labels(tmp_path):
    assert read_labels(written(tmp_path, FILE)) == FILE


def changed(**label):
    return {"annotation": {"胡桃": {"BFI": {"Openness": {"score": 4, "type": "H", **label}}}}}


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"gold": {}}, "gold: labels are from pdb or annotation"),
        ({}, "there are no labels"),
        ({"pdb": []}, r"pdb: has to be an object in braces, not '\[\]'"),
        ({"pdb": {"Ann": {"Bfi": {}}}}, r"pdb\.Ann\.Bfi: there is no such scale; there are BFI, "),
        ({"pdb": {"Ann": {"BFI": {"Warmth": {}}}}}, r"pdb\.Ann\.BFI\.Warmth: BFI has no such dimension"),
        ({"pdb": {"Ann": {"BFI": {"Openness": {"score": 3}}}}}, r"pdb\.Ann\.BFI\.Openness\.type: is missing"),
        (changed(type="high"), r"annotation\.胡桃\.BFI\.Openness\.type: has to be H, L or X, not 'high'"),
        (changed(score=5.1), r"Openness\.score: has to be a number from 1 to 5 or \"X\", not 5\.1"),
        (changed(score="4"), r"Openness\.score: has to be a number from 1 to 5 or \"X\", not '4'"),
        (changed(score=True), r"Openness\.score: .* not True"),
        (changed(score="X"), r"Openness\.type: a dimension whose score is X has the type X, not 'H'"),
    ],
)
def test_bad_files_name_file_key_and_reason(tmp_path, labels, message):
    with pytest.raises(InputError, match=rf"labels\.json: (annotation.*)?{message}") as caught:
        read_labels(written(tmp_path, labels))
    assert "\n" not in str(caught.value)


def test_labels_of_a_scale_of_ones_own(tmp_path):
    own = scale_from_keys("Own", {"a": [1]}, choices=(1, 3))
    labels = {"pdb": {"Ann": {"Own": {"a": {"score": 3, "type": "H"}}}}}
    assert read_labels(written(tmp_path, labels), [own]) == labels


def test_mirrored_turns_score_and_type_of_one_dimension():
    labels = {
        source: {"Ann": {"EPQ-R": {"Lying": {"score": 0.75, "type": "H"}, "Psychoticism": {"score": 0.0, "type": "L"}}}}
        for source in ("pdb", "annotation")
    }
    got = mirrored(labels, "EPQ-R", ["Lying"], source="annotation")
    assert got["annotation"]["Ann"]["EPQ-R"]["Lying"] == {"score": 0.25, "type": "L"}
    assert got["annotation"]["Ann"]["EPQ-R"]["Psychoticism"] == {"score": 0.0, "type": "L"}
    assert got["pdb"] == labels["pdb"]
    assert mirrored(FILE, "BFI", ["Neuroticism"]) == FILE  # X stays X


def test_label_arrays():
    types, scores = label_arrays(FILE, "pdb", scale("BFI"), ["Ann", "Bob"], mirror=["Openness"])
    assert types.tolist() == [["", "", "", "X", "L"], [""] * 5]
    np.testing.assert_array_equal(scores[0], [np.nan, np.nan, np.nan, np.nan, 2.0])


def test_label_arrays_name_a_wrong_type():
    with pytest.raises(UsageError, match="pdb, Ann, BFI Openness: the type is H, L or X, not 'h'"):
        label_arrays({"pdb": {"Ann": {"BFI": {"Openness": {"score": 4, "type": "h"}}}}}, "pdb", scale("BFI"), ["Ann"])
