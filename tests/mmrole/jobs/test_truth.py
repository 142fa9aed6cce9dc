import json

import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.jobs.truth import read_truth


def dialogues(path, emotions, **fields):
    utterances = [
        {"utterance_id": f"u{n}", "speaker": "A", "text": "", "emotion": emotion, **fields}
        for n, emotion in enumerate(emotions)
    ]
    path.write_text(json.dumps({"dialogue_id": "d", "utterances": utterances}), "utf-8")
    return path


MELD = "Utterance,Speaker,Emotion,Sentiment,Dialogue_ID,Utterance_ID,Season\nhi,A,joy,positive,0,0,1\n"


def test_the_label_set_is_that_of_the_format_of_the_map_or_cped(tmp_path):
    (tmp_path / "m.csv").write_text(MELD)
    found = read_truth(tmp_path / "m.csv")
    assert (found.labels.name, found.format, found.notes) == ("meld-7", "meld", [])
    assert read_truth(tmp_path / "m.csv", target="sentiment").labels.name == "sentiment-3"
    assert read_truth(dialogues(tmp_path / "d.jsonl", ["happy"])).labels.name == "cped-13"
    mapped = read_truth(dialogues(tmp_path / "e.jsonl", ["excited"]), truth_map="iemocap-6-to-4")
    assert (mapped.labels.name, mapped.truth_map.name) == ("iemocap-4", "iemocap-6-to-4")


def test_strange_labels_are_counted_and_named(tmp_path):
    path = dialogues(tmp_path / "d.jsonl", ["happy", "happy", "joy", "joy", "x", "y", "z", None])
    [note] = read_truth(path).notes
    assert note == "5 of 8 true labels are not in cped-13 and count as invalid: 'joy', 'x', 'y', ..."


@pytest.mark.parametrize(("emotions", "seen"), [(["x", "y"], "there are 'x', 'y'"), ([None], "there is none")])
def test_no_label_of_the_set_at_all(tmp_path, emotions, seen):
    path = dialogues(tmp_path / "d.jsonl", emotions)
    with pytest.raises(
        InputError, match=rf"d\.jsonl: no emotion of an utterance is in the label set cped-13 \({seen}\); choose"
    ):
        read_truth(path)


def test_a_map_to_another_set(tmp_path):
    path = dialogues(tmp_path / "d.jsonl", ["happy"])
    with pytest.raises(UsageError, match="maps to iemocap-4, but the scores are of cped-13"):
        read_truth(path, labels="cped-13", truth_map="iemocap-6-to-4")
