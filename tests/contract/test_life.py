"""Reloads, workers, sessions: what survives, and what starts again."""

import pytest

from sim.contract.body import freeze
from sim.contract.client.events import (
    Answered,
    Closed,
    PersonChecks,
    Reloaded,
    SignedIn,
    SignedOut,
    TimerFired,
    WorkerStarted,
    WorkerStopped,
)
from sim.contract.client.rows import Row
from sim.contract.client.state import TimerKind
from sim.contract.messages import RefusalKind, Status
from sim.contract.phases import Phase, Reason, sentence
from sim.contract.retry import RetryPolicy
from tests.contract.drive import Hand


def test_a_pending_operation_comes_back_from_a_reload_as_an_unknown_outcome() -> None:
    hand = Hand().launched()
    snapshot = hand.op.snapshot

    done = hand.feed(Reloaded())

    assert done.row is Row.RELOADED
    assert hand.phase is Phase.UNKNOWN_OUTCOME
    assert (hand.op.snapshot, hand.op.attempt) == (snapshot, 1)


def test_after_a_reload_the_next_attempt_has_the_next_number() -> None:
    hand = Hand().launched()
    hand.feed(Reloaded())

    hand.ring()

    assert [send.attempt for send in hand.sent] == [1, 2]
    assert hand.sent[0].snapshot == hand.sent[1].snapshot


def test_a_reload_keeps_the_draft_with_its_versions() -> None:
    hand = Hand().launched("a")
    hand.edit("b")
    draft = hand.state.draft

    hand.feed(Reloaded())

    assert hand.state.draft == draft


def test_a_reload_resubmits_nothing_as_new() -> None:
    hand = Hand()
    hand.edit("unsaved")

    hand.feed(Reloaded())

    assert hand.sent == []
    assert hand.phase is Phase.IDLE


def test_a_reload_while_the_last_attempts_outcome_is_unknown_spends_no_attempt() -> None:
    hand = Hand(retry=RetryPolicy(max_attempts=2)).launched()
    for _ in range(5):
        hand.feed(Reloaded())

    hand.ring()

    assert hand.op.attempt == 2


def test_a_reload_of_an_irreversible_operation_asks_and_does_not_send() -> None:
    hand = Hand(irreversible=True).launched()
    hand.feed(Reloaded())

    hand.ring()

    assert (len(hand.sent), len(hand.queries)) == (1, 1)


def test_the_timers_of_the_page_before_are_harmless_after_a_reload() -> None:
    hand = Hand().launched()
    before = hand.op.due
    hand.feed(Reloaded())
    held = hand.state

    assert before is not None
    assert hand.feed(TimerFired(before, 0)).row is Row.OLD_TIMER
    assert hand.state == held


def test_a_closed_page_hears_nothing() -> None:
    hand = Hand().launched()
    ack = hand.ack_for()
    hand.feed(Closed())
    before = hand.state
    assert hand.feed(Answered(ack)).row is Row.PAGE_CLOSED
    assert hand.state == before


def test_a_page_that_is_opened_again_goes_on_as_after_a_reload() -> None:
    hand = Hand().launched()
    hand.feed(Closed())

    hand.feed(Reloaded())

    assert hand.state.is_open
    assert hand.phase is Phase.UNKNOWN_OUTCOME


def test_a_stopped_worker_has_no_timers() -> None:
    hand = Hand().launched().unknown()
    retry = hand.op.due

    hand.feed(WorkerStopped())

    assert hand.op.due is None
    assert retry is not None
    assert hand.feed(TimerFired(retry, 0)).row is Row.OLD_TIMER


def test_a_worker_that_runs_again_goes_on_with_the_pending_operation() -> None:
    hand = Hand().launched().unknown()
    hand.feed(WorkerStopped())

    assert hand.feed(WorkerStarted()).row is Row.WORKER_STARTED
    assert hand.phase is Phase.UNKNOWN_OUTCOME
    hand.ring()
    assert hand.op.attempt == 2


def test_a_worker_that_never_stopped_is_not_started_twice() -> None:
    hand = Hand().launched()
    before = hand.state

    hand.feed(WorkerStarted())

    assert hand.state == before


def test_a_worker_that_runs_again_keeps_a_resting_operation_for_the_person() -> None:
    hand = Hand(on_unknown="person").launched().unknown()
    hand.feed(WorkerStopped())

    hand.feed(WorkerStarted())

    assert hand.phase is Phase.RECOVERY_REQUIRED


# --- sessions -------------------------------------------------------------------------------------


def signed_out(**changes: object) -> Hand:
    hand = Hand(**changes).launched()
    hand.refuse(RefusalKind.UNAUTHENTICATED)
    return hand


def test_an_unauthenticated_write_is_kept_until_a_sign_in() -> None:
    hand = signed_out()

    assert (hand.phase, hand.reason) == (Phase.RECOVERY_REQUIRED, Reason.SIGN_IN)
    assert hand.op.attempt == 1


