import pytest

from mmrole.core.audit import ClipFact, audit, audit_clips, clips_by_utterance, longest_s
from mmrole.core.dialogue import Dialogue, Utterance
from mmrole.core.dialogue_readers import DataSet, DefectKind, DefectReport

K = DefectKind


def data_set(*dialogues, labels="cped-13", form="cped", split=None):
    """Dialogues given as (id, show, [(number, speaker, other fields), ...])."""
    made = [
        Dialogue(
            dialogue_id=name,
            show=show,
            split=split,
            utterances=tuple(
                Utterance(utterance_id=f"{name}_{index}", index=index, speaker=speaker, **{"text": "x", **fields})
                for index, speaker, fields in rows
            ),
        )
        for name, show, rows in dialogues
    ]
    return DataSet(source="f", format=form, dialogues=made, report=DefectReport(source="f"), labels=labels)


def both(name="1_000", show="1", indices=(0, 1), **fields):
    return (name, show, [(index, "AB"[i % 2], fields) for i, index in enumerate(indices)])


def places(report, kind):
    return [(d.place, d.value) for d in report.first.get(kind, [])]


def test_nothing_wrong():
    assert not audit(data_set(both(emotion="happy", sentiment="positive")))


def test_gaps_and_starts():
    report = audit(data_set(both("1_000", indices=(0, 1, 4, 5, 9)), both("1_001", indices=(1, 2))))
    assert places(report, K.UTTERANCE_GAP) == [("1_000", "2-3, 6-8 missing")]
    assert places(report, K.FIRST_UTTERANCE_MISSING) == [("1_001", "starts at 1")]


def test_numbering_from_1_is_no_gap():
    assert not audit(data_set(both("1_000", indices=(1, 2)), both("1_001", indices=(1, 2))))


def test_absent_dialogues_by_series():
    ids = ["1_000", "1_001", "1_003", "1_004", "2_000", "2_001"]
    report = audit(data_set(*(both(name) for name in ids)))
    assert places(report, K.DIALOGUE_ABSENT) == [("1_002", "")]
    ids = ["dia8", "dia9", "dia11", "dia12"]
    assert places(audit(data_set(*(both(name) for name in ids))), K.DIALOGUE_ABSENT) == [("dia10", "")]


def test_ids_that_are_no_numbering_have_no_gaps():
    assert not audit(data_set(both("a123"), both("a9000000"), both("b")))
    assert K.UTTERANCE_GAP not in audit(data_set(both(indices=(0, 10**9)))).counts


def test_labels():
    report = audit(
        data_set(
            both("1_000", emotion="bewildered"),
            both("1_001", emotion="angry", sentiment="negative"),
            both("1_002", emotion="anger", sentiment="positive"),
            both("1_003", emotion="anger", sentiment="bad"),
        )
    )
    assert report.counts[K.UNKNOWN_LABEL] == 2
    assert places(report, K.OTHER_SPELLING)[0] == ("1_001_0", "angry for anger")
    assert places(report, K.SENTIMENT_MISMATCH)[0] == ("1_002_0", "anger with positive")
    assert report.counts[K.SENTIMENT_MISMATCH] == 4


def test_labels_of_another_set_and_of_none():
    assert audit(data_set(both(emotion="joy")), labels="meld-7").counts == {}
    assert audit(data_set(both(emotion="whatever"), labels=None, form="jsonl")).counts == {}


def test_speakers():
    rows = [(0, "A", {}), (1, "B", {}), (2, "其他", {})]
    report = audit(data_set(("1_000", "1", rows), ("1_001", "1", rows[:1]), both("1_002")))
    assert places(report, K.MANY_SPEAKERS) == [("1_000", "3 speakers")]
    assert places(report, K.ONE_SPEAKER) == [("1_001", "")]
    assert places(report, K.OTHER_SPEAKER) == [("1_000", "")]


