"""The benchmark runs and says whether the needed speed was met."""

import os
import subprocess
import sys

from tests.architecture.sources import ROOT


def test_the_benchmark_prints_a_line_for_each_search_and_what_is_needed() -> None:
    command = [sys.executable, "benchmarks/explore.py", "--faults", "1", "--repeats", "1"]
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert done.returncode in (0, 1), done.stderr
    head, first, *_ = (printed.split() for printed in done.stdout.splitlines())
    assert first[:2] == ["lost-ack", "1"]
    assert len(first) + 1 == len(head)  # "left out" is one column.
    assert "needed on lost-ack: 2,000 schedules a second" in done.stdout
