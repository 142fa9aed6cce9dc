"""Replies with an option, English and Chinese. The expected column is what a person reads in each reply, by the rules of
`mmrole.llm.replies.cascade`; all replies were written for this table."""

import pytest

from mmrole.core.errors import UsageError
from mmrole.llm.replies import Note, parse_choice

OK, AMBIGUOUS, UNPARSED, REFUSAL, TRUNCATED = "ok", "ambiguous", "unparsed", "refusal", "truncated"
TWO = {"A": "stay", "B": "leave"}
FOUR = {
    "A": "She tells him the truth.",
    "B": "She leaves at dawn.",
    "C": "She writes a letter to her sister.",
    "D": "She stays, and says nothing.",
}
TEN = dict.fromkeys("ABCDEFGHIJ", "")

WHOLE = [
    ("B", OK, "B", "whole_reply"),
    ("b", OK, "B", "whole_reply"),
    ("A", OK, "A", "whole_reply"),
    ("a", OK, "A", "whole_reply"),
    ("(B)", OK, "B", "whole_reply"),
    ("[B]", OK, "B", "whole_reply"),
    ("B.", OK, "B", "whole_reply"),
    ("B)", OK, "B", "whole_reply"),
    ('"B"', OK, "B", "whole_reply"),
    ("**B**", OK, "B", "whole_reply"),
    ("`B`", OK, "B", "whole_reply"),
    ("$B$", OK, "B", "whole_reply"),
    ("Ｂ", OK, "B", "whole_reply"),
    ("Ⓑ", OK, "B", "whole_reply"),
    ("（Ｂ）", OK, "B", "whole_reply"),
    ("Option B", OK, "B", "whole_reply"),
    ("Answer B.", OK, "B", "whole_reply"),
    ("选项B", OK, "B", "whole_reply"),
    ("B选项", OK, "B", "whole_reply"),
    ("肯定是B", OK, "B", "stated"),
    ("```\nB\n```", OK, "B", "whole_reply"),
    ("B<|eot_id|>", OK, "B", "whole_reply"),
    ("C", UNPARSED, None, "no_answer"),
    ("AB", UNPARSED, None, "no_answer"),
    ("B?", UNPARSED, None, "no_answer"),
]
TEXTS = [
    ("leave", OK, "B", "option_text"),
    ("Leave.", OK, "B", "option_text"),
    ("B. leave", OK, "B", "letter_and_text"),
    ("B) Leave", OK, "B", "letter_and_text"),
    ("B: leave", OK, "B", "letter_and_text"),
    ("B、leave", OK, "B", "letter_and_text"),
    ("(B) leave", OK, "B", "letter_and_text"),
    ("B - leave", OK, "B", "letter_and_text"),
    ("B (leave)", OK, "B", "letter_and_text"),
    ("Option B: leave", OK, "B", "letter_and_text"),
    ("Answer: leave", OK, "B", "option_text"),
    ("I would choose to leave.", OK, "B", "option_text"),
    ("Answer: B. Leave", OK, "B", "letter_and_text"),
    ("B. stay", AMBIGUOUS, None, "letter_text_conflict"),
    ("Answer: B (stay)", AMBIGUOUS, None, "letter_text_conflict"),
    ("A. stay\nB. leave", AMBIGUOUS, None, "several_answers"),
    ("She would leave.", UNPARSED, None, "no_answer"),
    ("leaves", UNPARSED, None, "no_answer"),
]
ANCHORED = [
    ("Answer: B", OK, "B", "anchored"),
    ("ANSWER: $B$", OK, "B", "anchored"),
    ("ANSWER: `B`", OK, "B", "anchored"),
    ("Answer: **B**", OK, "B", "anchored"),
    ("**Answer:** B", OK, "B", "anchored"),
    ("**Answer: B**", OK, "B", "anchored"),
    ("Answer: (B)", OK, "B", "anchored"),
    ("Answer: [B]", OK, "B", "anchored"),
    ("Answer: <B>", OK, "B", "anchored"),
    ("answer: b", OK, "B", "anchored"),
    ("Answer : B.", OK, "B", "anchored"),
    ("Final answer - B", OK, "B", "anchored"),
    ("Answer:\nB", OK, "B", "anchored"),
    ("### Answer\n\nB", OK, "B", "anchored"),
    ("Answer (A or B): B", OK, "B", "anchored"),
    ("Answer = B", OK, "B", "anchored"),
    ("Choice: option B", OK, "B", "anchored"),
    ("Answer: \\text{B}", OK, "B", "anchored"),
    ("My choice: B, because A would betray her.", OK, "B", "anchored"),
    ("Answer: A", OK, "A", "anchored"),
    ("Answer: A because he is loyal", OK, "A", "anchored"),
    ("Answer: A, since he is loyal", OK, "A", "anchored"),
    ("chosen_option: B\nreasoning: A is tempting", OK, "B", "anchored"),
    ('"answer": "B"', OK, "B", "anchored"),
    ("答案：B", OK, "B", "anchored"),
    ("答案:Ｂ", OK, "B", "anchored"),
    ("【答案】B", OK, "B", "anchored"),
    ("**答案：** B。", OK, "B", "anchored"),
    ("答案 - B", OK, "B", "anchored"),
    ("答案为：B", OK, "B", "anchored"),
    ("最终答案\nB", OK, "B", "anchored"),
    ("正确选项：（B）", OK, "B", "anchored"),
]
TAGGED = [
    ("\\boxed{B}", OK, "B", "tag"),
    ("$\\boxed{\\text{B}}$", OK, "B", "tag"),
    ("The answer is $\\boxed{B}$.", OK, "B", "tag"),
    ("<answer>B</answer>", OK, "B", "tag"),
    ("<answer>\nB\n</answer>", OK, "B", "tag"),
    ("<final_answer>B. leave</final_answer>", OK, "B", "letter_and_text"),
    ("I compared both. [[B]]", OK, "B", "tag"),
    ("<答案>B</答案>", OK, "B", "tag"),
]
STATED = [
    ("The answer is B.", OK, "B", "stated"),
    ("The answer is B", OK, "B", "stated"),
    ("So the correct answer is (B).", OK, "B", "stated"),
    ("The correct answer is b.", OK, "B", "stated"),
    ("The best option would be B, because she is proud.", OK, "B", "stated"),
    ("The answer is clearly option B.", OK, "B", "stated"),
    ("Answer seems to be B.", OK, "B", "stated"),
    ("The answer, I think, is B.", OK, "B", "stated"),
    ("I would choose B.", OK, "B", "stated"),
    ("I choose option B because she is proud", OK, "B", "stated"),
    ("I'd go with B.", OK, "B", "stated"),
    ("He would opt for (B) here.", OK, "B", "stated"),
    ("I considered (A), but it is wrong. Jane picks B.", OK, "B", "stated"),
    ("I think B.", OK, "B", "stated"),
    ("It's B.", OK, "B", "stated"),
    ("The answer is A. B is a distractor.", OK, "A", "stated"),
    ("Between A and B, the answer is B.", OK, "B", "stated"),
    ("选B", OK, "B", "whole_reply"),
    ("我选Ｂ。", OK, "B", "whole_reply"),
    ("因此选 B。", OK, "B", "stated"),
    ("我认为应该选 B", OK, "B", "stated"),
    ("故選 B。", OK, "B", "stated"),
    ("应选(B)", OK, "B", "stated"),
    ("答案是B。", OK, "B", "stated"),
    ("答案应该是 B，因为她很骄傲。", OK, "B", "stated"),
    ("综上，我会选择选项B，因为她很骄傲。", OK, "B", "stated"),
    ("我的选择是B", OK, "B", "stated"),
    ("他会倾向于B", OK, "B", "stated"),
    ("答案B", OK, "B", "whole_reply"),
]
REJECTED = [
    ("not A but B", OK, "B", "stated"),
    ("The answer is not A but B.", OK, "B", "stated"),
    ("The answer isn't A, but rather B.", OK, "B", "stated"),
    ("I would not choose A but B.", OK, "B", "stated"),
    ("B, not A", OK, "B", "stated"),
    ("B rather than A.", OK, "B", "stated"),
    ("I prefer B over A.", OK, "B", "stated"),
    ("不选A，选B", OK, "B", "stated"),
    ("不是A，而是B", OK, "B", "stated"),
    ("答案不是A而是B。", OK, "B", "stated"),
    ("选B而不是A", OK, "B", "stated"),
    ("I would not choose A.", UNPARSED, None, "no_answer"),
    ("The answer is not A.", UNPARSED, None, "no_answer"),
    ("I don't think the answer is A.", UNPARSED, None, "no_answer"),
    ("A is wrong.", UNPARSED, None, "no_answer"),
    ("不应该是A", UNPARSED, None, "no_answer"),
    ("Option A is not the best choice.", UNPARSED, None, "no_answer"),
    ("我不会选A。", UNPARSED, None, "no_answer"),
    ("答案不是A。", UNPARSED, None, "no_answer"),
    ("选A是错的。", UNPARSED, None, "no_answer"),
    ("如果她软弱，她会选A。", UNPARSED, None, "no_answer"),
    ("If she were weak, she would choose A.", UNPARSED, None, "no_answer"),
    ("To choose A would betray him.", UNPARSED, None, "no_answer"),
    ("neither A nor B", UNPARSED, None, "no_answer"),
    ("None of the above", UNPARSED, None, "no_answer"),
    ("Answer: None of the above", UNPARSED, None, "outside_set"),
]
LAST_WINS = [
    ("Answer: A\nWait.\nAnswer: B", OK, "B", "anchored"),
    ("The answer is A. Let me reconsider. The answer is B.", OK, "B", "stated"),
    ("I'd choose A... no, B.", OK, "B", "stated"),
    ("选A。不对，选B", OK, "B", "stated"),
    ("Answer: B\nThe answer is clear from her letter.", OK, "B", "anchored"),
    ("Answer: this asks for her motive.\n\nANSWER: B", OK, "B", "anchored"),
    ("Answer:\n\nAnswer: B", OK, "B", "anchored"),
    ("**Answer: B** since \\boxed{\\langle A\\rangle} holds", OK, "B", "anchored"),
    ("答案：A。更正，答案：B", OK, "B", "anchored"),
    ("Answer: A\n\nOption A: stay\nOption B: leave", OK, "A", "anchored"),
    ("Option A: stay\nOption B: leave\n\nAnswer: A", OK, "A", "anchored"),
    ('{"answer": "A"} Sorry: {"answer": "B"}', OK, "B", "json_field"),
    ('My verdict: B. The candidate wrote "Final verdict: A".', OK, "B", "anchored"),
    ("> Final verdict: A\n\nVerdict: B", OK, "B", "anchored"),
    ('The candidate claims "The answer is A".', UNPARSED, None, "no_answer"),
]
LINES = [
    ("B\n\nBecause she is proud; a weaker woman would choose otherwise.", OK, "B", "own_line"),
    ("**B**\n\nShe is proud.", OK, "B", "own_line"),
    ("B. leave\n\nShe is proud.", OK, "B", "letter_and_text"),
    ("She is proud and will not bend.\n\nB", OK, "B", "own_line"),
    ("B\n\n因为她很骄傲。", OK, "B", "own_line"),
    ("A\nB", AMBIGUOUS, None, "several_answers"),
    ("B) because she is proud", OK, "B", "leading_letter"),
    ("B. Because she is proud, she cannot stay.", OK, "B", "leading_letter"),
    ("(B) She cannot bear it.", OK, "B", "leading_letter"),
    ("Option B, because she is proud.", OK, "B", "leading_letter"),
    ("B：因为她很骄傲。", OK, "B", "leading_letter"),
    ("B。因为她很骄傲。", OK, "B", "leading_letter"),
    ("B、她会离开这里", OK, "B", "leading_letter"),
    ("B seems no better, and A is not the best.", UNPARSED, None, "no_answer"),
    ("B is the best? Hardly.", UNPARSED, None, "no_answer"),
    ("If B is the best, she goes.", UNPARSED, None, "no_answer"),
    ("A is best at first, B is best in the end.", UNPARSED, None, "no_answer"),
    ("B fits best.", OK, "B", "predicate"),
    ("In the end, option B is the most consistent with her pride.", OK, "B", "predicate"),
    ("A is tempting, but B is the better choice.", OK, "B", "predicate"),
    ("相比之下，B更符合她的性格。", OK, "B", "predicate"),
    ("B是正确的", OK, "B", "predicate"),
]
WORDS = [
    ("A good man would leave.", UNPARSED, None, "no_answer"),
    ("A man in his place has no choice.", UNPARSED, None, "no_answer"),
    ("I would stay by his side.", UNPARSED, None, "no_answer"),
    ("It seems so.", UNPARSED, None, "no_answer"),
    ("The answer is a matter of pride.", UNPARSED, None, "no_answer"),
    ("The best choice is a quiet life.", UNPARSED, None, "no_answer"),
    ("Answer: A good man would go.", UNPARSED, None, "outside_set"),
    ("Plan B failed.", UNPARSED, None, "no_answer"),
    ("Vitamin B is good for you.", UNPARSED, None, "no_answer"),
    ("A. Smith would go away.", UNPARSED, None, "no_answer"),
    ("The answer is A-level stuff.", UNPARSED, None, "no_answer"),
    ("Better safe than sorry", UNPARSED, None, "no_answer"),
    ("Is the answer A?", UNPARSED, None, "no_answer"),
    ("Both have merit: A keeps the peace, B keeps her pride.", UNPARSED, None, "no_answer"),
]
SEVERAL = [
    ("A or B", AMBIGUOUS, None, "several_answers"),
    ("A, B", AMBIGUOUS, None, "several_answers"),
    ("A和B", AMBIGUOUS, None, "several_answers"),
    ("Answer: A or B", AMBIGUOUS, None, "several_answers"),
    ("Answer: A/B", AMBIGUOUS, None, "several_answers"),
    ("Answer: A and B", AMBIGUOUS, None, "several_answers"),
    ("The answer is A or B.", AMBIGUOUS, None, "several_answers"),
    ("Answer: B if she is proud, A otherwise", AMBIGUOUS, None, "conditional"),
    ("答案：A、B", AMBIGUOUS, None, "several_answers"),
    ("选A或B", AMBIGUOUS, None, "several_answers"),
    ("应该选A还是B", AMBIGUOUS, None, "several_answers"),
    ('{"answer": ["A", "B"]}', AMBIGUOUS, None, "several_answers"),
    ('{"answer": "A", "choice": "B"}', AMBIGUOUS, None, "several_answers"),
]
JSON = [
    ('{"answer": "B"}', OK, "B", "json_field"),
    ('{"choice": "b", "reason": "A would betray her"}', OK, "B", "json_field"),
    ('{"chosen_option": "option_B"}', UNPARSED, None, "outside_set"),
    ('{"chosen_option": "Option B", "reasoning": "..."}', OK, "B", "json_field"),
    ('{"answer": "B. leave"}', OK, "B", "json_field"),
    ('{"answer": "leave"}', OK, "B", "json_field"),
    ('{"answer": "B. stay"}', AMBIGUOUS, None, "letter_text_conflict"),
    ('```json\n{"reasoning": "Answer: A is tempting", "answer": "B"}\n```', OK, "B", "json_field"),
    ("{'answer': 'B', 'why': 'it's hers'}", OK, "B", "json_field"),
    ("{answer: B}", OK, "B", "json_field"),
    ("{“答案”：“B”}", OK, "B", "json_field"),
    ('{"选择": "B", "理由": "她很骄傲"}', OK, "B", "json_field"),
    ('{"answer": null}', UNPARSED, None, "outside_set"),
    ('{"reason": "the answer is B"}', UNPARSED, None, "field_missing"),
    ('{"answer": "B", "reason": "she is', TRUNCATED, None, "unclosed_json"),
]
GATE = [
    (None, UNPARSED, None, "no_content"),
    ("", UNPARSED, None, "empty"),
    ("<think>The answer is A.</think>\n\nB", OK, "B", "whole_reply"),
    ("<think>The answer is A.", TRUNCATED, None, "truncated_thinking"),
    ("the answer is A</think>Answer: B", OK, "B", "anchored"),
    ("I'm sorry, but I can't choose for her.", REFUSAL, None, "refusal_phrase"),
    ("I cannot engage with this scenario.", REFUSAL, None, "refusal_phrase"),
    ("抱歉，我无法做出选择。", REFUSAL, None, "refusal_phrase"),
    ("I can't answer as an AI, but I'd choose B.", OK, "B", "stated"),
    ("我无法扮演她。答案：B", OK, "B", "anchored"),
]
TABLE = [
    *WHOLE, *TEXTS, *ANCHORED, *TAGGED, *STATED, *REJECTED, *LAST_WINS, *LINES, *WORDS, *SEVERAL, *JSON, *GATE,
]  # fmt: skip


