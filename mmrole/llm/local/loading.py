"""Loading models through transformers, and telling one set of weights from another."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mmrole.core.canonical import Record, content_key, file_sha256
from mmrole.core.errors import MissingExtraError, ModelFileError

_DECIDE = ("*.safetensors", "*.bin", "*.json", "*.jinja", "*.model", "*.txt")


def require_local() -> None:
    """Makes sure that the extra is there, without importing it.

    Raises:
        MissingExtraError: it is not
    """
    for name in ("torch", "transformers"):
        if importlib.util.find_spec(name) is None:
            raise MissingExtraError(f"a local model needs {name}: pip install 'mmrole[local]'")


def torch() -> Any:
    """The torch module."""
    return importlib.import_module("torch")


def transformers() -> Any:
    """The transformers module."""
    return importlib.import_module("transformers")


def load(kind: str, model: str, **options: Any) -> Any:
    """Loads a part of a model by one of transformers' ``Auto`` classes.

    Args:
        kind: name of the class, such as ``AutoTokenizer``
        model: folder, or name on the model hub
        **options: of its ``from_pretrained``

    Raises:
        ModelFileError: it cannot be loaded; one line says why
    """
    try:
        with _without_progress_bars():
            return getattr(transformers(), kind).from_pretrained(model, **options)
    except (OSError, ValueError, KeyError) as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        why = lines[0] if lines else type(error).__name__
        raise ModelFileError(
            f"the model {model} cannot be loaded: {why[:200]}; give a folder with its configuration, tokenizer and weights"
        ) from None


@contextlib.contextmanager
def _without_progress_bars() -> Iterator[None]:
    logging = transformers().utils.logging
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def load_network(kind: str, model: str, *, device: str, dtype: str) -> Any:
    """Loads a network for inference.

    Raises:
        ModelFileError: it cannot be loaded
    """
    network = load(kind, model, dtype=dtype if dtype == "auto" else getattr(torch(), dtype))
    network.to(device)
    network.eval()
    return network


def weights_of(model: str) -> Record:
    """What tells a model's weights from others of the same name: a hash of its files, or its commit on the model hub.

    Raises:
        ModelFileError: there is no such model
    """
    folder = Path(model)
    if folder.is_dir():
        files = sorted({path for pattern in _DECIDE for path in folder.glob(pattern)})
        return {"sha256": content_key(**{path.name: file_sha256(path) for path in files})}
    return {"commit": getattr(load("AutoConfig", model), "_commit_hash", None)}
