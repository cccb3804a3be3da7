"""States: what schedules have in common when nothing can tell them apart any more.

A state is taken between two instants: all that the schedule does has been done before, and all
that can be added to it is still to come. Two schedules that have one state, and as much left that
may go wrong, go on alike: what can be added to one can be added to the other, breaks the same and
ends the same. So the search goes on from one of them, and counts it for both.

Besides what the world and the judge hold, a state has what the search itself reads off the past:
which messages went under an address that a later one can have again.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Final, NamedTuple

from sim.engine.probe import Parts, Span, seen
from sim.engine.teller import Told, UntoldError
from sim.engine.world import simulate
from sim.explore import books
from sim.explore.bounds import Bounds
from sim.explore.choice import Choice, Schedule
from sim.explore.nodes import State
from sim.explore.run import RECORDS_MAX, Ran
from sim.judge.judge import Judge
from sim.network.faults import (
    Clause,
    Duplicate,
    HappeningKind,
    HoldUntil,
    MessageClause,
    MessageKind,
    Order,
    Resend,
)
from sim.scenario.model import Do, Repeatedly, World
from sim.trace.records import Rec, Record

HELD_FOR: Final = (HappeningKind.SENT, HappeningKind.TIMED_OUT)
"""What the search holds messages for. (What it lets pass waits for what has happened already.)"""
_READS: Final = (MessageKind.READ, MessageKind.READ_ANSWER)
_DIGEST_BYTES: Final = 16
_ADDRESS: Final = " object at 0x"


class Made(NamedTuple):
    """A schedule that was run and is to be extended.

    Its last choice leaves the run as it was up to the record ``after``, and makes itself felt at
    ``struck_us``. ``left`` is what may still be added.
    """

    world: World
    """Without the schedule."""
    schedule: Schedule
    ran: Ran
    after: int
    struck_us: int
    left: Bounds
    exact: bool
    """Whether every time counts to the microsecond in its state."""


def are_told(world: World) -> bool:
    """Whether states of a world are told: no chance decides in it, and nobody acts for ever."""
    links = [client.link for client in world.clients]
    certain = all(link.request.is_certain and link.ack.is_certain for link in links)
    return certain and not any(isinstance(action.when, Repeatedly) for action in world.user)


def state_before(choices: Sequence[Choice], made: Made) -> State | None:
    """Return the state just before the first of the choices; None: it cannot be told.

    Args:
        choices: What can be added to the schedule: something.
        made: The schedule.
    """
    world, records = made.ran.world, made.ran.records
    at_us = min([_instant(choice, records) for choice in choices])
    # Without any fault the engine keeps no book of what messages could be held for.
    if at_us <= made.struck_us or not world.faults or not are_told(world):
        return None
    own = world.faults[: len(made.world.faults)]
    held = _held(made, len(own), at_us, _held_for(own, choices))
    if held is None:
        return None
    past = [record for record in records if record.at_us < at_us]
    offered = [(choice.kind.value, _instant(choice, records) - at_us) for choice in choices]
    text = repr((*held.told, _addresses(past, own), offered, _edits(made)))
    if _ADDRESS in text:
        return None  # Something was not told but only pointed at.
    digest = blake2b(text.encode(), digest_size=_DIGEST_BYTES).digest()
    return State(digest, len(past), at_us, held.far_us)


class _Held(NamedTuple):
    """What the world and the judge hold, and how long the world can go on; see ``State``."""

    told: tuple[Told, Told]
    far_us: int | None


def _held(made: Made, own: int, at_us: int, held_for: Collection[HappeningKind]) -> _Held | None:
    """Return what is held before an instant; None: it cannot be told."""
    world = made.ran.world
    judge = Judge(world)
    found: list[_Held] = []

    def probe(parts: Parts) -> None:
        span = Span(at_us, world.horizon_us)
        state, numbers, instants = seen(parts, own, held_for, span, exact=made.exact)
        judged = books.told(judge.ledger, numbers, instants)
        found.append(_Held((state, judged), instants.far_us))

    until = replace(world, horizon_us=at_us - 1)
    try:
        simulate(until, keep=False, live=judge, records_max=RECORDS_MAX, probe=probe)
    except UntoldError:
        return None
    # A run that is given up for its length does not come so far.
    return found[0] if found else None


def _edits(made: Made) -> int:
    """Return how many edits were added, where more may be: the text of the next counts them."""
    if Do.EDIT not in made.left.also:
        return 0
    acts = [choice.act for choice in made.schedule]
    return sum(act is not None and act.do is Do.EDIT for act in acts)


def _instant(choice: Choice, records: Sequence[Record]) -> int:
    """Return when a choice takes effect at the earliest."""
    clause = choice.clause
    if isinstance(clause, Order) and clause.at_us is not None:
        return clause.at_us
    return records[choice.place - 1].at_us


def _held_for(own: Sequence[Clause], choices: Sequence[Choice]) -> tuple[HappeningKind, ...]:
    """Return what messages can be held for, by the world's own faults or by the search."""
    assert all(event in HELD_FOR for choice in choices for event in _awaited([choice.clause]))
    return (*HELD_FOR, *_awaited(own))


def _awaited(clauses: Sequence[Clause | None]) -> list[HappeningKind]:
    return [
        clause.action.until.event
        for clause in clauses
        if isinstance(clause, MessageClause) and isinstance(clause.action, HoldUntil)
    ]


def _addresses(past: Sequence[Record], own: Sequence[Clause]) -> list[tuple[Told, int]]:
    """Return how many messages went under an address that a later message can have again.

    Answers to the copies of an attempt share it: a fault on a later one has to let those pass that
    were sent before and that no fault took. On other messages that share one no fault can be put.
    """
    taken = {record.data["msg"]: True for record in past if _is_taken(record)}
    shared = _shared(past, own)
    sent = Counter(
        (record.client, record.op, record.attempt, record.data["message"], record.data["copy"])
        for record in past
        if record.kind is Rec.SENT
        and (
            record.data["msg"] not in taken
            if record.data["message"] == MessageKind.ACK
            else record.attempt == 0 or record.data["message"] in shared
        )
    )
    return sorted(sent.items())


def _is_taken(record: Record) -> bool:
    """Whether a record says that a clause, or a cut, decided about a message."""
    cut = record.kind is Rec.LOST and str(record.data["why"]).startswith("cut")
    return cut or record.kind is Rec.FAULT


def _shared(past: Sequence[Record], own: Sequence[Clause]) -> tuple[MessageKind, ...]:
    """Return the questions and answers of which several can have one address."""
    forms = Counter(record.client for record in past if record.kind is Rec.START)
    shared = [*_READS] if max(forms.values(), default=0) > 1 else []
    for clause in own:
        if isinstance(clause, MessageClause) and isinstance(clause.action, Duplicate | Resend):
            shared += [MessageKind.STATUS_ANSWER, MessageKind.READ_ANSWER]
    return tuple(shared)