@pytest.mark.parametrize(("reply", "status", "value", "rule"), TABLE)
def test_reply(reply, status, value, rule):
    parsed = parse_choice(reply, TWO)
    assert (parsed.status, parsed.value, parsed.rule) == (status, value, rule)
    assert parsed.raw == reply


SCENES = [
    ("She leaves at dawn", "B", "option_text"),
    ("she leaves at dawn.", "B", "option_text"),
    ("Answer: She leaves at dawn.", "B", "option_text"),
    ("B. She leaves at dawn.", "B", "letter_and_text"),
    ("The answer is B: she leaves at dawn, since she is proud.", "B", "letter_and_text"),
    ("D. She stays, and says nothing. It is her way.", "D", "letter_and_text"),
    ("C. She writes a letter", "C", "leading_letter"),
    ("Let me see.\nA: unlikely.\nB: possible.\nC: no.\nD: best.\n\nTherefore, D.", "D", "stated"),
    ("A: unlikely.\nB: possible.\nC: no.\nD: best.", None, "several_answers"),
    ("A, B and C are out, so D.", "D", "stated"),
    ("A、B、C都不符合，所以选D。", "D", "stated"),
    ("答案是A还是D？我觉得是D", "D", "stated"),
    ("Both B and C", None, "several_answers"),
    ("Answer: A, B, and D", None, "several_answers"),
    ("Out of A, B, C, and D, I choose D.", "D", "stated"),
    ("She writes a letter to her sister, and she leaves at dawn.", None, "no_answer"),
    ("D (she stays)", "D", "whole_reply"),
    ("D (or C)", None, "no_answer"),
    ("Answer: E", None, "outside_set"),
]


