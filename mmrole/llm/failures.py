"""What an attempt that failed means: whether it is worth another, ends the request, or ends the run."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from mmrole.core.errors import EndpointError, QuotaError
from mmrole.llm.outcome import ErrorKind, Usage
from mmrole.llm.retry import RETRIED_STATUSES
from mmrole.llm.wire import error_fields, whole_text

_LONGEST = 300
_KEY_LIKE = re.compile(r"\b(?:sk|pk|rk|gsk|hf|xai|api|key)[-_][A-Za-z0-9*_\-]{8,}|(?i:bearer)\s+[^\s'\",;}]{6,}")
_FILTERED = re.compile(
    r"content_filter|responsible_?ai_?policy|content_policy|data_?inspection_?failed|moderation|sensitive_words|flagged",
    re.I,
)
_NO_QUOTA = re.compile(
    r"insufficient_quota|insufficient_balance|insufficient balance|billing_hard_limit|billing_not_active|"
    r"exceeded your current quota|credit balance|arrearage|account is in arrears|余额不足|欠费",
    re.I,
)
_TOO_LONG = re.compile(
    r"context_length_exceeded|maximum context length|context window|context size|prompt is too long|"
    r"string_above_max_length|input length|too many tokens|range of input length",
    re.I,
)
_NO_MODEL = re.compile(
    r"model_not_found|invalid_model|pinned to|unknown_model|unknown model|no such model|model_not_exist|"
    r"\bmodel\b.{0,80}?(?:not found|does not exist|doesn't exist|not exist|is not available)",
    re.I | re.S,
)


@dataclass(frozen=True, kw_only=True)
class Failure:
    """An attempt that brought no reply.

    Attributes:
        kind: why
        detail: one line, without secrets
        retry: whether another attempt may help
        most: at most so many attempts for a failure of this kind, None for the policy's number
        wait_s: what the server asks us to wait, None when it does not say
        filtered: the endpoint's content filter refused the request; that is an outcome, not an error
        fatal: the run ends with this error
        kind_at_first: another kind, as long as the endpoint has never answered properly: then nothing there ever will
        most_at_first: and at most so many attempts
        usage: tokens that the attempt cost all the same
    """

    kind: ErrorKind
    detail: str
    retry: bool = False
    most: int | None = None
    wait_s: float | None = None
    filtered: bool = False
    fatal: type[EndpointError] | None = None
    kind_at_first: ErrorKind | None = None
    most_at_first: int | None = None
    usage: Usage | None = None


def one_line(text: str, secret: str | None = None) -> str:
    """Text from a server as one short line in which no key stands, neither ours nor anything that looks like one."""
    if secret and len(secret) >= 4:
        text = text.replace(secret, "[key]")
    line = " ".join(_KEY_LIKE.sub("[key]", whole_text(text)).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


def of_status(status: int, body: object, *, wait_s: float | None, secret: str | None = None) -> Failure:
    """What an HTTP status with its error body means.

    Args:
        status: 400 and up
        body: the JSON of the answer, or its text
        wait_s: see `mmrole.llm.retry.retry_after_s`
        secret: the key that must not be shown
    """
    code, kind, message, _ = error_fields(body)
    said = f"{code} {kind} {message}"
    page = is_page(message)
    shown = "a web page" if page else one_line(message or code or kind, secret)
    detail = f"HTTP status {status}{': ' if shown else ''}{shown}"
    if status in (400, 403, 422) and _FILTERED.search(said):
        return Failure(kind=ErrorKind.BAD_REQUEST, detail=detail, filtered=True)
    if status == 402 or (status in (400, 403, 429) and _NO_QUOTA.search(said)):
        return Failure(kind=ErrorKind.RATE_LIMIT, detail=detail, fatal=QuotaError)
    if status in (401, 403):
        return Failure(kind=ErrorKind.BAD_REQUEST, detail=detail, fatal=EndpointError)
    if status == 413 or (status in (400, 422, 500) and _TOO_LONG.search(said)):
        return Failure(kind=ErrorKind.TOO_LONG, detail=detail)
    if status in (400, 404, 405, 422) and (status in (404, 405) or _NO_MODEL.search(said)):
        return Failure(kind=ErrorKind.BAD_REQUEST, detail=detail, kind_at_first=ErrorKind.NO_API)
    if status >= 500:
        return Failure(kind=ErrorKind.SERVER_ERROR, detail=detail, retry=True, wait_s=wait_s)
    if status in RETRIED_STATUSES:
        limited = ErrorKind.TIMEOUT if status == 408 else ErrorKind.RATE_LIMIT
        return Failure(kind=limited, detail=detail, retry=True, wait_s=wait_s)
    return Failure(kind=ErrorKind.BAD_REQUEST, detail=detail)


def of_error_body(detail: str, body: object, *, secret: str | None = None) -> Failure:
    """What an error inside an answer with HTTP status 200 means; a code that is an HTTP status counts as one."""
    code, kind, message, status = error_fields(body)
    shown = one_line(message or code or kind, secret)
    detail = f"{detail}: {shown}" if shown else detail
    if status is None and _NO_QUOTA.search(f"{code} {kind} {message}"):
        status = 429
    elif status is None and _FILTERED.search(f"{code} {kind}"):
        status = 400
    if status is not None:
        failure = of_status(status, body, wait_s=None, secret=secret)
        if failure.fatal or failure.filtered or not failure.retry:
            return replace(failure, detail=detail)
    return Failure(kind=ErrorKind.PROVIDER_ERROR, detail=detail, retry=True)


def of_body_text(text: str, *, secret: str | None = None) -> Failure:
    """What an answer with HTTP status 200 means that is not JSON."""
    if is_page(text):
        detail = "the answer is a web page, not JSON"
        return Failure(
            kind=ErrorKind.PROVIDER_ERROR, detail=detail, retry=True, kind_at_first=ErrorKind.NO_API, most_at_first=3
        )
    if text.lstrip().startswith("{"):
        return Failure(kind=ErrorKind.CUT_OFF, detail=f"the answer broke off after {len(text)} characters", retry=True)
    shown = one_line(text[:120], secret)
    return Failure(kind=ErrorKind.PROVIDER_ERROR, detail=f"the answer is no JSON: {shown!r}", retry=True)


def is_page(text: str) -> bool:
    """Whether text is HTML or XML."""
    return text.lstrip("\ufeff \t\r\n").startswith("<")


def of_connection(error: BaseException, *, secret: str | None = None) -> Failure:
    """What an error of the HTTP library means."""
    detail = one_line(deepest_reason(error), secret)
    if any(type(link).__name__ in ("ConnectError", "ConnectTimeout") for link in _chain(error)):
        return Failure(
            kind=ErrorKind.CONNECTION, detail=detail, retry=True, kind_at_first=ErrorKind.UNREACHABLE, most_at_first=3
        )
    return Failure(kind=ErrorKind.CONNECTION, detail=detail, retry=True)


def deepest_reason(error: BaseException) -> str:
    """What the operating system said, or else the error at the bottom of a chain."""
    chain = list(_chain(error))
    for link in reversed(chain):
        if type(link).__module__ == "builtins" and isinstance(link, OSError) and link.errno:
            return os.strerror(link.errno)  # its own text may be the event loop's, with an address in it
        if isinstance(link, OSError) and link.strerror:
            return link.strerror
    said = [str(link) for link in chain if str(link).strip()]
    return said[-1] if said else type(error).__name__


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An error, what caused it, and so on; libraries that are tried in turn put several causes into a group."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        wrapped = link.exceptions if isinstance(link, BaseExceptionGroup) else link.args
        link = link.__cause__ or next((inner for inner in wrapped if isinstance(inner, BaseException)), None)
