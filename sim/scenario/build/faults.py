"""Faults, built: clauses with exact targets."""

from typing import assert_never

from sim.contract.messages import TransportError
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
    ServerAction,
    ServerClause,
    Slow,
    Target,
    TieClass,
)
from sim.scenario.build.context import Context, either
from sim.scenario.grammar import faults as grammar
from sim.scenario.grammar.base import ANY
from sim.scenario.locate import Loc
from sim.scenario.model import SECOND

_READS = (MessageKind.READ, MessageKind.READ_ANSWER)

_COUNT = "use 1 for the first, or any"


def clauses(context: Context) -> tuple[Clause, ...]:
    """Return the faults in the order of the file."""
    parts = context.document.faults or []
    return tuple(_clause(context, ("faults", number), part) for number, part in enumerate(parts))


def _clause(context: Context, loc: Loc, part: grammar.Fault) -> Clause:
    match part:
        case grammar.CutPart():
            return Cut(
                CutWhat(part.cut), part.from_ or 0, part.to, _anyone(context, loc, part.client)
            )
        case grammar.OrderPart():
            first, second = part.order
            client = _anyone(context, loc, part.client)
            return Order(TieClass(first), TieClass(second), client, part.at)
        case grammar.CrashPart() | grammar.ErrorPart() | grammar.SlowPart():
            target = _target(context, loc, part, MessageKind.REQUEST)
            return ServerClause(target=target, action=_at_server(part), times=_times(part))
        case _:
            target = _target(context, loc, part, _message(part))
            action = _on_the_way(context, loc, part, target)
            return MessageClause(target=target, action=action, times=_times(part))


def _at_server(part: "grammar.CrashPart | grammar.ErrorPart | grammar.SlowPart") -> ServerAction:
    match part:
        case grammar.CrashPart():
            return Crash(CrashPoint(part.at), either(part.restart, SECOND))
        case grammar.ErrorPart():
            return AnswerError(part.error, part.at == "after_commit")
        case grammar.SlowPart():
            return Slow(part.by, part.gateway)


def _message(part: grammar.MessageFault) -> MessageKind:
    match part:
        case grammar.DropPart():
            return MessageKind(part.drop)
        case grammar.DelayByPart():
            return MessageKind(part.delay)
        case grammar.HoldPart():
            return MessageKind(part.hold)
        case grammar.DuplicatePart():
            return MessageKind(part.duplicate)
        case grammar.ResendPart():
            return MessageKind(part.resend)
        case grammar.CorruptPart():
            return MessageKind(part.corrupt)
        case grammar.ResetPart():
            return MessageKind(part.reset)
        case grammar.FailPart():
            return MessageKind(part.fail)
        case _:
            assert_never(part)


def _on_the_way(
    context: Context, loc: Loc, part: grammar.MessageFault, target: Target
) -> MessageAction:
    match part:
        case grammar.DropPart():
            return Drop()
        case grammar.DelayByPart():
            return DelayBy(part.by)
        case grammar.HoldPart():
            return HoldUntil(
                _happening(context, (*loc, "until"), part.until, target), part.then or 0
            )
        case grammar.DuplicatePart():
            return Duplicate(part.after or 0)
        case grammar.ResendPart():
            return Resend(part.after or 0)
        case grammar.CorruptPart():
            return Corrupt(tuple(part.set.items()))
        case grammar.ResetPart():
            return Reset()
        case grammar.FailPart():
            return Fail(TransportError(part.as_))
        case _:
            assert_never(part)


def _times(part: grammar.AddressedPart) -> int | None:
    return part.times if isinstance(part.times, int) else None if part.times else 1


def _nth(value: "int | str | None", default: int | None) -> int | None:
    """Return a number, or None for any."""
    return default if value is None else value if isinstance(value, int) else None


def _target(
    context: Context, loc: Loc, part: grammar.AddressedPart, message: MessageKind
) -> Target:
    # A read belongs to no operation, so that a fault on it is addressed by its number alone.
    is_read = message in _READS
    if is_read and part.operation not in (None, ANY):
        context.refuse(
            (*loc, "operation"),
            "a read belongs to no operation",
            "address it by attempt: its number",
        )
    if part.operation == 0 or part.copy_ == 0:
        key = "operation" if part.operation == 0 else "copy"
        context.refuse((*loc, key), f"'{key}' counts from 1", _COUNT)
    return Target(
        message=message,
        client=_someone(context, loc, part.client),
        operation=_nth(part.operation, None if is_read else 1),
        attempt=_nth(part.attempt, 1),
        copy=_nth(part.copy_, 1),
    )


def _someone(context: Context, loc: Loc, name: str | None) -> str | None:
    """Return whose message a fault is addressed to; it must be said where there are several."""
    if name is None:
        if context.cast.only is None:
            context.refuse(
                loc,
                "'client' is missing, and there are several",
                f"add 'client: {context.cast.known()[0]}', or 'client: any'",
            )
        return context.cast.only
    return _anyone(context, loc, name)


def _anyone(context: Context, loc: Loc, name: str | None) -> str | None:
    """Return a client, or None for anybody."""
    if name is None or name == ANY:
        return None
    cast = context.cast
    if cast.group_of(name) is not None:
        return name
    if name in cast.parts and len(cast.parts) == 1 and cast.only is not None:
        return cast.only
    if name in cast.parts:
        context.refuse(
            (*loc, "client"),
            f"'{name}' is {cast.parts[name].count} clients",
            f"name one, as '{name}-1', or any",
        )
    else:
        context.check_known((*loc, "client"), "client", name, [*cast.known(), ANY])
    return None


def _happening(context: Context, loc: Loc, part: grammar.UntilPart, target: Target) -> Happening:
    client = target.client if part.client is None else _anyone(context, loc, part.client)
    if part.operation == 0:
        context.refuse((*loc, "operation"), "'operation' counts from 1", _COUNT)
    return Happening(
        event=HappeningKind(part.event),
        client=client,
        operation=_nth(part.operation, 1),
        attempt=_nth(part.attempt, None),
    )
