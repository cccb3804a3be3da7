"""Rules 1 to 6 of the contract, in their order: what the client makes of an answer."""

import pytest

from sim.contract.body import freeze
from sim.contract.client.events import (
    Answered,
    PersonDiscards,
    SignedIn,
    StatusAnswered,
    TimerFired,
)
from sim.contract.client.rows import Row
from sim.contract.ids import named_id
from sim.contract.messages import RefusalKind, Status, StatusAnswer
from sim.contract.phases import Phase
from tests.contract.drive import Hand

OTHER = named_id("nobody's")


def retried(**changes: object) -> Hand:
    """Attempt-01 timed out, attempt-02 is under way."""
    hand = Hand(**changes).launched().unknown()
    hand.ring()
    assert hand.op.attempt == 2
    return hand


def test_rule_1_an_ack_with_another_operation_id_is_stale_and_changes_nothing() -> None:
    hand = Hand().launched()
    before = hand.state

    done = hand.ack(operation_id=OTHER)

    assert done.row is Row.RULE_1_STALE
    assert hand.state == before


def test_rule_1_without_a_pending_operation_an_ack_is_stale() -> None:
    ack = Hand().launched().ack_for()
    hand = Hand()

    assert hand.feed(Answered(ack)).row is Row.RULE_1_STALE
    assert hand.phase is Phase.IDLE


def test_rule_1_what_already_settled_the_operation_is_repeated() -> None:
    hand = Hand().launched()
    ack = hand.ack_for()
    hand.feed(Answered(ack))
    before = hand.state

    done = hand.feed(Answered(ack))

    assert done.row is Row.RULE_1_REPEATED
    assert hand.state == before


def test_rule_1_a_replay_to_another_attempt_repeats_what_settled_it() -> None:
    hand = retried()
    first = hand.ack_for(attempt=1)
    hand.ack(replayed=True)

    assert hand.feed(Answered(first)).row is Row.RULE_1_REPEATED


def test_rule_1_a_repetition_is_recognised_while_the_next_operation_is_pending() -> None:
    hand = Hand().launched()
    ack = hand.ack_for()
    hand.feed(Answered(ack))
    hand.launched("newer")

    assert hand.feed(Answered(ack)).row is Row.RULE_1_REPEATED
    assert hand.phase is Phase.AWAITING_ACK


def test_rule_1_another_result_under_the_settled_id_is_stale_not_repeated() -> None:
    hand = Hand().launched()
    ack = hand.ack_for()
    hand.feed(Answered(ack))

    done = hand.feed(Answered(ack._replace(body=freeze("something else"))))

    assert done.row is Row.RULE_1_STALE


def test_rule_1_an_answer_to_an_abandoned_operation_is_stale() -> None:
    hand = Hand(has_status=False, on_unknown="person").launched().unknown()
    ack = hand.ack_for()
    hand.feed(PersonDiscards())

    assert hand.feed(Answered(ack)).row is Row.RULE_1_STALE
    assert hand.phase is Phase.IDLE


def test_rule_1_an_answer_to_an_operation_set_aside_with_its_owner_is_stale() -> None:
    hand = Hand().launched()
    ack = hand.ack_for()
    hand.feed(SignedIn("bob"))
    before = hand.state

    assert hand.feed(Answered(ack)).row is Row.RULE_1_STALE
    assert hand.state == before


def test_rule_1_holds_for_status_answers_too() -> None:
    hand = Hand(on_unknown="status").launched().unknown()
    hand.ring()
    before = hand.state
    result = hand.ack_for(operation_id=OTHER)

    done = hand.feed(StatusAnswered(StatusAnswer(OTHER, 1, Status.COMPLETED, result)))

    assert done.row is Row.RULE_1_STALE
    assert hand.state == before


def test_rule_2_an_ack_of_an_older_attempt_is_stale() -> None:
    hand = retried()
    before = hand.state

    done = hand.ack(attempt=1)

    assert done.row is Row.RULE_2_STALE
    assert hand.state == before


def test_rule_2_set_to_operation_lets_an_ack_of_any_attempt_confirm() -> None:
    hand = retried(ack_of_any_attempt=True)

    assert hand.ack(attempt=1).row is Row.RULE_5_ACCEPTED
    assert hand.phase is Phase.ACKNOWLEDGED


@pytest.mark.parametrize("any_attempt", [False, True])
def test_rule_2_keeps_refusals_of_older_attempts_stale_in_both_settings(
    any_attempt: bool,
) -> None:
    hand = retried(ack_of_any_attempt=any_attempt)

    assert hand.refuse(RefusalKind.INVALID, attempt=1).row is Row.RULE_2_STALE
    assert hand.phase is Phase.AWAITING_ACK


@pytest.mark.parametrize("any_attempt", [False, True])
def test_rule_2_keeps_errors_of_older_attempts_stale_in_both_settings(any_attempt: bool) -> None:
    hand = retried(ack_of_any_attempt=any_attempt)

    assert hand.error(500, attempt=1).row is Row.RULE_2_STALE
    assert hand.phase is Phase.AWAITING_ACK


