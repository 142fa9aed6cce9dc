import json
import math
import pickle

import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.core.labels import INVALID, MISSING, LabelSet, label_set, label_sets, read_label_set

PACKAGED = ("cped-13", "emorynlp-7", "iemocap-4", "iemocap-6", "meld-7", "sentiment-3")


def test_packaged_sets():
    assert label_sets() == PACKAGED


@pytest.mark.parametrize("name", PACKAGED)
def test_every_label_and_every_name_means_itself(name):
    labels = label_set(name)
    assert labels.name == name
    assert labels.codes(labels.labels) == list(range(len(labels)))
    for label, spellings in labels.spellings.items():
        assert {labels.resolve(spelling) for spelling in spellings} == {label}
    for names in labels.names.values():
        assert [labels.resolve(text) for text in labels.display_names("zh")] == list(labels.labels)
        assert set(names) == set(labels.labels)


def test_cped_order_and_sentiments_are_those_of_its_files():
    # order: ids of CPED (arXiv 2205.14727); sentiments: counted in its files, no exception
    labels = label_set("cped-13")
    assert labels.labels == (
        "happy", "grateful", "relaxed", "positive-other", "anger", "sadness", "fear", "depress", "disgust",
        "astonished", "worried", "negative-other", "neutral",
    )  # fmt: skip
    assert labels.upper.labels == ("positive", "neutral", "negative")
    assert labels.sentiment_codes == (0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 1)


@pytest.mark.parametrize(
    ("spelling", "label"),
    [
        ("angry", "anger"),
        ("Surprised", "astonished"),
        (" 快乐 ", "happy"),
        ("other-positive", "positive-other"),
        ("positive_other", "positive-other"),
        ("Positive Other", "positive-other"),
        ("ｆｅａｒ", "fear"),  # full-width letters
        ("depressed", "depress"),
        ("担忧", "worried"),
    ],
)
def test_other_spellings(spelling, label):
    assert label_set("cped-13").resolve(spelling) == label


@pytest.mark.parametrize("stranger", ["angryy", "fear!", "happy anger", "joy", "ambiguous", 4, ["happy"], "positive"])
def test_nothing_is_mapped_to_the_nearest_label(stranger):
    assert label_set("cped-13").code(stranger) == INVALID


@pytest.mark.parametrize("nothing", [None, math.nan, "", "  ", "\u3000"])
def test_missing_labels(nothing):
    assert label_set("cped-13").code(nothing) == MISSING


def test_meld_has_no_sentiment_map():
    # surprise is positive 780 times and negative 856 times in its training table
    labels = label_set("meld-7")
    assert labels.upper is None
    assert labels.at("upper") is None
    assert labels.at("lower") is labels


def test_levels_are_checked():
    with pytest.raises(UsageError, match="level has to be 'lower' or 'upper'"):
        label_set("cped-13").at("middle")


def test_unknown_set_names_those_there_are():
    with pytest.raises(UsageError, match=r"no label set 'cped'; there are cped-13, .*TOML"):
        label_set("cped")


def test_a_set_is_its_own_set_and_travels_to_workers():
    labels = label_set("cped-13")
    assert label_set(labels) is labels
    copy = pickle.loads(pickle.dumps(labels))
    assert copy.labels == labels.labels
    assert copy.code("担忧") == labels.code("担忧")
    assert copy.sentiments == labels.sentiments


def test_lines_for_people():
    lines = label_set("cped-13").lines()
    assert lines[0].startswith("cped-13: ")
    assert "  4 anger [negative]: 愤怒, angry, 憤怒" in lines


TOML = """
name = "mine"
labels = ["good", "bad"]
[aliases]
good = ["fine"]
[names.zh]
bad = "坏"
"""


def test_own_set(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(TOML, encoding="utf-8")
    labels = read_label_set(path)
    assert labels.codes(["fine", "坏", "ugly", None]) == [0, 1, INVALID, MISSING]
    assert labels.display_names("zh") == ("good", "坏")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "not TOML"),
        ('name = "x"', r"field labels: field required"),
        ('name = "x"\nlabels = ["a", 2]', r"field labels.1: .*string, got 2"),
        ('name = "x"\nlabels = ["a"]\nlables = 1', "field lables: extra inputs are not permitted"),
        ('name = "x"\nlabels = []', "no labels"),
        ('name = "x"\nlabels = ["a", "a"]', "a label is listed twice"),
        ('name = "x"\nlabels = ["a", "b"]\n[aliases]\na = ["B"]', "'b' is a spelling of both 'a' and 'b'"),
        ('name = "x"\nlabels = ["a"]\n[aliases]\nz = ["B"]', "aliases names 'z', which is no label"),
        ('name = "x"\nlabels = ["a"]\n[aliases]\na = [" "]', "an empty spelling"),
        ('name = "x"\nlabels = ["a", "b"]\n[sentiments]\nup = ["a"]', r"sentiments have to name each label once.*'b'"),
        ('name = "x"\nlabels = ["a"]\n[sentiments]\nup = ["a"]\n[sentiment_names.zh]\nno = "x"', "names 'no'"),
    ],
)
def test_a_broken_file_is_one_line_that_names_it(tmp_path, text, message):
    path = tmp_path / "broken.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        read_label_set(path)
    assert "\n" not in str(error.value)
    assert "broken.toml" in str(error.value) or "label set x" in str(error.value)


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match=r"none\.toml: cannot be read as a label set"):
        read_label_set(tmp_path / "none.toml")


def test_many_different_replies_do_not_fill_memory():
    labels = LabelSet(name="x", labels=("a",))
    assert all(code == INVALID for code in labels.codes(f"reply {i}" for i in range(20_000)))
    assert len(labels._seen) <= 10_000


@pytest.mark.parametrize("name", PACKAGED)
def test_a_set_survives_its_record(name):
    labels = label_set(name)
    # sorted keys: the order of labels and sentiments must not hang on the order of keys
    again = LabelSet.from_record(json.loads(json.dumps(labels.to_record(), sort_keys=True)))
    assert again.to_record() == labels.to_record()
    assert again.labels == labels.labels
    assert (again.upper and again.upper.labels) == (labels.upper and labels.upper.labels)
    assert again.sentiment_codes == labels.sentiment_codes


@pytest.mark.parametrize(
    ("name", "spelling", "label"),
    [
        ("cped-13", "憤怒", "anger"),
        ("cped-13", "擔憂", "worried"),
        ("meld-7", "快樂", "joy"),
        ("iemocap-6", "興奮", "excited"),
    ],
)
def test_traditional_characters_are_spellings_too(name, spelling, label):
    labels = label_set(name)
    assert labels.labels[labels.code(spelling)] == label
