"""LIFECHOICE, stage by stage: each stage reads what the one before has stored.

``build`` prepares a folder, ``run`` builds the profiles and asks the agent, ``grade`` has a judge score the profiles (not needed for
accuracies), ``score`` computes, ``plot`` draws. A stage never repeats what an earlier one has paid for.

``construct`` makes a data set of novels, and ``filter_reviewed`` keeps of it what people find good; ``leak`` tests whether an agent
knows the books by heart.
"""

from mmrole.jobs.bench.lifechoice.build import BuildResult, build
from mmrole.jobs.bench.lifechoice.construct import ConstructResult, construct, estimate_construct
from mmrole.jobs.bench.lifechoice.filtering import FilterResult, filter_reviewed
from mmrole.jobs.bench.lifechoice.grade import GradeResult, estimate_grade, grade
from mmrole.jobs.bench.lifechoice.leak import LeakResult, estimate_leak, leak
from mmrole.jobs.bench.lifechoice.run import RunResult, estimate_run, run
from mmrole.jobs.bench.lifechoice.score import ScoreResult, score

__all__ = [
    "BuildResult",
    "ConstructResult",
    "FilterResult",
    "GradeResult",
    "LeakResult",
    "RunResult",
    "ScoreResult",
    "build",
    "construct",
    "estimate_construct",
    "estimate_grade",
    "estimate_leak",
    "estimate_run",
    "filter_reviewed",
    "grade",
    "leak",
    "run",
    "score",
]
