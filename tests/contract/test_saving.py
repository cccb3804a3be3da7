"""Edits, saves and merges: what a person does and when it launches."""

import pytest

from sim.contract.body import freeze
from sim.contract.client.events import (
    Hinted,
    PersonMerges,
    ReadAnswered,
    Reloaded,
    Save,
    TimerFired,
)
from sim.contract.client.rows import Row
from sim.contract.client.state import SendWrite
from sim.contract.ids import is_version_4, named_id
from sim.contract.messages import ReadAnswer, RefusalKind
from sim.contract.phases import Phase, Reason
from tests.contract.drive import Hand


def settled(phase: Phase) -> Hand:
    """Bring a form into a settled phase, with something to save."""
    hand = Hand().launched("first")
    match phase:
        case Phase.ACKNOWLEDGED:
            hand.ack()
        case Phase.ACKNOWLEDGED_NEWER:
            hand.edit("second")
            hand.ack()
        case Phase.REFUSED:
            hand.refuse(RefusalKind.INVALID)
        case _:
            hand = Hand()
            hand.edit("first")
    assert hand.phase is phase
    return hand


@pytest.mark.parametrize("phase", [Phase.IDLE, Phase.ACKNOWLEDGED_NEWER, Phase.REFUSED])
def test_a_save_launches_attempt_01_in_every_settled_phase(phase: Phase) -> None:
    hand = settled(phase)

    done = hand.save()

    assert done.row is Row.SAVE_LAUNCHED
    assert hand.phase is Phase.AWAITING_ACK
    assert [e.attempt for e in done.effects if isinstance(e, SendWrite)] == [1]


def test_a_save_after_an_acknowledged_text_and_a_new_one_launches() -> None:
    hand = settled(Phase.ACKNOWLEDGED)
    hand.edit("second")

    assert hand.save().row is Row.SAVE_LAUNCHED


def test_a_save_of_what_is_saved_launches_nothing() -> None:
    hand = settled(Phase.ACKNOWLEDGED)

    done = hand.save()

    assert done.row is Row.SAVE_CLEAN
    assert done.effects == ()


def test_a_save_of_an_untouched_draft_launches_nothing() -> None:
    assert Hand().save().row is Row.SAVE_CLEAN


def test_a_deliberate_repeat_of_a_clean_draft_launches() -> None:
    hand = settled(Phase.ACKNOWLEDGED)

    assert hand.save(new_intent=True).row is Row.SAVE_LAUNCHED


def test_the_snapshot_freezes_body_version_base_owner_and_resource() -> None:
    hand = Hand().launched("frozen")
    snapshot = hand.op.snapshot
    hand.edit("later")

    assert hand.op.snapshot is snapshot
    assert snapshot.body == freeze("frozen")
    assert (snapshot.draft_version, snapshot.expected_version) == (2, 4)
    assert (snapshot.owner, snapshot.resource) == ("ann", "note")


def test_each_operation_has_its_own_version_4_id() -> None:
    hand = Hand().launched("a")
    first = hand.op.snapshot.operation_id
    hand.ack()
    hand.launched("b")

    assert is_version_4(first)
    assert hand.op.snapshot.operation_id != first


def test_every_attempt_carries_the_same_snapshot() -> None:
    hand = Hand().launched("frozen").unknown()
    hand.edit("later")
    hand.ring()

    assert [send.attempt for send in hand.sent] == [1, 2]
    assert hand.sent[0].snapshot == hand.sent[1].snapshot


def test_a_save_while_awaiting_is_blocked() -> None:
    hand = Hand().launched()
    before = hand.state

    done = hand.save()

    assert done.row is Row.SAVE_BLOCKED_AWAITING
    assert (done.effects, hand.state) == ((), before)


def test_a_save_of_a_newer_text_while_awaiting_is_blocked_too() -> None:
    hand = Hand().launched()
    hand.edit("newer")

    assert hand.save().row is Row.SAVE_BLOCKED_AWAITING


