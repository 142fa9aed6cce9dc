"""`mmrole recognize`: a panel of experts votes on the emotions of clips or of an agent's responses."""

from mmrole.jobs.recognize.outcome import ExpertOutcome, RecognizeProgress, RecognizeResult
from mmrole.jobs.recognize.run import estimate_recognize, recognize

__all__ = ["ExpertOutcome", "RecognizeProgress", "RecognizeResult", "estimate_recognize", "recognize"]