def test_attributes():
    rows = [(0, "A", {"gender": "female", "age": "young"}), (1, "B", {"gender": None, "age": "young"})]
    other = [
        (0, "A", {"gender": "male", "age": "young"}),
        (1, "其他", {}),
        (2, "B", {"gender": "male", "age": "young"}),
    ]
    report = audit(data_set(("1_000", "1", rows), ("2_000", "2", other)))
    assert places(report, K.UNKNOWN_ATTRIBUTE) == [("1_000_1", "B: gender unknown")]
    assert places(report, K.CONFLICTING_ATTRIBUTE) == [("A", "gender female in show 1 (1), male in show 2 (1)")]


def test_durations():
    def timed(name, start_s, end_s, text="one two three"):
        return both(name, indices=(0,), start_s=start_s, end_s=end_s, text=text)

    report = audit(
        data_set(
            timed("1_000", 1, 1), timed("1_001", 2, 1), timed("1_002", 0, 18.5), timed("1_003", 0, 17.5), labels=None
        )
    )
    assert places(report, K.ZERO_DURATION) == [("1_000_0", "0 s")]
    assert places(report, K.NEGATIVE_DURATION) == [("1_001_0", "-1.000 s")]
    assert places(report, K.LONG_DURATION) == [("1_002_0", "18.5 s for 3 words")]
    assert longest_s("你好 ok") == 18.0


def test_known_faults_of_meld_are_named_where_the_clip_is_in_the_table():
    row = ("dia125", "Friends", [(0, "A", {}), (1, "B", {})])
    data = data_set(row, labels=None, form="meld", split="train")
    assert K.KNOWN_DEFECT not in audit(data).counts
    utterance = Utterance(utterance_id="dia125_utt3", speaker="A", text="x")
    dialogue = Dialogue(dialogue_id="dia125", utterances=(utterance,), split="train")
    data = DataSet(source="f", format="meld", dialogues=[dialogue], report=DefectReport(source="f"), labels="meld-7")
    assert places(audit(data), K.KNOWN_DEFECT) == [("dia125_utt3", "the clip cannot be opened")]


def test_clips_are_joined_by_name_never_by_order():
    found, extra = clips_by_utterance(["x/b.mp4", "x/c.d.mp4", "y/zz.mp4", "x/b.avi"], ["a", "b", "c.d"])
    assert found == {"a": [], "b": ["x/b.avi", "x/b.mp4"], "c.d": ["x/c.d.mp4"]}
    assert extra == ["y/zz.mp4"]


def test_clips():
    data = data_set(
        ("1_000", "1", [(i, "AB"[i % 2], {"start_s": 0.0, "end_s": 2.0}) for i in range(6)]), both("1_001"), labels=None
    )
    facts = {
        "1_000_0": ClipFact(duration_s=2.1),
        "1_000_1": ClipFact(reason="corrupt"),
        "1_000_2": ClipFact(duration_s=0.01),
        "1_000_3": ClipFact(duration_s=9.0),
        "1_000_4": ClipFact(),
        "1_001_0": ClipFact(duration_s=100.0),
    }
    paths = [f"{name}.mp4" for name in facts] + ["1_000_0.flv", "final_1_000_0.mp4"]
    report = audit_clips(data, paths, lambda path: facts[path.split(".")[0]])
    assert places(report, K.CLIP_MISSING) == [("1_000_5", ""), ("1_001_1", "")]
    assert places(report, K.CLIP_EXTRA) == [("final_1_000_0.mp4", "")]
    assert places(report, K.CLIP_AMBIGUOUS) == [("1_000_0", "1_000_0.flv, 1_000_0.mp4")]
    assert places(report, K.CLIP_UNREADABLE) == [("1_000_1.mp4", "corrupt")]
    assert places(report, K.CLIP_TOO_SHORT) == [("1_000_2.mp4", "0.010 s")]
    assert places(report, K.CLIP_LENGTH_DIFFERS) == [("1_000_3.mp4", "9.0 s, table 2.0 s")]
    assert places(report, K.LONG_DURATION) == [("1_001_0.mp4", "100.0 s")]


@pytest.mark.parametrize("paths", [["a/1_001_0.mp4", "a/1_001_1.mkv"]])
def test_clips_without_a_probe_are_only_joined(paths):
    assert audit_clips(data_set(both("1_001")), paths).counts == {}
