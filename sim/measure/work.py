"""What is left to do, cut into chunks of about equal work."""

from collections import deque
from collections.abc import Iterable

from sim.measure.plan import Chunk, Plan

CHUNK_S = 0.3
"""Seconds of work in a chunk: long beside handing it over, short beside a person's patience."""
_GROWTH = 8
"""A chunk holds at most so many times the runs of the last one: the first is a single run."""


class Work:
    """The runs that are still to be made, handed out in chunks.

    Args:
        plan: What is measured.
        done: Chunks that are finished already.
        runs_in_a_chunk: A fixed size; None: as many as take ``CHUNK_S``.
    """

    def __init__(
        self, plan: Plan, done: Iterable[Chunk] = (), *, runs_in_a_chunk: int | None = None
    ) -> None:
        self._left = deque(_gaps(plan, done))
        self._fixed = runs_in_a_chunk
        self._paces: dict[str, int] = {}
        """Scenario -> runs in its next chunk."""
        self._names = [cell.scenario.name for cell in plan.cells]

    def take(self) -> Chunk | None:
        """Return the next chunk, None when everything is handed out."""
        if not self._left:
            return None
        whole = self._left.popleft()
        size = self._fixed or self._paces.get(self._names[whole.cell], 1)
        stop = min(whole.first + size, whole.stop)
        if stop < whole.stop:
            self._left.appendleft(Chunk(whole.cell, stop, whole.stop))
        return Chunk(whole.cell, whole.first, stop)

    def give_back(self, chunk: Chunk) -> None:
        """Take back a chunk whose worker was lost."""
        self._left.appendleft(chunk)

    def took(self, chunk: Chunk, seconds: float) -> None:
        """Learn from a finished chunk how many runs the next one of its scenario should hold."""
        runs = chunk.stop - chunk.first
        fitting = int(runs * CHUNK_S / seconds) if seconds > 0 else runs * _GROWTH
        self._paces[self._names[chunk.cell]] = max(1, min(fitting, runs * _GROWTH))


def _gaps(plan: Plan, done: Iterable[Chunk]) -> list[Chunk]:
    """Return every range of runs that no finished chunk covers, in the plan's order."""
    covered: dict[int, list[Chunk]] = {}
    for chunk in done:
        covered.setdefault(chunk.cell, []).append(chunk)
    found = []
    for cell in plan.cells:
        at = 0
        for chunk in sorted(covered.get(cell.index, []), key=lambda each: each.first):
            if chunk.first > at:
                found.append(Chunk(cell.index, at, chunk.first))
            at = max(at, chunk.stop)
        if at < cell.runs:
            found.append(Chunk(cell.index, at, cell.runs))
    return found
