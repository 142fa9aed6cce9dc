"""The first gate: null content, the finish reason, thinking blocks. What passes is text that may hold an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from mmrole.core.errors import UsageError
from mmrole.llm.replies.folding import without_end_marks
from mmrole.llm.replies.reply import Note, Reply, Rule, unanswered
from mmrole.llm.replies.strict import NOTHING, strict_json, unfenced
from mmrole.llm.replies.thinking import may_think, strip_thinking

_CUT: Final = frozenset({"length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded"})
_FILTERED: Final = frozenset(
    {"content_filter", "refusal", "safety", "recitation", "prohibited_content", "blocklist", "spii"}
)
_ABORTED: Final = frozenset(
    {"abort", "aborted", "cancelled", "canceled", "error", "incomplete", "timeout", "malformed_function_call"}
)
_WHOLE: Final = frozenset(
    {"", "stop", "eos", "eos_token", "stop_sequence", "end_turn", "complete", "completed", "finished", "done", "tool_calls",
     "tool_use", "function_call"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Opened:
    """Text that may hold an answer, and what was seen on the way."""

    text: str
    notes: tuple[Note, ...] = ()


def opened(text: str | None, finish_reason: str | None) -> Opened | Reply[Any]:
    """Passes a reply through the gate.

    Args:
        text: content of the message, None for null
        finish_reason: as the endpoint said it; None where it said nothing

    Raises:
        UsageError: `text` is neither a string nor None
    """
    if text is not None and not isinstance(text, str):
        raise UsageError(f"a reply has to be text or None, not {type(text).__name__}")
    reason = (finish_reason or "").strip().casefold()
    if reason in _CUT:
        # not even an answer that stands before the cut: the rationale after it is part of the verdict, and a model may
        # take its answer back
        return unanswered(Rule.FINISH_LENGTH, "cut off at the token limit")
    if reason in _FILTERED:
        return unanswered(Rule.FINISH_CONTENT_FILTER, "withheld by a content filter")
    if reason in _ABORTED:
        return unanswered(Rule.FINISH_ABORTED, f"finish reason {reason!r}")
    notes = () if reason in _WHOLE else (Note.UNKNOWN_FINISH_REASON,)
    if text is None:
        return unanswered(Rule.NO_CONTENT, "the content is null", notes)
    text = without_end_marks(text.removeprefix("\ufeff"))
    if not text.strip():
        return unanswered(Rule.EMPTY, "the reply is empty", notes)
    if may_think(text) and strict_json(text) is NOTHING and strict_json(unfenced(text)) is NOTHING:
        stripped = strip_thinking(text)
        if stripped.changed:
            notes = (*notes, Note.THINKING_STRIPPED)
        if stripped.unclosed:
            return unanswered(Rule.TRUNCATED_THINKING, "a thinking block is not closed", notes)
        if not stripped.text.strip():
            return unanswered(Rule.NOTHING_AFTER_THINKING, "nothing but thinking", notes)
        text = stripped.text
    return Opened(text, notes)
