"""What can happen to one message and to one execution, as addressed clauses.

The times are chosen from the client's own: *late* is told by what happens meanwhile (its timer,
its next attempt), not by a number of seconds. What no run could tell apart is tried once:

- a crash between write and record is one after the claim, unless a mistake parts the two;
- 500 stands for every server error after the commit and 503 for every one before it: a client
  may draw no conclusion from the number. A gateway's 504 is a fault of its own, because the
  request goes on meanwhile: what the client does next meets it running.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from sim.explore.choice import Kind
from sim.network.faults import (
    AnswerError,
    Clause,
    Crash,
    CrashPoint,
    DelayBy,
    Drop,
    Duplicate,
    Happening,
    HappeningKind,
    HoldUntil,
    MessageAction,
    MessageClause,
    MessageKind,
    ServerAction,
    Slow,
    Target,
)
from sim.scenario.model import HOUR, SECOND, ClientSpec, World

COPY_AFTER_US = 10_000
"""A duplicate leaves this long after the message itself."""
RESTART_US = 20_000
"""A server that crashed is back before the client's next timer."""
MARGIN_US = 100_000
AFTER_ALL_US = 1 * HOUR

_WRITES = (MessageKind.REQUEST, MessageKind.ACK)
_COPIED = (*_WRITES, MessageKind.STATUS_ANSWER, MessageKind.READ_ANSWER)
"""A question that changes nothing is not copied: two answers to it are a copy of the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What a message's client is doing as the message is sent.

    ``latest`` is the last attempt launched of the message's operation, ``waits`` whether its
    timer still runs.
    """

    client: ClientSpec
    latest: int
    waits: bool


def at_message(
    world: World, target: Target, moment: Moment, *, tied: bool
) -> Iterator[tuple[Kind, Clause]]:
    """Yield what can happen to a message on its way, but for its being delivered as is.

    Args:
        world: What is run.
        target: The message's address.
        moment: What its client is doing.
        tied: Whether it arrives at one instant with another one, before that.
    """
    if tied:
        yield Kind.ORDER, MessageClause(target=target, action=DelayBy(1))
    for kind, action in _on_the_way(world, target, moment):
        yield kind, MessageClause(target=target, action=action)


def _on_the_way(
    world: World, target: Target, moment: Moment
) -> Iterator[tuple[Kind, MessageAction]]:
    yield Kind.LOST, Drop()
    if target.message in _WRITES:
        yield from ((Kind.LATE, action) for action in _held(target, moment))
    else:
        yield Kind.LATE, DelayBy(moment.client.timeout_us)
    yield Kind.LATE, DelayBy(after_all_us(world))
    if target.message in _COPIED:
        yield Kind.DUPLICATED, Duplicate(COPY_AFTER_US)


def _held(target: Target, moment: Moment) -> Iterator[HoldUntil]:
    """Yield lateness that is told by what the client does meanwhile."""

    def until(event: HappeningKind, attempt: int) -> HoldUntil:
        return HoldUntil(
            Happening(
                event=event, client=target.client, operation=target.operation, attempt=attempt
            )
        )

    if moment.waits:
        yield until(HappeningKind.TIMED_OUT, moment.latest)
    if 0 < moment.latest < moment.client.retry.max_attempts:
        yield until(HappeningKind.SENT, moment.latest + 1)


def after_all_us(world: World) -> int:
    """Return a delay past everything else: an hour, if messages live and the run lasts so long."""
    longest = max(
        client.link.request.latency.values_us[0] + client.link.ack.latency.values_us[0]
        for client in world.clients
    )
    return max(
        1, min(AFTER_ALL_US, world.message_lifetime_us - longest - SECOND, world.horizon_us // 2)
    )


def slow_us(client: ClientSpec, attempt: int) -> int:
    """Return how slow an execution must be so that the client's next step meets it running."""
    retry_us = client.retry.delay.wait(max(attempt, 1), 0).high_us
    pause_us = max(retry_us, client.status_delay_us)
    return client.timeout_us + pause_us + client.link.request.latency.values_us[0] + MARGIN_US


def gateway_us(world: World, client: ClientSpec) -> int:
    """Return when a gateway gives up: the server's own, or one that is quicker than the client."""
    own_us = world.server.gateway_timeout_us
    return client.timeout_us // 2 if own_us is None else own_us


def _behind_a_gateway(world: World, client: ClientSpec, attempt: int) -> Slow:
    """Return work that goes on after the gateway's 504, so that the client's next step meets it."""
    from_504_us = (
        slow_us(client, attempt) - client.timeout_us + client.link.ack.latency.values_us[0]
    )
    gives_up_us = gateway_us(world, client)
    is_own = world.server.gateway_timeout_us is not None
    return Slow(gives_up_us + from_504_us, None if is_own else gives_up_us)


def at_arrival() -> Iterator[tuple[Kind, ServerAction]]:
    """Yield what can happen to the server as a request arrives."""
    yield Kind.CRASH, Crash(CrashPoint.BEFORE_CLAIM, RESTART_US)


def at_claim(world: World, client: ClientSpec, attempt: int) -> Iterator[tuple[Kind, ServerAction]]:
    """Yield what can happen once a request is claimed, before its commit.

    Where the server has a gateway that is quicker than the client, slow work is always answered by
    it: being slow is then no fault of its own.
    """
    yield Kind.CRASH, Crash(CrashPoint.AFTER_CLAIM, RESTART_US)
    yield Kind.ERROR, AnswerError(503, after_commit=False)
    own_us = world.server.gateway_timeout_us
    if own_us is None or own_us >= client.timeout_us:
        yield Kind.SLOW, Slow(slow_us(client, attempt))
    yield Kind.GATEWAY, _behind_a_gateway(world, client, attempt)


def at_commit(world: World) -> Iterator[tuple[Kind, ServerAction]]:
    """Yield what can happen inside the commit, and between it and the answer."""
    rules = world.server.rules
    if not (rules.record_not_before_commit and rules.record_not_after_commit):
        yield Kind.CRASH, Crash(CrashPoint.BETWEEN, RESTART_US)
    yield Kind.CRASH, Crash(CrashPoint.AFTER_COMMIT, RESTART_US)
    yield Kind.ERROR, AnswerError(500, after_commit=True)


def at_reply() -> Iterator[tuple[Kind, ServerAction]]:
    """Yield what can be answered in place of a replay or a refusal."""
    yield Kind.ERROR, AnswerError(503, after_commit=False)
