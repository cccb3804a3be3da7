"""The benchmarks of measuring and of starting run, and say what they promise to say."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT

_STARTUP = """
import startup
few = ("python, nothing", startup.CLICK, startup.LIBRARIES, "lostack --help")
startup.PROGRAMS = {name: startup.PROGRAMS[name] for name in few}
startup.main()
"""


def _says(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'benchmarks'}"},
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def test_measuring_is_held_against_the_callback_program_and_busy_loops() -> None:
    said = _says("benchmarks/measure.py", "--runs", "1", "--repeats", "1")

    assert len(re.findall(r"^measure, .* operations/s$", said, re.MULTILINE)) == 4
    held = re.findall(r"^(.*): [\d.]+   needed at (?:least|most) ", said, re.MULTILINE)
    assert [name for name in held if "happysim" not in name] == [
        "one worker over the callback program",
        "gain of 2 workers over that of busy loops".replace("2", str(_processors())),
        "twice the runs over once",
    ]


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="memory is read from /proc")
def test_the_memory_of_a_measurement_is_that_of_all_its_processes() -> None:
    said = _says("benchmarks/measure.py", "--memory", "800")

    found = re.search(
        r"^1,200 operations by 2 workers .* (\d+) MB in (\d+) processes", said, re.MULTILINE
    )
    assert found, said
    assert int(found[1]) > 20
    assert int(found[2]) >= 2


def test_starting_is_held_against_the_libraries_that_it_needs() -> None:
    said = _says("-c", _STARTUP, "--repeats", "1")

    assert re.search(r"^lostack --help +\d+ +[\d.]+ +[\d.]+$", said, re.MULTILINE)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
