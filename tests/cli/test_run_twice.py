"""``--twice`` repeats every run in a fresh process, and shows where a run does not repeat."""

from collections.abc import Mapping
from subprocess import Popen

import pytest

import sim.cli.twice
from tests.cli.samples import Run, Write


def test_runs_that_repeat_are_counted(lostack: Run, write: Write) -> None:
    ended = lostack("run", "--twice", *write("variants", "weather"), "--seed", "5")

    assert ended.status == 0
    assert "--twice: 3 runs repeated in a fresh process" in ended.err


def test_a_run_that_does_not_repeat_is_our_bug_and_its_first_difference_is_shown(
    lostack: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second process is made to run another seed."""
    start = sim.cli.twice._start

    def other(request: Mapping[str, object]) -> Popen[bytes]:
        return start({**request, "seed": 2})

    monkeypatch.setattr(sim.cli.twice, "_start", other)

    ended = lostack("run", "--twice", *write("weather", "passing"))

    assert ended.status == 4
    assert "--twice: weather did not repeat" in ended.err
    assert "passing did not repeat" not in ended.err
    assert "the two runs differ first at line" in ended.err
    assert "this is a bug of lostack" in ended.err


def test_a_second_process_that_fails_is_our_bug(
    lostack: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = sim.cli.twice._start
    monkeypatch.setattr(sim.cli.twice, "_start", lambda request: start({"files": request["files"]}))

    ended = lostack("run", "--twice", *write("passing"))

    assert ended.status == 4
    assert "the second process ended with status 1" in ended.err
    assert "KeyError" in ended.err
