"""Our engine against two hand-written SimPy programs of one retry workload.

    make bench                                                      (the compiled engine)
    python benchmarks/engine.py [--operations 20000] [--repeats 5]  (the one that is found)

All four run in one process, in turn, and are timed by the processor time that they use, so that
whatever else the machine does meets all of them alike. Printed are medians and the ratios that the
project holds itself to. Exit status 1: a needed ratio was missed.
"""

import argparse
import gc
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable

import callbacks
import idiomatic
import simpy
from workload import Counts, scenario

import sim.engine.world
from sim.engine.world import Simulated, simulate
from sim.judge.judge import Judge
from sim.scenario.load import load_text
from sim.scenario.model import World

Program = Callable[[], Counts]

NEEDED = (("a", "c", 1.0), ("b", "c", 0.5))
AIMED = (("a", "d", 0.5),)
NAMES = {
    "a": "our engine, no trace, every invariant judged",
    "b": "our engine, trace kept, every invariant judged",
    "c": "hand-written, processes, stores and AnyOf",
    "d": "hand-written, callbacks on timeouts",
}


def ours(world: World, *, keep: bool) -> Counts:
    """Run the workload in our engine and judge every invariant while it runs."""
    judge = Judge(world)
    done: Simulated = simulate(world, keep=keep, live=judge, records_max=10**9)
    assert done.ended == "quiet", done.ended
    assert not judge.violations, judge.violations[:3]
    assert bool(done.records) is keep
    books = judge.operations
    return Counts(
        operations=len(books),
        effects=judge.ledger.tally.effects,
        attempts=judge.ledger.tally.attempts,
        replays=judge.ledger.tally.deliveries - judge.ledger.tally.effects,
        asked=sum(book.asked > 0 for book in books),
    )


def timed(program: Program) -> tuple[float, Counts]:
    """Return the processor seconds of a program and what it counted; garbage is swept before."""
    gc.collect()
    start = time.process_time()
    counts = program()
    return time.process_time() - start, counts


def measure(operations: int, repeats: int) -> tuple[dict[str, float], dict[str, Counts]]:
    """Return the median operations a second of each program, and what each counted."""
    world = load_text(scenario(operations), "workload", "workload.yaml").worlds[0]
    programs: dict[str, Program] = {
        "a": lambda: ours(world, keep=False),
        "b": lambda: ours(world, keep=True),
        "c": lambda: idiomatic.run(operations),
        "d": lambda: callbacks.run(operations),
    }
    seconds: dict[str, list[float]] = {name: [] for name in programs}
    counted: dict[str, Counts] = {}
    for turn in range(repeats):
        for name, program in programs.items():
            took, counted[name] = timed(program)
            seconds[name].append(took)
        print(f"turn {turn + 1} of {repeats} done", file=sys.stderr)
    rates = {name: operations / statistics.median(taken) for name, taken in seconds.items()}
    return rates, counted


def build() -> str:
    """Say which build of the engine is measured."""
    compiled = not str(sim.engine.world.__file__).endswith(".py")
    return "compiled" if compiled else "interpreted ('make bench' measures the compiled one)"


def machine() -> str:
    """Return one line about where the numbers were made."""
    return (
        f"{platform.machine()}, {os.cpu_count()} processors, {platform.system()}, "
        f"{platform.python_implementation()} {platform.python_version()}, "
        f"SimPy {simpy.__version__}\n"
        f"lostack's engine is {build()}"
    )


def main() -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--operations", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    rates, counted = measure(options.operations, options.repeats)
    print(f"{options.operations} operations, medians of {options.repeats}, in turn")
    print(machine())
    for name, rate in rates.items():
        counts = counted[name]
        print(f"{name}  {NAMES[name]:48} {rate:9,.0f} operations/s   {counts}")
    missed = 0
    for over, under, least in (*NEEDED, *AIMED):
        ratio = rates[over] / rates[under]
        needed = (over, under, least) in NEEDED
        missed += needed and ratio < least
        mark = "ok" if ratio >= least else "missed"
        print(f"{over}/{under} = {ratio:.2f}   {'needed' if needed else 'aim'} {least}   {mark}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
