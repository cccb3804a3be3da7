"""Measuring against hand-written programs of the same workload, and what a second core gains.

    python benchmarks/measure.py [--runs 20] [--repeats 5]

A run is 400 operations of 20 clients. All programs take turns in one process, and medians are
compared: those that run alone by the processor time that they use, those on several processes by
the clock on the wall, beside two busy loops that say what this machine can give at that moment.
Exit status 1: a needed ratio was missed. happysim takes part where it is installed (it needs
Python 3.13: pip install happysim).
"""

import argparse
import gc
import importlib.util
import os
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import closing

import callbacks
from engine import machine
from workload import scenario

from sim.measure.measuring import Progress, alone, together
from sim.measure.plan import Plan, make_plan
from sim.measure.pool import Pool
from sim.measure.work import Work
from sim.scenario.load import load_text

OPERATIONS = 400
"""In one run."""
LOOPS = 2_000_000
NAMES = {
    "one": "measure, one worker",
    "twice": "measure, one worker, twice the runs",
    "callbacks": "hand-written, callbacks on timeouts",
    "happysim": "happysim",
    "one-wall": "measure, one worker, on the wall",
    "all-wall": "measure, all workers, on the wall",
    "loop": "one busy loop, on the wall",
    "loops": "as many busy loops as workers, on the wall",
}


def never() -> bool:
    return False


def plan_of(runs: int) -> Plan:
    return make_plan([load_text(scenario(OPERATIONS), "workload", "workload.yaml")], runs=runs)


def in_this_process(plan: Plan) -> None:
    progress = Progress(plan)
    for finished in alone(plan, Work(plan), never, time.perf_counter):
        progress.take(finished)
    check(progress)


def on_all(plan: Plan, pool: Pool, workers: int) -> None:
    progress = Progress(plan)
    # A few chunks for each worker, so that all end together however short the benchmark is.
    size = max(1, plan.runs // (workers * 4))
    work = Work(plan, runs_in_a_chunk=size)
    for finished in together(plan, work, pool, never, time.perf_counter):
        progress.take(finished)
    check(progress)


def check(progress: Progress) -> None:
    """A benchmark of work that was not done, or done wrongly, says nothing."""
    (tally,) = progress.tallies
    assert progress.is_whole
    assert tally.operations == OPERATIONS * progress.plan.runs
    assert not tally.violations, tally.violations


def busy(_: bytes, first: int, stop: int, __: object) -> int:
    total = 0
    for number in range(first, stop):
        total += number & 3
    return total


def loops(pool: Pool, many: int) -> None:
    futures = [pool.submit(busy, b"", 0, LOOPS, time.perf_counter) for _ in range(many)]
    for future in futures:
        future.result()


def repeated(program: Callable[[int], object], runs: int) -> Callable[[], object]:
    return lambda: [program(OPERATIONS) for _ in range(runs)]


def timed(program: Callable[[], object], clock: Callable[[], float]) -> float:
    gc.collect()
    start = clock()
    program()
    return clock() - start


def measure(runs: int, repeats: int, workers: int) -> dict[str, float]:
    """Return the median seconds of each program."""
    plan, double = plan_of(runs), plan_of(2 * runs)
    alone_programs: dict[str, Callable[[], object]] = {
        "one": lambda: in_this_process(plan),
        "twice": lambda: in_this_process(double),
        "callbacks": repeated(callbacks.run, runs),
    }
    if importlib.util.find_spec("happysimulator") is not None:
        import happy  # noqa: PLC0415 - where it is installed

        alone_programs["happysim"] = repeated(happy.run, runs)
    seconds: dict[str, list[float]] = {}
    with closing(Pool(workers)) as pool:
        on_wall: dict[str, Callable[[], object]] = {
            "one-wall": lambda: in_this_process(double),
            "all-wall": lambda: on_all(double, pool, workers),
            "loop": lambda: loops(pool, 1),
            "loops": lambda: loops(pool, workers),
        }
        on_all(plan_of(2 * workers), pool, workers)  # Every worker has imported what it needs.
        for turn in range(repeats):
            for name, program in alone_programs.items():
                seconds.setdefault(name, []).append(timed(program, time.process_time))
            for name, program in on_wall.items():
                seconds.setdefault(name, []).append(timed(program, time.perf_counter))
            print(f"turn {turn + 1} of {repeats} done", file=sys.stderr)
    return {name: statistics.median(taken) for name, taken in seconds.items()}


def ratios(found: dict[str, float], workers: int) -> list[tuple[str, float, float, float | None]]:
    """Return what is held against what: what it says, its value, what is needed, what is aimed at.

    A needed value below 0 is an upper bound.
    """
    gain = found["one-wall"] / found["all-wall"]
    possible = workers * found["loop"] / found["loops"]
    held: list[tuple[str, float, float, float | None]] = [
        ("one worker over the callback program", found["callbacks"] / found["one"], 0.2, 0.4),
        (f"gain of {workers} workers over that of busy loops", gain / possible, 0.85, None),
        ("twice the runs over once", found["twice"] / found["one"], -2.1, None),
    ]
    if "happysim" in found:
        held.insert(1, ("one worker over happysim", found["happysim"] / found["one"], 1.0, 2.0))
    return held


def main() -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert workers is not None
    found = measure(options.runs, options.repeats, workers)
    print(f"{options.runs} runs of {OPERATIONS} operations, medians of {options.repeats}, in turn")
    print(machine())
    for name, taken in found.items():
        runs = 2 * options.runs if name in ("twice", "one-wall", "all-wall") else options.runs
        rate = "" if "loop" in name else f"{runs * OPERATIONS / taken:9,.0f} operations/s"
        print(f"{NAMES[name]:44} {taken:7.3f} s   {rate}")
    if "happysim" not in found:
        print("happysim is not installed here (it needs Python 3.13): not compared")
    missed = 0
    for said, value, needed, aim in ratios(found, workers):
        holds = value <= -needed if needed < 0 else value >= needed
        missed += not holds
        bound = f"at most {-needed}" if needed < 0 else f"at least {needed}"
        more = "" if aim is None else f", aim {aim} {'ok' if value >= aim else 'missed'}"
        print(f"{said}: {value:.2f}   needed {bound} {'ok' if holds else 'missed'}{more}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
