"""Two small books, an agent and a judge that follow a script."""

import json
from collections import Counter

import pytest

from mmrole.jobs.bench.lifechoice import build
from mmrole.llm import ScriptedModel
from textbench.lifechoice.summaries import Sizes

DAYS = [f"On day {number} Ann walked to the mill and came home." for number in range(40)]
STORY = " ".join([*DAYS[:20], "That night Ann swore to her brother never to sell the red boat.", *DAYS[20:]])
NACHT = (
    "李四每天划船去镇上，从不误时。" * 12 + "他答应过母亲，决不卖掉那条红船。" + "李四每天划船去镇上，从不误时。" * 12
)


def item(number, **more):
    record = {
        "item_id": f"ann-{number}", "book": "The Red Boat", "character": "Ann", "text": STORY[: len(STORY) * number // 2],
        "scenario": f"A merchant offers {number} pounds of silver for the boat.", "question": "What does Ann do?",
        "options": {"A": "She sells it.", "B": "She keeps it.", "C": "She lends it.", "D": "She burns it."}, "answer": "B",
        "motivation": "[Values and Beliefs] She swore it.", "genres": ["Historical"], "description": "Ann keeps her word.",
    }  # fmt: skip
    return record | more


def items():
    chinese = {
        "item_id": "li-1", "book": "红船", "character": "李四", "text": NACHT, "scenario": "商人出银子买船。",
        "question": "李四怎么做？", "options": {"A": "卖掉", "B": "留下", "C": "借出", "D": "烧掉"}, "answer": "B",
        "motivation": "[Desires and Goals] 他答应过。", "genres": ["Mystery", "Historical"], "description": "李四是守信的人。",
    }  # fmt: skip
    return [item(1), item(2), chinese]


SIZES = Sizes(chunk=60, leaf=15, group=40, node=20)


class Agent:
    """Writes summaries, picks segments, chooses; each request is answered once, or counted twice."""

    def __init__(self, end=None, segments=("swore",), choice=None, summary=None):
        self.answered = Counter()
        self.end = end  # the call that is interrupted
        self.segments = list(segments)
        self.choice = choice or (lambda request: "Answer: A")
        self.summary = summary or (lambda text: "Ann swore." if "Ann" in text else "李四守信。")
        self.model = ScriptedModel(self.answer, name="agent")

    def answer(self, request):
        if self.end is not None and sum(self.answered.values()) == self.end:
            self.end = None
            raise KeyboardInterrupt
        text = request.messages[-1].text
        self.answered["\n".join(message.text for message in request.messages)] += 1
        if '"segments"' in text:
            return json.dumps({"segments": self.segments})
        if "<letter>" in text or "<字母>" in text:
            return self.choice(request)
        return self.summary(text)


@pytest.fixture
def agent():
    return Agent


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "items.json"
    path.write_text(json.dumps(items(), ensure_ascii=False), "utf-8")
    return path


@pytest.fixture
def built(data, tmp_path):
    def made(name="run", methods=("roleless", "hierarchical+bm25+charmap"), **more):
        build(tmp_path / name, **{"data": data, "methods": methods, "budget": 300, "sizes": SIZES} | more)
        return tmp_path / name

    return made