@pytest.mark.parametrize(("reply", "value", "rule"), SCENES)
def test_four_options_with_sentences(reply, value, rule):
    parsed = parse_choice(reply, FOUR)
    assert (parsed.value, parsed.rule) == (value, rule)


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("I", "I"),
        ("Answer: I", "I"),
        ("The answer is I.", "I"),
        ("The answer is I because of the letter.", "I"),
        ("Answer: I don't know", None),
        ("I would leave at once.", None),
        ("The answer is C because I computed it.", "C"),
        ("Answer: I think B", "B"),
        ("So I stay.", None),
        ("Answer: J", "J"),
        ("J", "J"),
        ("K", None),
    ],
)
def test_ten_options_of_which_two_are_words(reply, value):
    assert parse_choice(reply, TEN).value == value


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("2", "2"),
        ("Option 2", "2"),
        ("2) leave", "2"),
        ("答案：２", "2"),
        ("选②", "2"),
        ('{"answer": 2}', "2"),
        ('{"answer": true}', None),
        ("There are 2 options.", None),
        ("Answer: 2.5", None),
        ("Answer: 12", None),
        ("1. I think he would leave.\n2. And so on", None),
    ],
)
def test_numbered_options(reply, value):
    assert parse_choice(reply, {"1": "stay", "2": "leave"}).value == value


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("Yes.", "yes"),
        ("no", "no"),
        ("The answer is no.", "no"),
        ("Answer: yes, because", "yes"),
        ("No way", None),
        ("not yes but no", "no"),
    ],
)
def test_options_that_are_words(reply, value):
    assert parse_choice(reply, {"yes": "he does", "no": "he does not"}).value == value


