"""A questionnaire of six items, two characters, an agent and a judge that follow a script."""

import json
import re
from collections import Counter

import pytest

from mmrole.jobs.bench import incharacter
from mmrole.llm import ScriptedModel

CHARACTERS = """
[[characters]]
id = "ann"
name = "Ann Lee"
aliases = ["Ann"]
language = "en"
asker = "Bob"
description = "Ann is a sailor."
[characters.labels.Tiny]
Warmth = {score = 4.0, type = "H"}
Order = {score = 2.0, type = "L"}
Calm = {score = 3.0, type = "X"}

[[characters]]
id = "wang"
name = "王五"
language = "zh"
asker = "李四"
description = "王五是木匠。"
[characters.labels.Tiny]
Warmth = {score = 2.0, type = "L"}
Order = {score = 4.0, type = "H"}
Calm = {score = 1.5, type = "L"}
"""
KEYS = {1: "Warmth", 2: "Warmth", 3: "Order", 4: "Order", 5: "Calm", 6: "Calm"}


def questionnaire():
    questions = {
        str(n): {
            "origin_en": f"Statement {n}.", "origin_zh": f"陈述{n}。", "rewritten_en": f"Question {n}?", "rewritten_zh": f"问题{n}？",
            "dimension": dimension, "category": "positive",
        }
        for n, dimension in KEYS.items()
    }  # fmt: skip
    return {"name": "Tiny", "range": [1, 5], "questions": questions}


class Agent:
    """Ann is warm, calm and disorderly; 王五 the other way round. Each request is answered once, or counted twice."""

    def __init__(self, end=None):
        self.answered = Counter()
        self.end = end  # the call that is interrupted
        self.model = ScriptedModel(self.answer, name="agent")

    def answer(self, request):
        if self.end is not None and sum(self.answered.values()) == self.end:
            self.end = None
            raise KeyboardInterrupt
        text = request.messages[-1].text
        self.answered[text, request.round] += 1
        item = int(re.search(r"(?:Question|Statement|问题|陈述)\s*(\d)", text)[1])
        high = (item in (3, 4)) == ("李四" in text)
        if "number only" in text or "只回答" in text:
            return "5" if high else "Ann: 1" if item != 6 else "Hardly ever."
        return f"Item {item}: {'very much so' if high else 'not at all'}."


class Judge:
    """Takes the answers at their word; `unreadable` are parts of requests that it does not read at first."""

    def __init__(self, end=None, unreadable=None):
        self.answered = Counter()
        self.end = end
        self.unreadable = unreadable
        self.model = ScriptedModel(self.answer, name="judge")

    def answer(self, request):
        if self.end is not None and sum(self.answered.values()) == self.end:
            self.end = None
            raise KeyboardInterrupt
        text = request.messages[-1].text
        self.answered[text] += 1
        if self.unreadable and self.unreadable in text and self.answered[text] < 3:
            return "Let me think about it."
        highs = {n: 5 if "very" in said else 1 for n, said in re.findall(r"Item (\d): (.*?)\.", text)}
        if '"score"' in text:
            return json.dumps({"analysis": "so it seems", "score": sum(highs.values()) / len(highs)})
        asked = re.findall(r"^(\d+)\.$", text, re.MULTILINE)
        return json.dumps({n: highs.get(n, "x") for n in asked})


@pytest.fixture
def agent():
    return Agent


@pytest.fixture
def judge():
    return Judge


@pytest.fixture
def files(tmp_path):
    """Characters file and folder of questionnaires."""
    (tmp_path / "characters.toml").write_text(CHARACTERS, "utf-8")
    (tmp_path / "scales").mkdir()
    (tmp_path / "scales" / "Tiny.json").write_text(json.dumps(questionnaire()), "utf-8")
    return {"characters": [tmp_path / "characters.toml"], "questionnaires": tmp_path / "scales", "scales": ["Tiny"]}


@pytest.fixture
def built(files, tmp_path):
    """Builds a folder; arguments as of `build`."""
    made = []

    def build(name="run", **more):
        made.append(incharacter.build(tmp_path / name, **files | {"runs": 2, "methods": ("OC", "ER_batch")} | more))
        return tmp_path / name

    return build
