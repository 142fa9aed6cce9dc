"""Replies with a JSON object, English and Chinese. The expected column is what a person reads in each reply, by the rules of
`mmrole.llm.replies.structured`; all replies were written for this table."""

from typing import Literal

import pytest
from pydantic import BaseModel, RootModel

from mmrole.llm.replies import Note, parse_json

OK, AMBIGUOUS, UNPARSED, REFUSAL, TRUNCATED = "ok", "ambiguous", "unparsed", "refusal", "truncated"


class Verdict(BaseModel):
    label: str
    score: int


class Evidence(BaseModel):
    supporting: list[str]
    contradicting: list[str] = []


class Optional(BaseModel):
    label: str = "neutral"
    score: int = 0


class Many(RootModel[list[Verdict]]):
    pass


class Closed(BaseModel):
    verdict: Literal["yes", "no"]


GOOD = Verdict(label="sad", score=8)
ZH = Verdict(label="悲伤", score=8)
TABLE = [
    ('{"label": "sad", "score": 8}', OK, GOOD, "strict_json"),
    ('  {"label": "sad", "score": 8}\n', OK, GOOD, "strict_json"),
    ('{\n  "label": "sad",\n  "score": 8\n}', OK, GOOD, "strict_json"),
    ('{"label": "sad", "score": 8, "extra": [1, {"a": null}]}', OK, GOOD, "strict_json"),
    ('{"label": "sad", "score": "8"}', OK, GOOD, "strict_json"),
    ('{"label": "sad", "score": "８"}', OK, GOOD, "strict_json"),
    ('{"label": "悲伤", "score": 8}', OK, ZH, "strict_json"),
    ('{"label": "\\u60b2\\u4f24", "score": 8}', OK, ZH, "strict_json"),
    ('```json\n{"label": "sad", "score": 8}\n```', OK, GOOD, "fenced_json"),
    ('```JSON\n{"label": "sad", "score": 8}\n```', OK, GOOD, "fenced_json"),
    ('```\n{"label": "sad", "score": 8}\n```', OK, GOOD, "fenced_json"),
    ('```{"label": "sad", "score": 8}```', OK, GOOD, "fenced_json"),
    ('```json\n{"label": "sad", "score": 8}', OK, GOOD, "fenced_json"),
    ('~~~\n{"label": "sad", "score": 8}\n~~~', OK, GOOD, "fenced_json"),
    ('{"label": "```", "score": 8}', OK, Verdict(label="```", score=8), "strict_json"),
    (
        '{"label": "see ```json\\n{}``` above", "score": 8}',
        OK,
        Verdict(label="see ```json\n{}``` above", score=8),
        "strict_json",
    ),
    ('```json\n{"label": "a ``` b", "score": 8}\n```', OK, Verdict(label="a ``` b", score=8), "fenced_json"),
    ('Sure! {"label": "sad", "score": 8} I hope this helps.', OK, GOOD, "embedded_json"),
    ('Sure:\n```json\n{"label": "sad", "score": 8}\n```\nAnything else?', OK, GOOD, "embedded_json"),
    ('The set {a, b} and {x: 1}: {"label": "sad", "score": 8} {done}', OK, GOOD, "embedded_json"),
    ('$\\frac{1}{2}$ so {"label": "sad", "score": 8}', OK, GOOD, "embedded_json"),
    ('{"label": "happy", "score": 2} no: {"label": "sad", "score": 8}', OK, GOOD, "embedded_json"),
    ('{"label": "sad", "score": 8} {"note": "done"}', OK, GOOD, "embedded_json"),
    ('{"plan": 1}\n{"label": "sad", "score": 8}', OK, GOOD, "embedded_json"),
    ("{'label': 'sad', 'score': 8}", OK, GOOD, "lenient_json"),
    ("{'label': 'it's sad', 'score': 8}", OK, Verdict(label="it's sad", score=8), "lenient_json"),
    (
        "{'label': \"it's sad\", 'score': 8, 'ok': True, 'no': None}",
        OK,
        Verdict(label="it's sad", score=8),
        "lenient_json",
    ),
    ("{'label': 'it\\'s sad', 'score': 8}", OK, Verdict(label="it's sad", score=8), "lenient_json"),
    ('{"label": "he said "no" to her", "score": 8}', OK, Verdict(label='he said "no" to her', score=8), "lenient_json"),
    ('{"label": "sad", "score": 8,}', OK, GOOD, "lenient_json"),
    ('{"label": "sad", // low voice\n"score": 8}', OK, GOOD, "lenient_json"),
    ('{"label": "sad", /* low voice */ "score": 8}', OK, GOOD, "lenient_json"),
    ('{label: "sad", score: 8}', OK, GOOD, "lenient_json"),
    ('{"label": "sad", "score": +8}', OK, GOOD, "lenient_json"),
    ('{"label": "\\(x\\)", "score": 8}', OK, Verdict(label="\\(x\\)", score=8), "lenient_json"),
    ('{"label": "two\nlines", "score": 8}', OK, Verdict(label="two\nlines", score=8), "strict_json"),
    ("{“label”：“悲伤”，“score”：８}", OK, ZH, "lenient_json"),
    ("｛“label”：“悲伤”，“score”：８｝", OK, ZH, "lenient_json"),
    ("{“label”：“他说：“好”，就走了”，“score”：8}", OK, Verdict(label="他说：“好”，就走了", score=8), "lenient_json"),
    ("{「label」：「悲伤」，「score」：8}", OK, ZH, "lenient_json"),
    ('{"label"："悲伤"，"score"：8}', OK, ZH, "lenient_json"),
    ('{"label": "全角，：（８）", "score": ８}', OK, Verdict(label="全角，：（８）", score=8), "lenient_json"),
    ('"{\\"label\\": \\"sad\\", \\"score\\": 8}"', OK, GOOD, "strict_json"),
    ('{"result": {"label": "sad", "score": 8}}', OK, GOOD, "strict_json"),
    ('[{"label": "sad", "score": 8}]', OK, GOOD, "strict_json"),
    ('<think>{"label": "happy", "score": 1}</think>{"label": "sad", "score": 8}', OK, GOOD, "strict_json"),
    ('{"label": "happy", "score": 1}</think>\n```json\n{"label": "sad", "score": 8}\n```', OK, GOOD, "fenced_json"),
    # more than one
    ('[{"label": "sad", "score": 8}, {"label": "happy", "score": 1}]', AMBIGUOUS, None, "several_answers"),
    (
        '{"first": {"label": "sad", "score": 8}, "second": {"label": "happy", "score": 1}}',
        AMBIGUOUS,
        None,
        "several_answers",
    ),
    ('{"label": "sad", "score": 8, "score": 1}', AMBIGUOUS, None, "repeated_key"),
    # none
    ('{"label": "sad"}', UNPARSED, None, "schema_mismatch"),
    ('{"label": "sad", "score": null}', UNPARSED, None, "schema_mismatch"),
    ('{"label": "sad", "score": "八"}', UNPARSED, None, "schema_mismatch"),
    ('{"label": "sad", "score": "８．５"}', UNPARSED, None, "schema_mismatch"),
    ('{"label": "sad", "score": "high"}', UNPARSED, None, "schema_mismatch"),
    ('{"label": "sad", "score": "8/10"}', UNPARSED, None, "schema_mismatch"),
    ('{"label": "sad", "score": 8.5}', UNPARSED, None, "schema_mismatch"),
    ('{"label": "sad", "score": NaN}', UNPARSED, None, "schema_mismatch"),
    ('{"label": "sad", "score": 1e999}', UNPARSED, None, "schema_mismatch"),
    ('{"label": "sad", "score": }', UNPARSED, None, "no_json"),
    ('{"label": "sad", "score": ...}', UNPARSED, None, "no_json"),
    ('{"label": "sad" "score": 8}', UNPARSED, None, "no_json"),
    ("[]", UNPARSED, None, "schema_mismatch"),
    ("{}", UNPARSED, None, "schema_mismatch"),
    ("null", UNPARSED, None, "no_json"),
    ("8", UNPARSED, None, "no_json"),
    ('"sad"', UNPARSED, None, "no_json"),
    ("label: sad\nscore: 8", UNPARSED, None, "no_json"),
    ("The label is sad and the score 8.", UNPARSED, None, "no_json"),
    ("{a, b}", UNPARSED, None, "no_json"),
    ("{{{{", UNPARSED, None, "no_json"),
    ("", UNPARSED, None, "empty"),
    (None, UNPARSED, None, "no_content"),
    ('{"a": ' * 60 + "1" + "}" * 60, UNPARSED, None, "schema_mismatch"),
    ("{'a': " * 60 + "1" + "}" * 60, UNPARSED, None, "too_tangled"),
    # cut off
    ('{"label": "sad", "score": 8', TRUNCATED, None, "unclosed_json"),
    ('{"label": "sad", "sco', TRUNCATED, None, "unclosed_json"),
    ('{"label": "sa', TRUNCATED, None, "unclosed_json"),
    ("{'label': 'sa", TRUNCATED, None, "unclosed_json"),
    ("{“label”：“悲", TRUNCATED, None, "unclosed_json"),
    ('```json\n{"label": "sad",', TRUNCATED, None, "unclosed_json"),
    ('[{"label": "sad", "score": 8}, {"label": "ha', TRUNCATED, None, "unclosed_json"),
    ('{"label": "sad", "score": 8}\n{"label": "ha', TRUNCATED, None, "unclosed_json"),
    ('<think>so {"label": "sad", "score": 8}', TRUNCATED, None, "truncated_thinking"),
    # declined
    ("I'm sorry, but I can't help with that.", REFUSAL, None, "refusal_phrase"),
    ("作为AI，我无法评价。", REFUSAL, None, "refusal_phrase"),
    ('I cannot help with that. {"label": "sad", "score": 8}', OK, GOOD, "embedded_json"),
]


