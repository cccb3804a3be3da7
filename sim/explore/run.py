"""One schedule, run and judged; only here, and where states are told, engine and judge meet."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from sim.engine.world import simulate
from sim.explore.choice import Schedule, applied
from sim.judge.book import IntentBook
from sim.judge.judge import Judge
from sim.judge.verdict import Violation
from sim.scenario.model import World
from sim.trace.records import Record

RECORDS_MAX = 20_000
"""A run that makes more records is given up: nothing small makes so many."""


class Wanted(NamedTuple):
    """What became of one intent: what its client believes, and what is true."""

    client: str
    number: int
    belief: str
    effects: int
    attempts: int
    queries: int


class Ending(NamedTuple):
    """What is there when nothing happens any more."""

    screens: tuple[tuple[str, str, str, bool], ...]
    """Client, resource, phase, and whether the draft is dirty."""
    held: tuple[tuple[str, int, str], ...]
    """Resource, version and body at the server."""
    intents: tuple[Wanted, ...]


class Ran(NamedTuple):
    """One run under a schedule."""

    world: World
    """What was run, the schedule in it."""
    records: tuple[Record, ...]
    """The trace; empty where it was not kept."""
    length: int
    """How many records the trace has, kept or not."""
    violations: tuple[Violation, ...]
    ending: Ending
    unmatched: tuple[int, ...]
    still_held: tuple[int, ...]
    ended: str
    busy_until_us: int
    """When something last happened, recorded or not."""

    @property
    def broken(self) -> tuple[str, ...]:
        """The invariants that broke, each once, in the order of breaking."""
        return tuple(dict.fromkeys(violation.invariant for violation in self.violations))


def run_schedule(world: World, schedule: Schedule = (), *, keep: bool = True) -> Ran:
    """Run a world under a schedule and judge it.

    Args:
        world: The world without the schedule; its own faults come first.
        schedule: What goes wrong besides.
        keep: Whether to keep the trace; without it a run is three times as quick.
    """
    scheduled = applied(world, schedule)
    judge = Judge(scheduled)
    done = simulate(scheduled, keep=keep, live=judge, records_max=RECORDS_MAX)
    return Ran(
        world=scheduled,
        records=done.records,
        length=judge.seq,
        violations=judge.violations,
        ending=_ending(judge),
        unmatched=done.unmatched,
        still_held=done.still_held,
        ended=done.ended,
        busy_until_us=done.busy_until_us,
    )


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the search for cycles over some runs: what they leave behind is looked at once."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _ending(judge: Judge) -> Ending:
    ledger = judge.ledger
    return Ending(
        screens=tuple(
            (screen.client, screen.resource, screen.phase.value, screen.dirty)
            for screen in judge.screens
        ),
        held=tuple((name, *ledger.resources[name]) for name in sorted(ledger.resources)),
        intents=tuple(_wanted(intent) for intent in ledger.intents.values()),
    )


def _wanted(intent: IntentBook) -> Wanted:
    operations = intent.operations
    return Wanted(
        client=intent.client,
        number=intent.number,
        belief=operations[-1].belief,
        effects=intent.effects,
        attempts=sum(op.launches for op in operations),
        queries=sum(op.asked for op in operations),
    )
