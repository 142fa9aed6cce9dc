"""LIFECHOICE and CharMap: decisions of characters at turning points of whole novels.

"Character is Destiny" (arXiv 2404.12138). Three versions of the data set were published; their numbers are never mixed
(`textbench.lifechoice.references`). The stages are in `mmrole.jobs.bench.lifechoice`.
"""

from textbench.lifechoice.evaluation import Evaluation, evaluate
from textbench.lifechoice.items import Item, Items, read_items
from textbench.lifechoice.methods import Method, method_of
from textbench.lifechoice.motivations import GENRES, MOTIVATION_CLASSES, MOTIVATION_TYPES
from textbench.lifechoice.plan import LifeChoicePlan
from textbench.lifechoice.references import Reference, references

__all__ = [
    "GENRES",
    "MOTIVATION_CLASSES",
    "MOTIVATION_TYPES",
    "Evaluation",
    "Item",
    "Items",
    "LifeChoicePlan",
    "Method",
    "Reference",
    "evaluate",
    "method_of",
    "read_items",
    "references",
]
