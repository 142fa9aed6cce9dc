"""What came of each description, and how far a run is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from mmrole.jobs.describe.measures import Absent


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What came of one description.

    Attributes:
        text: the description, None where there is none
        reason: why there is none
        failed: there is none although there was something to describe
        reused: it was made in an earlier run
    """

    text: str | None
    reason: str | None
    failed: bool = False
    reused: bool = False

    @classmethod
    def absent(cls, absent: Absent) -> Self:
        """There was nothing to describe, or it cannot be read."""
        return cls(text=None, reason=absent.reason, failed=absent.failed)


@dataclass(frozen=True, kw_only=True)
class DescribeProgress:
    """How far a run is.

    Attributes:
        total: descriptions
        finished: of these, made or known not to be possible
        failed: of these, failed
        reused: of these, made in an earlier run
    """

    total: int
    finished: int
    failed: int
    reused: int
