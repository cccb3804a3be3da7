"""Measuring a plan: chunks handed out, counted as they come back.

The numbers do not depend on who counts, on the number of workers or the size of the chunks: a
chunk's tally depends on its run numbers alone, and tallies merge in any order.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass, field
from typing import Protocol

from sim.measure.parcels import packed
from sim.measure.plan import Chunk, Plan
from sim.measure.results import CellResult
from sim.measure.running import Clock, Counted, count_packed, count_runs
from sim.measure.tally import CellTally
from sim.measure.work import Work

TICK_S = 0.2
"""So long at most until somebody who wants to stop is heard."""
_AHEAD = 2
"""Chunks handed out for each worker: one that it counts, and one that waits for it."""
LOSSES_MAX = 5


class WorkersLostError(Exception):
    """Workers died again and again without finishing anything; what is finished is kept."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A chunk and what was counted in it."""

    chunk: Chunk
    tally: CellTally


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


class Crew(Protocol):
    """Workers: processes on this machine, or a cluster."""

    many: int

    def submit(
        self, count: Callable[..., Counted], packed: bytes, first: int, stop: int, clock: Clock
    ) -> "Future[Counted]":
        """Hand over one chunk."""

    def renew(self) -> None:
        """Replace workers that were lost."""

    def close(self) -> None:
        """Let the workers go, whatever they do just now."""


def alone(plan: Plan, work: Work, stop: Callable[[], bool], clock: Clock) -> Iterator[Finished]:
    """Count in this process until everything is done or ``stop`` says so."""
    while not stop() and (chunk := work.take()) is not None:
        began = clock()
        tally = count_runs(plan.cells[chunk.cell].world, chunk.first, chunk.stop)
        work.took(chunk, clock() - began)
        yield Finished(chunk, tally)


def together(
    plan: Plan, work: Work, crew: Crew, stop: Callable[[], bool], clock: Clock
) -> Iterator[Finished]:
    """Count with a crew until everything is done or ``stop`` says so.

    Raises:
        WorkersLostError: Workers died again and again.
    """
    return _Together(plan, work, crew, clock).finished(stop)


class _Together:
    def __init__(self, plan: Plan, work: Work, crew: Crew, clock: Clock) -> None:
        self._plan, self._work, self._crew, self._clock = plan, work, crew, clock
        self._under_way: dict[Future[Counted], Chunk] = {}
        self._packed: tuple[int, bytes] = (-1, b"")
        self._losses = 0

    def finished(self, stop: Callable[[], bool]) -> Iterator[Finished]:
        while not stop():
            lost = not self._hand_out()
            if not lost and not self._under_way:
                return
            done, _ = wait(self._under_way, timeout=TICK_S, return_when=FIRST_COMPLETED)
            for future in done:
                chunk = self._under_way.pop(future)
                counted = _result(future)
                if counted is None:
                    self._work.give_back(chunk)
                    lost = True
                    continue
                self._losses = 0
                self._work.took(chunk, counted.seconds)
                yield Finished(chunk, counted.tally)
            if lost:
                self._renew()

    def _hand_out(self) -> bool:
        """Hand out chunks; return whether there was anybody to take them."""
        while len(self._under_way) < self._crew.many * _AHEAD:
            chunk = self._work.take()
            if chunk is None:
                return True
            parcel = self._world(chunk.cell)
            try:
                future = self._crew.submit(
                    count_packed, parcel, chunk.first, chunk.stop, self._clock
                )
            except BrokenExecutor:
                self._work.give_back(chunk)
                return False
            self._under_way[future] = chunk
        return True

    def _renew(self) -> None:
        """Replace lost workers; what they had not finished is counted by their successors."""
        self._losses += 1
        if self._losses > LOSSES_MAX:
            raise WorkersLostError(self._losses)
        for chunk in self._under_way.values():
            self._work.give_back(chunk)
        self._under_way.clear()
        self._crew.renew()

    def _world(self, cell: int) -> bytes:
        if self._packed[0] != cell:
            self._packed = cell, packed(self._plan.cells[cell].world)
        return self._packed[1]


def _result(future: "Future[Counted]") -> Counted | None:
    """Return what was counted; None where the worker was lost."""
    try:
        return future.result()
    except BrokenExecutor:
        return None
