"""RoleCDE, stage by stage: each stage reads what the one before has stored.

``build`` prepares what the agent will be asked and settles which option serves the role, ``run`` asks it, ``grade`` has judges read
the reasons, ``score`` computes, ``plot`` draws. A stage never repeats what an earlier one has paid for.
"""

from mmrole.jobs.bench.rolecde.build import BuildResult, build, estimate_audit
from mmrole.jobs.bench.rolecde.construct import ConstructResult, construct, estimate_construct
from mmrole.jobs.bench.rolecde.grade import GradeResult, estimate_grade, grade
from mmrole.jobs.bench.rolecde.mini import MiniResult, estimate_mini, mini
from mmrole.jobs.bench.rolecde.mini_plan import MiniPlan
from mmrole.jobs.bench.rolecde.published import TakenJudgements, take_judgements, take_outputs
from mmrole.jobs.bench.rolecde.review import compare_reviews, write_review
from mmrole.jobs.bench.rolecde.run import estimate_run, run
from mmrole.jobs.bench.rolecde.score import ScoreResult, score
from mmrole.jobs.bench.rolecde.similarity import Similarity
from mmrole.jobs.bench.rolecde.verify import VerifyResult, verify

__all__ = [
    "BuildResult",
    "ConstructResult",
    "GradeResult",
    "MiniPlan",
    "MiniResult",
    "ScoreResult",
    "Similarity",
    "TakenJudgements",
    "VerifyResult",
    "build",
    "compare_reviews",
    "construct",
    "estimate_audit",
    "estimate_construct",
    "estimate_grade",
    "estimate_mini",
    "estimate_run",
    "grade",
    "mini",
    "run",
    "score",
    "take_judgements",
    "take_outputs",
    "verify",
    "write_review",
]
