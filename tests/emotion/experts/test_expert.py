from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from emotion.experts.expert import Case, ExpertVote, Line, votes_on

WHOLE = Case(
    utterance_id="u",
    speaker="Ann",
    text="hello",
    history=(Line(speaker="Bo", text="hi"),),
    descriptions={"face": "smiles"},
    blendshapes=np.array([0.1, 0.2]),
    blendshape_names=("a", "b"),
    prosody={"rate_z": 1.0},
    audio=Path("a.wav"),
    audio_sha256="1",
)


@pytest.mark.parametrize(
    "change",
    [
        {"speaker": "Bo"},
        {"text": "hello "},
        {"history": ()},
        {"history": (Line(speaker="hi", text="Bo"),)},
        {"descriptions": {"body": "smiles"}},
        {"blendshapes": np.array([0.1, 0.3])},
        {"blendshapes": None},
        {"blendshape_names": ("b", "a")},
        {"prosody": {"rate_z": 2.0}},
        {"audio_sha256": "2"},
    ],
)
def test_the_hash_of_a_case_is_that_of_all_an_expert_may_see(change):
    assert replace(WHOLE, **change).sha256 != WHOLE.sha256


def test_the_hash_does_not_depend_on_names_and_places():
    assert replace(WHOLE, utterance_id="v", audio=Path("elsewhere.wav")).sha256 == WHOLE.sha256


class OneByOne:
    def vote(self, case, stream, round):  # noqa: A002
        return ExpertVote(label=f"{case.text} {stream} {round}")


class AtOnce(OneByOne):
    def votes(self, cases, stream, round):  # noqa: A002
        return [ExpertVote(label=f"{len(cases)} at once")] * len(cases)


def test_votes_are_asked_for_all_at_once_where_that_is_possible():
    cases = [WHOLE, replace(WHOLE, text="bye")]
    assert [vote.label for vote in votes_on(OneByOne(), cases, "text", 1)] == ["hello text 1", "bye text 1"]
    assert [vote.label for vote in votes_on(AtOnce(), cases, "text", 0)] == ["2 at once", "2 at once"]
