"""What only a process of its own can show: signals, pipes, switches of the interpreter."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.samples import Write

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
COMMAND = (sys.executable, "-m", "sim")


def _run(*command: str, **more: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        command,
        env=ENVIRONMENT,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        **{"stdout": subprocess.PIPE, **more},
    )


def test_python_without_assertions_is_refused() -> None:
    done = _run(sys.executable, "-O", "-m", "sim", "run", "lost-ack")

    assert done.returncode == 2
    assert "without -O" in done.stderr
    assert not done.stdout


def test_a_reader_that_stops_early_is_no_bad_input() -> None:
    """The pipe's reading end is closed before anything is written."""
    reading, writing = os.pipe()
    os.close(reading)

    done = _run(*COMMAND, "run", "lost-ack", stdout=writing)
    os.close(writing)

    assert done.returncode == 141
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
@pytest.mark.parametrize("arguments", [("run", "lost-ack"), ("schema",), ("--help",)])
def test_a_full_disk_behind_standard_output_is_2(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = _run(*COMMAND, *arguments, stdout=full)

    assert done.returncode == 2
    assert done.stderr.startswith("standard output cannot be written: no space left on device\n")
    assert "Traceback" not in done.stderr


def test_closed_standard_output_is_2() -> None:
    done = _run("sh", "-c", 'exec "$@" >&-', "sh", *COMMAND, "list", "phases")

    assert done.returncode == 2
    assert done.stderr.startswith("standard output is closed\n")


SLOW = """
import sys, time
import sim.cli.running as running
from sim.cli.main import main
real = running.perform
def perform(scenario):
    if scenario.name == "failing":
        print("ready", file=sys.stderr, flush=True)
        time.sleep(60)
    return real(scenario)
running.perform = perform
sys.exit(main())
"""


def test_ctrl_c_ends_a_real_process_with_its_results(write: Write) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, "run", *write("passing", "failing")],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)

    assert process.returncode == 130
    assert "1 scenario, 1 run: 1 passed" in out
    assert "interrupted: 1 of 2 scenarios finished" in err
    assert "Traceback" not in err


INTERRUPTED = """
import runpy, sys
class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupts())
sys.argv = ["lostack", "run", "lost-ack"]
runpy.run_module("sim", run_name="__main__", alter_sys=True)
"""


def test_ctrl_c_while_the_command_is_still_loading_shows_no_traceback() -> None:
    done = _run(sys.executable, "-c", INTERRUPTED)

    assert done.returncode == 130
    assert done.stderr == "interrupted\n"


def test_an_old_terminal_gets_what_its_encoding_has() -> None:
    done = subprocess.run(
        [*COMMAND, "explain", "awaiting-ack"],
        env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )

    assert done.returncode == 0
    assert b"Saving?" in done.stdout