def test_a_save_of_the_same_body_while_a_retry_is_due_retries_at_once() -> None:
    hand = Hand().launched().unknown()

    done = hand.save()

    assert done.row is Row.SAVE_RETRIES_NOW
    assert hand.sent[-1].attempt == 2
    assert hand.sent[-1].snapshot == hand.sent[0].snapshot


def test_a_save_now_leaves_the_retry_timer_behind_harmless() -> None:
    hand = Hand().launched().unknown()
    overdue = hand.op.due
    hand.save()
    before = hand.state

    assert overdue is not None
    assert hand.feed(TimerFired(overdue, 0)).row is Row.OLD_TIMER
    assert hand.state == before


def test_a_save_of_a_body_that_came_back_counts_as_the_same_body() -> None:
    hand = Hand().launched("a").unknown()
    hand.edit("b")
    hand.edit("a")

    assert hand.save().row is Row.SAVE_RETRIES_NOW


def test_a_save_in_unknown_outcome_is_blocked_where_no_retry_is_due() -> None:
    hand = Hand(on_unknown="status").launched().unknown()

    assert hand.save().row is Row.SAVE_BLOCKED_UNSETTLED


def test_a_save_of_another_body_in_unknown_outcome_is_blocked() -> None:
    hand = Hand().launched().unknown()
    hand.edit("newer")

    assert hand.save().row is Row.SAVE_BLOCKED_UNSETTLED


def test_a_save_in_recovery_required_is_blocked() -> None:
    hand = Hand(on_unknown="person").launched().unknown()
    hand.edit("newer")

    assert hand.save().row is Row.SAVE_BLOCKED_UNSETTLED


def test_without_a_source_of_ids_a_save_fails_before_anything_is_sent() -> None:
    hand = Hand(ids=False)
    hand.edit()

    done = hand.save()

    assert done.row is Row.SAVE_NO_IDS
    assert (hand.phase, hand.reason) == (Phase.IDLE, Reason.NO_SECURE_IDS)
    assert done.effects == ()
    assert hand.state.draft.is_dirty


@pytest.mark.parametrize("bad", ["7", "00000000-0000-1000-8000-000000000000", "NOT-AN-ID"])
def test_an_id_that_is_not_version_4_is_refused_before_anything_is_sent(bad: str) -> None:
    hand = Hand()
    hand.edit()

    done = hand.feed(Save(operation_id=bad))

    assert done.row is Row.SAVE_NO_IDS
    assert done.effects == ()


def test_a_scenario_may_dictate_the_id() -> None:
    hand = Hand()
    hand.edit()
    hand.feed(Save(operation_id=named_id("mine")))

    assert hand.op.snapshot.operation_id == named_id("mine")


def test_an_edit_to_an_equal_body_changes_nothing() -> None:
    hand = Hand()
    hand.edit("text")
    before = hand.state

    assert hand.edit("text").row is Row.EDIT_SAME
    assert hand.state == before


def test_an_edit_raises_the_draft_version_by_one() -> None:
    hand = Hand()
    before = hand.state.draft.version
    hand.edit("text")

    assert hand.state.draft.version == before + 1
    assert hand.state.draft.is_dirty


def test_an_edit_after_the_acknowledgement_shows_that_newer_text_is_not_saved() -> None:
    hand = settled(Phase.ACKNOWLEDGED)

    hand.edit("more")

    assert hand.phase is Phase.ACKNOWLEDGED_NEWER


@pytest.mark.parametrize("phase", [Phase.IDLE, Phase.REFUSED, Phase.ACKNOWLEDGED_NEWER])
def test_an_edit_elsewhere_changes_no_phase(phase: Phase) -> None:
    hand = settled(phase)

    hand.edit("more")

    assert hand.phase is phase


def test_an_edit_is_never_refused_while_an_operation_is_pending() -> None:
    hand = Hand().launched("a")
    hand.edit("b")
    hand.unknown()
    hand.edit("c")

    assert hand.body == freeze("c")
    assert hand.phase is Phase.UNKNOWN_OUTCOME


def test_the_hint_blocks_neither_the_form_nor_a_save() -> None:
    hand = Hand()
    hand.feed(Hinted(online=False))
    hand.edit()

    assert hand.save().row is Row.SAVE_LAUNCHED


