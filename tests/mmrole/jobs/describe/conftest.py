"""A describer that answers by what it is asked, counts, and can be interrupted."""

import json
from collections import Counter

import pytest

from mmrole.core.canonical import content_key
from mmrole.llm import ScriptedModel


class Describer:
    """`end` is the call that is interrupted; `odd` are words in a request and the answer to it."""

    def __init__(self, end=None, odd=None, name="describer"):
        self.asked = Counter()
        self.end = end
        self.odd = odd or {}
        self.model = ScriptedModel(self.answer, name=name)
        self.model.concurrency = 2

    def answer(self, request):
        if self.end is not None and self.asked.total() == self.end:
            self.end = None
            raise KeyboardInterrupt
        key = content_key(request=request.to_record())
        self.asked[key] += 1
        for word, answer in self.odd.items():
            if word in request.messages[0].text:
                return answer
        letters = "".join(chr(ord("a") + int(digit, 16)) for digit in key[:8])
        return json.dumps({"description": f"The {letters} face."})


@pytest.fixture
def describer():
    return Describer


@pytest.fixture(scope="session")
def dialogues(root):
    return root / "fixtures" / "dialogues.csv"
