"""Runs of one world, counted: the unit of work that is handed to a process or a cluster."""

import gc
import pickle
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from sim.engine.world import Simulated, collector_paused, simulate
from sim.judge.judge import Judge
from sim.measure.counting import Counting
from sim.measure.load import LoadMeter, watches_load
from sim.measure.tally import CellTally
from sim.scenario.model import World

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
        for run in range(first, stop):
            counter.count(run)
            gc.collect(0)  # The few cycles of one run, as long as they are young and cheap to find.
    return counter.done()


class _Counter:
    """Makes runs of one world, one after another, and counts them."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._watches = watches_load(world)
        self._counting = Counting()
        self._matched: dict[int, int] = {}
        self._cut_short = 0

    def count(self, run: int) -> None:
        """Make one run and count it."""
        world = self._world
        judge = LoadMeter(world) if self._watches else Judge(world)
        simulated = simulate(world, run=run, keep=False, live=judge)
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


def count_packed(packed: bytes, first: int, stop: int, clock: Clock) -> Counted:
    """Count runs of a pickled world, in a worker: most chunks in a row are of the same world."""
    began = clock()
    tally = count_runs(_unpacked(packed), first, stop)
    return Counted(tally, clock() - began)


@lru_cache(maxsize=2)
def _unpacked(packed: bytes) -> World:
    world = pickle.loads(packed)  # noqa: S301 - packed by the process that started this one
    assert isinstance(world, World)
    return world
