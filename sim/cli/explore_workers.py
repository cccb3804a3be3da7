"""Searching with several processes: tasks go out in order, and come back in order."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TypeVar

from sim.cli.errors import CommandError
from sim.explore.search import Batch, RunAll, Task, here
from sim.measure.pool import Pool

Given = TypeVar("Given")
Made = TypeVar("Made")

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
        return in_order(pool, do, tasks, stopped)

    return together


def in_order(
    pool: Pool,
    do: Callable[[Given], Made],
    tasks: Iterable[Given],
    stopped: Callable[[], bool],
) -> Iterator[Made]:
    """Let the workers do tasks and give what came of them, in the order of the tasks.

    Args:
        pool: The workers.
        do: Does one task; a function that they can import.
        tasks: What is to be done.
        stopped: Asked while waiting; when it says so, no more results are given.

    Raises:
        CommandError: A worker died.
    """
    left = iter(tasks)
    waiting: deque[Future[Made]] = deque()
    most = pool.many * _AHEAD
    while True:
        waiting.extend(pool.call(do, task) for task in islice(left, most - len(waiting)))
        if not waiting or not _is_done(waiting[0], stopped):
            return
        yield _result(waiting.popleft())


def _is_done(future: "Future[Made]", stopped: Callable[[], bool]) -> bool:
    """Wait for a result; return whether there is one, or waiting was given up."""
    while not wait([future], timeout=_TICK_S).done:
        if stopped():
            return False
    return True


def _result(future: "Future[Made]") -> Made:
    try:
        return future.result()
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
