"""From whole novels to LifeChoice items: a model finds decisions and writes the questions, code cuts the story, people filter.

"Character is Destiny" (arXiv 2404.12138), section 3, where experts' analyses of the books were the source. Here the source is the
novel alone: a model reads a passage and names a decision in it, by a quotation that has to be found in the text word by word. The
story before it (D) is a verbatim beginning of the novel. No call after the first shows anything that comes after the quotation, and
nothing from the quotation on is in the item's story.
"""

from textbench.lifechoice.construction.drafts import DecisionDraft
from textbench.lifechoice.construction.filtering import CRITERIA, Filtered, filter_items, review_rows
from textbench.lifechoice.construction.novels import Novel, NovelChoice, choose_novels
from textbench.lifechoice.construction.pipeline import ItemsBuilt, Where, build_items

__all__ = [
    "CRITERIA",
    "DecisionDraft",
    "Filtered",
    "ItemsBuilt",
    "Novel",
    "NovelChoice",
    "Where",
    "build_items",
    "choose_novels",
    "filter_items",
    "review_rows",
]
