"""Each mistake of a client, as one switch: the same story without it, and with it."""

from collections.abc import Callable

import pytest

from sim.contract.body import EMPTY, freeze
from sim.contract.client.events import Answered, Hinted, Reloaded, SignedIn
from sim.contract.ids import named_id
from sim.contract.messages import RefusalKind, Status
from sim.contract.mistakes import MISTAKES, Side, client_rules
from sim.contract.phases import Phase
from sim.contract.rules import ClientRules
from tests.contract.drive import Hand

Story = Callable[[Hand], object]


def retried_ids(hand: Hand) -> int:
    hand.launched().unknown()
    hand.ring()
    return len({send.snapshot.operation_id for send in hand.sent})


def wire_is_pending(hand: Hand) -> bool:
    hand.launched()
    return hand.sent[0].snapshot.operation_id == hand.op.snapshot.operation_id


def foreign_ack(hand: Hand) -> Phase:
    hand.launched()
    hand.ack(operation_id=named_id("nobody's"))
    return hand.phase


def stale_ack(hand: Hand) -> Phase:
    hand.launched().unknown()
    hand.ring()
    hand.ack(attempt=1)
    return hand.phase


def wrong_version(hand: Hand) -> Phase:
    hand.launched()
    hand.ack(accepted_version=1)
    return hand.phase


def just_sent(hand: Hand) -> Phase:
    return hand.launched().phase


def timed_out(hand: Hand) -> Phase:
    hand.launched().ring()
    return hand.phase


def server_error(hand: Hand) -> Phase:
    hand.launched().error(500)
    return hand.phase


def late_conflict(hand: Hand) -> Phase:
    hand.launched().unknown()
    hand.ring()
    hand.refuse(RefusalKind.CONFLICT)
    return hand.phase


def older_ack_text(hand: Hand) -> object:
    hand.launched("old")
    hand.edit("newer")
    hand.ack()
    return hand.body


def older_ack_base(hand: Hand) -> int:
    hand.launched("old")
    hand.edit("newer")
    hand.ack(resource_version=5)
    return hand.state.draft.base_version


def double_click(hand: Hand) -> int:
    hand.launched()
    hand.save()
    return len(hand.sent)


def retried_body(hand: Hand) -> bool:
    hand.launched("old").unknown()
    hand.edit("newer")
    hand.ring()
    return hand.sent[0].snapshot.body == hand.sent[1].snapshot.body


def retried_version(hand: Hand) -> bool:
    hand.launched().feed(Reloaded())
    hand.reads(7, "theirs")
    hand.ring()
    return hand.sent[0].snapshot.expected_version == hand.sent[1].snapshot.expected_version


def base_after_conflict(hand: Hand) -> int:
    hand.launched().refuse(RefusalKind.CONFLICT)
    hand.reads(7, "theirs")
    return hand.state.draft.base_version


def irreversible_attempts(hand: Hand) -> int:
    hand.launched().unknown()
    hand.ring()
    return len(hand.sent)


def attempts_without_end(hand: Hand) -> bool:
    hand.launched()
    for _ in range(20):
        if hand.state.operation is None or hand.op.due is None:
            break
        hand.ring()
    return len(hand.sent) > 3


def not_found(hand: Hand) -> Phase:
    hand.launched().unknown()
    hand.ring()
    hand.told(Status.NOT_FOUND)
    return hand.phase


def next_owner_sends(hand: Hand) -> int:
    hand.launched().feed(SignedIn("bob"))
    return len(hand.sent)


def reloaded_phase(hand: Hand) -> Phase:
    hand.launched().feed(Reloaded())
    return hand.phase


def reloaded_text(hand: Hand) -> object:
    hand.edit("text")
    hand.feed(Reloaded())
    return hand.body


def reloaded_ids(hand: Hand) -> int:
    hand.launched().feed(Reloaded())
    return len({send.snapshot.operation_id for send in hand.sent})


def refused_text(hand: Hand) -> object:
    hand.launched("text").refuse(RefusalKind.INVALID)
    return hand.body


def saved_offline(hand: Hand) -> int:
    hand.feed(Hinted(online=False))
    hand.launched()
    return len(hand.sent)


