import json

import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.core.label_maps import label_map, label_maps
from mmrole.core.labels import label_set, label_sets
from mmrole.jobs.labels import all_labels, find_label_map, find_label_set, find_labels, map_of_record, map_record

SET = 'name = "two"\nlabels = ["好", "坏"]\n'
MAP = """
name = "m"
source = "iemocap-4"
target = "sentiment-3"
drop = ["happy"]
merges = true
[map]
sad = "negative"
angry = "negative"
neutral = "neutral"
"""


def test_by_name():
    assert find_label_set("meld-7") is label_set("meld-7")
    assert find_label_map("iemocap-6-to-4") is label_map("iemocap-6-to-4")
    assert find_labels("meld-7") is label_set("meld-7")
    assert find_labels("iemocap-6-to-4") is label_map("iemocap-6-to-4")
    sets, maps = all_labels()
    assert [names.name for names in sets] == list(label_sets())
    assert [mapping.name for mapping in maps] == list(label_maps())


def test_by_file(tmp_path):
    (tmp_path / "s.toml").write_text(SET, "utf-8")
    (tmp_path / "m").write_text(MAP, "utf-8")  # a file needs no ending
    assert find_label_set(str(tmp_path / "s.toml")).labels == ("好", "坏")
    assert find_labels(str(tmp_path / "s.toml")).labels == ("好", "坏")
    assert find_label_map(str(tmp_path / "m")).to["sad"] == "negative"
    assert find_labels(str(tmp_path / "m")).name == "m"


def test_a_map_survives_its_record():
    mapping = label_map("iemocap-6-to-4")
    again = map_of_record(json.loads(json.dumps(map_record(mapping), sort_keys=True)))
    assert map_record(again) == map_record(mapping)
    assert again.resolve("excited") == "happy"


def test_what_is_neither(tmp_path):
    with pytest.raises(UsageError, match=r"no label set or map 'meld'; there are cped-13, .*iemocap-6-to-4"):
        find_labels("meld")
    with pytest.raises(UsageError, match="no label set 'meld'"):
        find_label_set("meld")
    with pytest.raises(InputError, match=r"nowhere\.toml: cannot be read as a label set"):
        find_labels(str(tmp_path / "nowhere.toml"))
