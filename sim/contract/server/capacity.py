"""How much a server does at once: workers and a queue, as a pure counter."""

from collections import deque
from enum import StrEnum


class Admission(StrEnum):
    """What happens to a request that arrives."""

    STARTS = "starts"
    QUEUES = "queues"
    TURNED_AWAY = "turned-away"


class Desk:
    """Admits deliveries to workers; the rest waits in order, or is turned away unexecuted.

    Args:
        workers: How many run at once; None: no limit.
        queue: How many may wait; None: no limit.
    """

    def __init__(self, workers: int | None, queue: int | None) -> None:
        self._workers = workers
        self._queue_max = queue
        self._busy = 0
        self._queue: deque[int] = deque()

    def arrive(self, delivery: int) -> Admission:
        """Admit one delivery, queue it, or turn it away."""
        if self._workers is None or self._busy < self._workers:
            self._busy += 1
            return Admission.STARTS
        if self._queue_max is None or len(self._queue) < self._queue_max:
            self._queue.append(delivery)
            return Admission.QUEUES
        return Admission.TURNED_AWAY

    def leave(self) -> int | None:
        """A worker is done: return the delivery that starts now, if one waits."""
        if self._queue:
            return self._queue.popleft()
        self._busy -= 1
        return None

    def clear(self) -> None:
        """Forget all work: the server died."""
        self._busy = 0
        self._queue.clear()
