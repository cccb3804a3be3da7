"""Status queries, the recovery window, and what a person decides."""

import pytest

from sim.contract.body import freeze
from sim.contract.client.events import (
    ExchangeBroken,
    ExchangeKind,
    PersonChecks,
    PersonDiscards,
    PersonRetries,
    Reloaded,
    SignedIn,
    StatusAnswered,
)
from sim.contract.client.rows import Row
from sim.contract.client.state import TimerKind
from sim.contract.messages import RefusalKind, Status, StatusAnswer, TransportError
from sim.contract.phases import Phase, Reason
from sim.contract.retry import RetryPolicy
from tests.contract.drive import HOUR, SECOND, Hand

WINDOW_US = 23 * HOUR


def asked(**changes: object) -> Hand:
    """The outcome is unknown and the first status query is under way."""
    hand = Hand(**{"on_unknown": "status", **changes}).launched().unknown()
    hand.ring()
    assert len(hand.queries) == 1
    return hand


def resting(**changes: object) -> Hand:
    """The client rests in recovery-required after one attempt with an unknown outcome."""
    hand = Hand(**{"on_unknown": "person", **changes}).launched().unknown()
    assert hand.phase is Phase.RECOVERY_REQUIRED
    return hand


def test_a_status_query_names_owner_and_operation_after_its_delay() -> None:
    hand = asked()

    assert hand.now_us == 3 * SECOND
    query = hand.queries[0]
    assert (query.owner, query.query) == ("ann", 1)
    assert query.operation_id == hand.op.snapshot.operation_id


def test_a_completed_status_settles_like_an_ack() -> None:
    hand = asked()

    assert hand.told(Status.COMPLETED).row is Row.RULE_5_ACCEPTED
    assert hand.phase is Phase.ACKNOWLEDGED


def test_a_completed_status_keeps_a_newer_draft() -> None:
    hand = asked()
    hand.edit("newer")

    hand.told(Status.COMPLETED)

    assert hand.phase is Phase.ACKNOWLEDGED_NEWER
    assert hand.body == freeze("newer")


def test_a_pending_status_is_asked_again_within_the_limit() -> None:
    hand = asked()
    for _ in range(2):
        assert hand.told(Status.PENDING).row is Row.STATUS_PENDING
        hand.ring()

    hand.told(Status.PENDING)

    assert (hand.phase, hand.reason) == (Phase.RECOVERY_REQUIRED, Reason.OUT_OF_QUERIES)
    assert len(hand.queries) == 3


def test_a_status_query_without_an_answer_is_asked_again_within_the_limit() -> None:
    hand = asked()
    while hand.phase is Phase.UNKNOWN_OUTCOME:
        hand.ring()

    assert len(hand.queries) == 3
    assert hand.phase is Phase.RECOVERY_REQUIRED


def test_a_broken_status_exchange_counts_as_no_answer() -> None:
    hand = asked()
    name = hand.op.snapshot.operation_id

    done = hand.feed(ExchangeBroken(ExchangeKind.STATUS, name, 1, TransportError.RESET))

    assert done.row is Row.NO_STATUS_ANSWER
    assert hand.op.due is not None
    assert hand.op.due.kind is TimerKind.STATUS


def test_not_found_is_no_proof_the_same_operation_is_sent_again_after_the_agreed_wait() -> None:
    hand = asked()

    done = hand.told(Status.NOT_FOUND)
    assert done.row is Row.STATUS_NOT_FOUND
    assert hand.phase is Phase.UNKNOWN_OUTCOME
    hand.ring()

    assert hand.sent[1].snapshot == hand.sent[0].snapshot
    assert hand.sent[1].attempt == 2


def test_not_found_of_an_irreversible_operation_only_asks_again() -> None:
    hand = asked(irreversible=True)
    for _ in range(2):
        hand.told(Status.NOT_FOUND)
        hand.ring()
    hand.told(Status.NOT_FOUND)

    assert hand.phase is Phase.RECOVERY_REQUIRED
    assert (len(hand.sent), len(hand.queries)) == (1, 3)


