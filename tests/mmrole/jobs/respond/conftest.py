"""The fixtures' dialogues in JSONL with one more dialogue, two roles that are known, and agents that count what they are asked."""

import json
from collections import Counter
from types import SimpleNamespace

import pytest

from mmrole.llm import ScriptedModel

SAID = {
    "d1": [("Ann", "One."), ("Bo", "Two."), ("Bo", "Three."), ("Ann", "Four."), ("Bo", "Five."), ("Ann", "Six."), ("Bo", "Seven.")],
    "d2": [("Bo", "Eight."), ("Cleo", "Nine."), ("Bo", "Ten.")],
}  # fmt: skip
EMOTIONS = ("happy", "anger", "neutral", "sadness")
TARGETS = ["d1_1", "d1_3", "d1_4", "d1_5", "d1_6", "d2_1", "d2_2"]
ROLES = [
    {"name": "Ann", "image": "ann.png", "profile": {"characteristics": "Brave."}},
    {"name": "Bo", "profile": {"experiences": "He was at sea."}},
    {"name": "Cleo", "profile": {}},
]
PREVIOUS = [
    {"dialogue_id": d, "role": r, "text": f"{r} came home before {d}."}
    for d, r in (("d1", "Ann"), ("d1", "Bo"), ("d2", "Bo"))
]
ANSWER = {"text": "Well.", "face": "smiles", "body": "nods", "speech": "slow"}


def jsonl(path, records):
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return path


class Agent:
    """Answers with the number of lines it was shown; `end` is the call that is interrupted, `odd` are words and other answers."""

    def __init__(self, end=None, odd=None):
        self.asked = Counter()
        self.end = end
        self.odd = odd or {}
        self.model = ScriptedModel(self.answer, name="agent")

    def answer(self, request):
        if self.end is not None and self.asked.total() == self.end:
            self.end = None
            raise KeyboardInterrupt
        text = request.messages[1].text
        self.asked[text, len(request.messages)] += 1
        for word, answer in self.odd.items():
            if word in text:
                return answer(len(request.messages)) if callable(answer) else answer
        return json.dumps({"utterances": [{**ANSWER, "text": f"After {text.count(chr(10))} lines."}]})


@pytest.fixture
def agent():
    return Agent


@pytest.fixture
def world(tmp_path):
    """Files and options by name, and the ids of the turns to play."""
    dialogues = [
        {
            "dialogue_id": name,
            "utterances": [
                {"utterance_id": f"{name}_{k}", "speaker": who, "text": text, "emotion": EMOTIONS[k % 4]}
                for k, (who, text) in enumerate(lines)
            ],
        }
        for name, lines in SAID.items()
    ]
    (tmp_path / "ann.png").write_bytes(b"\x89PNG\r\n\x1a\n and so on")
    return SimpleNamespace(
        dialogues=jsonl(tmp_path / "dialogues.jsonl", dialogues),
        roles=jsonl(tmp_path / "roles.jsonl", ROLES),
        previous=jsonl(tmp_path / "previous.jsonl", PREVIOUS),
        out=tmp_path / "out",
        folder=tmp_path,
        targets=TARGETS,
    )
