import numpy as np
import pytest

from emotion.corpus import corpus_of
from emotion.responses import responses_of
from emotion.votes import count_votes
from mmrole.core.dialogue import Dialogue, Utterance
from mmrole.core.errors import InputError
from mmrole.core.labels import label_set

CPED = label_set("cped-13")
HAPPY, ANGER, FEAR = (CPED.code(x) for x in ("happy", "anger", "fear"))


def corpus():
    rows = [
        (0, "A", "happy"),
        (1, "B", "anger"),
        (2, "B", "fear"),
        (4, "B", "fear"),
        (5, "A", "happy"),
        (6, "B", "anger"),
    ]
    talk = tuple(
        Utterance(utterance_id=f"u{i}", index=i, speaker=speaker, text="", emotion=emotion)
        for i, speaker, emotion in rows
    )
    return corpus_of([Dialogue(dialogue_id="d", utterances=talk)], CPED)


def votes(*pairs, stream="all"):
    return [{"utterance_id": u, "stream": stream, "expert": "e", "round": 0, "label": x} for u, x in pairs]


def laid(*pairs, more=(), **options):
    return responses_of(corpus(), count_votes([*votes(*pairs), *more]), **options)


def triples(responses, kind, side):
    return [tuple(int(x) for x in row) for row in zip(*responses.transitions(kind, side), strict=True)]


def test_by_hand():
    found = laid(("u5/1", "fear"), ("u1/0", "anger"), ("u5/0", "happy"), ("u1/2", "fear"), ("u0/0", "happy"))
    assert found.turn.tolist() == [1, 2]
    assert found.owner.tolist() == [0, 0, 1, 1]
    assert found.label.tolist() == [ANGER, FEAR, HAPPY, FEAR]
    assert found.follows.tolist() == [False, False, False, True]  # u1/1 was not voted on
    assert found.left_out == {"not_two_speakers": 0, "no_predecessor": 1, "no_role": 0, "no_votes": 0, "no_response": 0}
    assert [set(np.flatnonzero(row)) for row in found.truth_sets()] == [{ANGER, FEAR}, {HAPPY}]
    assert [set(np.flatnonzero(row)) for row in found.predicted_sets()] == [{ANGER, FEAR}, {HAPPY, FEAR}]
    # truth of u1, u2, (gap) u4: one transition; the response u1/0, u1/2 has none
    assert triples(found, "intra", "truth") == [(0, ANGER, FEAR)]
    assert triples(found, "intra", "prediction") == [(1, HAPPY, FEAR)]
    # the context is ground truth on both sides
    assert triples(found, "inter", "truth") == [(0, HAPPY, ANGER), (1, FEAR, HAPPY)]
    assert triples(found, "inter", "prediction") == [(0, HAPPY, ANGER), (1, FEAR, HAPPY)]
    # the gap lies between u0 and u5, and u1 has no earlier turn of B
    assert triples(found, "same_speaker", "truth") == []
    same = laid(("u6/0", "happy"))
    assert triples(same, "same_speaker", "truth") == [(0, FEAR, ANGER)]
    assert triples(same, "same_speaker", "prediction") == [(0, FEAR, HAPPY)]


def test_an_ambiguous_opening_has_no_landing_but_the_truth_has():
    found = laid(("u1/0", None), ("u1/1", "fear"))
    assert triples(found, "inter", "prediction") == []
    assert triples(found, "inter", "truth") == [(0, HAPPY, ANGER)]
    assert triples(found, "intra", "prediction") == []


def test_without_the_stream_all_the_votes_are_pooled():
    face = votes(("u1/0", "fear"), stream="face")
    body = votes(("u1/0", "fear"), stream="body")
    speech = votes(("u1/0", "anger"), stream="speech")
    counts = count_votes([*face, *body, *speech])
    pooled = responses_of(corpus(), counts, threshold="2/3")
    assert (pooled.fused_from, pooled.label.tolist()) == ("pooled", [FEAR])
    assert responses_of(corpus(), counts, threshold=0.7).label.tolist() == [-1]
    assert pooled.modality[0].tolist() == [-1, -1, FEAR, FEAR, ANGER]  # all, text, face, body, speech


def test_votes_on_the_clips_themselves():
    found = laid(("u1", "anger"), ("u2", "fear"), ("u4", "fear"), ("u0", "happy"))
    assert (found.turn.tolist(), found.position.tolist()) == ([1], [0, 1, 2])
    assert triples(found, "intra", "prediction") == [(0, ANGER, FEAR)]  # the gap in the ids breaks this chain too
    with pytest.raises(InputError, match=r"vote 2: a vote on a clip of the dialogues, vote 1: one on a response"):
        laid(("u5/0", "anger"), ("u1", "anger"))


@pytest.mark.parametrize(
    ("utterance_id", "message"),
    [
        ("nobody/0", "'nobody/0' is in no dialogue"),
        ("nobody", "'nobody' is in no dialogue"),
        ("u1/x", "'u1/x' is in no dialogue"),
        ("u1/", "'u1/' is in no dialogue"),
        ("u2/0", "named by the first utterance of its turn, 'u2' is not one"),
    ],
)
def test_votes_on_strangers(utterance_id, message):
    with pytest.raises(InputError, match=rf"^vote 2: .*{message}"):
        laid(("u1/0", "anger"), (utterance_id, "anger"))


def test_responses_that_nobody_voted_on():
    given = [
        {"utterance_id": "u1", "utterances": [{}]}, {"utterance_id": "u5", "utterances": [{}]},
        {"utterance_id": "u6", "utterances": None}, {"utterance_id": "u0", "utterances": [{}]},
    ]  # fmt: skip
    found = laid(("u1/0", "anger"), given=given)
    assert (found.left_out["no_votes"], found.left_out["no_response"]) == (1, 1)
    with pytest.raises(InputError, match="response 1: no turn starts with utterance id 'u2'"):
        laid(("u1/0", "anger"), given=[{"utterance_id": "u2"}])
    with pytest.raises(InputError, match="response 1: a response is an object"):
        laid(("u1/0", "anger"), given=[["u1"]])


def test_some_of_them_only():
    found = laid(("u5/1", "fear"), ("u1/0", "anger"), ("u5/0", "happy"), more=votes(("u1/0", "anger"), stream="face"))
    part = found.only(np.array([False, True]))
    assert (part.turn.tolist(), part.owner.tolist(), part.label.tolist()) == ([2], [0, 0], [HAPPY, FEAR])
    assert part.counts.unit_stream[part.units].tolist() == [0, 0]
    assert part.dialogue_of_units().tolist() == [0, 0]
    assert len(found.units) == 4
