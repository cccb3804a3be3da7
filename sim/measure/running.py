"""Runs of one world, counted: the unit of work that is handed to a process or a cluster."""

import gc
from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from sim.engine.draws import Ahead
from sim.engine.philox_native import IS_NATIVE
from sim.engine.world import Simulated, collector_paused, simulate
from sim.judge.judge import Judge
from sim.measure.counting import Counting
from sim.measure.load import LoadMeter, watches_load
from sim.measure.parcels import unpacked
from sim.measure.tally import CellTally
from sim.scenario.model import World

RUNS_AHEAD: Final = 16
"""So many runs draw together: nearly as quick as more, and little enough to be kept."""

Clock = Callable[[], float]
"""Seconds from wherever it starts; a plain function, so that it can be sent to a worker."""


class Counted(NamedTuple):
    """What was counted, and how many seconds it took: the latter only paces the work."""

    tally: CellTally
    seconds: float


def count_runs(world: World, first: int, stop: int) -> CellTally:
    """Run ``world`` with the run numbers [first, stop) and count what happened.

    The result depends on the world and the numbers alone: ranges may be cut anywhere and merged
    in any order.
    """
    counter = _Counter(world)
    with collector_paused():
        for start in range(first, stop, RUNS_AHEAD):
            many = min(RUNS_AHEAD, stop - start)
            ahead = None if IS_NATIVE or many == 1 else Ahead(world.seed, start, many)
            for run in range(start, start + many):
                counter.count(run, ahead)
                gc.collect(0)  # The few cycles of one run, while they are cheap to find.
    return counter.done()


class _Counter:
    """Makes runs of one world, one after another, and counts them."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._watches = watches_load(world)
        self._counting = Counting()
        self._matched: dict[int, int] = {}
        self._cut_short = 0

    def count(self, run: int, ahead: Ahead | None) -> None:
        """Make one run and count it."""
        world = self._world
        judge = LoadMeter(world) if self._watches else Judge(world)
        simulated = simulate(world, run=run, keep=False, live=judge, ahead=ahead)
        self._counting.add(run, judge, judge.load() if isinstance(judge, LoadMeter) else None)
        if world.faults:
            self._count_matched(simulated)
        self._cut_short += simulated.ended == "limit"
        for intent in judge.ledger.intents.values():
            # An intent and its operations hold each other: without this only the collector, which
            # takes its time, could free them.
            intent.operations.clear()

    def _count_matched(self, simulated: Simulated) -> None:
        for place in range(len(self._world.faults)):
            if place not in simulated.unmatched:
                self._matched[place] = self._matched.get(place, 0) + 1

    def done(self) -> CellTally:
        """Return the tally of all runs."""
        tally = self._counting.done()
        tally.matched, tally.cut_short = self._matched, self._cut_short
        return tally


def count_packed(parcel: bytes, first: int, stop: int, clock: Clock) -> Counted:
    """Count runs of a packed world, in a worker: most chunks in a row are of the same world."""
    began = clock()
    tally = count_runs(_world_in(parcel), first, stop)
    return Counted(tally, clock() - began)


@lru_cache(maxsize=2)
def _world_in(parcel: bytes) -> World:
    world = unpacked(parcel)
    assert isinstance(world, World)
    return world
