"""The compiled engine against the interpreted one, on the workload of engine.py.

    make compiled
    python benchmarks/builds.py [--operations 5000] [--repeats 5]

Each build runs in a process of its own, in turn, and is timed by the processor time that it uses
for simulating and judging. Exit status 2: there is no compiled build, or it is not one.
"""

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILDS = {"interpreted": ROOT, "compiled": ROOT / "build" / "compiled"}
CHILD = """
import sys, time
from workload import scenario
import sim.engine.world as world
from sim.judge.judge import Judge
from sim.scenario.load import load_text
found = load_text(scenario(int(sys.argv[1])), "workload", "workload.yaml").worlds[0]
judge = Judge(found)
began = time.process_time()
world.simulate(found, keep=False, live=judge, records_max=10**9)
took = time.process_time() - began
assert not judge.violations
print("interpreted" if world.__file__.endswith(".py") else "compiled", took)
"""


def timed(build: str, operations: int) -> float:
    """Return the processor seconds that a build takes."""
    path = os.pathsep.join([str(BUILDS[build]), str(ROOT / "benchmarks")])
    done = subprocess.run(  # noqa: S603 - this very Python
        [sys.executable, "-P", "-c", CHILD, str(operations)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    found, took = done.stdout.split()
    if found != build:
        print(f"no compiled engine was found in {BUILDS[build]}: 'make compiled' makes it")
        raise SystemExit(2)
    return float(took)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--operations", type=int, default=5_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    seconds: dict[str, list[float]] = {build: [] for build in BUILDS}
    for _ in range(options.repeats):
        for build, taken in seconds.items():
            taken.append(timed(build, options.operations))
    medians = {build: statistics.median(taken) for build, taken in seconds.items()}
    print(f"{options.operations} operations, judged, medians of {options.repeats}, in turn")
    for build, median in medians.items():
        print(f"{build:12} {options.operations / median:9,.0f} operations/s")
    print(f"compiled over interpreted = {medians['interpreted'] / medians['compiled']:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
