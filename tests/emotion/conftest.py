"""A small corpus with everything that can go wrong in it, and votes on responses to its turns."""

import random

import pytest

from mmrole.core.dialogue import Dialogue, Utterance
from mmrole.core.labels import label_set

EMOTIONS = label_set("cped-13").labels
ROLES = ("Anna", "Ben", "Cleo", "Dan", "其他")


def make_dialogues(rng, count=12):
    """Dialogues of one to three speakers, with gaps in the ids, missing and unknown labels."""
    dialogues = []
    for d in range(count):
        speakers = rng.sample(ROLES, rng.choice((1, 2, 2, 2, 2, 2, 3)))
        index, utterances = 0, []
        for turn in range(rng.randint(1, 7)):
            for _ in range(rng.randint(1, 3)):
                index += 1 + (rng.random() < 0.1)
                emotion = rng.choice((*EMOTIONS, *EMOTIONS[:3] * 5, None, "bewildered"))
                utterances.append(
                    Utterance(
                        utterance_id=f"d{d}_{index}",
                        index=index,
                        speaker=speakers[turn % len(speakers)],
                        text="",
                        emotion=emotion,
                    )
                )
        dialogues.append(Dialogue(dialogue_id=f"d{d}", utterances=tuple(utterances)))
    return dialogues


def make_votes(dialogues, rng, streams=("all", "face", "body", "speech")):
    """Votes on the utterances of responses to three quarters of all turns."""
    votes = []
    for turn in (turn for dialogue in dialogues for turn in dialogue.turns):
        if rng.random() < 0.25:
            continue
        for k in range(rng.randint(1, 3)):
            for stream in streams:
                main = rng.choice(EMOTIONS[:4])
                for number in range(rng.choice((0, 1, 4, 10))):
                    label = main if rng.random() < 0.8 else rng.choice((*EMOTIONS, "banana", None))
                    votes.append(
                        {"utterance_id": f"{turn.turn_id}/{k}", "stream": stream, "expert": f"e{number // 2}",
                         "round": number % 2, "label": label}
                    )  # fmt: skip
    return votes


@pytest.fixture(params=range(6))
def small(request):
    """(dialogues, votes), six of them."""
    rng = random.Random(request.param)
    dialogues = make_dialogues(rng)
    return dialogues, make_votes(dialogues, rng)


@pytest.fixture
def large():
    """(dialogues, votes) with enough transitions for every role."""
    rng = random.Random(99)
    dialogues = make_dialogues(rng, count=150)
    return dialogues, make_votes(dialogues, rng)
