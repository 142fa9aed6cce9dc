"""Arrays that are written again and again: to get fresh memory for them would take as long as to fill them."""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

_arrays = threading.local()


def scratch(name: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """An array with undefined content.

    It belongs to the caller until the same thread asks for the same name and shape again.

    Args:
        name: who asks
        shape: its shape

    Returns:
        float32 of that shape
    """
    known: dict[tuple[str, tuple[int, ...]], NDArray[np.float32]] = _arrays.__dict__.setdefault("known", {})
    if (name, shape) not in known:
        known[name, shape] = np.empty(shape, np.float32)
    return known[name, shape]
