from types import SimpleNamespace

from mmrole.core.dialogue import Dialogue, Utterance
from mmrole.jobs.describe.units import units_of


def store(*clip_ids):
    return SimpleNamespace(records={name: {"clip_id": name, "speaker": "A"} for name in clip_ids})


def dialogue(*ids):
    return Dialogue(
        dialogue_id="d",
        show="S",
        utterances=tuple(Utterance(utterance_id=name, speaker="B", text="Hi.") for name in ids),
    )


def test_all_clips_without_dialogues():
    units = units_of(store("b", "a/c"), None).units
    assert [(each.utterance_id, each.clip_id, each.speaker, each.text) for each in units] == [
        ("a/c", "a/c", "A", None),
        ("b", "b", "A", None),
    ]


def test_a_clip_belongs_to_the_utterance_of_its_last_part():
    found = units_of(store("27/u1", "u2", "other/u2", "x/u3", "y/u3", "u9"), [dialogue("u2", "u1", "u3", "u4")])
    assert [(each.utterance_id, each.clip_id) for each in found.units] == [
        ("u2", "u2"), ("u1", "27/u1"), ("u3", "x/u3"), ("u4", None),
    ]  # fmt: skip
    assert {(each.speaker, each.show, each.text) for each in found.units} == {("B", "S", "Hi.")}
    assert list(found.skipped) == [
        {"path": "other/u2", "reason": "second_clip: u2 is the clip of u2"},
        {"path": "u9", "reason": "not_in_dialogues"},
        {"path": "y/u3", "reason": "second_clip: x/u3 is the clip of u3"},
    ]
