"""How an attempt ends without an ack, and what the policy makes of it."""

import pytest

from sim.contract.client.events import Answered, PersonRetries, TimerFired
from sim.contract.client.rows import Row
from sim.contract.client.state import TimerKind
from sim.contract.messages import NEVER_SENT, Refusal, RefusalKind, TransportError
from sim.contract.phases import Phase, Reason
from sim.contract.retry import RetryPolicy
from tests.contract.drive import SECOND, Hand

MAYBE_SENT = [error for error in TransportError if error not in NEVER_SENT]
FINAL = [RefusalKind.INVALID, RefusalKind.CONFLICT, RefusalKind.MISMATCH]


def irreversible(**changes: object) -> Hand:
    return Hand(irreversible=True, **changes).launched()


def test_a_timeout_makes_the_outcome_unknown_and_schedules_the_retry() -> None:
    hand = Hand().launched()

    done = hand.ring()

    assert done.row is Row.TIMED_OUT
    assert hand.phase is Phase.UNKNOWN_OUTCOME
    assert hand.op.due is not None
    assert hand.op.due.kind is TimerKind.RETRY
    assert hand.now_us == 2 * SECOND


@pytest.mark.parametrize("error", MAYBE_SENT)
def test_a_broken_exchange_makes_the_outcome_unknown(error: TransportError) -> None:
    hand = Hand().launched()

    assert hand.breaks(error).row is Row.BROKEN
    assert hand.phase is Phase.UNKNOWN_OUTCOME


@pytest.mark.parametrize("code", [500, 502, 503, 504])
def test_a_server_error_makes_the_outcome_unknown(code: int) -> None:
    hand = Hand().launched()

    assert hand.error(code).row is Row.SERVER_ERROR
    assert hand.phase is Phase.UNKNOWN_OUTCOME


def test_a_503_that_names_a_delay_is_unknown_and_waited_for() -> None:
    hand = Hand().launched()

    hand.error(503, retry_after_us=7 * SECOND)

    assert hand.phase is Phase.UNKNOWN_OUTCOME
    assert hand.waits_us == 7 * SECOND


def test_a_retry_comes_after_its_delay_with_the_next_attempt() -> None:
    hand = Hand().launched().unknown()
    assert hand.waits_us == SECOND // 2

    done = hand.ring()

    assert done.row is Row.RETRY_DUE
    assert hand.phase is Phase.AWAITING_ACK
    assert hand.op.attempt == 2


@pytest.mark.parametrize("policy", ["status", "person"])
def test_no_retry_is_made_by_itself_where_the_policy_asks_first(policy: str) -> None:
    hand = Hand(on_unknown=policy).launched().unknown()

    assert hand.op.due is None or hand.op.due.kind is TimerKind.STATUS
    assert len(hand.sent) == 1


def test_where_a_person_must_agree_a_retry_waits_for_the_person() -> None:
    hand = Hand(retry=RetryPolicy(max_attempts=3, confirm=True)).launched().unknown()
    assert (hand.phase, hand.reason) == (Phase.RECOVERY_REQUIRED, Reason.PERSON_DECIDES)

    assert hand.feed(PersonRetries()).row is Row.PERSON_RETRIES
    assert hand.op.attempt == 2


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_no_operation_makes_more_attempts_than_its_policy_allows(limit: int) -> None:
    hand = Hand(retry=RetryPolicy(max_attempts=limit)).launched()
    while hand.phase is not Phase.RECOVERY_REQUIRED:
        hand.ring()

    assert [send.attempt for send in hand.sent] == list(range(1, limit + 1))
    assert len(hand.queries) == 3


@pytest.mark.parametrize("error", sorted(NEVER_SENT))
def test_a_void_attempt_keeps_the_phase_and_schedules_the_next(error: TransportError) -> None:
    hand = Hand().launched()

    done = hand.breaks(error)

    assert done.row is Row.VOID
    assert hand.phase is Phase.AWAITING_ACK
    assert hand.ring().row is Row.RETRY_DUE
    assert hand.op.attempt == 2


def test_when_every_attempt_was_void_the_form_is_idle_and_says_not_sent() -> None:
    hand = Hand(retry=RetryPolicy(max_attempts=2)).launched()
    hand.breaks(TransportError.DNS)
    hand.ring()

    done = hand.breaks(TransportError.REFUSED)

    assert done.row is Row.NOT_SENT
    assert (hand.phase, hand.reason) == (Phase.IDLE, Reason.NOT_SENT)
    assert hand.state.draft.is_dirty


def test_a_void_last_attempt_after_one_that_may_have_arrived_stays_unknown() -> None:
    hand = Hand(retry=RetryPolicy(max_attempts=2)).launched().unknown()
    hand.ring()

    hand.breaks(TransportError.DNS)

    assert hand.phase is Phase.UNKNOWN_OUTCOME
    assert hand.state.operation is not None


def test_a_void_attempt_uses_up_an_attempt() -> None:
    hand = Hand(retry=RetryPolicy(max_attempts=2)).launched()
    hand.breaks(TransportError.OFFLINE)
    hand.ring()
    hand.unknown()

    assert hand.op.due is not None
    assert hand.op.due.kind is TimerKind.STATUS


