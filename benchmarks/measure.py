"""Measuring against hand-written programs of the same workload, and what a second core gains.

    python benchmarks/measure.py [--runs 60] [--repeats 5]
    python benchmarks/measure.py --memory [1000000]

A run is 400 operations of 20 clients. All programs take turns in one process: those that run alone
are timed by the processor time that they use, those on several processes by the clock on the wall,
beside busy loops that say what this machine can give at that moment. Each ratio is of two programs
in the same turn, and the median of all turns counts.
happysim takes part where it is installed (it needs Python 3.13: pip install happysim).

With --memory, so many operations are measured by the command with two workers, and what all its
processes hold together is sampled while it runs. Exit status 1: a needed ratio or the bound of the
memory was missed.
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
import memory
from engine import machine
from workload import scenario

from sim.measure.measuring import Progress, alone, together
from sim.measure.plan import Plan, make_plan
from sim.measure.pool import Pool
from sim.measure.work import Work
from sim.scenario.load import load_text

OPERATIONS = 400
"""In one run."""
LOOPS = 400_000
"""Turns of a busy loop for each run that it stands beside."""
MEMORY_MAX = 400 * memory.MB
MEMORY_WORKERS = 2
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
Seconds = dict[str, list[float]]
"""Program -> what it took in each turn."""


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
    # Once in many runs a save meets an operation that is still unsettled, and starts none.
    planned = OPERATIONS * progress.plan.runs
    assert planned * 0.999 <= tally.operations <= planned, tally.operations
    assert not tally.violations, tally.violations


def busy(_: bytes, first: int, stop: int, __: object) -> int:
    total = 0
    for number in range(first, stop):
        total += number & 3
    return total


def loops(pool: Pool, many: int, runs: int) -> None:
    futures = [pool.submit(busy, b"", 0, LOOPS * runs, time.perf_counter) for _ in range(many)]
    for future in futures:
        future.result()


def repeated(program: Callable[[int], object], runs: int) -> Callable[[], object]:
    return lambda: [program(OPERATIONS) for _ in range(runs)]


def timed(program: Callable[[], object], clock: Callable[[], float]) -> float:
    gc.collect()
    start = clock()
    program()
    return clock() - start


def measure(runs: int, repeats: int, workers: int) -> Seconds:
    """Return the seconds of each program in each turn."""
    plan, double = plan_of(runs), plan_of(2 * runs)
    alone_programs: dict[str, Callable[[], object]] = {
        "one": lambda: in_this_process(plan),
        "twice": lambda: in_this_process(double),
        "callbacks": repeated(callbacks.run, runs),
    }
    if importlib.util.find_spec("happysimulator") is not None:
        import happy  # noqa: PLC0415 - where it is installed

        alone_programs["happysim"] = repeated(happy.run, runs)
    seconds: Seconds = {}
    with closing(Pool(workers)) as pool:
        on_wall: dict[str, Callable[[], object]] = {
            "one-wall": lambda: in_this_process(double),
            "all-wall": lambda: on_all(double, pool, workers),
            "loop": lambda: loops(pool, 1, runs),
            "loops": lambda: loops(pool, workers, runs),
        }
        on_all(plan_of(2 * workers), pool, workers)  # Every worker has imported what it needs.
        for turn in range(repeats):
            for name, program in alone_programs.items():
                seconds.setdefault(name, []).append(timed(program, time.process_time))
            for name, program in on_wall.items():
                seconds.setdefault(name, []).append(timed(program, time.perf_counter))
            print(f"turn {turn + 1} of {repeats} done", file=sys.stderr)
    return seconds


def ratio(found: Seconds, above: str, below: str) -> list[float]:
    """Return one program over another in each turn."""
    return [one / other for one, other in zip(found[above], found[below], strict=True)]


def held(found: Seconds, workers: int) -> list[tuple[str, float, float, float | None]]:
    """Return what is held against what: what it says, its value, what is needed, what is aimed at.

    A needed value below 0 is an upper bound.
    """
    gains = zip(ratio(found, "one-wall", "all-wall"), ratio(found, "loop", "loops"), strict=True)
    shares = [gain / (workers * possible) for gain, possible in gains]
    median = statistics.median
    rows: list[tuple[str, float, float, float | None]] = [
        (
            "one worker over the callback program",
            median(ratio(found, "callbacks", "one")),
            0.2,
            0.4,
        ),
        (f"gain of {workers} workers over that of busy loops", median(shares), 0.85, None),
        ("twice the runs over once", median(ratio(found, "twice", "one")), -2.1, None),
    ]
    if "happysim" in found:
        beside = median(ratio(found, "happysim", "one"))
        rows.insert(1, ("one worker over happysim", beside, 1.0, 2.0))
    return rows


def check_memory(operations: int) -> int:
    """Measure so many operations, print what that held, and return the exit status."""
    found = memory.peak_of(operations, MEMORY_WORKERS)
    print(machine())
    if not found.bytes:
        print("the memory of processes cannot be read here (there is no /proc): not measured")
        return 0
    is_under = found.bytes < MEMORY_MAX
    print(
        f"{found.operations:,} operations by {MEMORY_WORKERS} workers in {found.seconds:,.0f} s: "
        f"at most {found.bytes / memory.MB:.0f} MB in {found.processes} processes ({found.kind})   "
        f"needed under {MEMORY_MAX / memory.MB:.0f} MB {'ok' if is_under else 'missed'}"
    )
    return 0 if is_under else 1


def main() -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--memory", type=int, nargs="?", const=1_000_000, metavar="OPERATIONS")
    options = parser.parse_args()
    if options.memory is not None:
        return check_memory(options.memory)
    workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert workers is not None
    found = measure(options.runs, options.repeats, workers)
    print(f"{options.runs} runs of {OPERATIONS} operations, medians of {options.repeats}, in turn")
    print(machine())
    for name, each in found.items():
        taken = statistics.median(each)
        runs = 2 * options.runs if name in ("twice", "one-wall", "all-wall") else options.runs
        rate = "" if "loop" in name else f"{runs * OPERATIONS / taken:9,.0f} operations/s"
        print(f"{NAMES[name]:44} {taken:7.3f} s   {rate}")
    if "happysim" not in found:
        print("happysim is not installed here (it needs Python 3.13): not compared")
    missed = 0
    for said, value, needed, aim in held(found, workers):
        holds = value <= -needed if needed < 0 else value >= needed
        missed += not holds
        bound = f"at most {-needed}" if needed < 0 else f"at least {needed}"
        more = "" if aim is None else f", aim {aim} {'ok' if value >= aim else 'missed'}"
        print(f"{said}: {value:.2f}   needed {bound} {'ok' if holds else 'missed'}{more}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