def test_not_found_with_the_attempts_spent_only_asks_again() -> None:
    hand = asked(retry=RetryPolicy(max_attempts=1))

    hand.told(Status.NOT_FOUND)
    hand.ring()

    assert (len(hand.sent), len(hand.queries)) == (1, 2)


def test_an_expired_status_ends_every_retry_and_reads_the_resource() -> None:
    hand = asked()

    done = hand.told(Status.EXPIRED)

    assert done.row is Row.STATUS_EXPIRED
    assert (hand.phase, hand.reason) == (Phase.RECOVERY_REQUIRED, Reason.EXPIRED)
    assert len(hand.read_requests) == 1
    assert hand.feed(PersonRetries()).row is Row.PERSON_MAY_NOT_RETRY


def test_an_unauthenticated_status_waits_for_a_sign_in() -> None:
    hand = asked()

    hand.told(Status.UNAUTHENTICATED)

    assert (hand.phase, hand.reason) == (Phase.RECOVERY_REQUIRED, Reason.SIGN_IN)


def test_an_open_answer_to_an_older_query_changes_nothing() -> None:
    hand = asked()
    hand.ring()
    hand.ring()
    before = hand.state
    late = StatusAnswer(hand.op.snapshot.operation_id, 1, Status.NOT_FOUND)

    assert hand.feed(StatusAnswered(late)).row is Row.STATUS_OLD
    assert hand.state == before


def test_a_late_completed_answer_to_an_older_query_counts() -> None:
    hand = asked()
    hand.ring()
    hand.ring()

    assert hand.told(Status.COMPLETED, query=1).row is Row.RULE_5_ACCEPTED


def test_without_a_status_endpoint_the_client_rests() -> None:
    hand = Hand(on_unknown="status", has_status=False).launched().unknown()

    assert (hand.phase, hand.reason) == (Phase.RECOVERY_REQUIRED, Reason.NO_STATUS)


def test_a_person_s_check_is_one_status_query_that_arms_nothing() -> None:
    hand = resting()

    done = hand.feed(PersonChecks())

    assert done.row is Row.PERSON_CHECKS
    assert len(hand.queries) == 1
    assert hand.phase is Phase.RECOVERY_REQUIRED
    assert hand.op.due is None


def test_a_person_may_check_as_often_as_they_like() -> None:
    hand = resting(status_max=1)
    for _ in range(4):
        hand.feed(PersonChecks())

    assert len(hand.queries) == 4


def test_a_check_that_finds_it_completed_settles_it() -> None:
    hand = resting()
    hand.feed(PersonChecks())

    assert hand.told(Status.COMPLETED).row is Row.RULE_5_ACCEPTED


@pytest.mark.parametrize("status", [Status.NOT_FOUND, Status.PENDING])
def test_a_check_that_finds_nothing_moves_nothing(status: Status) -> None:
    hand = resting()
    hand.feed(PersonChecks())

    hand.told(status)

    assert hand.phase is Phase.RECOVERY_REQUIRED
    assert hand.op.due is None


def test_a_check_without_a_status_endpoint_reads_the_resource() -> None:
    hand = resting(has_status=False)

    assert hand.feed(PersonChecks()).row is Row.PERSON_READS
    assert len(hand.read_requests) == 1


def test_a_person_retries_with_the_next_attempt_of_the_same_operation() -> None:
    hand = resting()

    assert hand.feed(PersonRetries()).row is Row.PERSON_RETRIES
    assert hand.phase is Phase.AWAITING_ACK
    assert hand.sent[1].snapshot == hand.sent[0].snapshot


def test_a_person_may_not_retry_past_the_policy_s_limit() -> None:
    hand = resting(retry=RetryPolicy(max_attempts=1))

    assert hand.feed(PersonRetries()).row is Row.PERSON_MAY_NOT_RETRY
    assert len(hand.sent) == 1


def test_a_person_may_not_retry_an_irreversible_operation() -> None:
    hand = resting(irreversible=True)

    assert hand.feed(PersonRetries()).row is Row.PERSON_MAY_NOT_RETRY


