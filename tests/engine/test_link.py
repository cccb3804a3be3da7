"""What the network does to messages, and what the client sees of it."""

import pytest

from sim.trace.records import Rec
from tests.engine.worlds import (
    deliveries,
    faulty,
    latencies,
    of,
    phases,
    run,
    verdicts,
)

RELOAD = """
user:
  - {at: 0s, edit: note, body: {n: 2}}
  - {at: 0s, save: note}
  - {at: 60ms, reload: true}
"""


def whys(done: object) -> list[str]:
    return [str(record.data["why"]) for record in of(done, Rec.LOST)]  # type: ignore[arg-type]


def effects(done: object) -> int:
    return len(of(done, Rec.COMMIT))  # type: ignore[arg-type]


def test_an_undisturbed_save_takes_one_round_trip() -> None:
    done = run()

    assert phases(done) == ["idle", "awaiting-ack", "acknowledged"]
    assert done.records[-1].at_us == 2_000_000  # The timer of the settled attempt still rings.
    assert of(done, Rec.ANSWER)[0].at_us == 80_000


def test_a_late_ack_is_seen_after_the_timeout() -> None:
    """The trap: a get that lost against its timeout swallows the next message."""
    done = faulty("delay: ack, by: 2s")

    assert verdicts(done) == [(1, "accepted")]
    assert phases(done)[-2:] == ["unknown-outcome", "acknowledged"]


def test_a_late_ack_is_seen_after_the_retry_and_judged_stale() -> None:
    done = faulty("delay: ack, by: 2450ms", more="network: {request: {latency: 40ms}}")

    assert verdicts(done) == [(1, "stale"), (2, "accepted")]


def test_an_ack_that_is_later_than_everything_is_still_seen() -> None:
    done = faulty("delay: ack, by: 5m")

    assert verdicts(done) == [(2, "accepted"), (1, "repeated")]


def test_a_lost_ack_is_replayed_and_committed_once() -> None:
    done = faulty("drop: ack")

    assert (effects(done), deliveries(done)) == (1, 2)
    assert verdicts(done) == [(2, "accepted")]


def test_a_duplicate_is_one_attempt_delivered_twice_and_answered_twice() -> None:
    done = faulty("duplicate: request, after: 5ms")

    assert (deliveries(done), effects(done)) == (2, 1)
    assert len(of(done, Rec.LAUNCH)) == 1
    assert verdicts(done) == [(1, "accepted"), (1, "repeated")]


def test_a_silent_resend_leaves_the_first_answer_to_a_connection_that_is_gone() -> None:
    done = faulty("resend: request, after: 5ms")

    assert (deliveries(done), effects(done)) == (2, 1)
    assert len(of(done, Rec.LAUNCH)) == 1
    assert verdicts(done) == [(1, "accepted")]
    assert whys(done) == ["connection gone"]


def test_a_silent_resend_after_the_answer_disturbs_nobody() -> None:
    done = faulty("resend: request, after: 1s")

    assert verdicts(done)[0] == (1, "accepted")
    assert phases(done)[-1] == "acknowledged"


def test_a_duplicated_answer_is_heard_twice() -> None:
    done = faulty("duplicate: ack, after: 5ms")

    assert verdicts(done) == [(1, "accepted"), (1, "repeated")]
    assert deliveries(done) == 1


def test_an_answer_to_a_page_that_is_gone_is_heard_by_nobody() -> None:
    done = run(RELOAD)

    assert whys(done) == ["page gone"]
    assert verdicts(done) == [(2, "accepted")]
    assert effects(done) == 1


def test_an_answer_to_a_closed_page_is_heard_by_nobody() -> None:
    done = run(RELOAD.replace("reload: true", "close: true"))

    assert whys(done) == ["page gone"]
    assert verdicts(done) == []
    assert done.ended == "quiet"


def test_a_reset_request_tells_the_client_at_once_and_may_arrive_all_the_same() -> None:
    done = faulty("reset: request")

    assert of(done, Rec.BROKEN)[0].at_us == 0
    assert (effects(done), whys(done)) == (1, ["connection gone"])
    assert verdicts(done) == [(2, "accepted")]


def test_a_reset_ack_tells_the_client_when_it_would_have_arrived() -> None:
    done = faulty("reset: ack")

    assert of(done, Rec.BROKEN)[0].at_us == 80_000
    assert verdicts(done) == [(2, "accepted")]


@pytest.mark.parametrize("error", ["dns", "refused", "offline"])
def test_a_detailed_client_knows_that_a_request_never_left(error: str) -> None:
    done = faulty(
        f"fail: request, as: {error}", more="client: {sees: detailed, retry: {max_attempts: 3}}"
    )

    assert "unknown-outcome" not in phases(done)
    assert (deliveries(done), effects(done)) == (1, 1)
    assert of(done, Rec.BROKEN)[0].data["error"] == error


@pytest.mark.parametrize("error", ["dns", "refused", "offline"])
def test_an_opaque_client_sees_only_that_something_broke(error: str) -> None:
    done = faulty(f"fail: request, as: {error}")

    broken = of(done, Rec.BROKEN)[0].data
    assert (broken["error"], broken["cause"]) == ("network-error", error)
    assert "unknown-outcome" in phases(done)