def test_rule_2_lets_a_status_answer_pass_which_names_no_attempt() -> None:
    hand = Hand(on_unknown="status").launched().unknown()
    hand.ring()

    done = hand.told(Status.COMPLETED, result=hand.ack_for(attempt=7))

    assert done.row is Row.RULE_5_ACCEPTED


@pytest.mark.parametrize(
    "wrong", [{"accepted_version": 1}, {"accepted_version": 3}, {"body": freeze("another")}]
)
def test_rule_3_an_ack_of_another_version_or_body_is_invalid_and_inert(
    wrong: dict[str, object],
) -> None:
    hand = Hand().launched()
    before = hand.state

    done = hand.ack(**wrong)

    assert done.row is Row.RULE_3_INVALID
    assert hand.state == before


def test_rule_3_holds_for_a_completed_status_too() -> None:
    hand = Hand(on_unknown="status").launched().unknown()
    hand.ring()
    before = hand.state

    done = hand.told(Status.COMPLETED, result=hand.ack_for(body=freeze("another")))

    assert done.row is Row.RULE_3_INVALID
    assert hand.state == before


def test_rule_2_comes_before_rule_3() -> None:
    hand = retried()

    assert hand.ack(attempt=1, body=freeze("another")).row is Row.RULE_2_STALE


def test_rule_1_comes_before_rule_2() -> None:
    hand = retried()

    assert hand.ack(attempt=1, operation_id=OTHER).row is Row.RULE_1_STALE


def test_rule_4_an_edit_while_waiting_stays_and_stays_dirty() -> None:
    hand = Hand().launched("old")
    hand.edit("newer")

    done = hand.ack()

    assert done.row is Row.RULE_4_ACCEPTED
    assert hand.phase is Phase.ACKNOWLEDGED_NEWER
    assert hand.body == freeze("newer")
    assert hand.state.draft.is_dirty


def test_rule_4_raises_the_base_version_to_what_this_operation_produced() -> None:
    hand = Hand().launched("old")
    hand.edit("newer")
    hand.ack(resource_version=5)

    hand.save()

    assert hand.op.snapshot.expected_version == 5


def test_rule_4_a_draft_that_went_and_came_back_has_moved_on() -> None:
    hand = Hand().launched("a")
    hand.edit("b")
    hand.edit("a")

    assert hand.ack().row is Row.RULE_4_ACCEPTED
    assert hand.state.draft.is_dirty


def test_rule_5_an_ack_of_exactly_the_draft_confirms_it() -> None:
    hand = Hand().launched()

    done = hand.ack(resource_version=5)

    assert done.row is Row.RULE_5_ACCEPTED
    assert hand.phase is Phase.ACKNOWLEDGED
    assert not hand.state.draft.is_dirty
    assert hand.state.draft.base_version == 5
    assert hand.state.operation is None


def test_rule_5_never_lowers_the_base_version() -> None:
    hand = Hand().launched()

    hand.ack(resource_version=2)

    assert hand.state.draft.base_version == 4


def test_a_replay_s_current_resource_moves_no_base_version() -> None:
    hand = retried()
    seen = hand.ack_for(replayed=True)
    later = seen._replace(current=(9, freeze("theirs")))

    hand.feed(Answered(later))

    assert hand.state.draft.base_version == seen.resource_version


def test_a_late_ack_counts_in_unknown_outcome() -> None:
    hand = Hand().launched().unknown()
    assert hand.phase is Phase.UNKNOWN_OUTCOME

    assert hand.ack().row is Row.RULE_5_ACCEPTED


def test_a_late_ack_counts_in_recovery_required() -> None:
    hand = Hand(on_unknown="person").launched().unknown()
    assert hand.phase is Phase.RECOVERY_REQUIRED

    assert hand.ack().row is Row.RULE_5_ACCEPTED


@pytest.mark.parametrize("kind", list(RefusalKind))
def test_refusals_do_not_count_in_recovery_required(kind: RefusalKind) -> None:
    hand = Hand(on_unknown="person").launched().unknown()
    before = hand.state

    assert hand.refuse(kind).row is Row.LATE_REFUSAL
    assert hand.state == before


def test_a_refusal_of_the_last_attempt_counts_in_unknown_outcome() -> None:
    hand = Hand().launched().unknown()

    assert hand.refuse(RefusalKind.INVALID).row is Row.REFUSED
    assert hand.phase is Phase.REFUSED


def test_a_server_error_in_unknown_outcome_says_nothing_new() -> None:
    hand = Hand().launched().unknown()
    before = hand.state

    hand.error(503)

    assert hand.state == before


def test_a_settled_operation_leaves_no_timer_that_could_act() -> None:
    hand = Hand().launched()
    timer = hand.op.due
    hand.ack()
    before = hand.state

    assert timer is not None
    assert hand.feed(TimerFired(timer, 0)).row is Row.OLD_TIMER
    assert hand.state == before
