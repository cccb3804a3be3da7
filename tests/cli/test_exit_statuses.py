"""One test for each exit status, and for their order where several apply."""

import itertools

import pytest

import sim.cli.running
from sim.cli.exits import PRECEDENCE, Exit, of_status, worst
from sim.judge.verdict import Status
from sim.report.outcome import Outcome
from sim.scenario.model import Scenario
from tests.cli.samples import Run, Write


def test_all_as_expected_is_0(lostack: Run, write: Write) -> None:
    assert lostack("run", *write("passing")).status == 0


def test_an_expectation_that_does_not_hold_is_1(lostack: Run, write: Write) -> None:
    ended = lostack("run", *write("failing"))

    assert ended.status == 1
    assert "expected 3, found 1" in ended.out


def test_a_file_that_does_not_load_is_2(lostack: Run, write: Write) -> None:
    ended = lostack("run", *write("bad"))

    assert ended.status == 2
    assert "bad.yaml:2:1:" in ended.err
    assert not ended.out


def test_a_fault_that_never_matched_is_3(lostack: Run, write: Write) -> None:
    ended = lostack("run", *write("inconclusive"))

    assert ended.status == 3
    assert "never matched" in ended.out


def _breaks(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the second scenario that runs raise."""
    real, calls = sim.cli.running.perform, itertools.count(1)

    def perform(scenario: Scenario) -> Outcome:
        if next(calls) == 2:
            raise error
        return real(scenario)

    monkeypatch.setattr(sim.cli.running, "perform", perform)


def test_a_bug_of_ours_is_4(lostack: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    _breaks(AssertionError("two\nlines"), monkeypatch)

    ended = lostack("run", *write("passing", "failing"))

    assert ended.status == 4
    assert ended.err.startswith("lostack: internal error: AssertionError: two lines\n")
    assert "Traceback" not in ended.err
    assert "1 scenario, 1 run: 1 passed" in ended.out


def test_a_bug_of_ours_shows_its_traceback_when_asked_to(
    lostack: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = write("passing", "failing")
    _breaks(AssertionError("here"), monkeypatch)

    by_option = lostack("run", "--debug", *files)
    _breaks(AssertionError("here"), monkeypatch)
    monkeypatch.setenv("LOSTACK_DEBUG", "1")
    by_variable = lostack("run", *files)

    assert "Traceback (most recent call last)" in by_option.err
    assert "Traceback (most recent call last)" in by_variable.err


def test_ctrl_c_is_130_and_keeps_what_was_finished(
    lostack: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    _breaks(KeyboardInterrupt(), monkeypatch)

    ended = lostack("run", *write("failing", "passing"), "--trace", "kept.jsonl")

    assert ended.status == 130
    assert "interrupted: 1 of 2 scenarios finished" in ended.err
    assert "1 scenario, 1 run: 0 passed, 1 failed" in ended.out
    assert "written: kept.jsonl (1 trace)" in ended.err


def test_ctrl_c_early_in_a_command_is_told_in_one_line(
    lostack: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sim.cli.explain.lookup", interrupted)

    ended = lostack("explain", "timeout")

    assert ended.status == 130
    assert ended.err == "interrupted\n"


def test_bad_input_wins_over_a_failure_and_the_good_files_run(lostack: Run, write: Write) -> None:
    ended = lostack("run", "nowhere.yaml", *write("bad", "failing", "inconclusive"))

    assert ended.status == 2
    assert "nowhere.yaml" in ended.err
    assert "bad.yaml" in ended.err
    assert "2 scenarios, 2 runs" in ended.out


def test_a_failure_wins_over_an_inconclusive_run(lostack: Run, write: Write) -> None:
    assert lostack("run", *write("inconclusive", "failing")).status == 1


def test_the_first_status_of_the_published_order_wins() -> None:
    published = (4, 130, 2, 1, 3, 0)

    assert published == PRECEDENCE
    for place, status in enumerate(published):
        assert worst(Exit(other) for other in reversed(published[place:])) == status


def test_nothing_at_all_is_0() -> None:
    assert worst(()) is Exit.OK


def test_every_verdict_has_its_exit_status() -> None:
    assert [of_status(status) for status in Status] == [0, 1, 3]
