"""Searching with several processes: tasks go out in order, and come back in order."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYetError
from concurrent.futures.process import BrokenProcessPool
from itertools import islice

from sim.cli.errors import CommandError
from sim.explore.search import Batch, RunAll, Task, here
from sim.measure.pool import Pool

_AHEAD = 4
"""Tasks for each worker that are handed out before their turn."""
_TICK_S = 0.1


def run_all(pool: Pool | None, stopped: Callable[[], bool]) -> RunAll:
    """Return how tasks are done: by the workers, or here.

    Args:
        pool: The workers; None: this process does the work itself.
        stopped: Asked while waiting; when it says so, no more results are given.
    """
    if pool is None:
        return here

    def together(do: Callable[[Task], Batch], tasks: Iterable[Task]) -> Iterator[Batch]:
        return _together(pool, do, iter(tasks), stopped)

    return together


def _together(
    pool: Pool, do: Callable[[Task], Batch], tasks: Iterator[Task], stopped: Callable[[], bool]
) -> Iterator[Batch]:
    waiting: deque[Future[Batch]] = deque()
    most = pool.many * _AHEAD
    while True:
        for task in islice(tasks, most - len(waiting)):
            waiting.append(pool.call(do, task))
        if not waiting:
            return
        batch = _result(waiting.popleft(), stopped)
        if batch is None:
            return
        yield batch


def _result(future: "Future[Batch]", stopped: Callable[[], bool]) -> Batch | None:
    while True:
        try:
            return future.result(timeout=_TICK_S)
        except NotYetError:
            if stopped():
                return None
        except BrokenProcessPool:
            raise CommandError(
                "a worker process died",
                "look for what ends it (too little memory?), or use fewer: --workers 1",
            ) from None


class Deadline:
    """Whether the time that was allowed is over.

    Args:
        seconds: How long; None: for ever.
    """

    def __init__(self, seconds: float | None) -> None:
        self._until = None if seconds is None else time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether it is over now."""
        return self._until is not None and time.monotonic() >= self._until
