"""Runs of one world, counted: the unit of work that is handed to a process or a cluster."""

import pickle
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from sim.engine.world import simulate
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
    counting = Counting()
    matched: dict[int, int] = {}
    cut_short = 0
    watches = watches_load(world)
    for run in range(first, stop):
        judge = Judge(world)
        meter = LoadMeter(world) if watches else None
        heard = () if meter is None else (meter.feed,)
        simulated = simulate(world, run=run, keep=False, listeners=heard, live=judge)
        counting.add(run, judge, None if meter is None else meter.load())
        for place in range(len(world.faults)):
            if place not in simulated.unmatched:
                matched[place] = matched.get(place, 0) + 1
        cut_short += simulated.ended == "limit"
    tally = counting.done()
    tally.matched, tally.cut_short = matched, cut_short
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
