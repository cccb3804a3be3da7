"""How long the command takes to start, beside importing the libraries that it cannot do without.

    python benchmarks/startup.py [--repeats 9]

Each program is a fresh process; all take turns, so that whatever else the machine does meets all
of them. Printed are medians of processor time (user and system: one thread, so on an idle machine
it is the time one waits), and that time as a multiple of two imports.
"""

import argparse
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIBRARIES = "import click, simpy, pydantic, yaml, rich.console; pydantic.BaseModel"
CLICK = "import click"
PROGRAMS = {
    "python, nothing": ("-c", "pass"),
    CLICK: ("-c", CLICK),
    LIBRARIES: ("-c", LIBRARIES),
    "lostack --help": ("-m", "sim", "--help"),
    "lostack explain no-false-success": ("-m", "sim", "explain", "no-false-success"),
    "lostack run lost-ack": ("-m", "sim", "run", "lost-ack"),
    "lostack run lost-ack --format json": ("-m", "sim", "run", "lost-ack", "--format", "json"),
}


def once(arguments: tuple[str, ...], cache: str) -> float:
    """Return the processor time, in seconds, of one fresh process.

    Args:
        arguments: What Python is started with.
        cache: A folder for compiled modules, so that an installed program is measured.
    """
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONPYCACHEPREFIX": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(  # noqa: S603 - our own command
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=9, help="processes of each program")
    repeats = parser.parse_args().repeats
    times: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    with tempfile.TemporaryDirectory() as cache:
        for arguments in PROGRAMS.values():
            once(arguments, cache)  # The first one compiles, and is not counted.
        for _ in range(repeats):
            for name, arguments in PROGRAMS.items():
                times[name].append(once(arguments, cache))
    medians = {name: statistics.median(found) for name, found in times.items()}
    print(f"Python {platform.python_version()}, median processor time of {repeats} processes each")
    print(f"{'':70}  {'ms':>6}  {'× click':>8}  {'× libraries':>11}")
    for name, median in medians.items():
        of_click, of_libraries = median / medians[CLICK], median / medians[LIBRARIES]
        print(f"{name:70}  {median * 1000:6.0f}  {of_click:8.2f}  {of_libraries:11.2f}")


if __name__ == "__main__":
    main()
