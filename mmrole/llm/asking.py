"""One item in one round: the request, one repair request when the reply cannot be read, and the record of both."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mmrole.core.canonical import Record, content_key, to_json
from mmrole.core.errors import MMRoleError, ModelError
from mmrole.llm.cache import CachedModel, ReplyCache, request_key
from mmrole.llm.chat import ChatModel, ChatRequest
from mmrole.llm.cost import Budget, Price, Spent
from mmrole.llm.estimate import estimate_text_tokens, estimate_tokens
from mmrole.llm.failures import one_line
from mmrole.llm.items import ERROR, HALFWAY, OK, REFUSAL, TRUNCATED, UNPARSED, BatchItem, Parse, record_key
from mmrole.llm.outcome import ChatReply, ErrorKind, Outcome, Usage
from mmrole.llm.repair import Repair
from mmrole.llm.wire import whole_text

_STATUS_OF = {
    Outcome.LENGTH: TRUNCATED,
    Outcome.CONTENT_FILTER: REFUSAL,
    Outcome.REFUSAL: REFUSAL,
    Outcome.TOOL_CALLS: UNPARSED,
    Outcome.EMPTY: ERROR,
    Outcome.ERROR: ERROR,
}


class OverBudgetError(ModelError):
    """The next call could pass the limit on cost."""


@dataclass(frozen=True, kw_only=True)
class _Answer:
    """A reply and what it means."""

    reply: ChatReply
    status: str
    reason: str | None = None
    value: Any = None
    rule: str | None = None
    notes: tuple[str, ...] = ()


class _BudgetedModel:
    """A model that is asked only as long as the money lasts."""

    def __init__(self, model: ChatModel, budget: Budget) -> None:
        self._model = model
        self._budget = budget

    @property
    def identity(self) -> Record:
        return self._model.identity

    async def complete(self, request: ChatRequest) -> ChatReply:
        prompt_tokens = estimate_tokens(request) if self._budget.limited else 0
        reserved = await self._budget.reserve(prompt_tokens)
        if reserved is None:
            raise OverBudgetError("the limit on cost is reached")
        cost = Usage()
        try:
            reply = await self._model.complete(request)
            cost = reply.spent
            if reply.usage is None and reply.text:
                cost += Usage(prompt_tokens=prompt_tokens, completion_tokens=estimate_text_tokens(reply.text))
            return reply
        finally:
            self._budget.settle(reserved, cost)

    async def close(self) -> None:
        await self._model.close()


class Asker:
    """Turns an item in a round into its record.

    Args:
        model: is asked
        parse: reads a whole reply; without it every whole reply is ``ok`` and its text the value
        repair: what is said after a reply that cannot be read, None for no such request
        cache: where valid replies are kept, None for nowhere
        budget: may end the run
        price: of the model, None when it is not known

    Attributes:
        spent: by all calls so far
    """

    def __init__(
        self,
        model: ChatModel,
        *,
        parse: Parse | None,
        repair: Repair | None,
        cache: ReplyCache | None,
        budget: Budget,
        price: Price | None,
    ) -> None:
        budgeted = _BudgetedModel(model, budget)
        self._cached = CachedModel(budgeted, cache) if cache is not None else None
        self._model = budgeted
        self._parse = parse
        self._repair = repair if parse is not None else None
        self._price = price
        self._identity = model.identity
        self.spent = Spent()

    def request_hash(self, item: BatchItem, number: int) -> str:
        """SHA-256 of everything that decides an item's replies; with another one, a stored record is asked for anew."""
        key = request_key(self._identity, item.request.in_round(number))
        return key if self._repair is None else content_key(request=key, repair=self._repair.to_record())

    async def record(
        self,
        item: BatchItem,
        number: int,
        request_hash: str,
        before: Record | None,
        *,
        keep: Callable[[Record], object] | None = None,
    ) -> Record:
        """Asks, and puts what came of it into a record.

        Args:
            item: what to ask
            number: the round, from 0
            request_hash: see `request_hash`
            before: an earlier record of the same item and round; its cost is carried on
            keep: is given the first reply, as a record, before the repair request: it is paid for, whatever happens next

        Raises:
            ModelError: the model cannot answer any request; `OverBudgetError` when the money is spent
        """
        spent = Spent.from_record(before["spent"]) if before else Spent()
        request = item.request.in_round(number)
        first = self._first_reply(before, request_hash)
        if first is None:
            answer = await self._ask(item, request)
            spent += self._spent_on(answer.reply)
        else:
            answer = self._read(item, first)

        def so_far(answer: _Answer, *replies: ChatReply) -> Record:
            return {
                **item.fields,
                "key": record_key(item.item_id, number),
                "item": item.item_id,
                "round": number,
                "request": request_hash,
                "status": answer.status,
                "reason": answer.reason,
                "value": answer.value,
                "rule": answer.rule,
                "notes": list(answer.notes),
                "replies": [reply.to_record() for reply in replies if reply.error is None],
                "spent": spent.to_record(),
            }

        original = answer.reply
        if answer.status != UNPARSED or original.outcome is not Outcome.STOP or self._repair is None:
            return so_far(answer, original)
        if keep is not None and first is None:
            keep(so_far(_Answer(reply=original, status=ERROR, reason=HALFWAY), original))
        try:
            answer = await self._ask(item, self._repair.request(request, original.text or ""))
        except ModelError as error:  # the run will meet it again with its next call, and end; this reply is kept
            failed = ChatReply(error=ErrorKind.INTERNAL, detail=str(error), attempts=0)
            return so_far(_Answer(reply=failed, status=ERROR, reason=f"repair: {error}"), original)
        spent += self._spent_on(answer.reply)
        return so_far(answer, original, answer.reply)

    @staticmethod
    def _first_reply(before: Record | None, request_hash: str) -> ChatReply | None:
        """The reply of an earlier run to which only the repair request is missing."""
        if before is None or before["request"] != request_hash or len(before["replies"]) != 1:
            return None
        return ChatReply.from_record(before["replies"][0])

    async def _ask(self, item: BatchItem, request: ChatRequest) -> _Answer:
        answer: _Answer | None = None

        def readable(reply: ChatReply) -> bool:
            nonlocal answer
            answer = self._read(item, reply)
            return answer.status == OK

        try:
            if self._cached is None:
                reply = await self._model.complete(request)
            else:
                reply = await self._cached.complete_if(request, readable)
        except MMRoleError:
            raise
        except Exception as error:  # a bug somewhere costs its item, not the run; Ctrl-C is no Exception
            detail = one_line(f"{type(error).__name__}: {error}")
            reply = ChatReply(error=ErrorKind.INTERNAL, detail=detail, attempts=0)
        return answer if answer is not None and answer.reply is reply else self._read(item, reply)

    def _read(self, item: BatchItem, reply: ChatReply) -> _Answer:
        outcome = reply.outcome
        if outcome is not Outcome.STOP:
            word = reply.error or outcome
            reason = f"{word}: {reply.detail}" if reply.detail else word.value
            return _Answer(reply=reply, status=_STATUS_OF[outcome], reason=reason)
        if self._parse is None:
            return _Answer(reply=reply, status=OK, value=reply.text)
        try:
            parsed = self._parse(item, reply)
            value = _storable(_plain(parsed.value))
            return _Answer(
                reply=reply,
                status=str(parsed.status),
                reason=getattr(parsed, "detail", None) or None,
                value=value,
                rule=parsed.rule,
                notes=tuple(str(note) for note in getattr(parsed, "notes", ())),
            )
        except MMRoleError:
            raise
        except Exception as error:  # as above; the reply is stored with the error
            detail = one_line(f"{type(error).__name__}: {error}")
            return _Answer(reply=reply, status=ERROR, reason=f"{ErrorKind.INTERNAL}: the parser failed: {detail}")

    def _spent_on(self, reply: ChatReply) -> Spent:
        """What a reply cost; it is also added to the sum over all calls."""
        if reply.attempts == 0:
            return Spent()
        answered = reply.error is None or reply.usage is not None
        unmetered = answered and reply.usage is None and reply.outcome is not Outcome.CONTENT_FILTER
        cost = None if self._price is None or unmetered else self._price.of(reply.spent)
        spent = Spent(calls=1, usage=reply.spent, unmetered=int(unmetered), cost=cost)
        self.spent += spent
        return spent


def _plain(value: Any) -> Any:
    """JSON values of what a parser found."""
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else value


def _storable(value: Any) -> Any:
    """The value as a file can hold it: half a character, which JSON can spell (a lone surrogate), is replaced.

    Raises:
        ValueError: it has a number that JSON does not know
        TypeError: it is no JSON
    """
    text = to_json(value)
    whole = whole_text(text)
    return value if whole is text else json.loads(whole)