def test_the_same_owner_s_new_session_resumes_with_the_next_attempt() -> None:
    hand = signed_out()

    done = hand.feed(SignedIn("ann"))

    assert done.row is Row.SIGNED_IN_RESUMES
    assert hand.phase is Phase.AWAITING_ACK
    assert [send.attempt for send in hand.sent] == [1, 2]


def test_an_irreversible_operation_resumes_if_no_attempt_may_have_arrived() -> None:
    hand = signed_out(irreversible=True)

    hand.feed(SignedIn("ann"))

    assert hand.op.attempt == 2


def test_an_irreversible_operation_with_an_unknown_attempt_resumes_with_a_query() -> None:
    hand = Hand(irreversible=True, on_unknown="status").launched().unknown()
    hand.ring()
    hand.told(Status.UNAUTHENTICATED)

    hand.feed(SignedIn("ann"))
    hand.ring()

    assert (len(hand.sent), len(hand.queries)) == (1, 2)


def test_resuming_uses_up_attempts() -> None:
    hand = signed_out(retry=RetryPolicy(max_attempts=1))

    hand.feed(SignedIn("ann"))

    assert len(hand.sent) == 1
    assert hand.phase in (Phase.UNKNOWN_OUTCOME, Phase.RECOVERY_REQUIRED)


def test_a_new_session_does_not_resume_what_rests_for_another_reason() -> None:
    hand = Hand(on_unknown="person").launched().unknown()
    before = hand.state

    hand.feed(SignedIn("ann"))

    assert hand.state == before


def test_another_owner_sees_and_sends_nothing_of_the_first() -> None:
    hand = Hand().launched("ann's")

    hand.feed(SignedIn("bob"))

    assert hand.state.owner == "bob"
    assert (hand.state.operation, hand.state.read) == (None, None)
    assert hand.body != freeze("ann's")
    assert hand.phase is Phase.IDLE
    assert len(hand.sent) == 1


def test_another_owner_s_screen_starts_from_reading_the_resource() -> None:
    hand = Hand().launched("ann's")
    hand.feed(SignedIn("bob"))

    hand.reads(5, "stored")

    assert (hand.body, hand.state.draft.base_version) == (freeze("stored"), 5)


def test_the_first_owner_finds_draft_and_operation_again_to_decide_about() -> None:
    hand = Hand().launched("ann's")
    snapshot = hand.op.snapshot
    hand.feed(SignedIn("bob"))
    hand.launched("bob's")
    hand.feed(SignedIn("ann"))

    assert (hand.phase, hand.reason) == (Phase.RECOVERY_REQUIRED, Reason.SET_ASIDE)
    assert hand.op.snapshot == snapshot
    assert hand.body == freeze("ann's")


def test_an_operation_that_came_back_can_be_checked() -> None:
    hand = Hand().launched()
    hand.feed(SignedIn("bob"))
    hand.feed(SignedIn("ann"))
    hand.feed(PersonChecks())

    assert hand.told(Status.COMPLETED).row is Row.RULE_5_ACCEPTED


def test_three_owners_keep_their_drafts_apart() -> None:
    hand = Hand()
    for owner in ("ann", "bob", "cid"):
        hand.feed(SignedIn(owner))
        hand.edit(f"{owner}'s")

    for owner in ("bob", "ann", "cid"):
        hand.feed(SignedIn(owner))
        assert hand.body == freeze(f"{owner}'s")


def test_a_timer_of_an_operation_set_aside_is_harmless() -> None:
    hand = Hand().launched()
    timer = hand.op.due
    hand.feed(SignedIn("bob"))
    before = hand.state

    assert timer is not None
    assert hand.feed(TimerFired(timer, 0)).row is Row.OLD_TIMER
    assert hand.state == before


def test_signing_out_alone_changes_nothing_on_the_screen() -> None:
    hand = Hand().launched()
    before = hand.state

    hand.feed(SignedOut())

    assert hand.state == before


@pytest.mark.parametrize("phase", list(Phase))
def test_each_phase_has_a_plain_sentence(phase: Phase) -> None:
    text = sentence(phase, Reason.NONE)

    assert text.endswith((".", "…"))
    assert "error" not in text.lower()


@pytest.mark.parametrize("reason", [reason for reason in Reason if reason])
def test_each_reason_has_a_sentence_of_its_own(reason: Reason) -> None:
    texts = {sentence(Phase.IDLE, other) for other in Reason if other is not reason}

    assert sentence(Phase.IDLE, reason) not in texts


def test_the_sentence_of_an_unknown_outcome_says_what_the_contract_says() -> None:
    text = sentence(Phase.UNKNOWN_OUTCOME, Reason.NONE)

    assert text == "Not confirmed yet; your text is kept; being checked."


def test_a_reload_leaves_no_status_timer_of_the_page_before() -> None:
    hand = Hand(on_unknown="status").launched().unknown()
    hand.ring()
    hand.feed(Reloaded())

    assert hand.op.due is not None
    assert hand.op.due.kind is TimerKind.STATUS
