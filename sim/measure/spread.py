"""Tasks handed to worker processes as these become free, results as they are finished.

Tasks are pulled one by one, so that whoever makes them can learn from what is finished how large
the next ones should be. Results come in any order; whoever takes them must not mind.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from typing import Generic, TypeVar

from sim.measure.measuring import LOSSES_MAX, TICK_S, WorkersLostError
from sim.measure.pool import Pool

Task = TypeVar("Task")
Done = TypeVar("Done")

_AHEAD = 2
"""Tasks handed out for each worker: one that it does, and one that waits for it."""


def spread(
    tasks: Iterable[Task],
    do: Callable[[Task], Done],
    pool: Pool | None,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[Task, Done]]:
    """Yield every task with its result until everything is done or ``stop`` says so.

    Args:
        tasks: What is to be done; each can be pickled, and is done again if its worker is lost.
        do: Does one task; a plain function of a module, whose result depends on the task alone.
        pool: Who does them; None: this process.
        stop: Asked several times a second.

    Raises:
        WorkersLostError: Workers died again and again without finishing anything.
    """
    if pool is not None:
        yield from _Spread(tasks, do, pool).done(stop)
        return
    for task in tasks:
        if stop():
            return
        yield task, do(task)


class _Spread(Generic[Task, Done]):
    def __init__(self, tasks: Iterable[Task], do: Callable[[Task], Done], pool: Pool) -> None:
        self._tasks, self._do, self._pool = iter(tasks), do, pool
        self._again: deque[Task] = deque()
        self._under_way: dict[Future[Done], Task] = {}
        self._losses = 0

    def done(self, stop: Callable[[], bool]) -> Iterator[tuple[Task, Done]]:
        while not stop():
            lost = not self._hand_out()
            if not lost and not self._under_way:
                return
            finished, _ = wait(self._under_way, timeout=TICK_S, return_when=FIRST_COMPLETED)
            for future in finished:
                task = self._under_way.pop(future)
                try:
                    result = future.result()
                except BrokenExecutor:
                    self._again.append(task)
                    lost = True
                    continue
                self._losses = 0
                yield task, result
            if lost:
                self._renew()

    def _hand_out(self) -> bool:
        """Hand out tasks; return whether there was anybody to take them."""
        while len(self._under_way) < self._pool.many * _AHEAD:
            try:
                task = self._again.popleft() if self._again else next(self._tasks)
            except StopIteration:
                return True
            try:
                self._under_way[self._pool.call(self._do, task)] = task
            except BrokenExecutor:
                self._again.append(task)
                return False
        return True

    def _renew(self) -> None:
        """Replace lost workers; what they had not finished is done by their successors."""
        self._losses += 1
        if self._losses > LOSSES_MAX:
            raise WorkersLostError(self._losses)
        self._again.extend(self._under_way.values())
        self._under_way.clear()
        self._pool.renew()
