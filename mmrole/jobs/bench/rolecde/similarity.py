"""How near the agent's reasons are to the personal values: records and scores of `mmrole bench rolecde score` with similarity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from mmrole.core.canonical import Record
from mmrole.core.errors import UsageError
from mmrole.jobs.bench.rolecde.stages import Place
from textbench.rolecde.bert_score import BertScorer
from textbench.rolecde.dbr_metrics import DECISIONS
from textbench.rolecde.deciding import Decision, decisions_of
from textbench.rolecde.evaluation import FLAGGED, By, Items, Rated
from textbench.rolecde.overlap import ROUGES
from textbench.rolecde.similarity import Pair, PairSimilarity, pair_similarities, similarity

SIMILARITY: Final = "similarity.jsonl"
PREFIX: Final = "similarity_"
_LENGTHS: Final = ("candidate_words", "reference_words")
_OVERLAPS: Final = ("bleu", *(f"{name}_{what}" for name in ROUGES for what in ("f", "recall")))
_BERT: Final = ("bertscore_f", "bertscore_recall")


@dataclass(frozen=True, kw_only=True)
class Similarity:
    """How similarity is computed.

    Attributes:
        bertscore_model: folder of a transformers model, which adds BERTScore; None for none
        bertscore_layer: the layer that is compared; the last one when None
    """

    bertscore_model: str | Path | None = None
    bertscore_layer: int | None = None

    def __post_init__(self) -> None:
        if self.bertscore_layer is not None and self.bertscore_model is None:
            raise UsageError("a layer for BERTScore was given and no model: name its folder, too")

    def scorer(self) -> BertScorer | None:
        """Opens the model.

        Raises:
            MissingExtraError: the extra ``bertscore`` is not installed
            InputError: there is no such model here
        """
        if self.bertscore_model is None:
            return None
        return BertScorer(self.bertscore_model, layer=self.bertscore_layer)


@dataclass(frozen=True, kw_only=True)
class Similarities:
    """The similarity of every decision of a run.

    Attributes:
        decisions: one per dilemma, order and run
        found: what came of each; without an option there are no reasons, and ``reason`` is ``choice_`` with the status
        bert: gave the BERTScore; None for none
    """

    decisions: Sequence[Decision]
    found: Sequence[PairSimilarity]
    bert: BertScorer | None

    def records(self, types: Mapping[str, str | None] | None = None) -> Iterator[Record]:
        """The lines of ``similarity.jsonl``; a value that is not there is null.

        Args:
            types: key of a decision -> RF, RC, AC or AF; None without grades
        """
        names = (*_LENGTHS, *_OVERLAPS, *(() if self.bert is None else _BERT))
        for decision, one in zip(self.decisions, self.found, strict=True):
            yield {
                "persona": decision.persona,
                "level": decision.level,
                "order": decision.order,
                "run": decision.run,
                "decision": (types or {}).get(decision.key),
                "language": one.language,
                "reason": one.reason,
                **{name: one.values.get(name) for name in names},
            }

    def scores(
        self,
        types: Mapping[str, str | None] | None = None,
        flagged: frozenset[tuple[str, str]] = frozenset(),
        *,
        bootstrap: int = 1000,
        seed: int = 0,
    ) -> list[Rated]:
        """Means over all decisions and, where there are several, by language and by decision type.

        Args:
            types: see `records`
            flagged: (id of the persona, level) of dilemmas in doubt, which are left out of the scores ``without_flagged``
            bootstrap: draws of the intervals (personas are drawn); 0 for none
            seed: of the draws

        Returns:
            metrics ``similarity_bleu``, ``similarity_rouge1_f``, ...; the part is ``all``, a language or a decision type
        """
        known = types or {}
        languages = sorted({one.language for one in self.found})
        divisions: list[tuple[By, str]] = [("all", "all")]
        if len(languages) > 1:
            divisions += [("language", each) for each in languages]
        divisions += [("decision", each) for each in DECISIONS if each in known.values()]
        out: list[Rated] = []
        choices: tuple[Items, Items] = ("all", "without_flagged")
        for items in choices:
            for by, part in divisions:
                there = [
                    replace(one, values={}, reason=FLAGGED) if items != "all" and _unit(decision) in flagged else one
                    for decision, one in zip(self.decisions, self.found, strict=True)
                    if part in ("all", one.language if by == "language" else known.get(decision.key))
                ]
                for name, score in similarity(there, bert=self.bert, bootstrap=bootstrap, seed=seed).items():
                    renamed = replace(score, metric=f"{PREFIX}{name}", part=part)
                    out.append(Rated(score=renamed, by=by, items=items))
        return out


def _unit(decision: Decision) -> tuple[str, str]:
    return decision.persona, decision.level


def similarities(place: Place, how: Similarity) -> Similarities:
    """Compares the reasons of every decision with the personal value of its persona.

    Raises:
        StoreError: there are no answers
        MissingExtraError: the extra ``similarity`` or ``bertscore`` is not installed
        InputError: there is no such model here
    """
    bert = how.scorer()
    decisions = list(decisions_of(place.plan, place.personas.values(), place.folder.answers()))
    chosen = [each for each in decisions if each.option is not None]
    pairs = [
        Pair(
            item_id=each.key,
            cluster=each.persona,
            candidate=each.reasoning,
            reference=place.personas[each.persona].personal_value,
            language=place.personas[each.persona].language,
        )
        for each in chosen
    ]
    found = {one.item_id: one for one in pair_similarities(pairs, bert=bert)}
    return Similarities(
        decisions=decisions,
        found=[found.get(each.key) or _without(each, place) for each in decisions],
        bert=bert,
    )


def _without(decision: Decision, place: Place) -> PairSimilarity:
    language = place.personas[decision.persona].language
    return PairSimilarity(
        item_id=decision.key, cluster=decision.persona, language=language, reason=f"choice_{decision.status}"
    )
