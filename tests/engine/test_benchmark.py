"""The benchmark runs, and its four programs do the same work."""

import os
import re
import subprocess
import sys

from tests.architecture.sources import ROOT


def test_the_benchmark_compares_four_programs_that_do_the_same_work() -> None:
    command = [sys.executable, "benchmarks/engine.py", "--operations", "200", "--repeats", "1"]
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
    assert re.findall(
        r"^([abcd]) .*operations=200, effects=200,", done.stdout, re.MULTILINE
    ) == list("abcd")
    assert re.findall(r"^(\w/\w) = [\d.]+", done.stdout, re.MULTILINE) == ["a/c", "b/c", "a/d"]
