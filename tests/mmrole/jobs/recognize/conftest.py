"""Two short dialogues, descriptions, responses, and experts that answer by a script."""

import json
from collections import Counter

import pytest

from emotion.experts.panel import panel_of
from mmrole.llm import ScriptedModel

LINES = [("Ann", "good morning"), ("Bo", "hello"), ("Bo", "I am angry"), ("Ann", "bye")]
SAID = {"good": "happy", "hello": "neutral", "angry": "anger", "bye": "sadness"}


def write_jsonl(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


class Voter:
    """Says what the words of the target ask for; each request is answered once, or counted twice."""

    def __init__(self, end=None, unread=(), name="voter"):
        self.answered = Counter()
        self.end = end  # the call that is interrupted
        self.unread = unread  # words in requests that it first answers in no form
        self.model = ScriptedModel(self.answer, name=name)

    def answer(self, request):
        if self.end is not None and self.answered.total() == self.end:
            self.end = None
            raise KeyboardInterrupt
        text = request.messages[0].text
        key = tuple(message.text for message in request.messages), request.round
        self.answered[key] += 1
        shown = text.split("<utterance-")[1].split("</utterance-")[0]
        if len(request.messages) == 1 and any(word in shown for word in self.unread):
            return "hard to say"
        label = next((label for word, label in SAID.items() if word in shown), "relaxed")
        return json.dumps({"label": label})


@pytest.fixture
def voter():
    return Voter


@pytest.fixture
def panel():
    def make(*experts, **llm):
        first = {"name": "q", "kind": "llm", "endpoint": "q", "rounds": 2, **llm}
        return panel_of([first, *experts])

    return make


@pytest.fixture
def files(tmp_path):
    """Paths of dialogues, descriptions and responses."""
    dialogues = [
        {
            "dialogue_id": name,
            "utterances": [
                {"utterance_id": f"{name}_{n}", "speaker": who, "text": text, "emotion": "happy", "index": n}
                for n, (who, text) in enumerate(LINES)
            ],
        }
        for name in ("d", "e")
    ]
    descriptions = [
        {"utterance_id": f"d_{n}", "modality": modality, "text": f"{modality} {n}", "describer": "x", "reason": None}
        for n in range(4)
        for modality in ("face", "body", "speech")
    ]
    descriptions[0] |= {"text": None, "reason": "no_face"}
    responses = [
        {
            "utterance_id": "d_1", "dialogue_id": "d", "role": "Bo", "condition": "none", "agent": "a", "status": "ok", "reason": None,
            "utterances": [
                {"text": "hello", "face": "face x", "body": None, "speech": "calm"},
                {"text": "more", "face": None, "body": None, "speech": None},
            ],
        },
        {
            "utterance_id": "d_3", "dialogue_id": "d", "role": "Ann", "condition": "none", "agent": "a", "status": "refusal",
            "reason": "declined", "utterances": None,
        },
    ]  # fmt: skip
    write_jsonl(tmp_path / "dialogues.jsonl", dialogues)
    write_jsonl(tmp_path / "descriptions.jsonl", descriptions)
    write_jsonl(tmp_path / "responses.jsonl", responses)
    return tmp_path


@pytest.fixture
def votes_of():
    def read(out):
        return [json.loads(line) for line in (out / "votes.jsonl").read_text("utf-8").splitlines()]

    return read
