"""InCharacter, stage by stage: each stage reads what the one before has stored.

``build`` prepares what the agent will be asked, ``run`` asks it, ``grade`` has an interviewer model read the answers, ``score``
computes, ``plot`` draws. A stage never repeats what an earlier one has paid for.
"""

from mmrole.jobs.bench.incharacter.build import BuildResult, build
from mmrole.jobs.bench.incharacter.grade import GradeResult, estimate_grade, grade
from mmrole.jobs.bench.incharacter.run import estimate_run, run
from mmrole.jobs.bench.incharacter.score import ScoreResult, score

__all__ = [
    "BuildResult",
    "GradeResult",
    "ScoreResult",
    "build",
    "estimate_grade",
    "estimate_run",
    "grade",
    "run",
    "score",
]
