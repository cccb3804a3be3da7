"""How late a message is."""

from dataclasses import replace

import pytest

from sim.network.faults import MessageKind
from sim.network.weather import Direction, Latency, Link
from sim.report.lateness import Lateness
from sim.scenario.model import ClientSpec
from sim.trace.records import Rec, Record
from tests.report.hand_made import WORLD

S = 1_000_000
CONSTANT = Link()
DRAWN = Link(ack=Direction(latency=Latency((0.0, 0.5, 1.0), (10_000, 50_000, 9 * S))))


def late_us(took_us: int, *, link: Link = CONSTANT, launched_us: int = 0, sent_us: int = 0) -> int:
    """How late an answer is that took ``took_us``; the attempt's timeout is 2 s."""
    client = ClientSpec(name="client", owner="client", link=link)
    launch = Record(1, launched_us, Rec.LAUNCH, "client", "note", 1, 1, "", {})
    data = {"msg": 2, "message": "ack", "copy": 1, "sent_us": sent_us}
    arrived = Record(2, sent_us + took_us, Rec.ANSWER, "client", "note", 1, 1, "", data)
    world = replace(WORLD, clients=(client,))
    return Lateness(world, [launch, arrived], {2: MessageKind.ACK}).of(arrived)


@pytest.mark.parametrize(("took_us", "late"), [(40_000, 0), (40_001, 1), (1_580_000, 1_540_000)])
def test_on_a_constant_link_every_microsecond_beyond_it_is_late(took_us: int, late: int) -> None:
    assert late_us(took_us) == late


def test_on_a_link_that_draws_a_slow_message_within_the_timeout_is_not_late() -> None:
    assert late_us(1_500_000, link=DRAWN) == 0


def test_on_a_link_that_draws_a_message_is_late_by_what_it_took_beyond_the_timeout() -> None:
    assert late_us(9 * S, link=DRAWN) == 9 * S - 50_000 - 2 * S


def test_an_answer_sent_after_its_attempt_timed_out_is_late_by_the_time_since_then() -> None:
    assert late_us(40_000, sent_us=3 * S) == 1_040_000
