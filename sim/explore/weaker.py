"""A fault that does less: earlier, shorter, once, to one message, or without the server's death."""

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from sim.explore.menu import RESTART_US
from sim.network.faults import (
    AnswerError,
    Clause,
    Crash,
    CrashPoint,
    Cut,
    CutWhat,
    DelayBy,
    Drop,
    Happening,
    HappeningKind,
    HoldUntil,
    MessageAction,
    MessageClause,
    MessageKind,
    Order,
    ServerClause,
    Slow,
    Target,
)
from sim.scenario.model import World

_WRITES = (MessageKind.REQUEST, MessageKind.ACK)


def weaker(clause: Clause, world: World) -> Iterator[Clause]:
    """Yield the clauses that do less than this one, the least first.

    Each step goes down: a chain of them comes to an end.
    """
    match clause:
        case MessageClause():
            yield from _earlier(clause)
            if clause.times != 1:
                yield replace(clause, times=1)
            yield from (replace(clause, action=action) for action in _less(clause, world))
        case ServerClause():
            yield from _earlier(clause)
            if clause.times != 1:
                yield replace(clause, times=1)
            yield from _less_at_server(clause)
        case Cut():
            if clause.what is CutWhat.BOTH:
                yield replace(clause, what=CutWhat.ACK)
                yield replace(clause, what=CutWhat.REQUEST)
        case Order():
            if clause.at_us is not None:
                yield replace(clause, at_us=None)
        case _:
            assert_never(clause)


def _earlier(clause: MessageClause | ServerClause) -> Iterator[Clause]:
    """Yield the same fault at an earlier operation, then at an earlier attempt."""
    operation, attempt = clause.target.operation, clause.target.attempt
    if operation is not None and operation > 1:
        yield _moved(clause, operations=1, attempts=0)
    if attempt is not None and attempt > 1:
        yield _moved(clause, operations=0, attempts=1)


def _moved(clause: MessageClause | ServerClause, operations: int, attempts: int) -> Clause:
    """Return the clause so many operations or attempts earlier, and what it waits for as well."""
    target = replace(
        clause.target,
        operation=_less_by(clause.target.operation, operations),
        attempt=_less_by(clause.target.attempt, attempts),
    )
    if isinstance(clause, ServerClause):
        return replace(clause, target=target)
    action = clause.action
    if isinstance(action, HoldUntil) and action.until.client == clause.target.client:
        until = replace(
            action.until,
            operation=_less_by(action.until.operation, operations),
            attempt=_less_by(action.until.attempt, attempts),
        )
        action = replace(action, until=until)
    return replace(clause, target=target, action=action)


def _less_by(number: int | None, by: int) -> int | None:
    return None if number is None else max(number - by, 1)


def _less(clause: MessageClause, world: World) -> Iterator[MessageAction]:
    """Yield less lateness: until the timer, until the next attempt, then any length of time."""
    target, action = clause.target, clause.action
    if isinstance(action, DelayBy):
        if target.message in _WRITES and target.attempt:
            yield _until(target, HappeningKind.TIMED_OUT, target.attempt)
            yield _until(target, HappeningKind.SENT, target.attempt + 1)
        timeout_us = max(client.timeout_us for client in world.clients)
        if timeout_us < action.by_us:
            yield DelayBy(timeout_us)
    elif isinstance(action, HoldUntil) and action.until.event is HappeningKind.SENT:
        attempt = target.attempt
        if attempt and action.until.attempt == attempt + 1:
            yield _until(target, HappeningKind.TIMED_OUT, attempt)


def _until(target: Target, event: HappeningKind, attempt: int) -> HoldUntil:
    return HoldUntil(
        Happening(event=event, client=target.client, operation=target.operation, attempt=attempt)
    )


def _less_at_server(clause: ServerClause) -> Iterator[Clause]:
    target, action = clause.target, clause.action
    match action:
        case Crash():
            lost = target if action.at is not CrashPoint.AFTER_COMMIT else _answer(target)
            yield MessageClause(target=lost, action=Drop())
            if action.restart_us > RESTART_US:
                yield replace(clause, action=Crash(action.at, RESTART_US))
        case AnswerError():
            lost = _answer(target) if action.after_commit else target
            yield MessageClause(target=lost, action=Drop())
        case Slow():
            yield from _shorter(clause, action)
        case _:
            assert_never(action)


def _shorter(clause: ServerClause, slow: Slow) -> Iterator[ServerClause]:
    if slow.gateway_us is not None:
        yield replace(clause, action=Slow(slow.by_us))
    for by_us in (slow.by_us // 4, slow.by_us // 2):
        if by_us >= max(100_000, slow.gateway_us or 0):
            yield replace(clause, action=replace(slow, by_us=by_us))


def _answer(target: Target) -> Target:
    """Return the address of the answer to a request; its first copy is meant."""
    return replace(target, message=MessageKind.ACK, copy=1)
