"""For each invariant of the contract one change to a right trace that breaks it, and only it."""

from collections.abc import Callable

import pytest

from sim.contract.names import INVARIANT_NAMES
from sim.judge.court import judge_records
from sim.trace.records import Rec
from tests.engine.worlds import faulty, run
from tests.judge.doctor import EDITED, PAYMENT, Trace, lost_ack, saved


def stored_twice() -> Trace:
    trace = saved(PAYMENT)
    return trace.again(trace.find(Rec.COMMIT), version=2, replaced=1)


def another_text_is_shown_as_saved() -> Trace:
    trace = saved()
    return trace.change(trace.find(Rec.SHOW, phase="acknowledged"), body='"another"')


def shown_as_refused_and_stored() -> Trace:
    trace = saved()
    return trace.change(
        trace.find(Rec.SHOW, phase="acknowledged"), phase="refused", reason="conflict"
    )


def the_text_is_gone_from_the_form() -> Trace:
    trace = saved()
    return trace.change(trace.find(Rec.SHOW, phase="awaiting-ack"), body="null")


def a_repeated_ack_changes_something() -> Trace:
    done = faulty("duplicate: ack, after: 5ms")
    trace = Trace(done.world, done.records)
    return trace.change(trace.find(Rec.ANSWER, verdict="repeated"), changed=True)


def the_newer_text_is_shown_as_clean() -> Trace:
    trace = saved(EDITED)
    newer = "acknowledged-newer-draft-retained"
    return trace.change(trace.find(Rec.SHOW, phase=newer), dirty=False)


def another_body_is_sent_than_was_frozen() -> Trace:
    trace = lost_ack()
    return trace.change(
        trace.find(Rec.LAUNCH, 2), sent_body='"live"', sent_expected_version=4, wire=1
    )


def another_snapshot_is_acknowledged() -> Trace:
    trace = lost_ack()
    return trace.change(trace.find(Rec.ARRIVED, 2), body='"another"')


def another_owner_is_told_the_result() -> Trace:
    done = run("client: {on_unknown: status}\nfaults: [{drop: ack}]")
    trace = Trace(done.world, done.records)
    return trace.change(trace.find(Rec.DECIDED, decision="completed"), owner="somebody else")


def another_version_was_replaced_than_expected() -> Trace:
    trace = saved()
    return trace.change(trace.find(Rec.COMMIT), replaced=7)


def completed_is_recorded_before_the_commit() -> Trace:
    trace = saved()
    return trace.swap(trace.find(Rec.COMMIT), trace.find(Rec.RECORDED, state="completed"))


def a_repeat_is_told_conflict() -> Trace:
    trace = lost_ack()
    return trace.change(trace.find(Rec.DECIDED, decision="replay"), decision="conflict")


def a_second_attempt_where_one_is_allowed() -> Trace:
    return lost_ack().allow(max_attempts=1)


def the_repeated_operation_is_irreversible() -> Trace:
    trace = lost_ack()
    return trace.change(trace.find(Rec.LAUNCH), irreversible=True)


def the_unknown_outcome_is_not_shown() -> Trace:
    trace = lost_ack()
    return trace.change(trace.find(Rec.SHOW, phase="unknown-outcome"), phase="idle")


def the_replay_is_ignored() -> Trace:
    trace = lost_ack("delay: ack, attempt: 2, by: 10ms")
    answer = trace.find(Rec.ANSWER)
    return trace.change(answer, verdict="ignored", changed=False).end_after(answer)


def an_undisturbed_attempt_is_told_in_flight() -> Trace:
    trace = saved()
    answer = trace.find(Rec.ANSWER)
    trace.change(answer, answer="in-flight", verdict="refusal", accepted_version=None)
    trace.end_after(answer)
    return trace.drop(trace.find(Rec.RECORDED, state="completed")).drop(trace.find(Rec.COMMIT))


def a_save_launches_nothing() -> Trace:
    trace = saved()
    save = trace.find(Rec.SAVE)
    return trace.change(save, launches=False).end_after(save)


def the_registry_s_entry_stays_running() -> Trace:
    trace = saved()
    return trace.drop(trace.find(Rec.RECORDED, state="completed"))


DOCTORED: dict[str, Callable[[], Trace]] = {
    "one-effect-per-intent": stored_twice,
    "no-false-success": another_text_is_shown_as_saved,
    "no-false-failure": shown_as_refused_and_stored,
    "draft-kept": the_text_is_gone_from_the_form,
    "stale-ack-inert": a_repeated_ack_changes_something,
    "newer-draft-kept": the_newer_text_is_shown_as_clean,
    "ids-unique": another_body_is_sent_than_was_frozen,
    "same-id-same-snapshot": another_snapshot_is_acknowledged,
    "owner-isolation": another_owner_is_told_the_result,
    "no-blind-overwrite": another_version_was_replaced_than_expected,
    "completed-means-committed": completed_is_recorded_before_the_commit,
    "no-false-conflict": a_repeat_is_told_conflict,
    "bounded-attempts": a_second_attempt_where_one_is_allowed,
    "irreversible-not-repeated": the_repeated_operation_is_irreversible,
    "unknown-is-visible": the_unknown_outcome_is_not_shown,
    "answer-confirms": the_replay_is_ignored,
    "clean-attempt-settles": an_undisturbed_attempt_is_told_in_flight,
    "can-save": a_save_launches_nothing,
    "settles": the_registry_s_entry_stays_running,
}


def test_every_invariant_has_its_doctored_trace_here() -> None:
    assert tuple(DOCTORED) == INVARIANT_NAMES


@pytest.mark.parametrize("invariant", list(DOCTORED))
def test_one_change_breaks_exactly_this_invariant(invariant: str) -> None:
    assert DOCTORED[invariant]().broken == (invariant,)


@pytest.mark.parametrize("text", ["", PAYMENT, EDITED])
def test_an_undisturbed_trace_breaks_nothing(text: str) -> None:
    assert saved(text).broken == ()


def test_a_lost_ack_alone_breaks_nothing() -> None:
    assert lost_ack().broken == ()


def test_an_operation_that_nobody_waits_for_does_not_settle() -> None:
    trace = lost_ack()
    retry = trace.find(Rec.LAUNCH, 2)
    end = trace.records[-1]
    trace.end_after(retry - 1)
    trace.records.append(end)

    assert trace.broken == ("settles",)


def test_what_is_still_busy_at_the_horizon_is_open_and_breaks_nothing() -> None:
    done = faulty("drop: request", more="horizon: 1s")

    assert Trace(done.world, done.records).broken == ()


def test_a_violation_names_the_record_at_which_it_happened() -> None:
    trace = another_text_is_shown_as_saved()
    place = trace.find(Rec.SHOW, phase="acknowledged")
    violation = judge_records(trace.world, trace.records).violations[0]

    assert violation.seq == trace.records[place].seq
    assert violation.at_us == 80_000
    assert (violation.op, violation.client) == (1, "client")
