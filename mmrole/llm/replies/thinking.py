"""Thinking blocks: what a model wrote for itself is never its answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from mmrole.llm.replies.strict import NOTHING, strict_json, unfenced

_FAMILIES: Final = {
    **dict.fromkeys(("think", "thinking", "thought", "thoughts", "seed:think"), "think"),
    **dict.fromkeys(("reasoning", "rationale", "reflection", "scratchpad", "analysis"), "reasoning"),
}
"""Tag -> family. Within a family one name may close another; a block of the second family may also follow the answer."""

_TAG: Final = re.compile(
    r"[<\[◁＜]\s{0,3}([/／]?)\s{0,3}((?:seed:)?think(?:ing)?|thoughts?|reasoning|rationale|reflection|scratchpad|analysis)"
    r"(?:\s[^<>\[\]\n]{0,100})?\s{0,3}[>\]▷＞]",
    re.IGNORECASE,
)
_BEGIN_OF: Final = re.compile(r"<\|(begin|end)_of_thought\|>|<\|(?:begin|end)_of_solution\|>")
_CHANNEL: Final = re.compile(r"<\|channel\|>\s?(\w{1,20})[^<]{0,60}<\|message\|>")
_HINTS: Final = ("think", "thought", "reason", "rationale", "reflect", "scratchpad", "analysis", "<|channel|>")


@dataclass(frozen=True, slots=True)
class Stripped:
    """A reply without its thinking.

    Attributes:
        text: what is left
        changed: whether a block was taken out
        unclosed: a block was begun and not closed: there is no answer
    """

    text: str
    changed: bool = False
    unclosed: bool = False


def may_think(text: str) -> bool:
    """Whether there could be a block; cheap, and most replies end here."""
    low = text.casefold()
    return any(hint in low for hint in _HINTS) and any(mark in text for mark in "<[◁＜")


def strip_thinking(text: str) -> Stripped:
    """Takes thinking blocks out.

    What follows the last closing tag is the reply, whether or not there was an opening one (chat templates that open the
    block themselves leave an orphan). A tag in square brackets or an analysis block counts only when it is a pair.
    """
    if "<|channel|>" in text:
        return _last_channel(text)
    if "_of_thought|>" in text:
        text = _BEGIN_OF.sub(lambda m: {"begin": "<think>", "end": "</think>"}.get(m[1] or "", ""), text)
    # where the last block of a family opened, and where it closed
    opened: dict[str, int] = {}
    closed = kept_before = -1
    cuts: list[tuple[int, int]] = []
    for match in _TAG.finditer(text):
        family = _FAMILIES[match[2].casefold()]
        if match[0][0] == "[" and match[2].casefold() != "think":
            continue
        if not match[1]:
            opened.setdefault(family, match.start())
            continue
        start = opened.pop(family, None)
        if family == "think":
            if closed < 0 and strict_json(unfenced(text[match.end() :])) is not NOTHING:
                # a tag that a JSON string speaks of closes nothing
                return Stripped(text[match.end() :], changed=True)
            closed = kept_before = match.end()
        elif start is not None:
            cuts.append((start, match.end()))
            closed = match.end()
    for family, start in opened.items():
        # an analysis that is never closed may be a heading, or inside a block; one at the start of a reply is a block
        if family == "think" or (start >= kept_before and not text[max(kept_before, 0) : start].strip()):
            return Stripped("", changed=True, unclosed=True)
    if closed < 0:
        return Stripped(text)
    rest = text[closed:]
    if rest.strip():
        return Stripped(rest, changed=True)
    position = max(kept_before, 0)
    parts = []
    for start, end in cuts:
        if start >= position:
            parts.append(text[position:start])
            position = end
    return Stripped("".join(parts) if cuts else "", changed=True)


def _last_channel(text: str) -> Stripped:
    """The final channel of a reply in channels: nothing else is meant for the reader."""
    channels = list(_CHANNEL.finditer(text))
    if not channels:
        return Stripped(text)
    last = channels[-1]
    if last[1].casefold() != "final":
        return Stripped("", changed=True, unclosed=True)
    return Stripped(text[last.end() :].partition("<|")[0], changed=True)