@pytest.mark.parametrize(("reply", "status", "value", "rule"), TABLE)
def test_reply(reply, status, value, rule):
    parsed = parse_json(reply, Verdict)
    assert (parsed.status, parsed.value, parsed.rule) == (status, value, rule)
    assert parsed.raw == reply


@pytest.mark.parametrize("reply", [reply for reply, *_ in TABLE if reply])
def test_a_cut_reply_gives_nothing(reply):
    parsed = parse_json(reply, Verdict, finish_reason="length")
    assert (parsed.status, parsed.value, parsed.raw) == (TRUNCATED, None, reply)


@pytest.mark.parametrize(
    ("reply", "detail"),
    [
        ('{"label": "sad"}', "score: Field required"),
        ("{}", "label: Field required; score: Field required"),
        ('{"label": "sad", "score": NaN}', "a number is not finite"),
        ("no", "no complete JSON object"),
        ('{"label": "sad", "score": 8, "score": 1}', "a key is given twice with different values"),
    ],
)
def test_detail_says_what_to_repair(reply, detail):
    assert parse_json(reply, Verdict).detail == detail


@pytest.mark.parametrize(
    ("reply", "notes"),
    [
        ('{"label": "sad", "score": 8}', ()),
        ('{"label": "sad", "score": 8} {"note": 1}', ()),
        ('{"label": "sad", "score": 8} {"label": "sad", "score": 8}', (Note.MULTIPLE,)),
        ('{"result": {"label": "sad", "score": 8}}', (Note.UNWRAPPED,)),
        ('"{\\"label\\": \\"sad\\", \\"score\\": 8}"', (Note.DOUBLE_ENCODED,)),
        ('<think>x</think>{"label": "sad", "score": 8}', (Note.THINKING_STRIPPED,)),
    ],
)
def test_notes(reply, notes):
    parsed = parse_json(reply, Verdict)
    assert (parsed.value, parsed.notes) == (GOOD, notes)


