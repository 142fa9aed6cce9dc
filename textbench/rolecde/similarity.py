"""How near an agent's reasoning is to the personal value of its persona: BLEU, ROUGE, BERTScore, with recall and length beside them.

RoleCDE (arXiv 2606.01552) compares the reasoning (candidate) with ``personal_value`` (reference). **Read the F measures and BLEU with the
lengths**: they fall with every word that the reference does not have. Thirty-three neutral words around the same sentence take BLEU
from 63.9 to 11.3, while the recall of ROUGE-L stays 1. A difference between two agents can be one of how much they write.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from mmrole.core.bootstrap import Estimate, mean_of_sums, require_draws
from mmrole.core.canonical import Record
from mmrole.core.errors import UsageError
from mmrole.core.languages import Language
from mmrole.core.scores import Score, definition
from textbench.rolecde.overlap import (
    ROUGES,
    bleu,
    bleu_signature,
    language_of,
    require_languages,
    require_texts,
    rouge,
    words,
)

if TYPE_CHECKING:
    from textbench.rolecde.bert_score import BertScorer

METRIC: Final = "similarity"
TOO_LONG: Final = "longer_than_the_model_reads"
"""Why a pair has no BERTScore beside other values."""
NO_PAIR: Final = "reference_of_one_word"
"""Why a pair has no ROUGE-2 beside other values."""
_BOUNDS: Final = {"bleu": (0.0, 100.0), "bertscore_f": (-1.0, 1.0), "bertscore_recall": (-1.0, 1.0)}
_LENGTHS: Final = ("candidate_words", "reference_words")


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """A reasoning and the value that it is compared with.

    Attributes:
        item_id: of the decision
        cluster: the persona, whose decisions are drawn together
        candidate: the reasoning; None or blank where there is none
        reference: the personal value
        language: en or zh; None lets the reference decide, see `textbench.rolecde.overlap.language_of`
    """

    item_id: str
    cluster: str
    candidate: str | None
    reference: str
    language: Language | None = None


@dataclass(frozen=True, kw_only=True)
class PairSimilarity:
    """What came of one pair.

    Attributes:
        item_id: of the pair
        cluster: of the pair
        language: whose tokenizers were used
        values: name -> value; empty where there is nothing to compare
        reason: ``empty_reasoning``, ``empty_reference``, ``no_words`` (nothing but punctuation); None where there are values
    """

    item_id: str
    cluster: str
    language: Language
    values: dict[str, float] = field(default_factory=dict)
    reason: str | None = None

    def to_record(self) -> Record:
        """One line of ``similarity.jsonl``."""
        return {
            "item_id": self.item_id, "persona": self.cluster, "language": self.language, "reason": self.reason, **self.values,
        }  # fmt: skip


def pair_similarities(pairs: Iterable[Pair], *, bert: BertScorer | None = None) -> list[PairSimilarity]:
    """BLEU, ROUGE and lengths of every pair.

    Args:
        pairs: what is compared
        bert: adds ``bertscore_f`` and ``bertscore_recall``

    Returns:
        one per pair, in their order; ``values`` has bleu (0-100), rouge1_f, rouge1_recall, rouge2_f, ... rougeL_recall (0-1),
        candidate_words, reference_words

    Raises:
        UsageError: a text is no text, or the language has no tokenizer
        MissingExtraError: the extra ``similarity`` is not installed
    """
    given = list(pairs)
    require_languages([pair.language for pair in given if pair.language is not None])
    found = [_of_pair(pair) for pair in given]
    if bert is not None:
        there = [number for number, one in enumerate(found) if one.reason is None]
        marks = bert.scores([(given[number].candidate or "", given[number].reference) for number in there])
        for number, mark in zip(there, marks, strict=True):
            if mark is not None:
                found[number].values.update(bertscore_f=mark.f, bertscore_recall=mark.recall)
    return found


def _of_pair(pair: Pair) -> PairSimilarity:
    candidate = pair.candidate if pair.candidate is not None else ""
    require_texts(candidate, pair.reference)
    language = pair.language or language_of(pair.reference)
    values: dict[str, float] = {}
    reason = None
    if not candidate.strip():
        reason = "empty_reasoning"
    elif not pair.reference.strip():
        reason = "empty_reference"
    elif not words(candidate) or not words(pair.reference):
        reason = "no_words"
    else:
        values["bleu"] = bleu(candidate, pair.reference, language=language)
        for name, one in rouge(candidate, pair.reference).items():
            values |= {f"{name}_f": one.f, f"{name}_recall": one.recall}
        values |= {"candidate_words": len(words(candidate)), "reference_words": len(words(pair.reference))}
    return PairSimilarity(item_id=pair.item_id, cluster=pair.cluster, language=language, values=values, reason=reason)


def similarity(
    pairs: Iterable[Pair | PairSimilarity],
    *,
    bert: BertScorer | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> dict[str, Score]:
    """Means over the pairs that can be compared.

    Args:
        pairs: pairs, or what `pair_similarities` made of them
        bert: see `pair_similarities`
        bootstrap: draws of the intervals (whole personas are drawn); 0 for none
        seed: of the draws

    Returns:
        bleu, rouge1_f, rouge1_recall, rouge2_f, rouge2_recall, rougeL_f, rougeL_recall, with `bert` bertscore_f and
        bertscore_recall; ``n`` pairs, ``excluded`` by reason, ``details`` the mean lengths in words (Chinese: characters) and
        pairs by language. Nothing to compare: null, ``no_pairs``

    Raises:
        UsageError: see `pair_similarities`
        MissingExtraError: see there
    """
    require_draws(bootstrap)
    given = list(pairs)
    found = [one for one in given if isinstance(one, PairSimilarity)]
    if len(found) < len(given):
        if found:
            raise UsageError("similarity takes pairs or what was made of them, not both")
        found = pair_similarities([one for one in given if isinstance(one, Pair)], bert=bert)
    names = ["bleu", *(f"{name}_{what}" for name in ROUGES for what in ("f", "recall"))]
    if any("bertscore_f" in one.values for one in found) or bert is not None:
        names += ["bertscore_f", "bertscore_recall"]
    how = {name: _how(name, found, bert) for name in names}
    return {name: _mean(name, found, how[name], bootstrap, seed) for name in names}


def _how(name: str, found: Sequence[PairSimilarity], bert: BertScorer | None) -> str:
    if name == "bleu":
        languages = sorted({one.language for one in found if one.values}) or ["en"]
        return " ".join(f"{language}:{bleu_signature(language)}" for language in languages)
    if name.startswith("bertscore"):
        return "stored" if bert is None else bert.signature
    return "unicode-words+porter"


def _mean(name: str, found: Sequence[PairSimilarity], how: str, draws: int, seed: int) -> Score:
    counted = [one for one in found if name in one.values]
    rows = np.array([[one.values[name], 1.0] for one in counted]).reshape(-1, 2)
    estimate = Estimate(rows=rows, statistic=mean_of_sums)
    # only what has a value is drawn: a persona without any would make the interval of a single other one look like one of two
    ci = estimate.interval([one.cluster for one in counted], draws=draws, seed=seed) if counted else None
    undefined = TOO_LONG if name.startswith("bertscore") else NO_PAIR
    excluded = Counter(one.reason or undefined for one in found if name not in one.values)
    lengths = {f"mean_{what}": _average([one.values[what] for one in counted]) for what in _LENGTHS}
    return Score(
        metric=METRIC,
        part=name,
        value=estimate.value() if counted else None,
        n=len(counted),
        excluded=dict(excluded),
        ci=ci if ci and ci[0] < ci[1] else None,  # personas that are alike show no spread, but are no certainty
        definition=definition(f"rolecde/{name}/v1", tokens=how),
        bounds=_BOUNDS.get(name, (0.0, 1.0)),
        direction="up",
        reason=None if counted else "no_pairs",
        details={**lengths, "languages": dict(Counter(one.language for one in counted))},
    )


def _average(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
