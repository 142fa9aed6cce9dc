from __future__ import annotations

import re

import pytest

from mmrole.core.errors import ModelError
from mmrole.llm import ChatReply, ScriptedModel, ask


def test_answers_are_given_one_after_another_and_counted(request_of):
    model = ScriptedModel(["a", ChatReply(text="b", finish_reason="length")])
    assert [ask(model, request_of("x")).text, ask(model, request_of("y")).finish_reason] == ["a", "length"]
    assert (model.calls, [request.messages[-1].text for request in model.requests]) == (2, ["x", "y"])


def test_a_script_that_is_at_its_end_says_so(request_of):
    model = ScriptedModel(["a"])
    ask(model, request_of("x"))
    with pytest.raises(ModelError, match="no answer for call 2"):
        ask(model, request_of("x"))
    with pytest.raises(ModelError, match="no answer for call 1"):
        ask(ScriptedModel([]), request_of("x"))


@pytest.mark.parametrize(
    "rules", [[("glad|happy", "joy"), (re.compile("SAD", re.I), "grief")], {"glad|happy": "joy", "(?i)SAD": "grief"}]
)
def test_the_first_rule_that_is_found_counts(rules, request_of):
    model = ScriptedModel(rules)
    assert [ask(model, request_of(text)).text for text in ("so glad", "so sad", "sad but happy")] == [
        "joy",
        "grief",
        "joy",
    ]
    with pytest.raises(ModelError, match="no rule for 'bored'"):
        ask(model, request_of("bored"))


def test_functions_may_wait_and_errors_are_raised(request_of):
    async def answer(request):
        return request.messages[-1].text.upper()

    assert ask(ScriptedModel(answer), request_of("x")).text == "X"
    with pytest.raises(ModelError, match="gone"):
        ask(ScriptedModel([ModelError("gone")]), request_of("x"))


def test_one_text_is_no_script():
    with pytest.raises(TypeError, match="letter by letter"):
        ScriptedModel("happy")


def test_its_name_is_its_identity():
    assert ScriptedModel([], name="a").identity != ScriptedModel([], name="b").identity
