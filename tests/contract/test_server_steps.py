"""The server's steps in their order, the registry, retention, leases, waiting copies."""

import pytest

from sim.contract.body import freeze
from sim.contract.messages import Ack, Kind, Refusal, RefusalKind, Resource, Status
from sim.contract.server.state import ResourceRules, Waits, Work
from tests.contract.serve import DAY, HOUR, NOTE, TILL, Desk, payment, replies, snapshot


def committed(**changes: object) -> Desk:
    """The operation ``one`` is committed at instant 0."""
    desk = Desk(**changes)
    desk.acked(snapshot())
    return desk


def test_a_write_commits_once_and_answers_what_it_produced() -> None:
    desk = Desk()

    ack = desk.acked(snapshot(), attempt=3)

    assert (ack.attempt, ack.accepted_version, ack.resource_version) == (3, 2, 5)
    assert (ack.body, ack.replayed) == (freeze({"text": "new"}), False)
    assert desk.server.resources[NOTE] == Resource(5, freeze({"text": "new"}))


def test_a_repeat_gets_the_stored_result_addressed_to_the_attempt_that_asked() -> None:
    desk = committed()

    again = desk.acked(snapshot(), attempt=2)

    assert (again.attempt, again.resource_version, again.replayed) == (2, 5, True)
    assert (desk.commits, desk.version()) == (1, 5)


def test_a_repeat_is_replayed_even_when_the_resource_has_moved_on() -> None:
    desk = committed()
    desk.acked(snapshot("other", expected_version=5, owner="bob"))

    again = desk.acked(snapshot(), attempt=2)

    assert (again.resource_version, desk.version()) == (5, 6)
    assert again.current is None


def test_a_server_may_show_the_resource_as_it_is_now_beside_a_replay() -> None:
    desk = committed(replay_current=True)
    desk.acked(snapshot("other", expected_version=5, body=freeze("theirs")))

    again = desk.acked(snapshot(), attempt=2)

    assert again.resource_version == 5
    assert again.current == Resource(6, freeze("theirs"))


@pytest.mark.parametrize(
    "changed",
    [
        {"body": freeze({"text": "other"})},
        {"draft_version": 3},
        {"expected_version": 5},
        {"resource": TILL, "kind": Kind.POST},
    ],
)
def test_the_same_id_with_another_snapshot_is_a_mismatch_and_changes_nothing(
    changed: dict[str, object],
) -> None:
    desk = committed()

    assert desk.refused(snapshot(**changed)) == "mismatch"
    assert (desk.commits, desk.version()) == (1, 5)
    assert desk.acked(snapshot()).resource_version == 5


def test_the_same_id_with_another_snapshot_is_a_mismatch_while_it_runs_too() -> None:
    desk = Desk()
    desk.claim(snapshot())

    assert desk.refused(snapshot(body=freeze("other"))) == "mismatch"


def test_the_same_id_of_another_owner_is_another_operation() -> None:
    desk = committed()

    assert desk.acked(snapshot(owner="bob", expected_version=5)).resource_version == 6


def test_a_copy_of_a_running_operation_is_told_in_flight() -> None:
    desk = Desk()
    desk.claim(snapshot())

    assert desk.refused(snapshot(), attempt=2) == "in-flight"


def test_a_copy_may_wait_and_is_answered_with_the_same_result() -> None:
    desk = Desk(in_flight_waits=True)
    claim = desk.claim(snapshot())
    waiting = desk.receive(snapshot(), attempt=2)
    assert [type(effect) for effect in waiting] == [Waits]

    answers = replies(desk.finish(claim))

    assert sorted((a.attempt, a.replayed) for a in answers) == [(1, False), (2, True)]
    assert desk.commits == 1


def test_a_copy_that_waited_for_a_conflict_is_told_so_too() -> None:
    desk = Desk(in_flight_waits=True)
    claim = desk.claim(snapshot())
    desk.receive(snapshot(), attempt=2)
    desk.acked(snapshot("other"))

    answers = replies(desk.finish(claim))

    assert sorted(a.attempt for a in answers) == [1, 2]
    assert {a.kind for a in answers if isinstance(a, Refusal)} == {RefusalKind.CONFLICT}


def test_a_put_on_another_version_is_a_conflict_and_leaves_no_trace() -> None:
    desk = Desk()

    assert desk.refused(snapshot(expected_version=3)) == "conflict"
    assert desk.server.registry == {}
    assert desk.version() == 4


