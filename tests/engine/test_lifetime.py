"""No message lives longer than the tombstone: a late copy never executes as new."""

import pytest

from sim.trace.records import Rec
from tests.engine.worlds import faulty, of

PAYMENT = """
server: {{resources: {{till: {{kind: post}}}}, tombstone: {tombstone}}}
user:
  - {{at: 0s, edit: till, body: 5}}
  - {{at: 0s, save: till}}
horizon: 90d
"""


@pytest.mark.parametrize(
    "action",
    [
        "delay: request, attempt: 1, by: {}",
        "duplicate: request, attempt: 1, after: {}",
        "resend: request, attempt: 1, after: {}",
        "hold: request, attempt: 1, until: {{event: settled}}, then: {}",
        "delay: request, attempt: 2, by: {}",
        "duplicate: request, attempt: 2, after: {}",
    ],
)
@pytest.mark.parametrize("late", ["1d", "172799s", "2d", "172801s", "3d", "6d"])
def test_however_late_a_copy_is_a_payment_is_made_once(action: str, late: str) -> None:
    clause = action.format(late)
    done = faulty("drop: ack", clause, more=PAYMENT.format(tombstone="2d"))

    assert len(of(done, Rec.COMMIT)) == 1


def test_a_copy_within_the_tombstone_is_told_expired() -> None:
    done = faulty("duplicate: request, after: 5d", more=PAYMENT.format(tombstone="30d"))

    decided = [str(record.data["decision"]) for record in of(done, Rec.DECIDED)]
    assert decided == ["claimed", "committed", "expired"]
