"""Replies with a number, English and Chinese. The expected column is what a person reads in each reply, by the rules of
`mmrole.llm.replies.cascade`; all replies were written for this table."""

import math

import pytest

from mmrole.core.errors import UsageError
from mmrole.llm.replies import Note, parse_number

OK, AMBIGUOUS, UNPARSED, REFUSAL, TRUNCATED = "ok", "ambiguous", "unparsed", "refusal", "truncated"

TEN = [
    ("8", OK, 8, "whole_reply"),
    ("8.5", OK, 8.5, "whole_reply"),
    ("8.", OK, 8, "whole_reply"),
    ("**8**", OK, 8, "whole_reply"),
    ('"8"', OK, 8, "whole_reply"),
    ("８", OK, 8, "whole_reply"),
    ("٨", OK, 8, "whole_reply"),
    ("8/10", OK, 8, "whole_reply"),
    ("8 / 10", OK, 8, "whole_reply"),
    ("8 out of 10", OK, 8, "whole_reply"),
    ("8 points", OK, 8, "whole_reply"),
    ("Score: 8", OK, 8, "anchored"),
    ("８分", OK, 8, "whole_reply"),
    ("八分", OK, 8, "whole_reply"),
    ("八", OK, 8, "whole_reply"),
    ("七点五分", OK, 7.5, "whole_reply"),
    ("十分", OK, 10, "whole_reply"),
    ("8分（满分10分）", OK, 8, "whole_reply"),
    ("[[7]]", OK, 7, "whole_reply"),
    ("[[7]], which as a share is 7/10", OK, 7, "tag"),
    ("Rating: [[7]]\nI weighed 3 points and 2 of them hold.", OK, 7, "anchored"),
    ("\\boxed{7}", OK, 7, "tag"),
    ("<score>7</score>", OK, 7, "tag"),
    ("There are 5 reasons for this, and so the score is 9", OK, 9, "stated"),
    ("There are 5 reasons; score 9", OK, 9, "stated"),
    ("Not relevant. Score: 1.", OK, 1, "anchored"),
    ("A perfect score: 10.", OK, 10, "anchored"),
    ("Score (1-10): 7", OK, 7, "anchored"),
    ("Score out of 10: 7", OK, 7, "anchored"),
    ("Rating on a scale of 1 to 10: 7", OK, 7, "anchored"),
    ("Score: 7 out of 10 because 3 things are wrong", OK, 7, "anchored"),
    ("Score: about 7", OK, 7, "anchored"),
    ("I rate this an 8 out of 10.", OK, 8, "stated"),
    ("I would give this response a score of 8.", OK, 8, "stated"),
    ("This deserves a 6, I believe.", OK, 6, "stated"),
    ("On 2026/04/19 the score is 8", OK, 8, "stated"),
    ("Confidence 100%. Score: 4", OK, 4, "anchored"),
    ("Score: 3\nCorrected score: 6", OK, 6, "anchored"),
    ("The score is not 3 but 4.", OK, 4, "stated"),
    ("7\n\nThe voice is right in 2 of 3 lines.", OK, 7, "own_line"),
    ("The voice is right.\n\n7/10", OK, 7, "own_line"),
    ("评分：8", OK, 8, "anchored"),
    ("理由有3点。评分：８分", OK, 8, "anchored"),
    ("我给这个回答打8分", OK, 8, "stated"),
    ("综合来看，得分为7分。", OK, 7, "stated"),
    ("评分（1-10）：8", OK, 8, "anchored"),
    ("评分(满分10分):8", OK, 8, "anchored"),
    ("最终得分：八分", OK, 8, "anchored"),
    ("满分10分，得8分", OK, 8, "stated"),
    ('{"score": 8}', OK, 8, "json_field"),
    ('{"score": "8/10"}', OK, 8, "json_field"),
    ('{"score": "8分"}', OK, 8, "json_field"),
    ("{“评分”：８}", OK, 8, "json_field"),
    ('{"评分": "８"}', OK, 8, "json_field"),
    ('```json\n{"reason": "5 lines fit", "score": 8}\n```', OK, 8, "json_field"),
    ('{"score": {"value": 8, "max": 10}}', OK, 8, "json_field"),
    ("{'score': 8, 'why': 'it's good'}", OK, 8, "json_field"),
    ("<think>maybe 3</think>8", OK, 8, "whole_reply"),
    # no number that counts
    ("85.5", UNPARSED, None, "out_of_range"),
    ("Score: 11", UNPARSED, None, "out_of_range"),
    ("Score: 0", UNPARSED, None, "out_of_range"),
    ("Score: -3", UNPARSED, None, "out_of_range"),
    ("-1", UNPARSED, None, "out_of_range"),
    ("Score: 5. Corrected score: 15", UNPARSED, None, "out_of_range"),
    ('{"score": 80}', UNPARSED, None, "out_of_range"),
    ('{"score": 1e999}', UNPARSED, None, "out_of_range"),
    ("评分：85分", UNPARSED, None, "out_of_range"),
    ("8/100", UNPARSED, None, "scale_mismatch"),
    ("4/5", UNPARSED, None, "scale_mismatch"),
    ("80%", UNPARSED, None, "scale_mismatch"),
    ("4 on a scale of 1 to 5", UNPARSED, None, "scale_mismatch"),
    ("4分（满分5分）", UNPARSED, None, "scale_mismatch"),
    ("7-8", AMBIGUOUS, None, "several_answers"),
    ("Score: 7 or 8", AMBIGUOUS, None, "several_answers"),
    ("Score: 7~8", AMBIGUOUS, None, "several_answers"),
    ("评分：7到8分", AMBIGUOUS, None, "several_answers"),
    ("3\n4", AMBIGUOUS, None, "several_answers"),
    ('{"score": 7, "rating": 8}', AMBIGUOUS, None, "several_answers"),
    ('{"score": 7, "score": 8}', AMBIGUOUS, None, "repeated_key"),
    ("There are 5 reasons to doubt it.", UNPARSED, None, "no_answer"),
    ("This is not excellent, but acceptable.", UNPARSED, None, "no_answer"),
    ("excellent", UNPARSED, None, "no_answer"),
    ("Only 3/5 of the lines fit.", UNPARSED, None, "no_answer"),
    ("123 Main Street", UNPARSED, None, "no_answer"),
    ("4.5.6", UNPARSED, None, "no_answer"),
    ("8,5", UNPARSED, None, "no_answer"),
    ("8+", UNPARSED, None, "no_answer"),
    ("8?", UNPARSED, None, "no_answer"),
    ("8th", UNPARSED, None, "no_answer"),
    ("04/19/2026", UNPARSED, None, "no_answer"),
    ("Score: N/A", UNPARSED, None, "outside_set"),
    ("Score: >8", UNPARSED, None, "outside_set"),
    ("Score: <5", UNPARSED, None, "outside_set"),
    ("Score: at least 7", UNPARSED, None, "outside_set"),
    ("I gave 3 reasons.", UNPARSED, None, "no_answer"),
    ("It scores higher than 5 others.", UNPARSED, None, "no_answer"),
    ("Score 1: bad; score 10: excellent.", UNPARSED, None, "no_answer"),
    ("评分：一般", UNPARSED, None, "outside_set"),
    ("十分满意", UNPARSED, None, "no_answer"),
    ("用了8分钟", UNPARSED, None, "no_answer"),
    ("给3个理由", UNPARSED, None, "no_answer"),
    ('{"score": null}', UNPARSED, None, "outside_set"),
    ('{"score": true}', UNPARSED, None, "outside_set"),
    ('{"score": NaN}', UNPARSED, None, "out_of_range"),
    ('{"reason": "8 of 10"}', UNPARSED, None, "field_missing"),
    ('{"fluency_score": 3, "style_score": 5}', UNPARSED, None, "field_missing"),
    ('{"score": 8, "reason": "the', TRUNCATED, None, "unclosed_json"),
    ("I'm sorry, I can't rate this.", REFUSAL, None, "refusal_phrase"),
    ("抱歉，我无法评分。", REFUSAL, None, "refusal_phrase"),
    (None, UNPARSED, None, "no_content"),
]
OTHER_SCALES = [
    (".8", 0, 1, OK, 0.8, "whole_reply"),
    ("0.8", 0, 1, OK, 0.8, "whole_reply"),
    ("8/10", 0, 1, OK, 0.8, "whole_reply"),
    ("80%", 0, 1, OK, 0.8, "whole_reply"),
    ("百分之八十", 0, 1, OK, 0.8, "whole_reply"),
    ("120%", 0, 1, UNPARSED, None, "out_of_range"),
    ("3/0", 0, 1, UNPARSED, None, "out_of_range"),
    ("8", 0, 1, UNPARSED, None, "out_of_range"),
    ("Relevance score: .8", 0, 1, OK, 0.8, "anchored"),
    ("85.5", 0, 100, OK, 85.5, "whole_reply"),
    ("80%", 0, 100, OK, 80, "whole_reply"),
    ("80/100", 0, 100, OK, 80, "whole_reply"),
    ("8/10", 0, 100, UNPARSED, None, "scale_mismatch"),
    ("八十五分", 0, 100, OK, 85, "whole_reply"),
    ("一百分", 0, 100, OK, 100, "whole_reply"),
    ("8/10", 1, 5, UNPARSED, None, "scale_mismatch"),
    ("4/5", 1, 5, OK, 4, "whole_reply"),
    ("Score: 4 - good", 1, 5, OK, 4, "anchored"),
    ("Score: -.5", -1, 1, OK, -0.5, "anchored"),
    ("Score: −0.5", -1, 1, OK, -0.5, "anchored"),
    ("1,000", 0, 10_000, OK, 1000, "whole_reply"),
    ("Score: 12,345.5", 0, 100_000, OK, 12345.5, "anchored"),
    ("1,00", 0, 10_000, UNPARSED, None, "no_answer"),
    ("1e-3", 0, 1, OK, 0.001, "whole_reply"),
    ("9" * 60, 0, 1, UNPARSED, None, "no_answer"),
]


