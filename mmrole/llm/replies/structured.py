"""Reads a JSON object that fits a schema out of a reply."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, TypeVar, cast

from pydantic import BaseModel, TypeAdapter, ValidationError

from mmrole.llm.replies.folding import fold, plain
from mmrole.llm.replies.gate import opened
from mmrole.llm.replies.objects import scan_objects
from mmrole.llm.replies.refusals import declined
from mmrole.llm.replies.reply import Note, Reply, Rule, answered, unanswered
from mmrole.llm.replies.strict import NOTHING, Repeated, strict_json, unfenced

T = TypeVar("T")

_WIDE_NUMBER: Final = re.compile(r"\s*[-+]?\d{1,30}(?:\.\d{1,30})?\s*")


def parse_json(text: str | None, schema: type[T], finish_reason: str | None = "stop") -> Reply[T]:
    """Reads an object that fits a schema out of a reply.

    The schema decides: a missing key is a failure, never a default that stands for an answer (a schema says so by having none).
    Of several complete objects that fit, the last one counts. Nothing is repaired that was cut off.

    Args:
        text: content of the message, None for null
        schema: a pydantic model, or any type that pydantic can validate
        finish_reason: as the endpoint said it; ``length`` is `ReplyStatus.TRUNCATED` whatever the text says

    Returns:
        `Reply.value` is an instance of the schema, or None; `Reply.detail` says what did not fit, for a repair request

    >>> from pydantic import BaseModel
    >>> class Verdict(BaseModel):
    ...     label: str
    ...     score: int
    >>> parse_json("{“label”：“悲伤”，“score”：８}", Verdict).value
    Verdict(label='悲伤', score=8)
    >>> parse_json('{"label": "sadness"}', Verdict).detail
    'score: Field required'
    """
    gate = opened(text, finish_reason)
    if isinstance(gate, Reply):
        return replace(gate, raw=text)
    reply = _read(gate.text, schema)
    return replace(reply, raw=text, notes=(*gate.notes, *reply.notes))


def _read(text: str, schema: type[T]) -> Reply[T]:
    for piece, rule in ((text, Rule.STRICT_JSON), (unfenced(text), Rule.FENCED_JSON)):
        value = strict_json(piece)
        if value is NOTHING:
            continue
        notes: tuple[Note, ...] = ()
        if isinstance(value, str) and (inner := strict_json(value)) is not NOTHING and not isinstance(inner, str):
            value, notes = inner, (Note.DOUBLE_ENCODED,)
        if isinstance(value, dict | list):
            return _fitted([(value, rule)], schema, notes)
    scan = scan_objects(text, arrays=True)
    if scan.cut:
        return unanswered(Rule.UNCLOSED_JSON, "an object is not closed")
    if scan.tangled:
        return unanswered(Rule.TOO_TANGLED, "brackets that cannot be told apart")
    if scan.found:
        return _fitted(
            [(each.value, Rule.LENIENT_JSON if each.lenient else Rule.EMBEDDED_JSON) for each in scan.found], schema, ()
        )
    if refusal := declined(plain(text)):
        return unanswered(refusal, "the model declined")
    return unanswered(Rule.NO_JSON, "no complete JSON object")


def _fitted(values: list[tuple[Any, Rule]], schema: type[T], notes: tuple[Note, ...]) -> Reply[T]:
    """The last of the values that fits the schema, else the only one that fits inside the last of them."""
    fits: list[tuple[T, Rule]] = []
    errors: list[str] = []
    for value, rule in values:
        instance, error = _validated(value, schema)
        if error is None:
            fits.append((instance, rule))
        elif isinstance(value, dict) or not errors:
            errors.append(error)
    if fits:
        instance, rule = fits[-1]
        return answered(instance, rule, (*notes, Note.MULTIPLE) if len(fits) > 1 else notes)
    value, rule = values[-1]
    inside = [instance for each in _inner(value) for instance, error in (_validated(each, schema),) if error is None]
    if len(inside) == 1:
        return answered(inside[0], rule, (*notes, Note.UNWRAPPED))
    if inside:
        return unanswered(Rule.SEVERAL_ANSWERS, f"{len(inside)} objects fit, side by side", notes)
    if errors[-1] == _REPEATED:
        return unanswered(Rule.REPEATED_KEY, errors[-1], notes)
    return unanswered(Rule.SCHEMA_MISMATCH, errors[-1], notes)


def _inner(value: Any) -> Iterator[Any]:
    """Objects and arrays one level below."""
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    yield from (each for each in below if isinstance(each, dict | list))


_REPEATED: Final = "a key is given twice with different values"


def _validated(value: Any, schema: type[T]) -> tuple[Any, str | None]:
    """The instance and None, or None and what does not fit."""
    if (flaw := _flaw(value)) is not None:
        return None, flaw
    adapter = _adapter(cast(Hashable, schema))
    try:
        return _checked(adapter.validate_python(value), None)
    except ValidationError as error:
        first = error
    try:
        mended = _with_plain_numbers(value, first)
    except RecursionError:
        mended = None
    if mended is not None:
        try:
            return _checked(adapter.validate_python(mended), None)
        except ValidationError:
            pass
    return None, _described(first)


def _checked(instance: Any, error: str | None) -> tuple[Any, str | None]:
    if isinstance(instance, BaseModel) and type(instance).model_fields and not instance.model_fields_set:
        return None, "none of the keys"  # every key has a default: nothing of the reply would be in it
    return instance, error


@lru_cache(maxsize=128)
def _adapter(schema: Hashable) -> TypeAdapter[Any]:
    return TypeAdapter(cast(Any, schema))


def _flaw(value: Any) -> str | None:
    """What makes a value useless under any schema: numbers that are none, keys given twice."""
    rest = [value]
    while rest:
        each = rest.pop()
        if isinstance(each, float) and not math.isfinite(each):
            return "a number is not finite"
        if isinstance(each, Repeated) and each.keys_repeated:
            return _REPEATED
        if isinstance(each, dict):
            rest.extend(each.values())
        elif isinstance(each, list):
            rest.extend(each)
    return None


def _with_plain_numbers(value: Any, error: ValidationError) -> Any | None:
    """A copy in which strings such as ``"８"`` are ASCII where a number was wanted; None where that is not what is wrong."""
    places = [
        each["loc"]
        for each in error.errors(include_url=False, include_context=False)
        if each["type"] in ("int_parsing", "float_parsing")
        and isinstance(each["input"], str)
        and not each["input"].isascii()
    ]
    if not places:
        return None
    copy = json.loads(json.dumps(value))
    for *path, last in places:
        part = copy
        for step in path:
            part = part[step]
        text = fold(part[last])
        if not _WIDE_NUMBER.fullmatch(text):
            return None
        part[last] = text
    return copy


def _described(error: ValidationError) -> str:
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    said = [f"{'.'.join(map(str, each['loc'])) or 'the reply'}: {each['msg']}" for each in errors[:3]]
    return "; ".join(said) + (f"; and {len(errors) - 3} more" if len(errors) > 3 else "")
