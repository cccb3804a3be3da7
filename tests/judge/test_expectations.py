"""The ``expect`` block: each line against what the run showed, nested by client and operation."""

import pytest

from sim.judge.court import judge_records
from sim.judge.verdict import Check, Status, Verdict
from tests.engine.worlds import run

TWO_TABS = """
clients:
  left: {owner: ann}
  right: {owner: ann}
user:
  - {at: 0s, edit: note, body: {n: 2}, client: left}
  - {at: 0s, save: note, client: left}
  - {at: 10ms, edit: note, body: {n: 3}, client: right}
  - {at: 10ms, save: note, client: right}
  - {at: 1s, edit: note, body: {n: 4}, client: left}
  - {at: 1s, save: note, client: left}
faults:
  - {drop: ack, client: left, operation: 2}
"""
"""Left saves twice (the second ack is lost and replayed), right is refused with a conflict."""


def judged(expect: str, world: str = TWO_TABS) -> Verdict:
    done = run(f"{world}expect:\n{expect}")
    return judge_records(done.world, done.records, unmatched=done.unmatched, ended=done.ended)


def only(expect: str, world: str = TWO_TABS) -> Check:
    """Return the one check that a line of ``expect`` becomes."""
    checks = judged(f"  {expect}", world).checks
    assert len(checks) == 1, checks
    return checks[0]


@pytest.mark.parametrize(
    ("line", "found", "wrong"),
    [
        ("effects: {}", "2", "1"),
        ("attempts: {}", "4", "3"),
        ("deliveries: {}", "4", "2"),
        ("acks: {{accepted: {}}}", "2", "1"),
        ("acks: {{stale: {}}}", "0", "1"),
        ("clients: {{left: {{phase: {}}}}}", "acknowledged", "refused"),
        ("clients: {{right: {{phase: {}}}}}", "refused", "acknowledged"),
        ("clients: {{right: {{draft: {}}}}}", "dirty", "clean"),
        ("clients: {{right: {{refused: {}}}}}", "conflict", "invalid"),
        ("clients: {{right: {{effects: {}}}}}", "0", "1"),
        ("clients: {{left: {{effects: {}}}}}", "2", "1"),
        ("clients: {{left: {{attempts: {}}}}}", "3", "2"),
        ("clients: {{left: {{operations: {{1: {{attempts: {}}}}}}}}}", "1", "2"),
        ("clients: {{left: {{operations: {{2: {{attempts: {}}}}}}}}}", "2", "1"),
        ("clients: {{left: {{operations: {{2: {{deliveries: {}}}}}}}}}", "2", "1"),
        ("clients: {{left: {{operations: {{2: {{effects: {}}}}}}}}}", "1", "2"),
        ("clients: {{left: {{operations: {{2: {{acks: {{accepted: {}}}}}}}}}}}", "1", "0"),
        ("clients: {{right: {{operations: {{1: {{refused: {}}}}}}}}}", "conflict", "mismatch"),
        ("clients: {{right: {{operations: {{1: {{phase: {}}}}}}}}}", "refused", "acknowledged"),
        ("resources: {{note: {{version: {}}}}}", "6", "5"),
        ("resources: {{note: {{body: {}}}}}", "{n: 4}", "{n: 3}"),
    ],
)
def test_a_line_holds_for_what_was_found_and_for_nothing_else(
    line: str, found: str, wrong: str
) -> None:
    assert only(line.format(found)).holds
    assert not only(line.format(wrong)).holds


def test_a_check_says_what_was_expected_and_what_was_found() -> None:
    check = only("clients: {left: {operations: {2: {attempts: 7}}}}")

    assert (check.expected, check.found) == ("7", "2")
    assert "left" in check.what
    assert "operation 2" in check.what
    assert "attempts" in check.what


def test_an_operation_that_there_never_was_does_not_hold() -> None:
    check = only("clients: {right: {operations: {3: {attempts: 1}}}}")

    assert (check.found, check.holds) == ("no", False)


def test_every_line_is_a_check_of_its_own() -> None:
    verdict = judged("  effects: 2\n  attempts: 4\n  acks: {accepted: 2, stale: 0}")

    assert len(verdict.checks) == 4
    assert verdict.status is Status.PASSED


def test_one_line_that_does_not_hold_fails_the_run() -> None:
    assert judged("  effects: 2\n  attempts: 9").status is Status.FAILED


def test_a_phase_of_the_whole_scope_must_be_shown_by_every_client() -> None:
    check = only("phase: acknowledged")

    assert check.found == "acknowledged, refused"
    assert not check.holds


def test_invariants_that_break_unexpectedly_fail_the_run() -> None:
    text = "client: {mistakes: [success-before-ack]}\n"

    verdict = judged("  effects: 1", text)
    assert "no-false-success" in verdict.broken
    assert verdict.status is Status.FAILED


def test_violates_means_exactly_these_no_fewer() -> None:
    verdict = judged("  violates: [draft-kept]")

    assert verdict.broken == ()
    assert verdict.status is Status.FAILED


def test_violates_means_exactly_these_no_more() -> None:
    text = "client: {mistakes: [success-before-ack]}\n"
    broken = judged("  effects: 1", text).broken

    assert len(broken) > 1
    assert judged(f"  violates: [{', '.join(broken)}]", text).status is Status.PASSED
    assert judged(f"  violates: [{broken[0]}]", text).status is Status.FAILED


def test_a_fault_that_never_matched_makes_the_run_inconclusive() -> None:
    verdict = judged("  effects: 1", "faults: [{drop: ack, attempt: 3}]\n")

    assert verdict.status is Status.INCONCLUSIVE
    assert len(verdict.unmatched) == 1
    assert "attempt: 3" in verdict.unmatched[0]


def test_what_is_wrong_is_not_excused_by_a_fault_that_missed() -> None:
    verdict = judged("  effects: 7", "faults: [{drop: ack, attempt: 3}]\n")

    assert verdict.status is Status.FAILED


def test_a_run_that_was_given_up_proves_nothing() -> None:
    done = run()
    verdict = judge_records(done.world, done.records, ended="limit")

    assert verdict.status is Status.INCONCLUSIVE


def test_beliefs_are_counted_by_intent_against_effects() -> None:
    cells = {(b.belief, b.effects): b.count for b in judged("  effects: 2").beliefs}

    assert cells == {("acknowledged", 1): 2, ("not saved", 0): 1}


def test_a_client_that_gave_up_knowing_is_told_apart() -> None:
    verdict = judged(
        "  effects: 1",
        """
client: {on_unknown: person}
user:
  - {at: 0s, edit: note, body: {n: 2}}
  - {at: 0s, save: note}
  - {at: 9s, discard: note}
faults: [{drop: ack}]
""",
    )

    assert {(b.belief, b.effects) for b in verdict.beliefs} == {("given up", 1)}
