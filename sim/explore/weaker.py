"""A fault that does less: earlier, shorter, once, to one message, or without the server's death.

What a clause says besides its fault goes back to what it means unsaid, one thing at a time.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from sim.explore.menu import COPY_AFTER_US, RESTART_US
from sim.explore.smaller import without
from sim.network.faults import (
    AnswerError,
    Clause,
    Corrupt,
    Crash,
    CrashPoint,
    Cut,
    CutWhat,
    DelayBy,
    Drop,
    Duplicate,
    Fail,
    Happening,
    HappeningKind,
    HoldUntil,
    MessageAction,
    MessageClause,
    MessageKind,
    Order,
    Resend,
    Reset,
    ServerClause,
    Slow,
    Target,
)
from sim.scenario.model import World

_WRITES = (MessageKind.REQUEST, MessageKind.ACK)
_READS = (MessageKind.READ, MessageKind.READ_ANSWER)
_COPIES_US = (0, 1_000, COPY_AFTER_US)
_SHORT_US = 100_000


def weaker(clause: Clause, world: World) -> Iterator[Clause]:
    """Yield the clauses that do less than this one, the least first.

    Each step goes down: a chain of them comes to an end.
    """
    match clause:
        case MessageClause():
            yield from _narrower(clause, world)
            yield from (replace(clause, action=action) for action in _less(clause, world))
        case ServerClause():
            yield from _narrower(clause, world)
            yield from _less_at_server(clause)
        case Cut():
            yield from _less_cut(clause)
        case Order():
            if clause.at_us is not None:
                yield replace(clause, at_us=None)
            if clause.client is not None:
                yield replace(clause, client=None)
        case _:
            assert_never(clause)


def _narrower(clause: MessageClause | ServerClause, world: World) -> Iterator[Clause]:
    """Yield the same fault at an earlier message, at the one that goes unsaid, or once."""
    yield from _earlier(clause)
    target = clause.target
    usual = None if target.message in _READS else 1
    if target.operation != usual:
        yield replace(clause, target=replace(target, operation=usual))
    if target.attempt != 1:
        yield replace(clause, target=replace(target, attempt=1))
    if target.copy != 1:
        yield replace(clause, target=replace(target, copy=1))
    if target.client is None and len(world.clients) == 1:
        yield replace(clause, target=replace(target, client=world.clients[0].name))
    if clause.times != 1:
        yield replace(clause, times=1)


def _less_cut(cut: Cut) -> Iterator[Cut]:
    """Yield a cut in one direction, of one half of its time, or of anybody's link."""
    if cut.what is CutWhat.BOTH:
        yield replace(cut, what=CutWhat.ACK)
        yield replace(cut, what=CutWhat.REQUEST)
    if cut.to_us - cut.from_us >= 2 * _SHORT_US:
        middle_us = (cut.from_us + cut.to_us) // 2_000 * 1_000
        yield replace(cut, to_us=middle_us)
        yield replace(cut, from_us=middle_us)
    if cut.client is not None:
        yield replace(cut, client=None)


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
    """Yield what does less to a message, or says less of what it does."""
    action = clause.action
    match action:
        case DelayBy():
            yield from _less_late(clause.target, action, world)
        case HoldUntil():
            yield from _less_held(clause.target, action)
        case Duplicate():
            yield from map(Duplicate, _sooner(action.after_us))
        case Resend():
            yield Duplicate(action.after_us)
            yield from map(Resend, _sooner(action.after_us))
        case Corrupt():
            for place in range(len(action.fields) if len(action.fields) > 1 else 0):
                yield Corrupt(without(action.fields, place))
        case Drop() | Reset() | Fail():
            return
        case _:
            assert_never(action)


def _less_late(target: Target, late: DelayBy, world: World) -> Iterator[MessageAction]:
    """Yield less lateness: until the timer, until the next attempt, then any length of time."""
    if target.message in _WRITES and target.attempt:
        yield _until(target, HappeningKind.TIMED_OUT, target.attempt)
        yield _until(target, HappeningKind.SENT, target.attempt + 1)
    timeout_us = max(client.timeout_us for client in world.clients)
    if timeout_us < late.by_us:
        yield DelayBy(timeout_us)


def _less_held(target: Target, held: HoldUntil) -> Iterator[MessageAction]:
    """Yield a shorter wait, then a wait for what is addressed in fewer words."""
    until, attempt = held.until, target.attempt
    if until.event is HappeningKind.SENT and attempt and until.attempt == attempt + 1:
        yield _until(target, HappeningKind.TIMED_OUT, attempt)
    if held.then_us:
        yield replace(held, then_us=0)
    if until.attempt is not None:
        yield replace(held, until=replace(until, attempt=None))
    if until.operation != 1:
        yield replace(held, until=replace(until, operation=1))
    if until.client != target.client:
        yield replace(held, until=replace(until, client=target.client))


def _sooner(after_us: int) -> Iterator[int]:
    """Yield when a copy could leave instead: at once, then ever later, then in half the time."""
    yield from (sooner_us for sooner_us in _COPIES_US if sooner_us < after_us)
    if after_us >= 2 * _COPIES_US[-1]:
        yield after_us // 2_000 * 1_000


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
            for at in tuple(CrashPoint)[: tuple(CrashPoint).index(action.at)]:
                yield replace(clause, action=replace(action, at=at))
            if action.restart_us > RESTART_US:
                yield replace(clause, action=Crash(action.at, RESTART_US))
        case AnswerError():
            lost = _answer(target) if action.after_commit else target
            yield MessageClause(target=lost, action=Drop())
            if action.after_commit:
                yield replace(clause, action=replace(action, after_commit=False))
        case Slow():
            yield from _shorter(clause, action)
        case _:
            assert_never(action)


def _shorter(clause: ServerClause, slow: Slow) -> Iterator[ServerClause]:
    if slow.gateway_us is not None:
        yield replace(clause, action=Slow(slow.by_us))
    for by_us in (slow.by_us // 4, slow.by_us // 2):
        if by_us >= max(_SHORT_US, slow.gateway_us or 0):
            yield replace(clause, action=replace(slow, by_us=by_us))


def _answer(target: Target) -> Target:
    """Return the address of the answer to a request; its first copy is meant."""
    return replace(target, message=MessageKind.ACK, copy=1)