def test_the_version_is_compared_again_inside_the_commit() -> None:
    desk = Desk()
    slow, quick = desk.claim(snapshot("slow")), desk.claim(snapshot("quick"))
    desk.finish(quick)

    answers = replies(desk.finish(slow))

    assert [a.kind for a in answers if isinstance(a, Refusal)] == [RefusalKind.CONFLICT]
    assert (desk.commits, desk.version()) == (1, 5)


def test_a_claim_that_ends_in_conflict_is_released() -> None:
    desk = Desk()
    slow = desk.claim(snapshot("slow"))
    desk.acked(snapshot("quick"))
    desk.finish(slow)

    assert desk.status(snapshot("slow")) is Status.NOT_FOUND
    assert desk.refused(snapshot("slow")) == "conflict"


def test_a_post_has_no_version_to_compare_and_raises_it_all_the_same() -> None:
    desk = Desk()
    desk.acked(payment("one"))
    desk.acked(payment("two"))

    assert (desk.commits, desk.version(TILL)) == (2, 2)


def test_only_the_registry_stands_between_a_post_and_its_duplicate() -> None:
    desk = Desk()
    for attempt in (1, 2, 3):
        desk.acked(payment(), attempt)

    assert desk.commits == 1


def test_without_a_session_step_1_refuses_whatever_else_is_wrong() -> None:
    desk = committed()
    wrong = snapshot(body=freeze("other"), resource="nowhere")

    assert desk.refused(wrong, session="nobody/1") == "unauthenticated"


def test_a_session_of_another_owner_is_not_enough() -> None:
    desk = Desk()

    assert desk.refused(snapshot(), session="bob/1") == "unauthenticated"


def test_a_session_lasts_until_its_end_and_no_microsecond_longer() -> None:
    desk = Desk()
    desk.server.sign_in("ann/2", "ann", HOUR)

    assert desk.server.confirmed_owner("ann/2", HOUR - 1) == "ann"
    assert desk.server.confirmed_owner("ann/2", HOUR) is None


def test_expiring_an_owner_s_sessions_leaves_the_others() -> None:
    desk = Desk()
    desk.server.expire_sessions("ann")

    assert desk.refused(snapshot()) == "unauthenticated"
    assert desk.acked(snapshot(owner="bob")).resource_version == 5


def test_step_2_comes_before_step_3_and_records_nothing() -> None:
    rules = {
        NOTE: ResourceRules(kind=Kind.PUT, accepts=(("n", (freeze(3), freeze(4))),)),
        TILL: ResourceRules(kind=Kind.POST),
    }
    desk = Desk(resources=rules)
    assert desk.acked(snapshot(body=freeze({"n": 3}))).resource_version == 5

    assert desk.refused(snapshot(body=freeze({"n": 9}))) == "invalid"
    assert desk.refused(snapshot("two", body=freeze([3]))) == "invalid"
    assert len(desk.server.registry) == 1


@pytest.mark.parametrize("wrong", [{"resource": "nowhere"}, {"kind": Kind.POST}])
def test_a_write_to_no_resource_or_of_the_wrong_kind_is_invalid(wrong: dict[str, object]) -> None:
    assert Desk().refused(snapshot(**wrong)) == "invalid"


def test_step_3_comes_before_step_4() -> None:
    desk = committed()
    desk.acked(snapshot("other", expected_version=5))

    assert desk.acked(snapshot()).replayed


# --- retention and tombstone ----------------------------------------------------------------------


@pytest.mark.parametrize("at_us", [0, DAY - 1, DAY])
def test_a_result_is_kept_to_the_end_of_its_retention(at_us: int) -> None:
    desk = committed()

    assert desk.acked(snapshot(), now_us=at_us).replayed
    assert desk.status(snapshot(), at_us) is Status.COMPLETED


@pytest.mark.parametrize("at_us", [DAY + 1, 2 * DAY, 30 * DAY])
def test_one_microsecond_after_its_retention_a_result_is_expired(at_us: int) -> None:
    desk = committed()

    assert desk.refused(snapshot(), now_us=at_us) == "expired"
    assert desk.status(snapshot(), at_us) is Status.EXPIRED
    assert (desk.commits, desk.version()) == (1, 5)


