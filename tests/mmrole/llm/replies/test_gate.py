"""What the endpoint said about a reply comes before what stands in it."""

import pytest
from pydantic import BaseModel

from mmrole.core.errors import UsageError
from mmrole.llm.replies import Note, parse_choice, parse_json, parse_label, parse_number


class Label(BaseModel):
    label: str


PARSERS = [
    (parse_label, ("cped-13",), "happy"),
    (parse_choice, ({"A": "stay", "B": "leave"},), "B"),
    (parse_number, (1, 10), "8"),
    (parse_json, (Label,), '{"label": "happy"}'),
]


@pytest.mark.parametrize(("parse", "arguments", "reply"), PARSERS)
@pytest.mark.parametrize(
    ("reason", "status", "rule"),
    [
        ("length", "truncated", "finish_length"),
        ("max_tokens", "truncated", "finish_length"),
        ("MAX_TOKENS", "truncated", "finish_length"),
        ("abort", "truncated", "finish_aborted"),
        ("error", "truncated", "finish_aborted"),
        ("content_filter", "refusal", "finish_content_filter"),
        ("SAFETY", "refusal", "finish_content_filter"),
        ("refusal", "refusal", "finish_content_filter"),
    ],
)
def test_a_reason_that_leaves_no_result(parse, arguments, reply, reason, status, rule):
    for text in (reply, "", None):
        parsed = parse(text, *arguments, finish_reason=reason)
        assert (parsed.status, parsed.value, parsed.rule, parsed.raw) == (status, None, rule, text)


@pytest.mark.parametrize(("parse", "arguments", "reply"), PARSERS)
@pytest.mark.parametrize("reason", ["stop", "eos", "end_turn", "stop_sequence", "tool_calls", "", None, " Stop "])
def test_a_reason_that_says_nothing_against_it(parse, arguments, reply, reason):
    parsed = parse(reply, *arguments, finish_reason=reason)
    assert (parsed.status, parsed.notes) == ("ok", ())


@pytest.mark.parametrize(("parse", "arguments", "reply"), PARSERS)
def test_an_unknown_reason_is_noted(parse, arguments, reply):
    parsed = parse(reply, *arguments, finish_reason="because")
    assert (parsed.status, parsed.notes) == ("ok", (Note.UNKNOWN_FINISH_REASON,))


@pytest.mark.parametrize(("parse", "arguments", "reply"), PARSERS)
def test_null_and_empty_content(parse, arguments, reply):
    assert parse(None, *arguments).rule == "no_content"
    assert parse(None, *arguments, finish_reason="tool_calls").rule == "no_content"
    for text in ("", " ", "\n\t", "\ufeff", "　", "</s>"):
        assert (parse(text, *arguments).rule, parse(text, *arguments).raw) == ("empty", text)


@pytest.mark.parametrize(("parse", "arguments", "reply"), PARSERS)
def test_what_is_no_text_is_the_caller_s_mistake(parse, arguments, reply):
    with pytest.raises(UsageError, match="not list"):
        parse([reply], *arguments)
