"""What holds for every text: nothing raises, nothing is lost, nothing is invented."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from mmrole.core.labels import label_set
from mmrole.llm.replies import parse_choice, parse_json, parse_label, parse_number

LABELS = label_set("cped-13").labels
OPTIONS = {"A": "stay", "B": "leave", "I": "wait"}


class Verdict(BaseModel):
    label: str
    score: int


FRAGMENTS = (
    "answer|label|emotion|score|is|are|:|=|-|not|no|never|but|or|and|A|B|I|a|i|C|8|8/10|7-8|80%|.5|-1|1,000|happy|sad|sadness|fear|joyful"
    "|unhappy|快乐|悲伤|愤怒|高兴|不|不是|而是|没有|选|不选|答案|情绪|评分|：|，|。|、|是|八|十|分|８|Ｂ|“|”|「|」|\"|'|(|)|[|]|{|}|<|>"
    '|{"label":|"happy"|"sad"|"score":|{\'label\':|```|```json|**|$|\\boxed{|<think>|</think>|<answer>|I\'m sorry,|I can\'t help.'
    "|我无法回答|As an AI|if|would|choose|go with|the|option|stay|leave|wait|therefore|so|因此|~~|#|\n|null|None|NaN|True|\ufeff|\u200b"
    "|\ufffc|...|?|!|;"
)
PIECES = st.sampled_from(FRAGMENTS.split("|"))
SOUP = st.one_of(
    st.text(max_size=60), st.lists(PIECES, max_size=14).map(" ".join), st.lists(PIECES, max_size=14).map("".join)
)


def parsed_by_all(text, **options):
    return (
        parse_label(text, **options),
        parse_choice(text, OPTIONS, **options),
        parse_number(text, 1, 10, **options),
        parse_json(text, Verdict, **options),
    )


@settings(deadline=None, max_examples=400)
@given(SOUP)
@example("\ud800")
@example("{" * 3000)
@example('{"a":' * 3000)
@example("9" * 5000)
@example('{"score": ' + "9" * 400 + ', "answer": ' + "9" * 400 + "}")
@example('{"score": ' + "9" * 5000 + "}")
@example('{"label": ' + "[" * 2000 + "]" * 2000 + "}")
def test_any_text(text):
    label, choice, number, verdict = parsed = parsed_by_all(text)
    for reply in parsed:
        assert reply.raw is text
        assert (reply.value is not None) == reply.ok
    assert label.value is None or label.value in LABELS
    assert choice.value is None or choice.value in OPTIONS
    assert number.value is None or 1 <= number.value <= 10
    assert verdict.value is None or isinstance(verdict.value, Verdict)


@settings(deadline=None, max_examples=200)
@given(SOUP, st.sampled_from(["length", "content_filter"]))
def test_no_text_gives_a_result_when_it_was_cut_or_filtered(text, reason):
    for reply in parsed_by_all(text, finish_reason=reason):
        assert reply.status == {"length": "truncated", "content_filter": "refusal"}[reason]
        assert reply.value is None


@settings(deadline=None, max_examples=200)
@given(SOUP)
def test_an_open_thinking_block_gives_no_result(text):
    for reply in parsed_by_all("<think>" + text.replace("<", " ")):
        assert (reply.status, reply.rule) == ("truncated", "truncated_thinking")


WRAPPINGS = st.lists(
    st.sampled_from(
        [
            lambda text: f"\n\n  {text} \n",
            lambda text: f"\ufeff{text}",
            lambda text: f"```\n{text}\n```",
            lambda text: f"```json\n{text}\n```",
            lambda text: f"<think>\nIs it A or B, happy or sad, 3 or 4?\n</think>\n\n{text}",
            lambda text: f"first A, then sad\n</think>{text}",
            lambda text: f"<reasoning>the answer is 5, or anger</reasoning>{text}",
            lambda text: f"{text}<|im_end|>",
            lambda text: f"{text}\n</s>",
        ]
    ),
    max_size=3,
)


def in_order(text, wrappings):
    # a fence goes around the answer, thinking before the fence, end marks after everything
    for wrap in sorted(wrappings, key=lambda wrap: ("`" not in wrap(""), "<|" in wrap("") or "</s>" in wrap(""))):
        text = wrap(text)
    return text


@settings(deadline=None)
@given(
    st.sampled_from(LABELS),
    st.sampled_from(["{}", "Emotion: {}", "情绪：{}", '{{"label": "{}"}}', "**{}**"]),
    WRAPPINGS,
)
def test_wrapping_a_label_changes_nothing(label, form, wrappings):
    assert parse_label(in_order(form.format(label), wrappings)).value == label


@settings(deadline=None)
@given(
    st.sampled_from("AB"), st.sampled_from(["{}", "Answer: {}", "答案：{}", '{{"answer": "{}"}}', "({})"]), WRAPPINGS
)
def test_wrapping_a_letter_changes_nothing(letter, form, wrappings):
    assert parse_choice(in_order(form.format(letter), wrappings), {"A": "stay", "B": "leave"}).value == letter


@settings(deadline=None)
@given(st.integers(1, 10), st.sampled_from(["{}", "Score: {}/10", "评分：{}分", '{{"score": {}}}', "{}分"]), WRAPPINGS)
def test_wrapping_a_number_changes_nothing(number, form, wrappings):
    assert parse_number(in_order(form.format(number), wrappings), 1, 10).value == number


@settings(deadline=None)
@given(st.text(max_size=20), st.integers(), WRAPPINGS)
def test_wrapping_an_object_changes_nothing(label, score, wrappings):
    value = Verdict(label=label, score=score)
    assert parse_json(in_order(value.model_dump_json(), wrappings), Verdict).value == value


@settings(deadline=None)
@given(
    st.sampled_from(LABELS),
    st.sampled_from(["{}", "Emotion: {}", "The emotion is {}.", "{{'label': '{}'}}"]),
    st.booleans(),
)
def test_width_and_case_change_nothing(label, form, upper):
    text = form.format(label.upper() if upper else label)
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
    assert parse_label(wide).value == label


@settings(deadline=None)
@given(
    st.text(st.characters(codec="ascii", categories=["Ll"]), min_size=1, max_size=12),
    st.sampled_from(["{}", "Emotion: {}", "The emotion is {}.", '{{"label": "{}"}}', "{} {}", "not{}", "{}ish"]),
)
def test_a_word_outside_the_set_is_no_label(word, form):
    text = form.format(word, word)
    known = {each for each in text.replace('"', " ").replace(".", " ").split() if label_set("cped-13").resolve(each)}
    if not known:
        assert parse_label(text).value is None


@settings(deadline=None)
@given(
    st.sampled_from(LABELS),
    st.sampled_from(LABELS),
    st.sampled_from(["{} or {}", "{}, {}", "Emotion: {} and {}", '{{"label": "{}/{}"}}', "{}和{}"]),
)
def test_two_labels_are_ambiguous(one, other, form):
    parsed = parse_label(form.format(one, other))
    assert (parsed.status, parsed.value) == (("ok", one) if one == other else ("ambiguous", None))


@settings(deadline=None)
@given(st.lists(st.sampled_from("AB"), min_size=1, max_size=6))
def test_the_last_announced_answer_counts(letters):
    text = "\n".join(f"Answer: {letter}" for letter in letters)
    assert parse_choice(text, {"A": "", "B": ""}).value == letters[-1]


@settings(deadline=None)
@given(
    st.floats(10.01, 1e9) | st.floats(-1e9, 0.99), st.sampled_from(["{:.3f}", "Score: {:.3f}", '{{"score": {:.3f}}}'])
)
def test_a_number_outside_the_scale_is_never_moved_into_it(number, form):
    parsed = parse_number(form.format(number), 1, 10)
    assert (parsed.status, parsed.rule) == ("unparsed", "out_of_range")


HOSTILE = [
    "answer: ", "not A but ", "no ", "happy, ", "score 5 ", "{", '{"a":"', '[{"', '"', "\\boxed{", "<think></think>", "答案：", "我无法",
    "快乐、", "\u200b",
]  # fmt: skip
MORE = [
    "answer ", "the answer is ", "not happy ", "happy or ", "A, ", "A or ", "5-", "1,000", "[", '{"a":', "{'a':'", "[[", '{"a": {"b',
    "{a: ", '{"a" /*', "“a”，", "\\", "</think>", "<answer>", "```\n", "~~a~~", "*", " ", "\n", "> ", "(", "A) x\n", "5\n", ".", ":",
    "情绪是", "不选", "不快乐", "选A", "八", "。", "ß", "if a, ", "I can't ", "sorry, ", "as an ai ", "label x as ", "//", "/*",
    "A is the best ", "<|channel|>a<|message|>", "</s>", "'a ", "1/10 ",
]  # fmt: skip


def parsed_at_length(piece):
    # 200 kB: an expression that is not linear would not come back
    for reply in parsed_by_all((piece * (200_000 // len(piece) + 1))[:200_000]):
        assert (reply.value is not None) == reply.ok


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_replies_come_back(piece):
    parsed_at_length(piece)


@pytest.mark.slow
@pytest.mark.parametrize("piece", MORE)
def test_more_hostile_replies_come_back(piece):
    parsed_at_length(piece)