def test_the_hint_moves_no_phase_and_no_operation() -> None:
    hand = Hand().launched()
    before = hand.state

    done = hand.feed(Hinted(online=False))

    assert done.effects == ()
    assert hand.state == before._replace(online=False)


def conflicted() -> Hand:
    """A conflict was refused, and what is stored was read beside the draft."""
    hand = Hand().launched("mine")
    hand.refuse(RefusalKind.CONFLICT)
    hand.reads(7, "theirs")
    return hand


def test_a_conflict_leaves_the_base_version_until_the_person_merges() -> None:
    hand = conflicted()
    assert hand.state.draft.base_version == 4

    hand.feed(PersonMerges(freeze("both")))

    assert hand.state.draft.base_version == 7
    assert hand.body == freeze("both")


def test_saving_again_without_merging_expects_the_old_version() -> None:
    hand = conflicted()

    hand.save()

    assert hand.op.snapshot.expected_version == 4


def test_a_merge_that_keeps_one_s_own_text_only_raises_the_base_version() -> None:
    hand = conflicted()

    hand.feed(PersonMerges(None))

    assert (hand.body, hand.state.draft.base_version) == (freeze("mine"), 7)
    assert hand.state.draft.is_dirty


def test_a_merge_to_what_is_stored_leaves_nothing_to_save() -> None:
    hand = conflicted()

    hand.feed(PersonMerges(freeze("theirs")))

    assert not hand.state.draft.is_dirty


def test_a_merge_without_a_reading_changes_nothing() -> None:
    hand = Hand()
    hand.edit()
    before = hand.state

    assert hand.feed(PersonMerges(freeze("both"))).row is Row.MERGE_NOTHING
    assert hand.state == before


def test_a_merge_in_recovery_required_keeps_the_pending_snapshot() -> None:
    hand = Hand(has_status=False).launched("mine").unknown()
    hand.ring()
    hand.refuse(RefusalKind.CONFLICT)
    hand.reads(7, "theirs")
    snapshot = hand.op.snapshot

    hand.feed(PersonMerges(freeze("both")))

    assert hand.phase is Phase.RECOVERY_REQUIRED
    assert hand.op.snapshot == snapshot
    assert hand.state.draft.base_version == 7


def test_a_read_under_a_clean_draft_becomes_the_draft_and_its_base() -> None:
    hand = Hand()
    hand.feed(Reloaded())

    done = hand.reads(6, "theirs")

    assert done.row is Row.READ_ADOPTED
    assert (hand.body, hand.state.draft.base_version) == (freeze("theirs"), 6)
    assert not hand.state.draft.is_dirty


def test_a_read_under_a_dirty_draft_stands_beside_it() -> None:
    hand = Hand()
    hand.edit("mine")
    hand.feed(Reloaded())

    done = hand.reads(6, "theirs")

    assert done.row is Row.READ_BESIDE
    assert (hand.body, hand.state.draft.base_version) == (freeze("mine"), 4)
    assert hand.state.read == (6, freeze("theirs"))


def test_a_read_older_than_the_base_changes_nothing_but_the_waiting() -> None:
    hand = Hand()
    hand.feed(Reloaded())
    before = hand.state

    assert hand.reads(3, "old").row is Row.READ_OLD
    assert hand.state == before._replace(reading=None)


def test_an_answer_to_an_older_read_is_ignored() -> None:
    hand = Hand()
    hand.feed(Reloaded())
    first = hand.state.reading
    hand.feed(Reloaded())
    before = hand.state

    assert first is not None
    done = hand.feed(ReadAnswered(ReadAnswer(first.number, 9, freeze("theirs"))))

    assert done.row is Row.OLD_EXCHANGE
    assert hand.state == before


def test_a_failed_read_is_made_again_a_limited_number_of_times() -> None:
    hand = Hand()
    hand.feed(Reloaded())
    for _ in range(20):
        reading = hand.state.reading
        if reading is None:
            break
        hand.feed(TimerFired(reading.due, 0))

    assert hand.state.reading is None
    assert len(hand.read_requests) == 3
