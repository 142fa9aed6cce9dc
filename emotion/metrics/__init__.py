"""The metrics, one module each: `mec`, `cec`, `ed`, `edd`, `rcd`, `erc`, `rc`.

Each module has the metric of its name, which takes labels and gives a `mmrole.core.scores.Score`, and below it the same on
arrays, which `emotion.evaluate` uses. No metric asks a model anything.
"""

from emotion.metrics.cec import cec
from emotion.metrics.ed import ed
from emotion.metrics.edd import edd
from emotion.metrics.erc import ErcResult, erc
from emotion.metrics.mec import mec
from emotion.metrics.rc import rc
from emotion.metrics.rcd import rcd

__all__ = ["ErcResult", "cec", "ed", "edd", "erc", "mec", "rc", "rcd"]
