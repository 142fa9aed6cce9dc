"""One thread in every library: numpy's matrix products wake a thread per processor, which only costs on tables of our size."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keeps the matrix products of numpy and SciPy to one thread while the block runs; what was set before comes back."""
    with threadpool_limits(limits=1, user_api="blas"):
        yield
