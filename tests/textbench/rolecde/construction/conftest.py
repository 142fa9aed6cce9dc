import json

import pytest

from mmrole.llm import ScriptedModel
from mmrole.llm.stage import Asking
from textbench.rolecde.construction import Seed

GIVEN = {
    "profile": {
        "role_name": "Ferry Captain", "description": "Runs the last boat.", "abilities": ["steers", "swims"],
        "speech_style": "Short.", "personality": "Stern.", "background": "Born at sea.", "speech_examples": ["Duty: Aboard!"],
    },
    "scenario": {"scenario": "A storm closes the strait."},
    "values": {"alignment_values": ["Protect the weakest.", "Share danger.", "Tell the truth."], "personal_value": "Honour contracts."},
    "dilemmas": {
        level: {"description": f"The {level} choice.", "alignment_option": "Children first.", "role_option": "Those who paid."}
        for level in ("easy", "mid", "hard")
    },
    "category": {"category": "Business & Finance"},
}  # fmt: skip
ASKED = {  # a piece of each step's prompt -> step
    "You invent a character": "profile",
    "Write a situation": "scenario",
    "Name three values": "values",
    "Write three dilemmas": "dilemmas",
    "Which of these categories": "category",
}


def _step_of(request):
    return next(step for piece, step in ASKED.items() if piece in request.messages[0].text)


@pytest.fixture
def step_of():
    """From a request to its step."""
    return _step_of


@pytest.fixture
def given():
    """What a good author gives, by step."""
    return GIVEN


@pytest.fixture
def author():
    """Makes an author; `broken` (step -> whole reply) takes the place of what it would give."""

    def make(broken=()):
        def answer(request):
            step = _step_of(request)
            return dict(broken).get(step, json.dumps(GIVEN[step]))

        return ScriptedModel(answer)

    return make


@pytest.fixture
def asking_of(author):
    return lambda broken=(): Asking(model=author(broken))


@pytest.fixture
def seeds():
    return [Seed(seed_id=str(number), text=f"Captain number {number}", language="en") for number in range(4)]
