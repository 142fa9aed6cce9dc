"""What a parsed reply is: its status, its value, the rule that decided, and the text it was read from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Generic, TypeVar

T = TypeVar("T")


class ReplyStatus(StrEnum):
    """What became of a reply. Only `OK` has a value; the others are counted apart and are never a wrong answer."""

    OK = "ok"
    AMBIGUOUS = "ambiguous"
    """It names more than one answer."""
    UNPARSED = "unparsed"
    """No answer that can be trusted is in it."""
    REFUSAL = "refusal"
    """The model declined, or its provider's filter did."""
    TRUNCATED = "truncated"
    """It was cut off; whatever stands before the cut is not used."""


class Rule(StrEnum):
    """The rule that decided. These names are stored with results and stay as they are."""

    # a value
    JSON_FIELD = "json_field"
    """A declared field of a JSON object: ``{"label": "happy"}``."""
    TAG = "tag"
    """``<answer>B</answer>``, ``\\boxed{B}``, ``[[7]]``."""
    ANCHORED = "anchored"
    """A field in plain text: ``Answer: B``, ``**情绪**：悲伤``."""
    STATED = "stated"
    """A sentence that gives the answer: ``the answer is B``, ``我选B``, ``not A but B``."""
    WHOLE_REPLY = "whole_reply"
    """The reply is the answer and nothing else."""
    OPTION_TEXT = "option_text"
    """The reply is the text of one option."""
    LETTER_AND_TEXT = "letter_and_text"
    """The reply is a letter with the text of its option."""
    OWN_LINE = "own_line"
    """The first or the last line is the answer, and no other line is one."""
    LEADING_LETTER = "leading_letter"
    """The reply opens as ``B) because ...``."""
    PREDICATE = "predicate"
    """``option B fits best``: one letter, and only one, is called the right one."""
    SINGLE_LABEL = "single_label"
    """One label of the set occurs, and only one, and it is not negated."""
    STRICT_JSON = "strict_json"
    FENCED_JSON = "fenced_json"
    EMBEDDED_JSON = "embedded_json"
    """Valid JSON with prose around it."""
    LENIENT_JSON = "lenient_json"
    """A complete object that is JSON in all but its punctuation: single quotes, full-width colons, a comma too many."""

    # more than one
    SEVERAL_ANSWERS = "several_answers"
    SEVERAL_LABELS = "several_labels"
    LETTER_TEXT_CONFLICT = "letter_text_conflict"
    """The letter of one option with the text of another."""
    CONDITIONAL = "conditional"
    """``B if he is brave``."""
    REPEATED_KEY = "repeated_key"
    """A JSON object gives the same key twice, with different values."""

    # none
    NO_CONTENT = "no_content"
    """The content of the reply is null."""
    EMPTY = "empty"
    NOTHING_AFTER_THINKING = "nothing_after_thinking"
    NO_ANSWER = "no_answer"
    NO_JSON = "no_json"
    FIELD_MISSING = "field_missing"
    """JSON without any of the declared fields."""
    OUTSIDE_SET = "outside_set"
    """A declared field or an anchor holds something that is no answer of the set."""
    NEGATED = "negated"
    """Labels occur only where they are denied, asked about, quoted from the dialogue, or politeness ("happy to help")."""
    OUT_OF_RANGE = "out_of_range"
    NOT_INTEGER = "not_integer"
    SCALE_MISMATCH = "scale_mismatch"
    """``8/10`` on a scale of 1 to 5: never rescaled."""
    SCHEMA_MISMATCH = "schema_mismatch"
    TOO_TANGLED = "too_tangled"
    """So many broken or so deeply nested brackets that the last object cannot be told."""

    # declined
    REFUSAL_PHRASE = "refusal_phrase"
    ABSTENTION = "abstention"
    """It says that it cannot tell."""
    FINISH_CONTENT_FILTER = "finish_content_filter"

    # cut off
    FINISH_LENGTH = "finish_length"
    FINISH_ABORTED = "finish_aborted"
    TRUNCATED_THINKING = "truncated_thinking"
    UNCLOSED_JSON = "unclosed_json"


class Note(StrEnum):
    """What else a reader of a result may want to count."""

    LANGUAGE_MISMATCH = "language_mismatch"
    """The label is spelled in another language than the one asked for."""
    MULTIPLE = "multiple"
    """Several answers were given one after the other; the last one counts."""
    THINKING_STRIPPED = "thinking_stripped"
    LENIENT_JSON = "lenient_json"
    """The field stood in an object that was JSON in all but its punctuation."""
    UNWRAPPED = "unwrapped"
    """The object that fits the schema was the only one inside another."""
    DOUBLE_ENCODED = "double_encoded"
    """The reply was a JSON string that held JSON."""
    REFUSAL_PHRASE = "refusal_phrase"
    """It answers, and says somewhere that it cannot."""
    UNKNOWN_FINISH_REASON = "unknown_finish_reason"


_AMBIGUOUS: Final = frozenset(
    {Rule.SEVERAL_ANSWERS, Rule.SEVERAL_LABELS, Rule.LETTER_TEXT_CONFLICT, Rule.CONDITIONAL, Rule.REPEATED_KEY}
)
_REFUSAL: Final = frozenset({Rule.REFUSAL_PHRASE, Rule.ABSTENTION, Rule.FINISH_CONTENT_FILTER})
_TRUNCATED: Final = frozenset({Rule.FINISH_LENGTH, Rule.FINISH_ABORTED, Rule.TRUNCATED_THINKING, Rule.UNCLOSED_JSON})


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply(Generic[T]):
    """A parsed reply.

    Attributes:
        status: see `ReplyStatus`
        value: the answer; None unless the status is ``ok``
        rule: see `Rule`
        raw: the text exactly as it was given, None for a null content
        notes: see `Note`
        detail: for people and for a repair request: what was wrong, in a few words, or nothing
    """

    status: ReplyStatus
    value: T | None
    rule: Rule
    raw: str | None
    notes: tuple[Note, ...] = ()
    detail: str = ""

    @property
    def ok(self) -> bool:
        """Whether there is a value."""
        return self.status is ReplyStatus.OK


def answered(value: T, rule: Rule, notes: tuple[Note, ...] = ()) -> Reply[T]:
    """A reply with a value; `raw` is set by the public functions."""
    return Reply(status=ReplyStatus.OK, value=value, rule=rule, raw=None, notes=notes)


def unanswered(rule: Rule, detail: str = "", notes: tuple[Note, ...] = ()) -> Reply[T]:
    """A reply without a value: each rule has one status."""
    if rule in _AMBIGUOUS:
        status = ReplyStatus.AMBIGUOUS
    elif rule in _REFUSAL:
        status = ReplyStatus.REFUSAL
    elif rule in _TRUNCATED:
        status = ReplyStatus.TRUNCATED
    else:
        status = ReplyStatus.UNPARSED
    return Reply(status=status, value=None, rule=rule, raw=None, notes=notes, detail=detail)
