"""Ties: what falls on one instant and could have happened in the other order."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from sim.explore.choice import Choice, Kind
from sim.network.faults import Order, TieClass
from sim.trace.records import Rec, Record

_CLASSES = {
    Rec.ANSWER: TieClass.DELIVERY,
    Rec.BROKEN: TieClass.DELIVERY,
    Rec.ARRIVED: TieClass.DELIVERY,
    Rec.TIMER: TieClass.TIMER,
    Rec.EDIT: TieClass.PERSON,
    Rec.SAVE: TieClass.PERSON,
    Rec.RETRY: TieClass.PERSON,
    Rec.CHECK: TieClass.PERSON,
    Rec.DISCARD: TieClass.PERSON,
    Rec.MERGE: TieClass.PERSON,
    Rec.RELOAD: TieClass.PERSON,
    Rec.CLOSE: TieClass.PERSON,
    Rec.OPEN: TieClass.PERSON,
    Rec.SIGN_IN: TieClass.PERSON,
    Rec.SIGN_OUT: TieClass.PERSON,
    Rec.HINT: TieClass.PERSON,
    Rec.STOP_WORKER: TieClass.PERSON,
    Rec.START_WORKER: TieClass.PERSON,
}
_TURNED = (
    (TieClass.TIMER, TieClass.DELIVERY),
    (TieClass.PERSON, TieClass.DELIVERY),
    (TieClass.PERSON, TieClass.TIMER),
)
"""First, second: the orders that differ from the usual one."""


def tie_choices(records: Sequence[Record]) -> Iterator[Choice]:
    """Yield every tie of each client and pair of kinds that can still be turned.

    An ``order`` clause turns the first tie that it finds; for a later one it names the instant.
    """
    found: dict[tuple[str, TieClass, TieClass], bool] = {}
    for at_us, group in groupby(records, key=lambda record: record.at_us):
        instant = list(group)
        for client in dict.fromkeys(record.client for record in instant if record.client):
            mine = [record for record in instant if record.client == client]
            for first, second in _TURNED:
                place = _tied(mine, first, second)
                if not place:
                    continue
                is_later = found.get((client, first, second), False)
                found[client, first, second] = True
                order = Order(first, second, client, at_us if is_later else None)
                yield Choice(kind=Kind.ORDER, place=place - 1, clause=order)


def _tied(instant: Sequence[Record], first: TieClass, second: TieClass) -> int:
    """Return the record from which on a tie could go the other way; 0: there is none."""
    place = 0
    for record in instant:
        kind = _CLASSES.get(record.kind)
        if kind is second and not place:
            place = record.seq
        elif kind is first and place:
            return place
    return 0


def overtaken(records: Sequence[Record]) -> dict[int, bool]:
    """Return the messages that arrive at one place and instant with another one, before it.

    A microsecond more lets the other one go first.
    """
    found: dict[int, bool] = {}
    last: dict[str, Record] = {}
    for record in records:
        if record.kind is not Rec.ARRIVED and record.kind is not Rec.ANSWER:
            continue
        where = record.client if record.kind is Rec.ANSWER else ""
        before = last.get(where)
        if before is not None and before.at_us == record.at_us:
            number = before.data["msg"]
            assert isinstance(number, int)
            found[number] = True
        last[where] = record
    return found
