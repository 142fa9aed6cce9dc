"""When a request is asked again, and after how long."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

RETRIED_STATUSES = frozenset({408, 409, 429})
"""HTTP statuses below 500 that may pass; 500 and up are retried as well."""


@dataclass(frozen=True, kw_only=True)
class RetryPolicy:
    """How long to keep asking.

    Attributes:
        attempts: at most so many, the first one with them
        deadline_s: at most so long for one request, waiting and all attempts together
        base_s: the wait before the second attempt is drawn from 0.5 to 1 times this, and doubles with each attempt
        longest_s: no wait of our own choice is longer
        retry_after_limit_s: a server's ``Retry-After`` is obeyed up to this; a longer one ends the request
    """

    attempts: int = 6
    deadline_s: float = 600.0
    base_s: float = 0.5
    longest_s: float = 30.0
    retry_after_limit_s: float = 60.0

    def wait_s(self, attempt: int, rng: random.Random) -> float:
        """Seconds to wait after the given attempt, counted from 1; drawn, so that many requests do not come back at once."""
        return min(self.longest_s, self.base_s * 2.0 ** (attempt - 1)) * rng.uniform(0.5, 1.0)


def retry_after_s(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """Seconds that the server asks us to wait, None when it does not say.

    Both forms of ``Retry-After`` (RFC 9110, section 10.2.3) and the more exact ``Retry-After-Ms`` are understood.

    Args:
        headers: of the answer; names in any case when the mapping is, like those of HTTP libraries, indifferent to it
        now: the time to count from when a date is given

    Returns:
        0 and up
    """
    exact = _number(headers.get("retry-after-ms"))
    if exact is not None:
        return exact / 1000
    asked = headers.get("retry-after")
    if asked is None:
        return None
    seconds = _number(asked)
    if seconds is not None:
        return seconds
    try:
        date = parsedate_to_datetime(asked.strip())
    except ValueError:
        return None
    if date.tzinfo is None:  # "-0000" and no zone at all both mean UTC here
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - (now or datetime.now(UTC))).total_seconds())


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None
