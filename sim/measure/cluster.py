"""Workers of a Dask cluster: the same chunks, handed to a scheduler elsewhere."""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING

from sim.measure.running import Clock, Counted
from sim.measure.versions import versions

if TYPE_CHECKING:
    from distributed import Client

CONNECT_S = 5


class ClusterError(Exception):
    """The cluster cannot be used."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem, fix)
        self.problem, self.fix = problem, fix


class Cluster:
    """The workers behind a scheduler. It replaces lost workers' work by itself.

    Args:
        address: ``tcp://HOST:PORT`` of the scheduler.

    Raises:
        ClusterError: Dask is not installed, nobody answers, there are no workers, or they have
            other versions than this process, so that their numbers could differ.
    """

    def __init__(self, address: str) -> None:
        self._client = _connected(address)
        try:
            _check_versions(self._client, address)
        except ClusterError:
            self._client.close()
            raise
        self.many = max(1, sum(self._client.ncores().values()))
        # Not pure: two chunks are never the same piece of work, and none is looked up as done.
        self._executor = self._client.get_executor(pure=False)

    def submit(
        self, count: Callable[..., Counted], packed: bytes, first: int, stop: int, clock: Clock
    ) -> "Future[Counted]":
        """Hand over one chunk."""
        future: Future[Counted] = self._executor.submit(count, packed, first, stop, clock)
        return future

    def renew(self) -> None:
        """Nothing: the scheduler hands a lost worker's chunks to another one."""

    def close(self) -> None:
        """Take back what is not finished, and go; the cluster stays."""
        self._executor.shutdown(wait=False)
        self._client.close()


def _connected(address: str) -> "Client":
    try:
        from distributed import Client  # noqa: PLC0415 - heavy, and wanted here alone
    except ImportError:
        raise ClusterError(
            "measuring on a cluster needs Dask, which is not installed",
            "pip install 'lostack[cluster]'",
        ) from None
    # What its threads have to say about lost connections is said here, once.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        return Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(
            f"no scheduler answers at '{address}': {_reason(error)}",
            "start one ('dask scheduler') and name its address, as tcp://HOST:8786",
        ) from None


def _check_versions(client: "Client", address: str) -> None:
    here = versions()
    try:
        there = client.run(versions)
    except (ImportError, AttributeError) as error:
        raise ClusterError(
            f"the workers at '{address}' cannot import lostack: {_reason(error)}",
            f"install lostack {here['lostack']} where they run",
        ) from None
    if not there:
        raise ClusterError(
            f"the scheduler at '{address}' has no workers", f"start some: dask worker {address}"
        )
    for worker, found in there.items():
        for name, version in here.items():
            if found.get(name) != version:
                raise ClusterError(
                    f"worker {worker} has {name} {found.get(name)}, and here is {version}",
                    "install the same versions on both sides: other ones may give other numbers",
                )


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text[:200]
