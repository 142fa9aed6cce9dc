"""LIFECHOICE, stage by stage: each stage reads what the one before has stored.

``build`` prepares a folder, ``run`` builds the profiles and asks the agent, ``grade`` has a judge score the profiles (not needed for
accuracies), ``score`` computes, ``plot`` draws. A stage never repeats what an earlier one has paid for.
"""

from mmrole.jobs.bench.lifechoice.build import BuildResult, build
from mmrole.jobs.bench.lifechoice.grade import GradeResult, estimate_grade, grade
from mmrole.jobs.bench.lifechoice.run import RunResult, estimate_run, run
from mmrole.jobs.bench.lifechoice.score import ScoreResult, score

__all__ = [
    "BuildResult",
    "GradeResult",
    "RunResult",
    "ScoreResult",
    "build",
    "estimate_grade",
    "estimate_run",
    "grade",
    "run",
    "score",
]
