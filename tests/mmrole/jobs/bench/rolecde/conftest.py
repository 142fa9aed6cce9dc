"""Three personas, one of them with reversed options, and agents, judges and auditors that follow a script."""

import json
import re
from collections import Counter

import pytest

from mmrole.jobs.bench import rolecde
from mmrole.llm import ScriptedModel

KEEP = {"en": "keep", "zh": "留下"}
"""A word of the role's option."""


def persona_record(persona_id, *, language="en", reversed_options=False, category="C4"):
    role, other = ("{} the map", "share the map") if language == "en" else ("{}地图", "交出地图")
    options = [other, role.format(KEEP[language])]
    first, second = options[::-1] if reversed_options else options
    return {
        "id": persona_id,
        "language": language,
        "expanded_role": "A sailor who owns one map.",
        "scenario": "The crew has lost its way.",
        "role_category": category,
        "traditional_values": ["Help others."],
        "personal_value": "Keep what is yours.",
        "dilemmas": {
            level: {
                "description": f"Decision {level} of {persona_id}.",
                "option_A": f"{first} ({level})",
                "option_B": f"{second} ({level})",
            }
            for level in ("easy", "mid", "hard")
        },
    }


PERSONAS = (
    persona_record("ann"),
    persona_record("rev", reversed_options=True, category="C8"),
    persona_record("wang", language="zh", category="C1"),
)
GOLD = {"ann": "B", "rev": "A", "wang": "B"}


class Script:
    """Answers and counts how often each request was answered; interrupted at the call `end`."""

    def __init__(self, says, name, end=None):
        self.says = says
        self.answered = Counter()
        self.end = end
        self.model = ScriptedModel(self.answer, name=name)

    def answer(self, request):
        if self.end is not None and self.answered.total() == self.end:
            self.end = None
            raise KeyboardInterrupt
        text = request.messages[-1].text
        self.answered[text, request.round, request.parameters.temperature] += 1
        return self.says(text, self.answered.total())


def shown(text):
    """Letter -> option, as a prompt shows them."""
    return dict(re.findall(r"^(?:Option |选项)?([AB])[:：]\s*(.*)$", text, re.MULTILINE))


def role_letter(text):
    return next(letter for letter, option in shown(text).items() if "keep" in option or "留下" in option)


def chooses(kind):
    def says(text, _):
        role = role_letter(text)
        letter = {"first": "A", "role": role, "alignment": "AB".replace(role, "")}[kind]
        reasons = "Although they need it, it is mine." if "easy" in text else "It is mine."
        return json.dumps({"chosen_option": letter, "reasoning": reasons})

    return says


def judges(text, _):
    return json.dumps({"analysis": "so", "verdict": "compromise" if "Although" in text else "following"})


def audits(text, _):
    return json.dumps({"analysis": "so", "option": role_letter(text)})


GIVEN = {  # a word of the reply that a step of the construction asks for -> what a good author gives
    '"role_name"': {
        "role_name": "Ferry Captain", "description": "Runs the last boat.", "abilities": ["steers", "swims"],
        "speech_style": "Short.", "personality": "Stern.", "background": "Born at sea.", "speech_examples": ["=Aboard!"],
    },
    '"scenario"': {"scenario": "A storm closes the strait."},
    '"alignment_values"': {
        "alignment_values": ["Protect the weakest.", "Share danger.", "Tell the truth."], "personal_value": "Honour contracts.",
    },
    '"easy"': {
        level: {"description": f"The {level} choice.", "alignment_option": "A: Children first.", "role_option": "B: Those who paid."}
        for level in ("easy", "mid", "hard")
    },
    '"category"': {"category": "C3"},
}  # fmt: skip


def authors(text, _):
    return json.dumps(next(given for word, given in GIVEN.items() if word in text))


MANNER = {  # a piece of each type's instruction -> type
    "name your role": "RF",
    "in their own words": "RC",
    "the option that you do not choose has a point": "AC",
    "Hold to this side alone. Grant": "AF",
}
TAUGHT = {
    "RF": "I am a sailor who owns one map; the crew lost its way.",
    "RC": "Although I should help others, I keep what is mine.",
    "AC": "Although it is mine, they need it.",
    "AF": "They need it.",
}


def teaches(text, _):
    """A teacher that does as it is told; what it is told in Chinese it declines."""
    decision = next((decision for piece, decision in MANNER.items() if piece in text), None)
    if decision is None:
        return "I cannot help with that."
    letter = re.search(r"when it chooses ([AB])", text).group(1)
    return json.dumps({"chosen_option": letter, "reasoning": TAUGHT[decision]})


@pytest.fixture
def script():
    """Makes agents, judges and auditors: `script.agent("first")`."""

    class Make:
        @staticmethod
        def agent(kind="role", end=None, says=None):
            return Script(says or chooses(kind), "agent", end)

        @staticmethod
        def judge(name="judge", end=None, says=None):
            return Script(says or judges, name, end)

        @staticmethod
        def auditor(name="auditor", end=None, says=None):
            return Script(says or audits, name, end)

        @staticmethod
        def author(end=None, says=None):
            return Script(says or authors, "author", end)

        @staticmethod
        def teacher(end=None, says=None):
            return Script(says or teaches, "teacher", end)

        role_letter = staticmethod(role_letter)

    return Make


@pytest.fixture
def personas(tmp_path):
    """A folder of the three personas."""
    folder = tmp_path / "personas"
    folder.mkdir()
    for record in PERSONAS:
        (folder / f"persona_{record['id']}.json").write_text(json.dumps(record, ensure_ascii=False), "utf-8")
    return folder


@pytest.fixture
def gold(tmp_path):
    """The table of role options."""
    rows = [f"{name},{level},{option}" for name, option in GOLD.items() for level in ("easy", "mid", "hard")]
    (tmp_path / "gold.csv").write_text("\n".join(["id,level,role_option", *rows]))
    return tmp_path / "gold.csv"


@pytest.fixture
def built(personas, gold, tmp_path):
    """Builds a folder in both orders; arguments as of `build`."""

    def build(name="run", **more):
        given = {"personas": personas, "orders": ("AB", "BA"), "role_option_files": [gold]}
        rolecde.build(tmp_path / name, **given | more)
        return tmp_path / name

    return build


@pytest.fixture
def graded(built, script):
    """Builds, runs and grades a folder."""

    def made(kind="role", name="run", judge=None, **more):
        folder = built(name, **more)
        rolecde.run(folder, script.agent(kind).model)
        rolecde.grade(folder, (judge or script.judge()).model)
        return folder

    return made
