"""BERTScore (Zhang et al. 2020) with a model that is on this machine: the extra ``bertscore``."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from mmrole.core.errors import InputError, MissingExtraError, UsageError


@dataclass(frozen=True, kw_only=True, slots=True)
class BertMark:
    """BERTScore of one pair, without rescaling: cosines, in [-1, 1], in practice between .5 and 1.

    Attributes:
        f: harmonic mean of precision and recall
        precision: mean over the candidate's tokens of the best cosine in the reference
        recall: mean over the reference's tokens of the best cosine in the candidate
    """

    f: float
    precision: float
    recall: float


class BertScorer:
    """BERTScore through the package bert-score; nothing is fetched when `model` is a folder.

    Args:
        model: folder of a transformers model, or the name of one that is in the local cache
        layer: the layer whose outputs are compared; the last one when None. Published figures name their layer: give the same
        batch_size: pairs at a time

    Raises:
        MissingExtraError: the extra ``bertscore`` is not installed
        InputError: there is no such model here, or it has no such layer
    """

    def __init__(self, model: str | Path, *, layer: int | None = None, batch_size: int = 32) -> None:
        bert_score, transformers = _installed("bert_score"), _installed("transformers")
        name = str(model)
        try:
            config = transformers.AutoConfig.from_pretrained(name, local_files_only=True)
        except (OSError, ValueError):
            raise InputError(
                f"{name}: no transformers model here: name a folder with config.json and weights"
            ) from None
        layers = getattr(config, "num_hidden_layers", None)
        if not isinstance(layers, int):
            raise InputError(
                f"{name}: config.json says nothing of num_hidden_layers: BERTScore needs an encoder such as BERT"
            )
        if layer is not None and not 0 < layer <= layers:
            raise UsageError(f"layer {layer} of {name}: it has the layers 1 to {layers}")
        self.layer = layers if layer is None else layer
        self._batch_size = batch_size
        self._longest = _longest(config)
        self._scorer: Any = bert_score.BERTScorer(model_type=name, num_layers=self.layer, rescale_with_baseline=False)
        versions = f"bert-score={bert_score.__version__} transformers={transformers.__version__}"
        self.signature = f"{Path(name).name}_L{self.layer}_no-idf {versions}"

    def scores(self, pairs: Sequence[tuple[str, str]]) -> list[BertMark | None]:
        """The marks of pairs of candidate and reference.

        Args:
            pairs: texts with something in them

        Returns:
            one per pair; None where a text is longer than the model reads: a mark of its beginning would pass for one of all of it
        """
        marks: list[BertMark | None] = [None] * len(pairs)
        whole = [number for number, pair in enumerate(pairs) if all(self._fits(text) for text in pair)]
        if not whole:
            return marks
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the library, about its own use of others
            precision, recall, f = self._scorer.score(
                [pairs[number][0] for number in whole],
                [pairs[number][1] for number in whole],
                batch_size=self._batch_size,
            )
        for place, number in enumerate(whole):
            marks[number] = BertMark(f=float(f[place]), precision=float(precision[place]), recall=float(recall[place]))
        return marks

    def _fits(self, text: str) -> bool:
        return self._longest is None or len(self._scorer._tokenizer(text)["input_ids"]) <= self._longest


def _installed(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise MissingExtraError(f"BERTScore needs {name.replace('_', '-')}: pip install 'mmrole[bertscore]'") from None


def _longest(config: Any) -> int | None:
    longest = getattr(config, "max_position_embeddings", None)
    return longest if isinstance(longest, int) and longest > 0 else None
