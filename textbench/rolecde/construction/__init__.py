"""From a line about a person to a persona with three dilemmas, and how people verify it.

RoleCDE (arXiv 2606.01552), section on the construction of the data: seed -> profile -> scenario -> values -> dilemmas -> category.
Each step is a call of a model with a schema; what does not fit drops out with its reason.
"""

from textbench.rolecde.construction.drafts import STEPS, Draft, Seed, read_seeds
from textbench.rolecde.construction.pipeline import Constructed, construct
from textbench.rolecde.construction.verification import Verification, sheet_rows, verify

__all__ = [
    "STEPS",
    "Constructed",
    "Draft",
    "Seed",
    "Verification",
    "construct",
    "read_seeds",
    "sheet_rows",
    "verify",
]
