"""The texts of a run, cut into chunks and made searchable; what is needed several times is made once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from textbench.chunks import Chunk, chunks
from textbench.lifechoice.methods import MemoryKind
from textbench.retrieval import Memory, Ranked, Retriever
from textbench.tokens import TokenCounter

KEPT: Final = 4
"""So many texts are kept: what is asked about one comes one after the other."""

Searchable = Callable[[Sequence[str]], Memory]
K = TypeVar("K")
V = TypeVar("V")


class Library:
    """Chunks and memories of texts.

    Args:
        chunk: most tokens of a chunk
        counter: of tokens
        embedded: makes chunks searchable by embeddings; None where no method needs it
    """

    def __init__(self, *, chunk: int, counter: TokenCounter, embedded: Searchable | None = None) -> None:
        self.counter = counter
        self._chunk = chunk
        self._makers: dict[MemoryKind, Searchable | None] = {"bm25": Retriever, "embedding": embedded}
        self._parts: OrderedDict[str, list[Chunk]] = OrderedDict()
        self._memories: OrderedDict[tuple[str, MemoryKind], Memory] = OrderedDict()

    def parts(self, text: str) -> list[Chunk]:
        """The chunks of a text."""
        return _kept(self._parts, text, lambda: chunks(text, self._chunk, self.counter))

    def ranked(self, text: str, kind: MemoryKind, queries: Sequence[str]) -> list[Ranked]:
        """The chunks that bear on each query, the best first."""
        memory = self.memory(text, kind)
        return [memory.ranked(query) for query in queries]

    def memory(self, text: str, kind: MemoryKind) -> Memory:
        """The chunks of a text, searchable.

        Raises:
            ValueError: the library was made without this kind
        """

        def searchable() -> Memory:
            make = self._makers[kind]
            if make is None:
                raise ValueError(f"this library has no {kind} memory")
            return make([part.text for part in self.parts(text)])

        return _kept(self._memories, (text, kind), searchable)


def _kept(store: OrderedDict[K, V], key: K, make: Callable[[], V]) -> V:
    if key not in store:
        store[key] = make()
        while len(store) > KEPT:
            store.popitem(last=False)
    store.move_to_end(key)
    return store[key]