def test_defaults_do_not_stand_for_an_answer():
    assert parse_json('{"lable": "sad"}', Optional).rule == "schema_mismatch"
    assert parse_json("{}", Optional).value is None
    assert parse_json('{"label": "sad"}', Optional).value == Optional(label="sad")


def test_the_same_key_twice_with_the_same_value_is_no_conflict():
    assert parse_json('{"label": "sad", "score": 8, "score": 8}', Verdict).value == GOOD


def test_lists():
    two = '[{"label": "sad", "score": 8}, {"label": "happy", "score": 1}]'
    assert [each.label for each in parse_json(two, Many).value.root] == ["sad", "happy"]
    assert [each.label for each in parse_json(f"As asked: {two}", Many).value.root] == ["sad", "happy"]
    assert parse_json("As asked [1]: ['a', 'b']", list[str]).value == ["a", "b"]
    assert parse_json('{"supporting": ["他说：“走”"]}', Evidence).value == Evidence(supporting=["他说：“走”"])
    assert parse_json("{“supporting”：[“他说”，“走”]，“contradicting”：[]}", Evidence).value.supporting == [
        "他说",
        "走",
    ]


def test_wide_numbers_deep_inside():
    assert parse_json('[{"label": "８", "score": "８"}]', Many).value.root == [Verdict(label="８", score=8)]


def test_a_closed_set_of_values_is_the_schema_s_business():
    assert parse_json('{"verdict": "yes"}', Closed).value == Closed(verdict="yes")
    assert parse_json('{"verdict": "yes, mostly"}', Closed).status == UNPARSED


def test_text_is_never_changed():
    text = '{"label": "ＡＢＣ，：“８” \\u00e9 ​", "score": 8,}'
    assert parse_json(text, Verdict).value.label == "ＡＢＣ，：“８” é ​"