@pytest.mark.parametrize("event", [PersonRetries(), PersonChecks(), PersonDiscards()])
def test_a_person_decides_only_where_the_client_rests(event: object) -> None:
    hand = Hand().launched()
    before = hand.state

    done = hand.feed(event)

    assert done.effects == ()
    assert hand.state == before


def test_discarding_keeps_the_draft_and_reads_the_resource() -> None:
    hand = resting()
    body = hand.body

    done = hand.feed(PersonDiscards())

    assert done.row is Row.PERSON_DISCARDS
    assert (hand.phase, hand.state.operation) == (Phase.IDLE, None)
    assert hand.body == body
    assert len(hand.read_requests) == 1


def test_discarding_leaves_the_base_version_until_the_person_merges() -> None:
    hand = resting()
    hand.feed(PersonDiscards())
    hand.reads(5, "theirs")

    hand.save()

    assert hand.op.snapshot.expected_version == 4


def test_a_save_after_discarding_is_a_new_operation() -> None:
    hand = resting()
    first = hand.op.snapshot.operation_id
    hand.feed(PersonDiscards())

    assert hand.save().row is Row.SAVE_LAUNCHED
    assert hand.op.snapshot.operation_id != first
    assert hand.op.attempt == 1


# --- the recovery window --------------------------------------------------------------------------


def test_within_the_window_to_the_microsecond_a_retry_is_sent() -> None:
    hand = resting()
    hand.now_us = WINDOW_US

    assert hand.feed(PersonRetries()).row is Row.PERSON_RETRIES


def test_one_microsecond_past_the_window_no_retry_is_sent() -> None:
    hand = resting()
    hand.now_us = WINDOW_US + 1

    done = hand.feed(PersonRetries())

    assert done.row is Row.WINDOW_PASSED
    assert (hand.phase, hand.reason) == (Phase.RECOVERY_REQUIRED, Reason.EXPIRED)
    assert len(hand.sent) == 1
    assert len(hand.read_requests) == 1


def test_the_window_runs_from_the_first_send_not_from_the_last() -> None:
    hand = Hand(retry=RetryPolicy(max_attempts=9)).launched().unknown()
    hand.now_us = WINDOW_US - SECOND
    hand.ring()

    hand.ring()

    assert hand.now_us > WINDOW_US
    assert hand.phase is Phase.RECOVERY_REQUIRED
    assert hand.reason is Reason.EXPIRED


def test_a_retry_that_falls_due_after_the_window_is_not_sent() -> None:
    hand = Hand().launched().unknown()
    hand.now_us = WINDOW_US

    assert hand.ring().row is Row.WINDOW_PASSED
    assert len(hand.sent) == 1


def test_the_window_runs_while_the_page_is_closed() -> None:
    hand = Hand().launched()
    hand.now_us = WINDOW_US + 1

    hand.feed(Reloaded())

    assert (hand.phase, hand.reason) == (Phase.RECOVERY_REQUIRED, Reason.EXPIRED)
    assert len(hand.sent) == 1


def test_the_window_runs_while_the_operation_is_set_aside() -> None:
    hand = Hand().launched()
    hand.feed(SignedIn("bob"))
    hand.now_us = WINDOW_US + 1
    hand.feed(SignedIn("ann"))

    hand.feed(PersonRetries())

    assert len(hand.sent) == 1
    assert hand.phase is Phase.RECOVERY_REQUIRED


def test_the_window_runs_while_a_sign_in_is_waited_for() -> None:
    hand = Hand().launched()
    hand.refuse(RefusalKind.UNAUTHENTICATED)
    hand.now_us = WINDOW_US + 1

    hand.feed(SignedIn("ann"))

    assert len(hand.sent) == 1
    assert hand.phase is Phase.RECOVERY_REQUIRED


def test_after_the_window_a_late_ack_still_counts() -> None:
    hand = resting()
    hand.now_us = WINDOW_US + 1
    hand.feed(PersonRetries())

    assert hand.ack().row is Row.RULE_5_ACCEPTED


def test_a_new_operation_has_a_window_of_its_own() -> None:
    hand = Hand().launched("a")
    hand.ack()
    hand.now_us = 2 * WINDOW_US
    hand.launched("b").unknown()

    assert hand.ring().row is Row.RETRY_DUE
