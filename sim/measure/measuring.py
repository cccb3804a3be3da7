"""Measuring a plan: chunks handed to an executor, counted as they come back.

The numbers do not depend on the executor, the number of workers or the size of the chunks: a
chunk's tally depends on its run numbers alone, and tallies merge in any order.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field

from sim.measure.journal import Finished
from sim.measure.plan import Chunk, Plan
from sim.measure.results import CellResult
from sim.measure.running import count_runs
from sim.measure.tally import CellTally

UNDER_WAY_PER_WORKER = 3
RESTARTS_MAX = 5


class WorkersLostError(Exception):
    """Worker processes died again and again; what is finished is kept."""


@dataclass(slots=True)
class Progress:
    """How far a measurement has come."""

    plan: Plan
    tallies: list[CellTally] = field(default_factory=list)
    runs: int = 0

    def __post_init__(self) -> None:
        self.tallies = [CellTally() for _ in self.plan.cells]

    def take(self, finished: Finished) -> None:
        """Count a finished chunk."""
        self.tallies[finished.chunk.cell].merge(finished.tally)
        self.runs += finished.tally.runs

    @property
    def is_whole(self) -> bool:
        """Whether every planned run is made."""
        return self.runs == self.plan.runs

    def results(self) -> list[CellResult]:
        """Return what has been counted of each cell."""
        return [
            CellResult(cell, tally)
            for cell, tally in zip(self.plan.cells, self.tallies, strict=True)
        ]


def missing(plan: Plan, finished: Iterable[Finished], runs_in_a_chunk: int) -> list[Chunk]:
    """Return chunks for every run that no finished chunk covers."""
    done: dict[int, list[tuple[int, int]]] = {}
    for each in finished:
        done.setdefault(each.chunk.cell, []).append((each.chunk.first, each.chunk.stop))
    found: list[Chunk] = []
    for cell in plan.cells:
        at = 0
        for first, stop in [*sorted(done.get(cell.index, [])), (cell.runs, cell.runs)]:
            while at < first:
                to = min(at + runs_in_a_chunk, first)
                found.append(Chunk(cell.index, at, to))
                at = to
            at = max(at, stop)
    return found


def in_process(plan: Plan, chunks: Iterable[Chunk]) -> Iterator[Finished]:
    """Count chunks one after another, in this process."""
    for chunk in chunks:
        world = plan.cells[chunk.cell].world
        yield Finished(chunk, count_runs(world, chunk.first, chunk.stop))


def on_executor(
    plan: Plan, chunks: Iterable[Chunk], executor: Executor, workers: int
) -> Iterator[Finished]:
    """Count chunks on an executor, a few at a time, and yield them as they are finished."""
    waiting = iter(chunks)
    under_way: dict[Future[CellTally], Chunk] = {}

    def submit() -> bool:
        chunk = next(waiting, None)
        if chunk is None:
            return False
        world = plan.cells[chunk.cell].world
        under_way[executor.submit(count_runs, world, chunk.first, chunk.stop)] = chunk
        return True

    try:
        while len(under_way) < workers * UNDER_WAY_PER_WORKER and submit():
            pass
        while under_way:
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                chunk = under_way.pop(future)
                yield Finished(chunk, future.result())
                submit()
    finally:
        for future in under_way:
            future.cancel()


def on_pool(
    plan: Plan,
    chunks: list[Chunk],
    make_executor: Callable[[], Executor],
    workers: int,
) -> Iterator[Finished]:
    """Count chunks on process pools; a pool whose worker was killed is replaced.

    Raises:
        WorkersLostError: That happened too often.
    """
    for _ in range(RESTARTS_MAX):
        executor = make_executor()
        try:
            for finished in on_executor(plan, list(chunks), executor, workers):
                chunks.remove(finished.chunk)
                yield finished
        except BrokenProcessPool:
            continue
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
        return
    raise WorkersLostError(f"worker processes died {RESTARTS_MAX} times")
