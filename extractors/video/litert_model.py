"""One LiteRT model on one thread, and the bundles that such models come in."""

from __future__ import annotations

import os
import traceback
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mmrole.core.errors import MissingExtraError, ModelFileError


class LiteRtModel:
    """A model with one input picture or point list.

    Args:
        content: the .tflite file
        name: what to call it in messages

    Attributes:
        input_shape: shape of the input without the leading 1

    Raises:
        ModelFileError: the content is no model that this version of LiteRT can run
        MissingExtraError: LiteRT is not installed
    """

    def __init__(self, content: bytes, name: str) -> None:
        try:
            # only this module: the package's others import far more
            from ai_edge_litert.interpreter import Interpreter
        except ImportError as error:
            raise MissingExtraError(
                f"LiteRT cannot be loaded ({error}): pip install ai-edge-litert, or use the other backend: "
                "pip install 'mmrole[mediapipe]'"
            ) from error
        try:
            with _quiet_standard_error():
                # XNNPACK, the fast CPU kernels, is what the interpreter uses by default
                self._interpreter = Interpreter(model_content=content, num_threads=1)
                self._interpreter.allocate_tensors()
        except (ValueError, RuntimeError) as error:
            raise ModelFileError(
                f"the model {name} cannot be loaded ({error}): fetch it again (`mmrole models fetch`)"
            ) from error
        (given,) = self._interpreter.get_input_details()
        self._input = int(given["index"])
        self._outputs = [int(output["index"]) for output in self._interpreter.get_output_details()]
        self.input_shape: tuple[int, ...] = tuple(int(length) for length in given["shape"][1:])

    def __call__(self, fill: Callable[[NDArray[np.float32]], object]) -> tuple[NDArray[np.float32], ...]:
        """Runs the model.

        Args:
            fill: writes the input into the array that it gets, of shape `input_shape`, the model's own memory

        Returns:
            all outputs, in the file's order, as views of the model's own memory: let go of them before the next call
        """
        given = self._interpreter.tensor(self._input)()
        # the interpreter refuses to run while its memory is looked at, be it from the traceback of an error
        try:
            fill(given[0])
        except Exception as error:
            traceback.clear_frames(error.__traceback__)
            raise
        finally:
            del given
        self._interpreter.invoke()
        return tuple(self._interpreter.tensor(output)() for output in self._outputs)


def read_bundle(path: Path, *members: str) -> tuple[bytes, ...]:
    """Reads files out of a MediaPipe task bundle (an uncompressed zip).

    Raises:
        ModelFileError: the bundle is missing, no zip, or lacks one of the files
    """
    try:
        with zipfile.ZipFile(path) as bundle:
            return tuple(bundle.read(member) for member in members)
    except FileNotFoundError as error:
        raise ModelFileError(f"{path}: no such model file; fetch it with `mmrole models fetch`") from error
    except (zipfile.BadZipFile, KeyError, OSError) as error:
        raise ModelFileError(f"{path}: not the model file that it should be ({error}); fetch it again") from error


def read_model(path: Path) -> bytes:
    """Reads a single .tflite file.

    Raises:
        ModelFileError: it is missing or cannot be read
    """
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise ModelFileError(f"{path}: no such model file; fetch it with `mmrole models fetch`") from error
    except OSError as error:
        raise ModelFileError(f"{path}: the model file cannot be read ({error.strerror})") from error


@contextmanager
def _quiet_standard_error() -> Iterator[None]:
    """Keeps the runtime from greeting on standard error, which it does below Python and with no setting against it."""
    try:
        kept = os.dup(2)
    except OSError:  # standard error is closed
        yield
        return
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def sigmoid(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """1 / (1 + exp(-x)), written so that nothing overflows."""
    half: NDArray[np.float32] = np.tanh(values * np.float32(0.5)) * np.float32(0.5)
    return half + np.float32(0.5)