UNKNOWN, IDLE, ACKNOWLEDGED = Phase.UNKNOWN_OUTCOME, Phase.IDLE, Phase.ACKNOWLEDGED
AWAITING, RECOVERY = Phase.AWAITING_ACK, Phase.RECOVERY_REQUIRED

STORIES: dict[str, tuple[Story, object, object, dict[str, object]]] = {
    "new-operation-per-retry": (retried_ids, 1, 2, {}),
    "two-id-sources": (wire_is_pending, True, False, {}),
    "ack-matched-by-form": (foreign_ack, AWAITING, ACKNOWLEDGED, {}),
    "stale-ack-becomes-phase": (stale_ack, AWAITING, IDLE, {}),
    "accepted-version-unchecked": (wrong_version, AWAITING, ACKNOWLEDGED, {}),
    "success-before-ack": (just_sent, AWAITING, ACKNOWLEDGED, {}),
    "timeout-means-failure": (timed_out, UNKNOWN, IDLE, {}),
    "server-error-means-failure": (server_error, UNKNOWN, IDLE, {}),
    "conflict-means-failure": (late_conflict, RECOVERY, Phase.REFUSED, {}),
    "ack-clears-newer-draft": (older_ack_text, freeze("newer"), freeze("old"), {}),
    "ack-ignored-when-edited": (older_ack_base, 5, 4, {}),
    "second-launch-allowed": (double_click, 1, 2, {}),
    "live-body-on-retry": (retried_body, True, False, {}),
    "live-version-on-retry": (retried_version, True, False, {}),
    "auto-rebase": (base_after_conflict, 4, 7, {}),
    "repeats-irreversible": (irreversible_attempts, 1, 2, {"irreversible": True}),
    "unbounded-retry": (attempts_without_end, False, True, {}),
    "not-found-means-never": (not_found, UNKNOWN, IDLE, {"on_unknown": "status"}),
    "pending-crosses-owners": (next_owner_sends, 1, 2, {}),
    "pending-in-memory": (reloaded_phase, UNKNOWN, IDLE, {}),
    "draft-in-memory": (reloaded_text, freeze("text"), EMPTY, {}),
    "reload-resubmits": (reloaded_ids, 1, 2, {}),
    "refusal-drops-draft": (refused_text, freeze("text"), EMPTY, {}),
    "offline-hint-blocks": (saved_offline, 1, 0, {}),
}
ELSEWHERE = {"weak-operation-id"}
"""The source of ids is the driver's: test_ids and the engine's tests show it."""


def test_every_mistake_of_a_client_has_its_story_here() -> None:
    named = sorted({*STORIES, *ELSEWHERE})

    assert named == sorted(row.name for row in MISTAKES if row.side is Side.CLIENT)


@pytest.mark.parametrize("name", list(STORIES))
def test_a_right_client_does_what_the_contract_says(name: str) -> None:
    story, right, _, settings = STORIES[name]

    assert story(Hand(**settings)) == right


@pytest.mark.parametrize("name", list(STORIES))
def test_the_mistake_alone_makes_the_difference(name: str) -> None:
    story, _, wrong, settings = STORIES[name]

    assert story(Hand(mistakes=[name], **settings)) == wrong


@pytest.mark.parametrize("name", [*STORIES, *ELSEWHERE])
def test_a_mistake_is_one_switch(name: str) -> None:
    off = [f for f in ClientRules.__slots__ if not getattr(client_rules([name]), f)]

    assert len(off) == 1


@pytest.mark.parametrize("name", [*STORIES, *ELSEWHERE])
def test_a_mistake_leaves_the_undisturbed_save_as_it_is(name: str) -> None:
    hand = Hand(mistakes=[name])
    hand.edit()
    hand.save()
    ack = hand.sent[0].snapshot
    if name == "success-before-ack":
        return  # It is the undisturbed save that it gets wrong.
    hand.feed(Answered(hand.ack_for(operation_id=ack.operation_id)))

    expected = AWAITING if name == "two-id-sources" else ACKNOWLEDGED
    assert hand.phase is expected
