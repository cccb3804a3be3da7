"""Each mistake of a server, as one switch: the same story without it, and with it."""

import pytest

from sim.contract.body import freeze
from sim.contract.messages import Ack, Refusal, ServerError
from sim.contract.mistakes import MISTAKES, Side, server_rules
from sim.contract.rules import ServerRules
from tests.contract.serve import DAY, TILL, Desk, payment, replies, snapshot


def _kind(answer: object) -> str:
    match answer:
        case Refusal():
            return answer.kind.value
        case ServerError():
            return str(answer.code)
        case _:
            return "ack"


def repeated_payment(desk: Desk) -> int:
    desk.write(payment())
    desk.write(payment(), attempt=2)
    return desk.version(TILL)


def repeated_put(desk: Desk) -> str:
    desk.write(snapshot())
    return _kind(desk.write(snapshot(), attempt=2))


def other_body(desk: Desk) -> str:
    desk.write(snapshot())
    return _kind(desk.write(snapshot(body=freeze("other"))))


def other_owner(desk: Desk) -> bool:
    desk.write(payment())
    return desk.status(payment(), owner="bob").value == "completed"


def crash_before_commit(desk: Desk) -> tuple[str, int]:
    desk.claim(snapshot())
    desk.crash()
    return _kind(desk.write(snapshot(), attempt=2)), desk.commits


def crash_between(desk: Desk) -> int:
    desk.finish(desk.claim(payment()), dies_between=True)
    desk.crash()
    desk.write(payment(), attempt=2)
    return desk.commits


def concurrent_copies(desk: Desk) -> int:
    first = desk.claim(payment())
    for effect in desk.receive(payment(), attempt=1):
        if hasattr(effect, "claim"):
            desk.finish(effect.claim)
    desk.finish(first)
    return desk.commits


def late_payment(desk: Desk) -> str:
    desk.write(payment())
    return _kind(desk.write(payment(), now_us=DAY + 1))


def late_put(desk: Desk) -> str:
    desk.write(snapshot())
    desk.write(snapshot("other", expected_version=5, body=freeze("newer")))
    return _kind(desk.write(snapshot(), now_us=DAY + 1))


def within_retention(desk: Desk) -> str:
    desk.write(snapshot())
    return _kind(desk.write(snapshot(), now_us=DAY // 2))


def addressed_to(desk: Desk) -> int:
    desk.write(snapshot())
    return desk.write(snapshot(), attempt=2).attempt


def after_an_error(desk: Desk) -> str:
    list(desk.server.fail(desk.claim(snapshot()), 503, 0))
    return _kind(desk.write(snapshot(), attempt=2))


def restart(desk: Desk) -> int:
    desk.write(payment())
    desk.crash()
    desk.write(payment(), attempt=2)
    return desk.commits


STORIES = {
    "no-registry": (repeated_payment, 1, 2),
    "version-before-registry": (repeated_put, "ack", "conflict"),
    "snapshot-not-compared": (other_body, "mismatch", "ack"),
    "key-without-owner": (other_owner, False, True),
    "record-before-commit": (crash_before_commit, ("ack", 1), ("ack", 0)),
    "commit-before-record": (crash_between, 1, 2),
    "check-then-act": (concurrent_copies, 1, 2),
    "expired-executes": (late_payment, "expired", "ack"),
    "expired-overwrites": (late_put, "expired", "ack"),
    "retention-too-short": (within_retention, "ack", "expired"),
    "first-attempt-echoed": (addressed_to, 2, 1),
    "error-recorded-as-result": (after_an_error, "ack", "503"),
    "running-forever": (crash_before_commit, ("ack", 1), ("in-flight", 0)),
    "registry-in-memory": (restart, 1, 2),
}


def test_every_mistake_of_a_server_has_its_story_here() -> None:
    assert sorted(STORIES) == sorted(row.name for row in MISTAKES if row.side is Side.SERVER)


@pytest.mark.parametrize("name", list(STORIES))
def test_a_right_server_does_what_the_contract_says(name: str) -> None:
    story, right, _ = STORIES[name]

    assert story(Desk()) == right


@pytest.mark.parametrize("name", list(STORIES))
def test_the_mistake_alone_makes_the_difference(name: str) -> None:
    story, _, wrong = STORIES[name]

    assert story(Desk(name)) == wrong


@pytest.mark.parametrize("name", list(STORIES))
def test_a_mistake_is_one_switch(name: str) -> None:
    off = [f for f in ServerRules.__slots__ if not getattr(server_rules([name]), f)]

    assert len(off) == 1


def test_expired_executes_still_compares_the_version() -> None:
    assert late_put(Desk("expired-executes")) == "conflict"


def test_a_mistake_leaves_the_first_write_of_all_as_it_is() -> None:
    for name in STORIES:
        desk = Desk(name)
        answer = desk.write(snapshot())

        assert isinstance(answer, Ack), name
        assert (desk.version(), len(replies(desk.effects))) == (5, 1), name
