"""How much of one text is in another: ROUGE and BLEU of one pair, in English and Chinese.

ROUGE (Lin 2004) over words in lower case, stemmed as the package rouge-score stems them, and over single Chinese characters: with
its own tokenizer, which knows ASCII only, a Chinese text scores 0 against itself. BLEU (Papineni et al. 2002) is that of one sentence,
with sacreBLEU's tokenizer of the language and effective order, so that a text shorter than four words can reach 100.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from mmrole.core.errors import MissingExtraError, UsageError
from mmrole.core.languages import Language

if TYPE_CHECKING:
    from collections.abc import Sequence

ROUGES: Final = ("rouge1", "rouge2", "rougeL")

_HAN: Final = r"\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_PIECE: Final = re.compile(f"[{_HAN}]|[^\\W_{_HAN}]+")
_ANY_HAN: Final = re.compile(f"[{_HAN}]")
_BLEU_TOKENIZER: Final = {"en": "13a", "zh": "zh"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Rouge:
    """One ROUGE of a pair.

    Attributes:
        f: harmonic mean of precision and recall, in [0, 1]
        precision: share of the candidate's units that the reference has
        recall: share of the reference's units that the candidate has
    """

    f: float
    precision: float
    recall: float


def language_of(text: str) -> Language:
    """``zh`` where more than half of the pieces of a text (words, Chinese characters) are Chinese characters, else ``en``.

    >>> language_of("守护数据的人 GDPR"), language_of("the word 道")
    ('zh', 'en')
    """
    pieces = _PIECE.findall(text)
    return "zh" if 2 * sum(1 for piece in pieces if _ANY_HAN.match(piece)) > len(pieces) else "en"


def words(text: str) -> list[str]:
    """Words in lower case without punctuation, and single Chinese characters.

    >>> words("她说: Don't panic!")
    ['她', '说', 'don', 't', 'panic']
    """
    return _PIECE.findall(text.lower())


class _UnicodeTokenizer:
    """`words`, stemmed where they are ASCII, in the form that rouge-score asks for."""

    def __init__(self) -> None:
        from rouge_score.tokenizers import DefaultTokenizer

        self._stemmed = lru_cache(maxsize=65536)(DefaultTokenizer(use_stemmer=True).tokenize)

    def tokenize(self, text: str) -> list[str]:
        """The units that ROUGE counts."""
        found: list[str] = []
        for word in words(text):
            found += self._stemmed(word) if word.isascii() else [word]
        return found


@lru_cache(maxsize=1)
def _rouge_scorer() -> Any:
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError:
        raise MissingExtraError("ROUGE needs rouge-score: pip install 'mmrole[similarity]'") from None
    return RougeScorer(list(ROUGES), tokenizer=_UnicodeTokenizer())


@lru_cache(maxsize=2)
def _bleu_scorer(language: Language) -> Any:
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError:
        raise MissingExtraError("BLEU needs sacreBLEU: pip install 'mmrole[similarity]'") from None
    return BLEU(tokenize=_BLEU_TOKENIZER[language], effective_order=True)


def rouge(candidate: str, reference: str) -> dict[str, Rouge]:
    """ROUGE-1, -2 and -L of a candidate against one reference.

    Args:
        candidate: any text
        reference: any text

    Returns:
        ``rouge1``, ``rouge2``, ``rougeL``; a reference of one word has no pair of words to find, and ROUGE-2 is left out

    Raises:
        UsageError: something else than two texts
        MissingExtraError: rouge-score is not installed
    """
    require_texts(candidate, reference)
    found = _rouge_scorer().score(reference, candidate)
    no_pairs = len(words(reference)) < 2
    return {
        name: Rouge(f=float(one.fmeasure), precision=float(one.precision), recall=float(one.recall))
        for name, one in found.items()
        if not (name == "rouge2" and no_pairs)
    }


def bleu(candidate: str, reference: str, *, language: Language) -> float:
    """BLEU of one candidate against one reference, 0 to 100.

    Args:
        candidate: any text
        reference: any text
        language: whose tokenizer is used

    Raises:
        UsageError: something else than two texts
        MissingExtraError: sacreBLEU is not installed
    """
    require_texts(candidate, reference)
    value = float(_bleu_scorer(language).sentence_score(candidate, [reference]).score)
    return min(max(value, 0.0), 100.0)  # identical texts give 100.00000000000004


def bleu_signature(language: Language) -> str:
    """SacreBLEU's own description of what it computes, version included (Post 2018)."""
    scorer = _bleu_scorer(language)
    scorer.sentence_score("a", ["a"])  # it knows the number of references only after it has seen one
    return str(scorer.get_signature())


def require_texts(*texts: object) -> None:
    """Refuses what is no text.

    Raises:
        UsageError: it is something else
    """
    for text in texts:
        if not isinstance(text, str):  # a list would be compared item by item, a text in a list character by character
            raise UsageError(f"similarity compares two texts, not a {type(text).__name__}")


def require_languages(given: Sequence[str]) -> None:
    """Refuses a language without a tokenizer.

    Raises:
        UsageError: it is not en or zh
    """
    for language in given:
        if language not in _BLEU_TOKENIZER:
            raise UsageError(f"language {language!r}: there are en and zh")
