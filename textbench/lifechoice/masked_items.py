"""Items with placeholders for everything that would tell which book they are from."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mmrole.core.errors import UsageError
from textbench.entities import EntityMap
from textbench.lifechoice.items import Item
from textbench.residuals import Residual, ResidualFinder


@dataclass(frozen=True, kw_only=True)
class MaskedItem:
    """A masked item.

    Attributes:
        item: the item; id, book, genres and unknown keys are as they were, and are never shown to an agent
        residual: what is left in its texts
    """

    item: Item
    residual: Residual


class ItemMasker:
    """Masks items by one map: story, scenario, question, options, description, motivation and the character's name.

    Args:
        entities: the map of the items' book
    """

    def __init__(self, entities: EntityMap) -> None:
        self.entities = entities
        self._finder = ResidualFinder(entities)

    def mask(self, item: Item) -> MaskedItem:
        """The item with placeholders.

        Raises:
            UsageError: the map does not have the character who decides
        """
        if self.entities.placeholder(item.character) is None:
            raise UsageError(
                f"{item.item_id}: the entity map has no entry for {item.character!r}, who decides: add the name to its characters"
            )
        total = Residual(replaced=0, remaining={})

        def masked(text: str) -> str:
            nonlocal total
            shown, left = self._finder.mask(text)
            total += left
            return shown

        changed = replace(
            item,
            character=self.entities.mask(item.character),
            text=masked(item.text),
            scenario=masked(item.scenario),
            question=masked(item.question),
            options=tuple(masked(option) for option in item.options),
            description=None if item.description is None else masked(item.description),
            motivation=None if item.motivation is None else replace(item.motivation, text=masked(item.motivation.text)),
        )
        return MaskedItem(item=changed, residual=total)
