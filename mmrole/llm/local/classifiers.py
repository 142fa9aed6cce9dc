"""Classifiers in this process: text, text with labels given on the spot (zero-shot), and sound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mmrole.core.canonical import Record
from mmrole.core.errors import ModelError, UsageError
from mmrole.llm.local.loading import load, load_network, require_local, torch, weights_of


@dataclass(frozen=True, kw_only=True)
class Classification:
    """What a classifier says of one input.

    Attributes:
        scores: probability by label, 0 to 1; they sum to 1 unless the model lets several labels hold at once. Empty when there is
            nothing to classify
        truncated: the input was longer than the model takes, and its end was not seen
        reason: why there are no scores: ``empty``, ``too_short``, ``silent``, ``not_finite``
    """

    scores: Mapping[str, float] = field(default_factory=dict)
    truncated: bool = False
    reason: str | None = None

    @property
    def label(self) -> str | None:
        """The likeliest label, None when there are no scores."""
        return max(self.scores, key=lambda label: self.scores[label], default=None)


class _Classifier:
    """What the classifiers share: where the model is, and that it is loaded when it is first needed."""

    _network_class = ""

    def __init__(self, model: str | Path, *, device: str = "cpu", dtype: str = "auto") -> None:
        require_local()
        self.model = str(model)
        self.device = device
        self.dtype = dtype

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r}, device={self.device!r}, dtype={self.dtype!r})"

    @cached_property
    def identity(self) -> Record:
        """Model, weights, number format and device."""
        return {
            "kind": type(self).__name__,
            "model": self.model,
            "weights": weights_of(self.model),
            "dtype": self.dtype,
            "device": self.device,
        }

    @cached_property
    def _network(self) -> Any:
        return load_network(self._network_class, self.model, device=self.device, dtype=self.dtype)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The model's labels, in its order."""
        names = self._network.config.id2label
        return tuple(str(names[index]) for index in sorted(names))

    def _logits(self, inputs: Mapping[str, Any]) -> Any:
        library = torch()
        with library.inference_mode():
            placed = {name: value.to(self.device) for name, value in inputs.items()}
            return self._network(**placed).logits.float().cpu()


class _TextModel(_Classifier):
    _network_class = "AutoModelForSequenceClassification"

    def __init__(self, model: str | Path, *, device: str = "cpu", dtype: str = "auto", batch_size: int = 32) -> None:
        super().__init__(model, device=device, dtype=dtype)
        if batch_size < 1:
            raise UsageError(f"a batch of {batch_size} texts makes no sense: give 1 or more")
        self.batch_size = batch_size

    @cached_property
    def _tokenizer(self) -> Any:
        return load("AutoTokenizer", self.model)

    @cached_property
    def _longest(self) -> int:
        """Tokens that the model takes; some tokenizers do not know and claim 10^30."""
        context = getattr(self._network.config, "max_position_embeddings", None) or 512
        return int(min(self._tokenizer.model_max_length, context))

    def _all_logits(self, texts: Sequence[Any]) -> tuple[Any, list[bool]]:
        """Logits (texts x labels) and whether a text was cut; short texts share a batch with short ones."""
        library, tokenizer = torch(), self._tokenizer
        lengths = [len(ids) for ids in tokenizer(list(texts), truncation=False, verbose=False)["input_ids"]]
        order = sorted(range(len(texts)), key=lambda index: lengths[index])
        size = self.batch_size if tokenizer.pad_token_id is not None else 1
        rows: dict[int, Any] = {}
        for start in range(0, len(order), size):
            chosen = order[start : start + size]
            inputs = tokenizer(
                [texts[index] for index in chosen],
                padding=size > 1,
                truncation=True,
                max_length=self._longest,
                return_tensors="pt",
            )
            rows.update(zip(chosen, self._logits(inputs), strict=True))
        return library.stack([rows[index] for index in range(len(texts))]), [n > self._longest for n in lengths]


class TextClassifier(_TextModel):
    """Classifies text into the labels that the model was trained on.

    Args:
        model: folder, or name on the model hub
        device: ``cpu``, ``cuda``, ``cuda:1``, ...
        dtype: ``auto``, ``float32``, ``bfloat16``, ...
        batch_size: texts at once

    Raises:
        MissingExtraError: the extra ``local`` is not installed
    """

    def classify(self, texts: Sequence[str]) -> list[Classification]:
        """One classification per text, in their order; a text of nothing but white space has no scores.

        Raises:
            ModelFileError: the model cannot be loaded
        """
        present = [index for index, text in enumerate(texts) if text.strip()]
        found = [Classification(reason="empty")] * len(texts)
        if not present:
            return found
        logits, cut = self._all_logits([texts[index] for index in present])
        several = self._network.config.problem_type == "multi_label_classification"
        shares = logits.sigmoid() if several or len(self.labels) == 1 else logits.softmax(dim=-1)
        for index, row, truncated in zip(present, shares.tolist(), cut, strict=True):
            found[index] = Classification(scores=dict(zip(self.labels, row, strict=True)), truncated=truncated)
        return found


