"""A questionnaire of seven items and two characters: small enough to count by hand."""

import pytest

from textbench.incharacter.characters import Character, roleless
from textbench.incharacter.plan import InCharacterPlan
from textbench.incharacter.questionnaire import questionnaire_of


def tiny_record():
    """Warmth: items 1, -2, 3; Order: -4, 5, 6; item 7 is a filler."""
    keys = {1: "Warmth", 2: "Warmth", 3: "Warmth", 4: "Order", 5: "Order", 6: "Order", 7: None}
    return {
        "name": "Tiny",
        "range": [1, 5],
        "scale": 6,
        "reverse": [2, 4],
        "questions": {
            str(n): {
                "origin_en": f"Statement {n}.",
                "origin_zh": f"陈述{n}。",
                "rewritten_en": f"Question {n}?",
                "rewritten_zh": f"问题{n}？",
                "dimension": dimension,
                "category": "negative" if n in (2, 4) else "positive",
            }
            for n, dimension in keys.items()
        },
        "prompts": {},
    }


def ann(**changed):
    given = {
        "character_id": "ann", "name": "Ann Lee", "aliases": ("Ann",), "language": "en", "asker": "Bob", "source": "A",
        "description": "Ann is a sailor.", "memory": ("Ann finds a map.", "Ann mends a sail.", "Ann sings."),
        "labels": {"Tiny": {"Warmth": {"score": 4.0, "type": "H"}, "Order": {"score": 2.0, "type": "L"}}},
    }  # fmt: skip
    return Character(**given | changed)


def wang():
    return Character(
        character_id="wang", name="王五", aliases=("老王",), language="zh", asker="李四", source="B", description="王五是木匠。",
        memory=("王五做了一张桌子。",),
        labels={"Tiny": {"Warmth": {"score": 2.0, "type": "L"}, "Order": {"score": "X", "type": "X"}}},
    )  # fmt: skip


def plan_of(methods=("OC",), characters=None, runs=1, **more):
    return InCharacterPlan(
        characters=tuple(characters or (ann(), wang())),
        questionnaires=(questionnaire_of(tiny_record(), "tiny.json"),),
        methods=tuple(methods),
        runs=runs,
        **more,
    )


def answers_to(plan, text, status="ok"):
    """Records of ``answers.jsonl``: ``text(character, style, item, run)`` is what the agent said."""
    from textbench.incharacter.interview import interview_items

    records = []
    for item in interview_items(plan):
        fields = item["fields"]
        for run in range(plan.runs):
            said = text(fields["character"], fields["style"], fields["question_id"], run)
            records.append(
                {
                    **fields,
                    "item": item["item_id"],
                    "round": run,
                    "status": status,
                    "reason": None,
                    "replies": [{"text": said}],
                }
            )
    return records


@pytest.fixture
def tiny():
    return questionnaire_of(tiny_record(), "tiny.json")


@pytest.fixture
def make():
    """The functions above, for test modules, which cannot import one another."""

    class Make:
        record = staticmethod(tiny_record)
        ann = staticmethod(ann)
        wang = staticmethod(wang)
        plan = staticmethod(plan_of)
        answers = staticmethod(answers_to)
        roleless = staticmethod(roleless)

    return Make