def test_an_irreversible_operation_whose_attempt_never_left_is_sent_again() -> None:
    hand = irreversible()

    hand.breaks(TransportError.DNS)
    hand.ring()

    assert hand.op.attempt == 2


def test_an_opaque_error_is_no_proof_that_nothing_left() -> None:
    hand = Hand().launched()

    hand.breaks(TransportError.NETWORK_ERROR)

    assert hand.phase is Phase.UNKNOWN_OUTCOME


def test_in_flight_makes_the_outcome_unknown_and_retries_after_its_delay() -> None:
    hand = Hand().launched()

    done = hand.refuse(RefusalKind.IN_FLIGHT, retry_after_us=3 * SECOND)

    assert done.row is Row.IN_FLIGHT
    assert hand.phase is Phase.UNKNOWN_OUTCOME
    assert hand.waits_us == 3 * SECOND
    hand.ring()
    assert hand.op.attempt == 2


def test_in_flight_on_an_irreversible_operation_leads_to_a_status_query() -> None:
    hand = irreversible()

    hand.refuse(RefusalKind.IN_FLIGHT)
    hand.ring()

    assert len(hand.sent) == 1
    assert len(hand.queries) == 1


def test_throttled_keeps_the_phase_and_waits_as_long_as_the_server_asks() -> None:
    hand = Hand().launched()

    done = hand.refuse(RefusalKind.THROTTLED, retry_after_us=9 * SECOND)

    assert done.row is Row.THROTTLED
    assert hand.phase is Phase.AWAITING_ACK
    assert hand.waits_us == 9 * SECOND


def test_throttled_on_an_irreversible_operation_is_sent_again() -> None:
    hand = irreversible()

    hand.refuse(RefusalKind.THROTTLED)
    hand.ring()

    assert hand.op.attempt == 2


def test_a_policy_may_ignore_what_the_server_asks() -> None:
    hand = Hand(retry=RetryPolicy(max_attempts=3, retry_after=False)).launched()

    hand.refuse(RefusalKind.THROTTLED, retry_after_us=9 * SECOND)

    assert hand.waits_us == SECOND // 2


@pytest.mark.parametrize("kind", FINAL)
def test_a_final_refusal_of_attempt_01_is_believed_and_keeps_the_draft(kind: RefusalKind) -> None:
    hand = Hand().launched()
    body = hand.body

    done = hand.refuse(kind)

    assert done.row is Row.REFUSED
    assert (hand.phase, hand.reason.value) == (Phase.REFUSED, kind.value)
    assert (hand.body, hand.state.operation) == (body, None)
    assert hand.state.draft.is_dirty


@pytest.mark.parametrize("kind", FINAL)
def test_a_final_refusal_after_void_attempts_only_is_believed(kind: RefusalKind) -> None:
    hand = Hand().launched()
    hand.breaks(TransportError.DNS)
    hand.ring()

    assert hand.refuse(kind).row is Row.REFUSED


@pytest.mark.parametrize("kind", [*FINAL, RefusalKind.EXPIRED])
def test_a_final_refusal_after_an_unknown_attempt_is_not_believed(kind: RefusalKind) -> None:
    hand = Hand().launched().unknown()
    hand.ring()

    hand.refuse(kind)

    assert hand.phase is Phase.RECOVERY_REQUIRED
    assert hand.state.operation is not None
    assert len(hand.read_requests) == 1


def test_a_refusal_is_remembered_so_that_its_repeat_is_recognised() -> None:
    hand = Hand().launched()
    refusal = Refusal(hand.op.snapshot.operation_id, 1, RefusalKind.INVALID)
    hand.feed(Answered(refusal))

    assert hand.feed(Answered(refusal)).row is Row.RULE_1_REPEATED


def test_a_timer_that_outlived_its_attempt_changes_nothing() -> None:
    hand = Hand().launched()
    first = hand.op.due
    hand.breaks(TransportError.RESET)
    hand.ring()
    before = hand.state

    assert first is not None
    assert hand.feed(TimerFired(first, 0)).row is Row.OLD_TIMER
    assert hand.state == before


def test_a_transport_error_of_an_older_attempt_changes_nothing() -> None:
    hand = Hand().launched().unknown()
    hand.ring()
    before = hand.state

    assert hand.breaks(TransportError.RESET, attempt=1).row is Row.OLD_EXCHANGE
    assert hand.state == before


def test_a_transport_error_after_the_timeout_changes_nothing() -> None:
    hand = Hand().launched().unknown()
    before = hand.state

    assert hand.breaks(TransportError.DNS).row is Row.OLD_EXCHANGE
    assert hand.state == before


def test_an_irreversible_operation_is_not_sent_again_with_an_unknown_outcome() -> None:
    hand = irreversible()
    while hand.phase is not Phase.RECOVERY_REQUIRED:
        hand.ring()

    assert len(hand.sent) == 1
    assert len(hand.queries) == 3


def test_an_irreversible_operation_without_a_status_endpoint_needs_a_person() -> None:
    hand = irreversible(has_status=False)

    hand.ring()

    assert (hand.phase, hand.reason) == (Phase.RECOVERY_REQUIRED, Reason.NO_STATUS)
    assert len(hand.sent) == 1
