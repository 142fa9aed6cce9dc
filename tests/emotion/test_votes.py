import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emotion.votes import EmotionVote, count_votes, counts_of_labels
from mmrole.core.errors import InputError, UsageError
from mmrole.core.labels import label_set


def vote(utterance_id="u", label="happy", stream="all", expert="e", turn=0):
    return {"utterance_id": utterance_id, "stream": stream, "expert": expert, "round": turn, "label": label}


def test_counts_by_hand():
    votes = [
        vote("a", "happy"), vote("a", "快乐", turn=1), vote("b", "anger", "face"), vote("a", None, turn=2),
        vote("a", "banana", turn=3), vote("b", "fear", "all"),
    ]  # fmt: skip
    counts = count_votes(votes)
    assert counts.utterances == ["a", "b"]
    assert counts.streams == ("all", "face")
    labels = label_set("cped-13")
    records = list(counts.label_records(counts.fused()))
    assert [(r["utterance_id"], r["stream"], r["label"], r["cast"]) for r in records] == [
        ("a", "all", "happy", 4), ("b", "all", "fear", 1), ("b", "face", "anger", 1),
    ]  # fmt: skip
    assert counts.invalid.tolist() == [1, 0, 0]
    assert counts.counts[0, labels.code("happy")] == 2
    assert [list(r) == sorted(r) for r in records] == [True] * 3


def test_objects_and_records_are_the_same():
    objects = [EmotionVote(**vote("a", "happy")), EmotionVote(**vote("a", "anger", turn=1))]
    assert (
        count_votes(objects).counts.tolist()
        == count_votes([vote("a", "happy"), vote("a", "anger", turn=1)]).counts.tolist()
    )


def test_a_vote_that_was_tried_again_replaces_the_one_without_a_label():
    counts = count_votes([vote(label=None), vote(turn=1), vote(label="anger")])
    assert counts.replaced == 1
    assert counts.cast.tolist() == [2]
    assert counts.counts.sum() == 2


@pytest.mark.parametrize("label", ["happy", "banana"])
def test_one_expert_does_not_vote_twice_in_a_round(label):
    with pytest.raises(InputError, match=r"line 3: a second vote .* on 'u' \(all\); the first is line 1"):
        count_votes([vote(label=label), vote("v"), vote()], place=lambda i: f"line {i + 1}")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ([1, 2], "a vote is an object with .*, not list"),
        ({"utterance_id": "u"}, "the vote has no stream"),
        ({**vote(), "stream": "speach"}, "stream has to be one of all, text, face, body, speech, not 'speach'"),
        ({**vote(), "stream": ["all"]}, "stream has to be one of"),
        ({**vote(), "utterance_id": 7}, "utterance_id of a vote has to be a text, not 7"),
        ({**vote(), "round": "0"}, "round of a vote has to be a whole number from 0, not '0'"),
        ({**vote(), "round": -1}, "round of a vote has to be a whole number from 0, not -1"),
        ({**vote(), "round": True}, "round of a vote has to be"),
        ({**vote(), "expert": ["x"]}, r"expert of a vote has to be a text, not \['x'\]"),
        ({**vote(), "expert": None}, "expert of a vote has to be a text, not None"),
    ],
)
def test_what_is_no_vote(record, message):
    with pytest.raises(InputError, match=rf"^vote 2: {message}"):
        count_votes([vote("a"), record])


def test_no_votes():
    with pytest.raises(InputError, match="there are no votes"):
        count_votes([])
    with pytest.raises(UsageError, match="not a path"):
        count_votes("votes.jsonl")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["all", "face"]), st.sampled_from(["happy", "anger", "x", None])),
                min_size=1, max_size=30))  # fmt: skip
def test_counts_survive_being_written(triples):
    votes = [vote(u, label, stream, turn=i) for i, (u, stream, label) in enumerate(triples)]
    counts = count_votes(votes)
    again = counts_of_labels(counts.label_records(counts.fused()))
    assert {u: i for i, u in enumerate(again.utterances)}.keys() == set(counts.utterances)
    assert list(again.label_records(again.fused())) == list(counts.label_records(counts.fused()))


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([{"utterance_id": "u"}], "label 1: no fused label of cped-13"),
        ([{"utterance_id": "u", "stream": "all", "votes": {"joy": 1}, "cast": 1}], "label 1: no fused label"),
        (
            [{"utterance_id": "u", "stream": "all", "votes": {}, "cast": 1}] * 2,
            r"label 2: 'u' \(all\) is there a second",
        ),
        ([], "there are no fused labels"),
    ],
)
def test_broken_label_records(records, message):
    with pytest.raises(InputError, match=message):
        counts_of_labels(records)
