"""What a measurement has to show, and when it shows nothing."""

import pytest

from sim.judge.verdict import Status
from sim.measure.checks import Findings, findings
from sim.measure.measuring import Progress, alone
from sim.measure.work import Work
from tests.measure.samples import LOSSY, counted, never, no_clock, plan_of

RUNS = 60


def _found(more: str, text: str = LOSSY) -> Findings:
    (result,) = counted(plan_of(text + more, runs=RUNS)).results()
    return findings(result)


def _rates(bounds: str) -> str:
    return f"expect: {{rates: {{{bounds}}}}}"


@pytest.mark.parametrize(
    ("bounds", "holds"),
    [
        ("unknown_outcome_rate: {min: 0.05, max: 0.6}", True),
        ("unknown_outcome_rate: {max: 0.05}", False),
        ("unknown_outcome_rate: {min: 0.6}", False),
        ("unknown_outcome_rate: {min: 0.2, on: interval}", False),
        ("duplicate_effect_rate: {max: 0}", True),
        ("duplicate_effect_rate: {max: 0, on: interval}", False),
        ("attempts_per_operation: {max: 2, on: interval}", True),
        ("time_to_certainty: {max: 6}", True),
        ("time_to_certainty: {max: 1}", False),
        ("refused_rate: {max: 0}", True),
        ("peak_load: {max: 3}", None),
        ("time_to_certainty: {max: 6, on: interval}", None),
    ],
)
def test_a_rate_is_held_against_its_bounds(bounds: str, holds: bool | None) -> None:
    (check,) = _found(_rates(bounds)).rates

    assert check.holds is holds


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ("", Status.PASSED),
        (_rates("unknown_outcome_rate: {max: 0.05}"), Status.FAILED),
        (_rates("peak_load: {max: 3}"), Status.INCONCLUSIVE),
        ("faults: [{drop: ack, attempt: 9}]", Status.INCONCLUSIVE),
        ("expect: {violates: [draft-kept]}", Status.INCONCLUSIVE),
    ],
)
def test_the_status_of_a_cell(more: str, status: Status) -> None:
    assert _found(more).status is status


WRONG = LOSSY.replace("client: {", "client: {mistakes: [timeout-means-failure], ")


def test_an_invariant_that_breaks_unexpectedly_fails() -> None:
    found = _found("", WRONG)

    assert found.status is Status.FAILED
    assert not any(broken.is_expected for broken in found.broken)


def test_invariants_that_break_as_expected_pass() -> None:
    names = ", ".join(broken.invariant for broken in _found("", WRONG).broken)

    assert _found(f"expect: {{violates: [{names}]}}", WRONG).status is Status.PASSED


def test_a_fault_that_matches_in_some_runs_only_has_occurred() -> None:
    found = _found("faults: [{drop: ack, attempt: 2}]")

    assert found.never_matched == ()


def test_a_fault_that_matches_in_no_run_is_named_as_it_is_written() -> None:
    found = _found("faults: [{drop: ack, attempt: 9}]")

    assert found.never_matched == ("drop: ack, attempt: 9",)


def test_a_cut_cell_is_inconclusive_but_what_broke_broke() -> None:
    plan = plan_of(WRONG + _rates("unresolved_rate: {max: 0}"), runs=RUNS)
    progress, work = Progress(plan), Work(plan, runs_in_a_chunk=RUNS - 1)
    progress.take(next(alone(plan, work, never, no_clock)))
    found = findings(progress.results()[0])

    assert not found.is_whole
    assert found.broken
    assert [check.holds for check in found.rates] == [None]