@pytest.mark.parametrize(("reply", "status", "value", "rule"), TEN)
def test_reply_on_a_scale_of_ten(reply, status, value, rule):
    parsed = parse_number(reply, 1, 10)
    assert (parsed.status, parsed.value, parsed.rule) == (status, value, rule)
    assert parsed.raw == reply


@pytest.mark.parametrize(("reply", "low", "high", "status", "value", "rule"), OTHER_SCALES)
def test_reply_on_another_scale(reply, low, high, status, value, rule):
    parsed = parse_number(reply, low, high)
    assert (parsed.status, parsed.value, parsed.rule) == (status, value, rule)


SIDES = [
    ("Fluency score: 3. Style score: 5. Overall score: 4.", 4, "anchored"),
    ("Overall score: 4. Fluency score: 3", 4, "anchored"),
    ("Fluency score: 3\nStyle score: 5", None, "several_answers"),
    ("Fluency score: 4\nStyle score: 4", 4, "anchored"),
    ("My score: 3. Final score: 6", 6, "anchored"),
    ("流畅度评分：3\n风格评分：5", None, "several_answers"),
    ("流畅度评分：3\n风格评分：5\n总分：4", 4, "anchored"),
    ("Score: 3 (fluency), 5 (style)", None, "several_answers"),
    ("Score: 7 (good), 3 reasons follow", 7, "anchored"),
]


