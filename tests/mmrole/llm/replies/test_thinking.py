"""What is left of a reply when its thinking is taken out; expected by hand."""

import pytest

from mmrole.llm.replies.thinking import may_think, strip_thinking


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>x</think>B", "B"),
        ("< THINK >x</ think >B", "B"),
        ('<think time="3">x</think>B', "B"),
        ("＜think＞x＜/think＞B", "B"),
        ("x</think>B", "B"),
        ("<think>x</think>A<think>y</think>B", "B"),
        ("<think>x <think> y</think>B", "B"),
        ("<think>x <analysis> y</think>B", "B"),
        ("<thinking>x</thought>B", "B"),
        ("<seed:think>x</seed:think>B", "B"),
        ("[THINK]x[/THINK]B", "B"),
        ("◁think▷x◁/think▷B", "B"),
        ("<|begin_of_thought|>x<|end_of_thought|><|begin_of_solution|>B<|end_of_solution|>", "B"),
        ("<|channel|>analysis<|message|>x<|end|><|start|>assistant<|channel|>final<|message|>B<|return|>", "B"),
        ("<reasoning>x</reasoning>B", "B"),
        ("B<reasoning>x</reasoning>", "B"),
        ("B<reasoning>x</reasoning>\n<rationale>y</rationale>", "B\n"),
        ("A<reasoning>x</reasoning>B", "B"),
        ('<think>x</think>{"a": "</think>"}', '{"a": "</think>"}'),
        ("<think>x</think>", ""),
        ("B<think>x</think>", ""),
    ],
)
def test_blocks_are_taken_out(text, left):
    stripped = strip_thinking(text)
    assert (stripped.text, stripped.changed, stripped.unclosed) == (left, True, False)


@pytest.mark.parametrize(
    "text",
    [
        "<think>x",
        "<think>x\n\nB",
        "<think>x</think>B<think>y",
        "<think>x<reasoning>y</reasoning>B",
        "<reasoning>x",
        "<think>x</think>\n<analysis>y",
        "<|channel|>analysis<|message|>x",
    ],
)
def test_an_open_block_is_no_reply(text):
    assert strip_thinking(text).unclosed


@pytest.mark.parametrize(
    "text", ["B", "I think B", "[analysis] B", "B <analysis> of the scene", "a <b> c", "<|channel|> B", "thinking: B"]
)
def test_what_is_no_block(text):
    stripped = strip_thinking(text)
    assert (stripped.text, stripped.changed, stripped.unclosed) == (text, False, False)


def test_the_cheap_look_lets_every_block_through():
    assert all(
        map(may_think, ["<think>", "[THINK]", "◁think▷", "＜reasoning＞", "</analysis>", "<|channel|>", "<scratchpad>"])
    )
    assert not any(map(may_think, ["B", "I think B", "<b>B</b>"]))
