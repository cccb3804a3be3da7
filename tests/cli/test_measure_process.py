"""Measuring in processes of their own: kills, signals, full disks, and the same bytes after all."""

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.samples import Run
from tests.cli.test_measure import LOSSY
from tests.cli.test_process import COMMAND, ENVIRONMENT

RUNS = "400"


@pytest.fixture
def folder(folder: Path) -> Path:
    (folder / "lossy.yaml").write_text(LOSSY)
    return folder


def _words(out: str, *more: str) -> list[str]:
    return ["measure", "lossy.yaml", "--runs", RUNS, "--out", out, "--no-charts", *more]


def _begun(out: str, *more: str) -> "subprocess.Popen[str]":
    """Start measuring, and return when something is finished."""
    process = subprocess.Popen(
        [*COMMAND, *_words(out, *more)],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    journal = Path(out) / "journal.jsonl"
    for _ in range(3_000):
        if journal.exists() and journal.read_bytes().count(b"\n") > 2:
            return process
        if process.poll() is not None:
            break
        time.sleep(0.01)
    raise AssertionError(process.communicate())


def _bytes(out: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(Path(out).iterdir())}


def test_killed_and_resumed_it_ends_with_the_same_bytes(folder: Path, lostack: Run) -> None:
    process = _begun("killed", "--workers", "2")
    process.kill()
    process.communicate()
    left = _bytes("killed")

    resumed = lostack(*_words("killed", "--workers", "1", "--resume"))
    straight = lostack(*_words("straight", "--workers", "2"))

    assert list(left) == ["journal.jsonl"]
    assert (resumed.status, straight.status) == (0, 0), resumed.err
    assert resumed.out == straight.out
    assert _bytes("killed") == _bytes("straight")


def test_going_on_leaves_files_alone_that_are_not_its_own(folder: Path, lostack: Run) -> None:
    process = _begun("killed", "--workers", "1")
    process.kill()
    process.communicate()
    Path("killed/histograms.csv").write_text("mine")

    done = lostack(*_words("killed", "--workers", "1", "--resume"))

    assert done.status == 2
    assert "a file 'histograms.csv' lies here that is not as this measurement left it" in done.err
    assert Path("killed/histograms.csv").read_text() == "mine"


def test_going_on_after_files_of_a_part_were_written(folder: Path, lostack: Run) -> None:
    process = _begun("cut", "--workers", "1")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    part = _bytes("cut")

    resumed = lostack(*_words("cut", "--workers", "1", "--resume"))

    assert b'"whole": false' in part["manifest.json"]
    assert resumed.status == 0
    assert b'"whole": true' in _bytes("cut")["manifest.json"]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_keeps_what_is_finished_and_is_130(folder: Path, workers: str) -> None:
    process = _begun("cut", "--workers", workers)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)

    assert process.returncode == 130
    assert f"of {int(RUNS):,} runs are made and kept; go on with --resume" in err
    assert "cut short: " in out
    assert "every invariant held" not in out
    assert "?  no invariant broke in the " in out
    assert "Traceback" not in err
    assert "journal.jsonl" in _bytes("cut")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_polite_end_is_as_good_as_ctrl_c(folder: Path, name: str) -> None:
    process = _begun("cut", "--workers", "2")
    process.send_signal(signal.Signals[name])
    _, err = process.communicate(timeout=60)

    assert process.returncode == 130
    assert "runs are made and kept; go on with --resume" in err
    assert "resource_tracker" not in err


def test_a_measurement_that_lies_there_is_not_thrown_away(folder: Path, lostack: Run) -> None:
    process = _begun("cut", "--workers", "1")
    process.kill()
    process.communicate()

    done = lostack(*_words("cut"))

    assert done.status == 2
    assert "an unfinished measurement lies here\n  fix: go on with it (--resume)" in done.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_a_full_disk_is_2_and_the_results_are_shown_all_the_same(
    folder: Path, lostack: Run
) -> None:
    results = folder / "out" / "results.csv"
    results.parent.mkdir()
    results.symlink_to("/dev/full")

    done = lostack(*_words("out", "--workers", "1"))

    assert done.status == 2
    assert "cannot be written: no space left on device" in done.err
    assert "unknown_outcome_rate" in done.out
    assert "kept in the journal; go on with --resume" in done.err
    assert (folder / "out" / "journal.jsonl").exists()


def test_a_bar_moves_on_a_terminal_and_never_in_a_pipe(folder: Path, lostack: Run) -> None:
    piped = lostack(*_words("piped", "--workers", "1"))
    shown = _on_terminal([*COMMAND, *_words("shown", "--workers", "1")])

    assert piped.err == ""
    assert "of 400 runs" in shown
    assert "runs/s" in shown
    assert "left" in shown


def _on_terminal(command: list[str]) -> str:
    """Return what a command writes to standard error when that is a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command, env={**ENVIRONMENT, "COLUMNS": "100"}, stdout=subprocess.DEVNULL, stderr=theirs
    ):
        os.close(theirs)
        seen = b""
        while part := _read(ours):
            seen += part
    os.close(ours)
    return seen.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4_096)
    except OSError:
        return b""  # Nobody has it open any more.


def test_a_folder_called_sim_is_not_taken_for_ours(tmp_path: Path) -> None:
    script = Path(sys.executable).with_name("lostack")
    if not script.exists():
        pytest.skip("the command is not installed beside this Python")
    (tmp_path / "sim").mkdir()
    (tmp_path / "sim" / "__init__.py").write_text("open('seen', 'w').close()")

    arguments = ["measure", "happy-path", "--runs", "40", "--workers", "2", "--no-charts"]
    done = subprocess.run(
        [script, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "seen").exists()
