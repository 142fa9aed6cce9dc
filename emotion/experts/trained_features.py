"""Character n-grams of an utterance and of the utterances before it, as weighted vectors (tf-idf).

Training and prediction go through the same code, so that they cannot differ. The numbers are those of scikit-learn's
``TfidfVectorizer(analyzer="char", sublinear_tf=True)``, one per field: tf = 1 + ln(count), idf = ln((1 + N) / (1 + df)) + 1, each vector
of length 1 (Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, 6.2 to 6.4).
"""

from __future__ import annotations

import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse

Texts = tuple[str, ...]
"""An utterance and those before it, the nearest first; empty where there is none."""


def plain(text: str) -> str:
    """A text as its n-grams are counted: NFKC, lower case, white space as one blank."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def ngrams(text: str, longest: int) -> Counter[str]:
    """How often each sequence of 1 to `longest` characters is in a text.

    >>> sorted(ngrams("aba", 2).items())
    [('a', 2), ('ab', 1), ('b', 1), ('ba', 1)]
    """
    text = plain(text)
    return Counter(text[at : at + n] for n in range(1, longest + 1) for at in range(len(text) - n + 1))


@dataclass(frozen=True, kw_only=True, eq=False)
class Field:
    """The n-grams that are known of one place: the utterance, the one before it, the one before that.

    Attributes:
        vocabulary: the n-grams, sorted, F of them
        idf: shape (F,), float32
        longest: characters of the longest n-gram
        weight: of the whole vector beside those of the other fields
    """

    vocabulary: tuple[str, ...]
    idf: npt.NDArray[np.float32]
    longest: int
    weight: float

    @classmethod
    def learned(cls, texts: Sequence[str], *, longest: int, weight: float, fewest: int) -> Self:
        """From the texts of a training set.

        Args:
            texts: N of them
            longest: characters of the longest n-gram
            weight: see the class
            fewest: n-grams in fewer texts than this are left out
        """
        found: Counter[str] = Counter()
        for text in texts:
            found.update(ngrams(text, longest).keys())
        kept = sorted(ngram for ngram, count in found.items() if count >= fewest)
        counts = np.array([found[ngram] for ngram in kept], dtype=np.float64)
        idf = np.log((1 + len(texts)) / (1 + counts)) + 1
        return cls(vocabulary=tuple(kept), idf=idf.astype(np.float32), longest=longest, weight=weight)

    @cached_property
    def _position(self) -> dict[str, int]:
        return {ngram: position for position, ngram in enumerate(self.vocabulary)}

    def matrix(self, texts: Iterable[str]) -> Any:
        """Vectors of length `weight` (0 where a text has no known n-gram), a sparse matrix of shape (texts, F)."""
        ends, columns, values = array("q", [0]), array("q"), array("d")
        for text in texts:
            for ngram, count in sorted(ngrams(text, self.longest).items()):
                column = self._position.get(ngram)
                if column is not None:
                    columns.append(column)
                    values.append(count)
            ends.append(len(columns))
        place = np.array(columns, dtype=np.int64)
        data = (1 + np.log(np.array(values, dtype=np.float64))) * self.idf[place]
        rows = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
        lengths = np.sqrt(np.bincount(rows, weights=data**2, minlength=len(ends) - 1))
        data *= self.weight / lengths[rows]
        shape = (len(ends) - 1, len(self.vocabulary))
        return sparse.csr_matrix((data, place, np.array(ends, dtype=np.int64)), shape=shape)


@dataclass(frozen=True, kw_only=True, eq=False)
class TextFeatures:
    """The fields side by side.

    Attributes:
        fields: the utterance, then what comes before it, the nearest first
    """

    fields: tuple[Field, ...]

    @classmethod
    def learned(cls, texts: Sequence[Texts], *, longest: int, weights: Sequence[float], fewest: int) -> Self:
        """From a training set (see `Field.learned`); one weight per field."""
        return cls(
            fields=tuple(
                Field.learned([row[number] for row in texts], longest=longest, weight=weight, fewest=fewest)
                for number, weight in enumerate(weights)
            )
        )

    @property
    def size(self) -> int:
        """Number of columns."""
        return sum(len(field.vocabulary) for field in self.fields)

    def matrix(self, texts: Sequence[Texts]) -> Any:
        """The vectors of all fields side by side, a sparse matrix of shape (texts, size)."""
        parts = [field.matrix(row[number] for row in texts) for number, field in enumerate(self.fields)]
        return sparse.hstack(parts, format="csr")
