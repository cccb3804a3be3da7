"""What people, browsers and clocks do, as the engine carries it out."""

from sim.engine.world import Simulated
from sim.trace.records import Rec
from tests.engine.worlds import of, phases, run, verdicts

SAVE = "  - {at: 0s, edit: note, body: {n: 2}}\n  - {at: 0s, save: note}\n"


def acted(*lines: str, more: str = "") -> Simulated:
    """Return the run in which the save is made and then these lines happen."""
    user = SAVE + "\n".join(f"  - {{{line}}}" for line in lines)
    return run(f"user:\n{user}\n{more}")


def owners(done: Simulated) -> list[str]:
    return [str(record.data["owner"]) for record in of(done, Rec.LAUNCH)]


def test_a_habit_is_repeated_from_its_start_to_just_before_its_end() -> None:
    done = run("user:\n  - {every: {fixed: 10s}, from: 5s, until: 25s, edit: note}\n")

    assert [record.at_us // 1_000_000 for record in of(done, Rec.EDIT)] == [5, 15]


def test_a_poisson_habit_comes_as_often_as_its_rate_says() -> None:
    done = run("user:\n  - {every: {poisson: 10s}, until: 10000s, edit: note}\n")

    # Poisson with mean 1,000: 4 deviations are 126.
    assert abs(len(of(done, Rec.EDIT)) - 1_000) < 126


def test_an_edit_without_a_body_is_always_a_fresh_one() -> None:
    done = run("user:\n  - {every: {fixed: 1s}, until: 9s, edit: note}\n")
    bodies = [record.data["body"] for record in of(done, Rec.EDIT)]

    assert len(set(bodies)) == len(bodies) == 9


def test_a_page_that_is_opened_again_resumes_what_was_pending() -> None:
    done = acted("at: 10ms, close: true", "at: 1m, open: true")

    assert phases(done)[-3:] == ["unknown-outcome", "awaiting-ack", "acknowledged"]
    assert len(of(done, Rec.COMMIT)) == 1


def test_a_stopped_worker_s_timer_never_rings() -> None:
    done = acted(
        "at: 2100ms, stop_worker: true",
        "at: 9s, start_worker: true",
        more="faults: [{drop: request}]",
    )

    launches = [record.at_us for record in of(done, Rec.LAUNCH)]
    assert launches == [0, 9_500_000]


def test_another_owner_sends_nothing_of_the_first() -> None:
    done = acted("at: 10ms, sign_in: bob", "at: 1s, edit: note", "at: 1s, save: note")

    assert owners(done) == ["client", "bob"]
    assert len(of(done, Rec.COMMIT)) == 2


def test_a_saved_text_of_an_expired_session_waits_for_the_sign_in_of_its_owner() -> None:
    done = run(
        """
        user:
          - {at: 0s, expire_session: client}
          - {at: 0s, edit: note, body: {n: 2}}
          - {at: 0s, save: note}
          - {at: 5s, sign_in: client}
        """
    )

    assert [record.data["answer"] for record in of(done, Rec.ANSWER)] == ["unauthenticated", "ack"]
    assert [record.at_us for record in of(done, Rec.LAUNCH)] == [0, 5_000_000]


def test_a_sign_out_is_told_by_the_next_answer() -> None:
    done = run(
        """
        user:
          - {at: 0s, sign_out: true}
          - {at: 1s, edit: note, body: {n: 2}}
          - {at: 1s, save: note}
        """
    )

    assert of(done, Rec.ANSWER)[0].data["answer"] == "unauthenticated"


def test_a_session_with_a_limit_ends_by_itself() -> None:
    server = "server: {resources: {note: {version: 4}}, session_ttl: 1m}\n"
    user = "user:\n  - {at: 2m, edit: note}\n  - {at: 2m, save: note}\n"

    assert of(run(server + user), Rec.ANSWER)[0].data["answer"] == "unauthenticated"


def test_the_hint_blocks_nothing() -> None:
    done = run(
        """
        user:
          - {at: 0s, hint: offline}
          - {at: 0s, edit: note, body: {n: 2}}
          - {at: 0s, save: note}
        """
    )

    assert verdicts(done) == [(1, "accepted")]


def test_a_raw_send_under_a_known_id_with_another_body_is_a_mismatch() -> None:
    done = acted("at: 1s, send: note, id: op-1, body: {n: 9}")

    decided = [str(record.data["decision"]) for record in of(done, Rec.DECIDED)]
    assert decided[-1] == "mismatch"
    assert len(of(done, Rec.COMMIT)) == 1


def test_raw_sends_of_one_instant_are_operations_of_their_own() -> None:
    done = run(
        """
        server: {resources: {till: {kind: post}}}
        user:
          - {at: 0s, send: till, body: 1}
          - {at: 0s, send: till, body: 2}
        """
    )

    assert len(of(done, Rec.COMMIT)) == 2


def test_a_person_merges_discards_checks_and_retries_where_the_client_rests() -> None:
    done = acted(
        "at: 10s, retry: note",
        more="client: {on_unknown: person}\nfaults: [{drop: request}]",
    )

    assert [record.attempt for record in of(done, Rec.LAUNCH)] == [1, 2]
    assert verdicts(done) == [(2, "accepted")]
