import numpy as np
import pytest

from emotion.corpus import STATUSES, corpus_of
from mmrole.core.dialogue import Dialogue, Utterance, follows
from mmrole.core.errors import InputError
from mmrole.core.label_maps import label_map
from mmrole.core.labels import label_set

CPED = label_set("cped-13")


def dialogue(name, *rows):
    """Utterances given as (number, speaker, emotion)."""
    return Dialogue(
        dialogue_id=name,
        utterances=tuple(
            Utterance(utterance_id=f"{name}_{i}", index=i, speaker=speaker, text="", emotion=emotion)
            for i, speaker, emotion in rows
        ),
    )


TWO = dialogue("a", (0, "A", "happy"), (1, "A", "fear"), (3, "B", None), (4, "A", "x"), (5, "其他", "happy"))
PAIR = dialogue("b", (0, "A", "happy"), (1, "B", "anger"), (2, "A", "anger"))


def test_layout_by_hand():
    corpus = corpus_of([PAIR, TWO], CPED)
    assert corpus.emotion.tolist() == [0, 4, 4, 0, 6, -1, -2, 0]
    assert corpus.continues.tolist() == [False, True, True, False, True, False, True, True]
    assert corpus.start.tolist() == [0, 1, 2, 3, 5, 6, 7, 8]
    assert [STATUSES[s] for s in corpus.status] == ["no_predecessor", "played", "played"] + ["not_two_speakers"] * 4
    assert corpus.own_previous.tolist() == [-1, -1, 0, -1, -1, 3, -1]
    assert corpus.roles == ["A", "B", "其他"]
    assert corpus.turn_of["a_3"] == 4
    assert corpus.places()["a_1"] == (3, 1)


def test_dialogues_of_more_speakers_on_request():
    corpus = corpus_of([TWO], CPED, two_speakers_only=False)
    assert [STATUSES[s] for s in corpus.status] == ["no_predecessor", "played", "played", "no_role"]
    assert STATUSES[corpus_of([TWO], CPED, two_speakers_only=False, nobody=()).status[3]] == "played"


def test_it_agrees_with_the_dialogues(small):
    dialogues, _ = small
    corpus = corpus_of(dialogues, CPED)
    turns = [turn for d in dialogues for turn in d.turns]
    assert [corpus.roles[r] for r in corpus.role] == [turn.role for turn in turns]
    assert list(corpus.turn_of) == [turn.turn_id for turn in turns]
    assert np.diff(corpus.start).tolist() == [len(turn.utterances) for turn in turns]
    chained = [i > 0 and follows(d.utterances[i - 1], u) for d in dialogues for i, u in enumerate(d.utterances)]
    assert corpus.continues.tolist() == chained
    assert len(corpus.places()) == len(corpus.emotion)


def test_labels_through_a_map():
    talk = dialogue("a", (0, "A", "exc"), (1, "B", "fru"), (2, "A", "bored"))
    corpus = corpus_of([talk], label_set("iemocap-4"), truth_map=label_map("iemocap-6-to-4"))
    assert corpus.emotion.tolist() == [0, -1, -2]


def test_what_is_no_corpus():
    with pytest.raises(InputError, match="no dialogues"):
        corpus_of([], CPED)
    with pytest.raises(InputError, match="'b_0' is there in two dialogues"):
        corpus_of([PAIR, PAIR], CPED)