def test_case_counts_where_it_tells_options_apart():
    cases = {"a": "stay", "A": "leave", "B": "wait"}
    assert [parse_choice(reply, cases).value for reply in ("a", "A", "b", "Answer: a", "Answer: A")] == [
        "a",
        "A",
        "B",
        "a",
        "A",
    ]


def test_two_options_with_the_same_text():
    same = {"A": "stay", "B": "Stay."}
    assert parse_choice("stay", same).rule == "several_answers"
    assert parse_choice("B. stay", same).value == "B"


@pytest.mark.parametrize(
    ("options", "message"),
    [({}, "no options"), ({"": "stay"}, "empty"), ({"A": "stay", "Ａ": "leave"}, "told from another")],
)
def test_options_that_cannot_be_told_apart(options, message):
    with pytest.raises(UsageError, match=message):
        parse_choice("A", options)


@pytest.mark.parametrize("reply", [reply for reply, *_ in TABLE if reply])
def test_a_cut_reply_gives_nothing(reply):
    parsed = parse_choice(reply, TWO, finish_reason="length")
    assert (parsed.status, parsed.value, parsed.raw) == (TRUNCATED, None, reply)


def test_notes():
    assert parse_choice("Answer: A\nAnswer: B", TWO).notes == (Note.MULTIPLE,)
    assert parse_choice("<think>A</think>B", TWO).notes == (Note.THINKING_STRIPPED,)
    assert parse_choice("Answer: B", TWO).notes == ()


def test_field_names_that_the_prompt_asked_for():
    reply = '{"alignment": "A", "role": "B"}'
    assert parse_choice(reply, TWO).rule == "field_missing"
    assert parse_choice(reply, TWO, fields=("role",)).value == "B"
    assert parse_choice("Role -> B", TWO, fields=("role",)).value == "B"
    assert parse_choice("角色会选的：B", TWO, fields=("角色会选的",)).value == "B"