def test_the_retention_runs_from_the_commit() -> None:
    desk = Desk()
    claim = desk.claim(snapshot(), now_us=0)
    desk.finish(claim, now_us=HOUR)

    assert desk.acked(snapshot(), now_us=DAY + HOUR).replayed


def test_a_replay_does_not_prolong_the_retention() -> None:
    desk = committed()
    desk.acked(snapshot(), now_us=DAY)

    assert desk.refused(snapshot(), now_us=DAY + 1) == "expired"


def test_past_the_tombstone_the_expected_version_still_decides() -> None:
    desk = committed()

    assert desk.refused(snapshot(), now_us=30 * DAY + 1) == "conflict"
    assert desk.commits == 1


def test_a_mismatch_is_still_told_on_a_result_that_is_kept() -> None:
    desk = committed()

    assert desk.refused(snapshot(body=freeze("other")), now_us=DAY) == "mismatch"


def test_an_expired_operation_with_another_snapshot_changes_nothing() -> None:
    desk = committed()

    assert desk.refused(snapshot(body=freeze("o"), expected_version=5), now_us=2 * DAY) == "expired"
    assert desk.commits == 1


# --- leases, crashes, status ----------------------------------------------------------------------


def test_a_running_entry_never_ends_by_the_retention_s_clock() -> None:
    desk = Desk()
    desk.claim(snapshot())

    assert desk.refused(snapshot(), attempt=2, now_us=60 * DAY) == "in-flight"


def test_a_crash_ends_the_lease_and_the_claim_cannot_commit_any_more() -> None:
    desk = Desk()
    claim = desk.claim(snapshot())
    desk.crash()

    assert desk.finish(claim) == []
    assert desk.status(snapshot()) is Status.NOT_FOUND
    assert desk.acked(snapshot(), attempt=2).replayed is False
    assert desk.commits == 1


def test_a_crash_inside_the_one_commit_leaves_nothing_behind() -> None:
    desk = Desk()
    claim = desk.claim(snapshot())
    desk.finish(claim, dies_between=True)
    desk.crash()

    assert (desk.commits, desk.version()) == (0, 4)
    assert desk.status(snapshot()) is Status.NOT_FOUND


def test_what_is_committed_survives_a_crash_with_its_result() -> None:
    desk = committed()
    desk.crash()

    assert desk.acked(snapshot(), attempt=2).replayed
    assert desk.commits == 1


def test_a_waiting_copy_is_not_answered_after_a_crash() -> None:
    desk = Desk(in_flight_waits=True)
    desk.claim(snapshot())
    desk.receive(snapshot(), attempt=2)
    desk.crash()

    ack = desk.acked(snapshot(), attempt=3)

    assert ack.attempt == 3
    assert len([a for a in replies(desk.effects) if isinstance(a, Ack)]) == 1


def test_a_status_query_is_told_pending_while_it_runs() -> None:
    desk = Desk()
    desk.claim(snapshot())

    assert desk.status(snapshot()) is Status.PENDING


def test_a_completed_status_carries_the_stored_result() -> None:
    desk = Desk()
    ack = desk.acked(snapshot())

    result = desk.status_answer(snapshot()).result

    assert result is not None
    assert (result.body, result.resource_version) == (ack.body, ack.resource_version)


def test_another_owner_s_operation_is_not_found() -> None:
    desk = committed()

    assert desk.status(snapshot(), owner="bob") is Status.NOT_FOUND


def test_a_status_query_without_a_session_is_unauthenticated() -> None:
    desk = committed()

    assert desk.status(snapshot(), session="nobody/1") is Status.UNAUTHENTICATED
    assert desk.status(snapshot(), session="bob/1") is Status.UNAUTHENTICATED


def test_an_execution_given_up_with_an_error_is_released_and_can_be_tried_again() -> None:
    desk = Desk()
    claim = desk.claim(snapshot())
    list(desk.server.fail(claim, 500, 0))

    assert desk.status(snapshot()) is Status.NOT_FOUND
    assert desk.acked(snapshot(), attempt=2).resource_version == 5


def test_the_registry_never_says_completed_before_the_commit() -> None:
    desk = Desk()
    done = desk.receive(snapshot())

    assert any(isinstance(effect, Work) for effect in done)
    assert desk.status(snapshot()) is not Status.COMPLETED
