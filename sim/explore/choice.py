"""What can go wrong at one place, and schedules of it.

A schedule is a list of choices in the order of a run: each is one addressed fault, or one act of
a person. Put into a world it is nothing but fault clauses and lines of ``user``, so the engine
that plays scenarios plays schedules too, and a schedule can be written as a scenario.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from sim.network.faults import (
    Clause,
    Happening,
    HappeningKind,
    HoldUntil,
    MessageClause,
    MessageKind,
    Target,
)
from sim.scenario.model import Action, World


class Kind(StrEnum):
    """The kinds of choice, in the order in which they are tried at one place."""

    LOST = "lost"
    LATE = "late"
    DUPLICATED = "duplicated"
    CRASH = "crash"
    ERROR = "error"
    SLOW = "slow"
    GATEWAY = "gateway"
    ORDER = "order"
    ACT = "act"


FAULTS = tuple(kind for kind in Kind if kind is not Kind.ACT)
"""The kinds that count towards the bound on faults; acts have a bound of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One departure from the calm run, at one place of a trace.

    ``place`` is the last record that the departure leaves as it was: what comes later in the
    trace can depend on it. Exactly one of ``clause`` and ``act`` is there.
    """

    kind: Kind
    place: int
    clause: Clause | None = None
    act: Action | None = None
    nth: int = 1
    """The how many-th message with this very address it is (answers to copies share one)."""


Schedule: TypeAlias = tuple[Choice, ...]


def faults_in(schedule: Schedule) -> int:
    """Return how many of its choices are faults."""
    return sum(choice.kind is not Kind.ACT for choice in schedule)


def acts_in(schedule: Schedule) -> int:
    """Return how many of its choices are acts of a person."""
    return sum(choice.kind is Kind.ACT for choice in schedule)


def applied(world: World, schedule: Schedule) -> World:
    """Return the world in which the schedule happens, after the world's own faults."""
    if not schedule:
        return world
    clauses: list[Clause] = list(world.faults)
    acts: list[Action] = []
    for choice in schedule:
        if choice.act is not None:
            acts.append(choice.act)
        elif choice.clause is not None:
            clauses.extend(_earlier(world, choice.clause, choice.nth, clauses[len(world.faults) :]))
            clauses.append(choice.clause)
    return replace(world, faults=tuple(clauses), fault_lines=(), user=(*world.user, *acts))


def _earlier(world: World, clause: Clause, nth: int, made: Sequence[Clause]) -> list[Clause]:
    """Return clauses that use up the messages of the same address that come before the ``nth``.

    They deliver each as it would have been: it waits for what has happened already, and then as
    long as its way takes.
    """
    if nth == 1 or not isinstance(clause, MessageClause):
        return []
    used = sum(isinstance(one, MessageClause) and one.target == clause.target for one in made)
    return [as_is(world, clause.target)] * (nth - 1 - used)


def as_is(world: World, target: Target) -> MessageClause:
    """Return the clause that delivers an answer to a request as the link alone would."""
    assert target.message is MessageKind.ACK
    link = next(client.link for client in world.clients if client.name == target.client)
    asked = Happening(
        event=HappeningKind.DELIVERED,
        client=target.client,
        operation=target.operation,
        attempt=target.attempt,
    )
    return MessageClause(target=target, action=HoldUntil(asked, link.ack.latency.values_us[0]))