def test_a_silent_resend_that_fails_is_seen_as_a_reset() -> None:
    done = faulty(
        "resend: request, after: 5ms",
        "fail: request, copy: 2, as: dns",
        more="client: {sees: detailed}",
    )

    assert [record.data["error"] for record in of(done, Rec.BROKEN)] == ["reset"]


def test_a_held_message_arrives_when_what_it_waits_for_happens() -> None:
    done = faulty("hold: request, until: {event: committed, attempt: 2}, then: 10ms")

    arrived = [record for record in of(done, Rec.ARRIVED) if record.attempt == 1]
    assert arrived[0].at_us == of(done, Rec.COMMIT)[0].at_us + 10_000
    assert (effects(done), verdicts(done)[0]) == (1, (2, "accepted"))


def test_what_is_held_to_the_end_is_told() -> None:
    done = faulty("hold: request, until: {event: expired}, then: 0s", more="horizon: 1h")

    assert done.still_held == (0,)
    assert done.unmatched == ()


def test_a_request_held_past_the_retention_is_told_expired() -> None:
    done = faulty("hold: request, until: {event: expired}, then: 0s")

    decided = [record.data["decision"] for record in of(done, Rec.DECIDED)]
    assert decided == ["claimed", "committed", "expired"]
    assert effects(done) == 1


@pytest.mark.parametrize("field", ["operation_id", "accepted_version", "body"])
def test_a_corrupted_ack_confirms_nothing(field: str) -> None:
    value = "9" if field == "accepted_version" else "wrong"
    done = faulty(f"corrupt: ack, set: {{{field}: {value}}}")

    judged = [verdict for _, verdict in verdicts(done)]
    assert judged == ["stale" if field == "operation_id" else "invalid", "accepted"]
    assert "corrupted" in of(done, Rec.ANSWER)[0].data


def test_a_delay_is_added_to_the_latency() -> None:
    done = faulty("delay: request, by: 300ms")

    assert latencies(done) == {(1, 1): 340_000}


def test_a_cut_eats_what_is_sent_while_it_lasts() -> None:
    done = faulty("cut: request, from: 0s, to: 1s")

    assert whys(done) == ["cut request"]
    assert verdicts(done) == [(2, "accepted")]


def test_what_is_sent_before_a_cut_arrives_during_it() -> None:
    done = faulty("cut: request, from: 1ms, to: 1s")

    assert deliveries(done) == 1


def test_a_server_that_is_cut_off_refuses_connections() -> None:
    done = faulty("cut: server, from: 0s, to: 1s", more="client: {sees: detailed}")

    assert of(done, Rec.BROKEN)[0].data["error"] == "refused"


def test_a_server_that_is_down_hears_nothing_until_it_is_back() -> None:
    done = faulty("crash: server, at: before_claim, restart: 1s")

    assert [r.kind for r in done.records if r.kind in (Rec.CRASH, Rec.RESTART)] == [
        Rec.CRASH,
        Rec.RESTART,
    ]
    assert (effects(done), verdicts(done)) == (1, [(2, "accepted")])


@pytest.mark.parametrize("point", ["before_claim", "after_claim", "between", "after_commit"])
def test_wherever_the_server_crashes_there_is_one_effect_in_the_end(point: str) -> None:
    done = faulty(f"crash: server, at: {point}, restart: 1s")

    assert (effects(done), verdicts(done)) == (1, [(2, "accepted")])
    assert done.unmatched == ()


def test_two_tabs_of_one_millisecond_share_a_weak_id() -> None:
    tabs = """
    clients:
      left: {owner: ann, mistakes: [weak-operation-id]}
      right: {owner: ann, mistakes: [weak-operation-id]}
    user:
      - {at: 0s, edit: note, body: left, client: left}
      - {at: 0s, edit: note, body: right, client: right}
      - {at: 0s, save: note, client: left}
      - {at: 500us, save: note, client: right}
    """
    launched = {record.client: record.op for record in of(run(tabs), Rec.LAUNCH)}

    assert launched["left"] == launched["right"]


def test_a_gateway_answers_504_while_the_request_goes_on() -> None:
    done = run(
        """
        server:
          resources: {note: {version: 4, body: {n: 1}}}
          capacity: {time: 1s}
          gateway: {timeout: 300ms}
        """
    )

    first = of(done, Rec.ANSWER)[0]
    assert (first.data["answer"], first.at_us) == ("504", 380_000)
    assert effects(done) == 1
    assert phases(done)[-1] == "acknowledged"


def test_past_its_capacity_a_server_turns_requests_away_unexecuted() -> None:
    done = run(
        """
        server:
          resources: {note: {version: 4, body: {n: 1}}}
          capacity: {workers: 1, queue: 0, time: 200ms}
        client: {count: 3, resource: own, retry: {max_attempts: 5, delay: 500ms}}
        user:
          - {at: 0s, edit: note}
          - {at: 0s, save: note}
        """
    )

    codes = [record.data["answer"] for record in of(done, Rec.ANSWER)]
    assert codes.count("503") >= 2
    assert effects(done) == 3
