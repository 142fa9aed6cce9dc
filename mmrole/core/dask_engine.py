"""Workers on other machines, through Dask (extra ``distributed``).

The machines share the file system: a task names files by their paths, and only the process that started the run writes. Start the
workers with one thread each (``dask worker tcp://HOST:PORT --nthreads 1 --nworkers N``).
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

from mmrole.core.errors import ClusterError, MissingExtraError, UsageError
from mmrole.core.parallel import Lane

SCHEME = "dask://"
_CONNECT_S = 10


class DaskEngine:
    """The workers of a Dask cluster.

    Args:
        address: ``dask://HOST:PORT`` of its scheduler

    Raises:
        UsageError: the address makes no sense
        MissingExtraError: Dask is not installed
    """

    def __init__(self, address: str) -> None:
        host, _, port = address.removeprefix(SCHEME).rpartition(":")
        if not address.startswith(SCHEME) or not host or not port.isdigit():
            raise UsageError(f"engine must be local or dask://HOST:PORT, not {address!r}")
        try:
            import distributed  # noqa: F401  here, so that a missing extra is said before any work
        except ImportError:
            raise MissingExtraError("--engine dask:// needs Dask: pip install 'mmrole[distributed]'") from None
        self.address = f"tcp://{host}:{port}"

    def lanes(self) -> list[Lane]:
        """One lane into the whole cluster."""
        return [_DaskLane(self.address)]


class _DaskLane:
    ordered = False

    def __init__(self, address: str) -> None:
        from distributed import Client

        self._address = address
        try:
            self._client: Any = Client(address, timeout=_CONNECT_S, set_as_default=False)
            workers = self._client.nthreads()
        except (OSError, TimeoutError):
            raise ClusterError(f"no Dask scheduler answers at {address}: start one, or correct --engine") from None
        if not workers:
            self._client.close()
            raise ClusterError(
                f"the Dask scheduler at {address} has no worker: start some with `dask worker {address} --nthreads 1`"
            )
        # a worker that ends one task finds the next one waiting
        self.depth = 2 * sum(workers.values())
        # results are bytes that the parent takes at once; the same task twice is work twice
        self._executor: Executor = self._client.get_executor(pure=False, retries=0)

    def executor(self) -> Executor:
        return self._executor

    def stalled(self) -> str | None:
        return None  # the scheduler watches its workers itself

    def lost(self, error: Exception) -> str | None:
        return "its worker died, and so did those that tried again" if type(error).__name__ == "KilledWorker" else None

    def restart(self) -> None:
        raise ClusterError(
            f"the Dask cluster at {self._address} was lost; what was finished is stored, the same command goes on from there"
        )

    def close(self) -> None:
        self._client.close(timeout=2)
