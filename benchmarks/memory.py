"""The memory of a whole measurement: the command and its workers, sampled while they run."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from workload import CLIENTS, scenario

ROOT = Path(__file__).resolve().parents[1]
PROC = Path("/proc")
EVERY_S = 0.2
KB = 1024
MB = 1_000_000
IN_A_RUN = 400


class Peak(NamedTuple):
    """What a measurement took. ``kind`` says what was summed: PSS, or RSS where that is all."""

    operations: int
    bytes: int
    kind: str
    processes: int
    seconds: float


def peak_of(operations: int, workers: int) -> Peak:
    """Measure so many operations in processes of their own and return the most memory they held.

    Half of them are runs of a single operation, so that there are many runs; half are runs of
    ``IN_A_RUN`` operations of a population, so that runs are large.
    """
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(path) for path in _written(Path(folder), operations)]
        command = [sys.executable, "-m", "sim", "measure", *paths, "--workers", str(workers)]
        command += ["--format", "json", "--no-charts", "--out", f"{folder}/results"]
        began = time.monotonic()
        with (Path(folder) / "out.json").open("w+") as out:
            with subprocess.Popen(command, cwd=ROOT, stdout=out) as measuring:  # noqa: S603 - ours
                found = _watched(measuring)
            out.seek(0)
            measured = json.load(out)
    assert measuring.returncode == 0, measuring.returncode
    return Peak(_operations(measured), *found, time.monotonic() - began)


def _written(folder: Path, operations: int) -> Iterator[Path]:
    single = scenario(CLIENTS).replace(f"count: {CLIENTS}", "count: 1")
    half = operations // 2
    for name, text, runs in (
        ("single", single, half),
        # One run more: now and then a person's next save finds the last one still unsettled.
        ("population", scenario(IN_A_RUN), -(-half // IN_A_RUN) + 1),
    ):
        path = folder / f"{name}.yaml"
        path.write_text(f"{text}\nruns: {runs}\n")
        yield path


def _operations(measured: dict[str, Any]) -> int:
    """Return how many operations the results speak of: what was not done takes no memory."""
    cells = (cell for scenario in measured["scenarios"] for cell in scenario["cells"])
    return sum(cell["operations"] for cell in cells)


def _watched(measuring: "subprocess.Popen[bytes]") -> tuple[int, str, int]:
    """Return the most that was held at once, of which kind, and by how many processes."""
    most, kind, processes = 0, "RSS", 0
    while measuring.poll() is None:
        family = _family(measuring.pid)
        held = [_held(pid) for pid in family]
        total = sum(each for each, _ in held)
        if total > most:
            most, processes = total, len(family)
            kind = "PSS" if all(found == "PSS" for each, found in held if each) else "RSS"
        time.sleep(EVERY_S)
    return most, kind, processes


def _family(root: int) -> list[int]:
    """Return a process and all its descendants."""
    parents: dict[int, int] = {}
    for stat in PROC.glob("[0-9]*/stat"):
        try:
            # The name, in brackets, may hold anything; the parent is the second word after it.
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # It has ended meanwhile.
    found = [root]
    for pid in found:  # Grows while it is read.
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def _held(pid: int) -> tuple[int, str]:
    """Return the bytes that a process holds: its own and its part of what is shared (PSS), or RSS.

    A process that has ended meanwhile holds nothing.
    """
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) * KB for line in lines if line.startswith("Pss:")), "PSS"
    except OSError:
        pass
    try:
        lines = (PROC / str(pid) / "status").read_text().splitlines()
        return sum(int(line.split()[1]) * KB for line in lines if line.startswith("VmRSS:")), "RSS"
    except OSError:
        return 0, "RSS"
