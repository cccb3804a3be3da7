"""How fast the search is, and how it grows with the number of faults.

    python benchmarks/explore.py [--faults 3] [--repeats 3]

Each line is one search in this process, timed by the processor time that it uses; printed are
medians. A schedule is covered by a run of its own or, where another schedule came to the same
state, by the run of that one: hence both numbers. Exit status 1: a speed that the project holds
itself to was missed.
"""

import argparse
import gc
import statistics
import sys
import time

from sim.explore.bounds import Bounds
from sim.explore.calm import calm
from sim.explore.found import Explored
from sim.explore.search import explore
from sim.scenario.find import find
from sim.scenario.load import load_path
from sim.scenario.model import World

SCENARIOS = ("lost-ack", "settled-by-status", "conflict-then-merge")
NEEDED_PER_SECOND = 2_000
"""Schedules on one core, on the first scenario."""
NEEDED_SECONDS = 10.0
"""For every schedule of three faults on the first scenario."""
NEEDED_FAULTS = 3


def world(name: str) -> World:
    """Return what is explored: a shipped scenario's first world."""
    return calm(load_path(find([name])[0]).worlds[0]).world


def timed(what: World, faults: int) -> tuple[float, Explored]:
    """Return the processor seconds of a search and what it found; garbage is swept before."""
    gc.collect()
    began = time.process_time()
    found = explore(what, Bounds(faults=faults))
    return time.process_time() - began, found


def measured(what: World, faults: int, repeats: int) -> tuple[float, Explored]:
    """Return the median time of some searches, and what the last one found."""
    runs = [timed(what, faults) for _ in range(repeats)]
    return statistics.median(seconds for seconds, _ in runs), runs[-1][1]


HEAD = (
    f"{'scenario':20} {'faults':>6} {'schedules':>10} {'runs':>7} {'states':>7} {'merged':>7} "
    f"{'left out':>8} {'endings':>8} {'seconds':>8} {'schedules/s':>12} {'runs/s':>7} "
    f"{'states/s':>9}"
)


def line(name: str, faults: int, seconds: float, found: Explored) -> str:
    """Return one row of the table.

    *Merged* is the share of runs that merging spares, *left out* the share of choices that cannot
    matter or make no schedule of their own.
    """
    tally = found.tally
    redundant = sum(tally.redundant.values())
    whole = tally.schedules + redundant
    return (
        f"{name:20} {faults:6} {tally.schedules:10,} {tally.runs:7,} {tally.states:7,} "
        f"{tally.spared / whole:7.1%} {(redundant + tally.inert) / (whole + tally.inert):8.1%} "
        f"{len(tally.endings):8,} {seconds:8.2f} {tally.schedules / seconds:12,.0f} "
        f"{tally.runs / seconds:7,.0f} {tally.states / seconds:9,.0f}"
    )


def main(arguments: list[str]) -> int:
    """Measure, print, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faults", type=int, default=NEEDED_FAULTS)
    parser.add_argument("--repeats", type=int, default=3)
    wanted = parser.parse_args(arguments)
    print(HEAD)
    timed(world(SCENARIOS[0]), 1)
    missed = False
    for name in SCENARIOS:
        for faults in range(1, wanted.faults + (name == SCENARIOS[0])):
            seconds, found = measured(world(name), faults, wanted.repeats)
            print(line(name, faults, seconds, found), flush=True)
            if name == SCENARIOS[0] and faults == NEEDED_FAULTS:
                slow = found.tally.schedules / seconds < NEEDED_PER_SECOND
                missed = slow or seconds > NEEDED_SECONDS
    print(
        f"needed on {SCENARIOS[0]}: {NEEDED_PER_SECOND:,} schedules a second, and "
        f"{NEEDED_FAULTS} faults in {NEEDED_SECONDS:.0f} s: {'missed' if missed else 'met'}"
    )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
