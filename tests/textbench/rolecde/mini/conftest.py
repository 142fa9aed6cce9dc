import json
import re

import pytest

from mmrole.llm import ScriptedModel
from textbench.rolecde.personas import persona_of
from textbench.rolecde.role_options import RoleOption

GOOD = {
    "RF": "As captain of this ferry I board those who paid; twelve seats are twelve seats.",
    "RC": "Although we should protect the weakest first, I honour every contract that was paid.",
    "AC": "Although they paid, children come first.",
    "AF": "Children come first.",
}
MANNER = {  # a piece of each type's instruction -> type
    "name your role": "RF",
    "in their own words": "RC",
    "the option that you do not choose has a point": "AC",
    "Hold to this side alone. Grant": "AF",
}


@pytest.fixture
def personas():
    """Six; in every second one, option A is the role's."""
    found = {}
    for number in range(6):
        options = ["Take the children first.", "Take those who paid."]
        if number % 2:
            options.reverse()
        record = {
            "id": number,
            "expanded_role": "1. Role Name:\nFerry Captain: runs the last boat of the island.",
            "scenario": "A storm closes the strait.",
            "role_category": "C3",
            "traditional_values": ["Protect the weakest first.", "Share danger fairly."],
            "personal_value": "Honour every paid contract.",
            "dilemmas": {
                "easy": {
                    "description": "The harbour floods tonight, and the ferry has twelve seats for thirty islanders.",
                    "option_A": options[0],
                    "option_B": options[1],
                }
            },
        }
        found[str(number)] = persona_of(record, "here")
    return found


@pytest.fixture
def role_options(personas):
    return {
        (name, "easy"): RoleOption(persona=name, level="easy", option="BA"[number % 2], source="file")
        for number, name in enumerate(personas)
    }


def decision_in(request):
    text = request.messages[-1].text
    return next(decision for piece, decision in MANNER.items() if piece in text)


@pytest.fixture
def teacher():
    """Makes a teacher that answers as told, but for the types in `broken` (type -> whole reply)."""

    def make(broken=()):
        def answer(request):
            decision = decision_in(request)
            if decision in dict(broken):
                return dict(broken)[decision]
            letter = re.search(r"when it chooses ([AB])", request.messages[-1].text).group(1)
            return json.dumps({"chosen_option": letter, "reasoning": GOOD[decision]})

        return ScriptedModel(answer)

    return make
