"""Doctored traces: a right run in which one thing is changed by hand, and what the judge says.

A real trace holds everything that a judge may look at, so a single change to it is the smallest
possible violation; nothing else in it is wrong.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from sim.contract.body import Json
from sim.judge.court import judge_records
from sim.scenario.model import World
from sim.trace.records import Rec, Record
from tests.engine.worlds import faulty, run

Picks = Callable[[Record], bool]


class Trace:
    """A run's records, to be changed before they are judged."""

    def __init__(self, world: World, records: Sequence[Record]) -> None:
        self.world = world
        self.records = list(records)

    def find(self, kind: Rec, nth: int = 1, **data: Json) -> int:
        """Return the place of the n-th record of a kind that holds these data."""
        places = [
            place
            for place, record in enumerate(self.records)
            if record.kind is kind and data.items() <= dict(record.data).items()
        ]
        return places[nth - 1]

    def change(self, place: int, **data: Json) -> "Trace":
        """Change some of a record's data; None takes a key away."""
        record = self.records[place]
        changed = {k: v for k, v in {**record.data, **data}.items() if v is not None}
        self.records[place] = record._replace(data=changed)
        return self

    def drop(self, place: int) -> "Trace":
        del self.records[place]
        return self

    def end_after(self, place: int) -> "Trace":
        del self.records[place + 1 :]
        return self

    def again(self, place: int, **data: Json) -> "Trace":
        """Let a record happen a second time, right after the first."""
        self.records.insert(place + 1, self.records[place])
        return self.change(place + 1, **data)

    def swap(self, one: int, other: int) -> "Trace":
        self.records[one], self.records[other] = self.records[other], self.records[one]
        return self

    def allow(self, **policy: int) -> "Trace":
        """Judge by another policy than the one that the run followed."""
        clients = tuple(replace(c, retry=replace(c.retry, **policy)) for c in self.world.clients)
        self.world = replace(self.world, clients=clients)
        return self

    @property
    def broken(self) -> tuple[str, ...]:
        """The invariants that the judge finds broken, numbered anew as a trace is."""
        numbered = [record._replace(seq=n) for n, record in enumerate(self.records, 1)]
        return judge_records(self.world, numbered).broken


def saved(text: str = "") -> Trace:
    """The undisturbed save."""
    done = run(text)
    return Trace(done.world, done.records)


def lost_ack(*more: str) -> Trace:
    """Stored, the ack lost; asked again, replayed."""
    done = faulty("drop: ack", *more)
    return Trace(done.world, done.records)


PAYMENT = """
server: {resources: {till: {kind: post}}}
user:
  - {at: 0s, edit: till, body: 5}
  - {at: 0s, save: till}
"""
EDITED = """
user:
  - {at: 0s, edit: note, body: {n: 2}}
  - {at: 0s, save: note}
  - {at: 60ms, edit: note, body: {n: 3}}
"""
