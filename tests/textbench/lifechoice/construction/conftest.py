import json
import re

import pytest

from mmrole.llm import ScriptedModel
from textbench.lifechoice.construction import Novel
from textbench.tokens import approximate

ASKED = {  # a piece of each step's prompt -> step
    "Is there a decision": "find",
    "Write a multiple-choice question": "question",
    "Write three other options": "distractors",
    "Why does": "motivation",
    "Which of these types": "classify",
}


@pytest.fixture
def novel():
    """Forty days; on each Mara decides something, in a sentence of its own. What comes after a decision says AFTER and its day."""
    text = "".join(
        f"Day {day} began with wind. Mara climbed to the lamp and counted the ships. Her brother called from the quay, "
        f"and Mara heard him twice. It was the hour to choose, and the tide would not wait. "
        f"“On day {day} I shall stay and mend the light,” said Mara, and let the boat go. "
        f"AFTER {day}: the boat came back at dusk, and nobody spoke of it at the table.\n\n"
        for day in range(40)
    )
    return Novel(
        book="The Light", text=text, language="en", tokens=approximate(text), path="light.txt", sha256="0" * 64
    )


def step_of(request):
    return next(step for piece, step in ASKED.items() if piece in request.messages[0].text)


@pytest.fixture
def good():
    """From a request to what a good author gives."""

    def give(request):
        step, text = step_of(request), request.messages[0].text
        if step == "find":
            day = re.findall(r"On day (\d+) I shall stay", text)[-1]
            return {
                "found": True,
                "character": "Mara",
                "decision": "She stays.",
                "quote": f'"On day {day} I shall stay and mend the light", said Mara, and let the boat go.',
            }
        return {
            "question": {
                "scenario": "The boat is about to leave.",
                "question": "What will Mara do?",
                "answer": "She stays.",
            },
            "distractors": {"distractors": ["She leaves.", "She sends her brother.", "She burns the lamp."]},
            "motivation": {"motivation": "The light is her duty."},
            "classify": {"type": "values & beliefs"},
        }[step]

    return give


@pytest.fixture
def author(good):
    """Makes an author; `broken` (step -> whole reply) takes the place of what it would give."""

    def make(broken=()):
        def answer(request):
            return dict(broken).get(step_of(request)) or json.dumps(good(request))

        return ScriptedModel(answer)

    return make
