"""The command starts fast: what it does not need is not imported."""

import os
import subprocess
import sys
from functools import cache

import pytest

from tests.architecture.sources import ROOT

HEAVY = ("pandas", "matplotlib", "pyarrow", "dask", "distributed", "jinja2", "numpy")
PROGRAM = """
import contextlib, io, sys
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    sys.argv = ["lostack", *sys.argv[1:]]
    from sim.cli.main import main
    main()
print(*sorted({name.split(".")[0] for name in sys.modules}))
"""


@cache
def _loaded_by(*arguments: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1].split()


@pytest.mark.parametrize("arguments", [("--help",), ("run", "lost-ack"), ("explain", "settles")])
def test_a_light_command_imports_no_heavy_library(arguments: tuple[str, ...]) -> None:
    loaded = _loaded_by(*arguments)

    assert "sim" in loaded
    assert [library for library in HEAVY if library in loaded] == []


def test_help_needs_no_engine() -> None:
    assert "simpy" not in _loaded_by("--help")
