"""When a run counts as passed."""

from dataclasses import replace

from sim.judge.verdict import Status
from tests.report.verdicts import FAILED, PASSED, SHOWN, UNCLEAR, outcome


def test_a_run_passes_when_checks_hold_and_nothing_breaks() -> None:
    assert PASSED.status is Status.PASSED


def test_a_run_passes_when_exactly_the_expected_invariants_break() -> None:
    assert SHOWN.status is Status.PASSED


def test_a_run_fails_when_an_expected_invariant_holds() -> None:
    assert replace(SHOWN, violations=()).status is Status.FAILED


def test_a_run_whose_fault_missed_is_inconclusive() -> None:
    assert UNCLEAR.status is Status.INCONCLUSIVE


def test_a_failure_is_not_excused_by_a_fault_that_missed() -> None:
    assert replace(FAILED, unmatched=("drop ack",)).status is Status.FAILED


def test_an_outcome_is_as_bad_as_its_worst_variant() -> None:
    assert outcome(PASSED, UNCLEAR, FAILED).status is Status.FAILED
    assert outcome(PASSED, UNCLEAR).status is Status.INCONCLUSIVE
