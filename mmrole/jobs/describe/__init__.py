"""From features to descriptions in words."""

from mmrole.jobs.describe.outcome import DescribeProgress
from mmrole.jobs.describe.run import DescribeResult, describe, estimate_describe

__all__ = ["DescribeProgress", "DescribeResult", "describe", "estimate_describe"]