class ZeroShotClassifier(_TextModel):
    """Classifies text into labels given on the spot, with a model trained on natural language inference.

    A label's probability is that of the hypothesis ``template`` with the label in it following from the text (Yin, Hay and Roth 2019,
    Benchmarking Zero-shot Text Classification, section 5).

    Args:
        model: folder, or name on the model hub
        device: ``cpu``, ``cuda``, ``cuda:1``, ...
        dtype: ``auto``, ``float32``, ``bfloat16``, ...
        batch_size: pairs of text and hypothesis at once

    Raises:
        MissingExtraError: the extra ``local`` is not installed
    """

    @cached_property
    def _entailment(self) -> int:
        found = [index for index, label in enumerate(self.labels) if label.lower().startswith("entail")]
        if len(found) != 1:
            raise ModelError(
                f"the model {self.model} has the labels {', '.join(self.labels)}, not one of them entailment: "
                "choose one that is trained on natural language inference"
            )
        return found[0]

    def classify(
        self, texts: Sequence[str], labels: Sequence[str], *, template: str = "This text expresses {}."
    ) -> list[Classification]:
        """One classification per text, in their order; the probabilities sum to 1.

        Args:
            texts: what to classify
            labels: two or more, each different
            template: the hypothesis, with ``{}`` in the place of the label

        Raises:
            UsageError: labels or template make no sense
            ModelError: the model knows no entailment
        """
        if len(set(labels)) != len(labels) or len(labels) < 2:
            raise UsageError("zero-shot classification needs two labels or more, each different")
        if template.count("{}") != 1:
            raise UsageError(f"the template {template!r} must have one {{}} in the place of the label")
        present = [index for index, text in enumerate(texts) if text.strip()]
        found = [Classification(reason="empty")] * len(texts)
        if not present:
            return found
        entailment = self._entailment
        hypotheses = [template.replace("{}", label) for label in labels]
        logits, cut = self._all_logits([(texts[index], said) for index in present for said in hypotheses])
        shares = logits[:, entailment].reshape(len(present), len(labels)).softmax(dim=-1)
        for place, (index, row) in enumerate(zip(present, shares.tolist(), strict=True)):
            truncated = any(cut[place * len(labels) : (place + 1) * len(labels)])
            found[index] = Classification(scores=dict(zip(labels, row, strict=True)), truncated=truncated)
        return found


class AudioClassifier(_Classifier):
    """Classifies sound into the labels that the model was trained on, such as the emotions of speech.

    Each sound is classified by itself: padding it to the length of others would change the result of some models.

    Args:
        model: folder, or name on the model hub
        device: ``cpu``, ``cuda``, ``cuda:1``, ...
        dtype: ``auto``, ``float32``, ``bfloat16``, ...

    Raises:
        MissingExtraError: the extra ``local`` is not installed
    """

    _network_class = "AutoModelForAudioClassification"
    shortest_s = 0.025
    """The first layers of such models look at 25 ms at once."""

    @cached_property
    def _extractor(self) -> Any:
        return load("AutoFeatureExtractor", self.model)

    @cached_property
    def sample_rate_hz(self) -> int:
        """The rate at which the model wants its sound."""
        return int(self._extractor.sampling_rate)

    def classify(self, sounds: Sequence[npt.NDArray[np.float32]], *, sample_rate_hz: int) -> list[Classification]:
        """One classification per sound, in their order.

        Args:
            sounds: one channel each, shape (samples,), -1 to 1
            sample_rate_hz: of all of them

        Raises:
            UsageError: not the model's rate, or not one channel
            ModelFileError: the model cannot be loaded
        """
        if sample_rate_hz != self.sample_rate_hz:
            raise UsageError(f"the model {self.model} wants sound at {self.sample_rate_hz} Hz, not {sample_rate_hz} Hz")
        return [self._one(np.asarray(sound, dtype=np.float32)) for sound in sounds]

    def _one(self, sound: npt.NDArray[np.float32]) -> Classification:
        if sound.ndim != 1:
            raise UsageError(f"sound must have one channel, shape (samples,), not {sound.shape}")
        if sound.size < self.shortest_s * self.sample_rate_hz:
            return Classification(reason="too_short")
        if not np.isfinite(sound).all():
            return Classification(reason="not_finite")
        if not sound.any():
            return Classification(reason="silent")
        inputs = self._extractor(sound, sampling_rate=self.sample_rate_hz, return_tensors="pt")
        row = self._logits(inputs).softmax(dim=-1)[0].tolist()
        return Classification(scores=dict(zip(self.labels, row, strict=True)))