@pytest.mark.parametrize(("reply", "value", "rule"), SIDES)
def test_scores_of_several_sides(reply, value, rule):
    parsed = parse_number(reply, 1, 10)
    assert (parsed.value, parsed.rule) == (value, rule)


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("seven", 7),
        ("Score: seven.", 7),
        ("Seven out of ten", 7),
        ("eight/10", 8),
        ("seven to eight", None),
        ("Score: one of the best", None),
        ("Two reasons", None),
        ("评分：七分，因为他很真诚", 7),
        ("评分：八分左右", 8),
        ("二十", None),
        ("一般", None),
    ],
)
def test_numbers_in_words(reply, value):
    assert parse_number(reply, 1, 10).value == value


@pytest.mark.parametrize(
    ("reply", "value", "rule"),
    [
        ("4", 4, "whole_reply"),
        ("4.0", 4, "whole_reply"),
        ("4/5", 4, "whole_reply"),
        ("四", 4, "whole_reply"),
        ("4.5", None, "not_integer"),
        ("Score: 4.5", None, "not_integer"),
        ('{"score": 4.0}', 4, "json_field"),
        ('{"score": 4.5}', None, "not_integer"),
    ],
)
def test_whole_numbers(reply, value, rule):
    parsed = parse_number(reply, 1, 5, integer=True)
    assert (parsed.value, parsed.rule) == (value, rule)
    assert parsed.value is None or type(parsed.value) is int


def test_a_number_is_a_float_otherwise():
    assert [type(parse_number(reply, 1, 5).value) for reply in ("4", '{"score": 4}', "四")] == [float] * 3


@pytest.mark.parametrize(("low", "high"), [(5, 1), (1, 1), (math.nan, 1), (0, math.inf)])
def test_a_scale_that_makes_no_sense(low, high):
    with pytest.raises(UsageError, match="makes no sense"):
        parse_number("3", low, high)


@pytest.mark.parametrize("reply", [reply for reply, *_ in TEN if reply])
def test_a_cut_reply_gives_nothing(reply):
    parsed = parse_number(reply, 1, 10, finish_reason="length")
    assert (parsed.status, parsed.value, parsed.raw) == (TRUNCATED, None, reply)


def test_notes_and_detail():
    assert parse_number("Score: 3\nScore: 4", 1, 10).notes == (Note.MULTIPLE,)
    assert parse_number("Score: 85", 1, 10).detail == "85"


def test_field_names_that_the_prompt_asked_for():
    assert parse_number("Confidence 100%. Relevance: 0.1", 0, 1).rule == "no_answer"
    assert parse_number("Confidence 100%. Relevance: 0.1", 0, 1, fields=("relevance",)).value == 0.1
    assert parse_number('{"score": 3, "relevance": 4}', 1, 5, fields=("relevance",)).value == 4
