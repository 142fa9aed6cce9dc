"""RoleCDE-mini: answers of a teacher model under label constraints, filtered by a judge and by rules, as corpora for SFT and DPO.

RoleCDE (arXiv 2606.01552), section on RoleCDE-mini. The rules use the concession markers that also cross-check the judge of the
benchmark: what an agent gains by this training is partly circular, and belongs beside figures that do not use them.
"""

from textbench.rolecde.mini.answers import TeacherAnswer, read_answers, teacher_items, verification_calls
from textbench.rolecde.mini.corpora import Corpora, build_corpora
from textbench.rolecde.mini.rules import RULES, Rules, failures

__all__ = [
    "RULES",
    "Corpora",
    "Rules",
    "TeacherAnswer",
    "build_corpora",
    "failures",
    "read_answers",
    "teacher_items",
    "verification_calls",
]
