"""The file of a trained text expert: weights as plain arrays, everything else as JSON. Reading it runs no code from it.

A NumPy archive (``.npz``) read with ``allow_pickle=False``: ``header`` (JSON), ``weights`` (labels x columns), ``bias``, and per field
``idf_K`` and ``ngrams_K`` (JSON). Equal training gives equal bytes.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, model_validator

from emotion.experts.trained_features import Field as NgramField
from emotion.experts.trained_features import TextFeatures, Texts
from mmrole.core.canonical import Record, bytes_sha256, printable_path, to_json
from mmrole.core.errors import InputError
from mmrole.core.files import write_atomically
from mmrole.core.labels import LabelSet
from mmrole.core.records import validated

FORMAT: Final = "mmrole-trained-text"
VERSION: Final = 1
"""Changes whenever the same file would give other votes."""
LARGEST_BYTES: Final = 2 << 30
"""A file that claims to unpack to more is not opened."""


class _Settings(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)

    ngrams: int = Field(ge=1, le=8)
    context: int = Field(ge=0, le=8)
    weights: tuple[float, ...]

    @model_validator(mode="after")
    def _one_weight_per_field(self) -> _Settings:
        if len(self.weights) != self.context + 1 or not all(0 < w < math.inf for w in self.weights):
            raise ValueError("needs one weight above 0 for the utterance and for each before it")
        return self


class _Header(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)

    label_set: dict[str, Any]
    classes: tuple[str, ...] = Field(min_length=2)
    settings: _Settings
    data: list[dict[str, Any]]
    counts: dict[str, Any]
    libraries: dict[str, str]
    validation: dict[str, Any]


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainedText:
    """A trained text expert as its file holds it.

    Attributes:
        labels: the label set that it was trained on
        classes: labels that were in the training data, in the order of the set, K of them; it gives no other
        features: from texts to vectors
        weights: shape (K, columns), float32
        bias: shape (K,), float64
        header: everything about the training: data, counts, settings, libraries, validation
        sha256: of the file
        source: the file, for messages
    """

    labels: LabelSet
    classes: tuple[str, ...]
    features: TextFeatures
    weights: npt.NDArray[np.float32]
    bias: npt.NDArray[np.float64]
    header: Record
    sha256: str = ""
    source: str = ""

    @property
    def context(self) -> int:
        """Number of utterances before the one in question that it reads."""
        return len(self.features.fields) - 1

    def probabilities(self, texts: Sequence[Texts]) -> npt.NDArray[np.float64]:
        """Probability of each class, shape (texts, K); rows sum to 1.

        Args:
            texts: utterance and context, `context` + 1 each
        """
        scores = np.asarray(self.features.matrix(texts) @ self.weights.T.astype(np.float64)) + self.bias
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def to_bytes(self) -> bytes:
        """The file."""
        arrays: dict[str, Any] = {
            "header": _json_array(self.header),
            "weights": self.weights,
            "bias": self.bias,
        }
        for number, field in enumerate(self.features.fields):
            arrays[f"idf_{number}"] = field.idf
            arrays[f"ngrams_{number}"] = _json_array(list(field.vocabulary))
        file = io.BytesIO()
        np.savez_compressed(file, **arrays)
        return file.getvalue()

    def write(self, path: Path) -> None:
        """Writes the file whole or not at all.

        Raises:
            DiskError: it cannot be written
        """
        write_atomically(path, self.to_bytes())


def read_trained(path: str | Path) -> TrainedText:
    """Reads the file of a trained text expert.

    Raises:
        InputError: it cannot be read, is no such file, is of another version, or is damaged; one line says which
    """
    place = printable_path(path)
    try:
        with Path(path).open("rb") as file:
            data = file.read(len(_STARTS))
            if data == _STARTS:  # what is something else may be endless
                data += file.read()
    except (OSError, ValueError) as error:  # a path with a NUL in it is a ValueError
        raise InputError(f"{place}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    arrays = _arrays(data, place)
    header = _json_of(arrays.get("header"), place, "header")
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise InputError(f"{place}: {_NO_EXPERT}")
    if header.get("version") != VERSION:
        raise InputError(
            f"{place}: a trained expert of version {header.get('version')!r}, this mmrole reads version {VERSION}: train it again"
        )
    given = validated(_Header, header, place)
    try:
        labels = LabelSet.from_record(given.label_set)
    except (KeyError, TypeError, AttributeError):
        raise InputError(f"{place}: damaged, its label set is none; train it again") from None
    if [label for label in labels.labels if label in given.classes] != list(given.classes):
        raise InputError(f"{place}: damaged, its classes are not of its label set; train it again")
    fields = tuple(
        _field(arrays, number, given.settings.ngrams, weight, place)
        for number, weight in enumerate(given.settings.weights)
    )
    features = TextFeatures(fields=fields)
    weights = _numbers(arrays, "weights", (len(given.classes), features.size), np.float32, place)
    bias = _numbers(arrays, "bias", (len(given.classes),), np.float64, place)
    return TrainedText(
        labels=labels,
        classes=given.classes,
        features=features,
        weights=weights,
        bias=bias,
        header=header,
        sha256=bytes_sha256(data),
        source=place,
    )


_STARTS: Final = b"PK"
_NO_EXPERT: Final = "no trained expert; make one with mmrole experts train"


def _arrays(data: bytes, place: str) -> Mapping[str, npt.NDArray[Any]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(part.file_size for part in archive.infolist()) > LARGEST_BYTES:
                raise InputError(f"{place}: unpacks to more than {LARGEST_BYTES >> 30} GB; that is no trained expert")
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except zipfile.BadZipFile as error:
        what = f"damaged ({error}); train it again" if data.startswith(_STARTS) else _NO_EXPERT
        raise InputError(f"{place}: {what}") from None
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{place}: damaged ({' '.join(str(error).split())[:120]}); train it again") from None


def _json_array(value: Any) -> npt.NDArray[np.uint8]:
    return np.frombuffer(to_json(value).encode("utf-8", "surrogatepass"), dtype=np.uint8)


def _json_of(array: npt.NDArray[Any] | None, place: str, what: str) -> Any:
    if array is None or array.dtype != np.uint8:
        raise InputError(f"{place}: {_NO_EXPERT}")
    try:
        return json.loads(array.tobytes().decode("utf-8", "surrogatepass"))
    except ValueError:
        raise InputError(f"{place}: damaged, its {what} is no JSON; train it again") from None


def _field(arrays: Mapping[str, npt.NDArray[Any]], number: int, longest: int, weight: float, place: str) -> NgramField:
    known = _json_of(arrays.get(f"ngrams_{number}"), place, f"list of n-grams {number}")
    if (
        not isinstance(known, list)
        or not all(isinstance(ngram, str) for ngram in known)
        or len(set(known)) < len(known)
    ):
        raise InputError(f"{place}: damaged, its list of n-grams {number} is none; train it again")
    idf = _numbers(arrays, f"idf_{number}", (len(known),), np.float32, place)
    return NgramField(vocabulary=tuple(known), idf=idf, longest=longest, weight=weight)


def _numbers(
    arrays: Mapping[str, npt.NDArray[Any]], name: str, shape: tuple[int, ...], dtype: Any, place: str
) -> npt.NDArray[Any]:
    array = arrays.get(name)
    if array is None or array.shape != shape or array.dtype != dtype or not np.isfinite(array).all():
        seen = "missing" if array is None else f"{array.dtype} of shape {array.shape}, not all finite or not {shape}"
        raise InputError(f"{place}: damaged, its {name} is {seen}; train it again")
    return array
