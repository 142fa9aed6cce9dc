"""What a run asks, and what it stores: items, and one record for each item in each round.

The fields of a record, beside those of its item:

==========  ================================================================================================================
key         ``ITEM#ROUND``, the key in the journal
item        the item's id
round       from 0
request     SHA-256 of everything that decides the replies; with another one the item is asked anew
status      ``ok``, ``ambiguous``, ``unparsed``, ``refusal``, ``truncated``, or ``error``, which the next run tries again
reason      for people; of an error it begins with a kind of `mmrole.llm.outcome.ErrorKind`
value       what the parser found (the text where there is none), null unless the status is ``ok``
rule        the rule that found it
notes       what else the parser noticed
replies     the reply, and the one to the repair request where there was one: ``text`` as the model wrote it, ``finish_reason``,
            ``refusal``, ``model`` as the endpoint calls it, ``usage``
spent       calls, tokens and money over all attempts, also those of earlier runs; replies from the cache are free
==========  ================================================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from mmrole.core.canonical import Record, to_json
from mmrole.core.errors import UsageError
from mmrole.llm.chat import ChatRequest
from mmrole.llm.outcome import ChatReply

OK, UNPARSED, REFUSAL, TRUNCATED, ERROR = "ok", "unparsed", "refusal", "truncated", "error"

HALFWAY = "halfway: the repair request is missing"
"""Reason of a record that holds a first reply which could not be read; the next record of its item takes its place."""

RECORD_FIELDS = frozenset(
    {"key", "item", "round", "request", "status", "reason", "value", "rule", "notes", "replies", "spent"}
)
"""Fields of a record that are ours; an item's own fields stand beside them."""


class Parsed(Protocol):
    """What a parser finds in a reply; `mmrole.llm.replies` makes such objects. ``detail`` and ``notes`` are stored as well."""

    @property
    def status(self) -> str:
        """``ok``, ``ambiguous``, ``unparsed``, ``refusal`` or ``truncated``."""

    @property
    def value(self) -> Any:
        """What was found, None when nothing was."""

    @property
    def rule(self) -> str | None:
        """The rule that found it."""


@dataclass(frozen=True, kw_only=True)
class BatchItem:
    """One thing to ask.

    Attributes:
        item_id: unlike that of every other item
        request: what is asked
        fields: stored in the item's record as they are, such as ``{"utterance_id": ..., "stream": ...}``; none of `RECORD_FIELDS`
    """

    item_id: str
    request: ChatRequest
    fields: Mapping[str, Any] = field(default_factory=dict)


Parse = Callable[[BatchItem, ChatReply], Parsed]


def record_key(item_id: str, number: int) -> str:
    """The journal key of an item in a round."""
    return f"{item_id}#{number}"


def is_stored(before: Record | None, request_hash: str) -> bool:
    """Whether an earlier record is no error and answers this very request."""
    return before is not None and before["status"] != ERROR and before["request"] == request_hash


def checked_item(item: BatchItem) -> BatchItem:
    """The item, when its own fields leave ours alone and can be stored.

    Raises:
        UsageError: they do not, or cannot
    """
    try:
        to_json([item.item_id, *item.fields.items()]).encode()
    except (TypeError, ValueError) as error:
        raise UsageError(f"item {item.item_id!r} has a field that JSON cannot hold: {error}") from None
    taken = RECORD_FIELDS.intersection(item.fields)
    if taken:
        raise UsageError(f"item {item.item_id!r} has a field {min(taken)!r}, which the record needs itself: rename it")
    return item
