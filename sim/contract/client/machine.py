"""The client, as a pure state machine: ``step(config, state, event, moment)``.

Nothing here reads a clock, draws a number or touches a socket: the driver says when (and offers
ids), the machine returns the form after the event, the row of the contract that decided, and the
effects to carry out in order. There is one inbox: whatever arrives comes in as an event, at any
time, in any phase.
"""

from typing import assert_never

from sim.contract.client import judging, life, people
from sim.contract.client.events import (
    Answered,
    Closed,
    Edit,
    Event,
    ExchangeBroken,
    Hinted,
    Moment,
    PersonChecks,
    PersonDiscards,
    PersonMerges,
    PersonRetries,
    ReadAnswered,
    Reloaded,
    Save,
    SignedIn,
    SignedOut,
    StatusAnswered,
    TimerFired,
    WorkerStarted,
    WorkerStopped,
)
from sim.contract.client.rows import Row
from sim.contract.client.state import ClientConfig, ClientState, Step


def step(c: ClientConfig, state: ClientState, event: Event, moment: Moment) -> Step:
    """Advance one form by one event.

    Args:
        c: The form's resource, policy and rules.
        state: The form before the event.
        event: What the driver observed. A timer or an exchange that outlived its attempt is
            recognised and ignored.
        moment: When it happens, and the ids at hand.

    Returns:
        The form after the event, the row that decided, and the effects in order.
    """
    if not state.is_open and not isinstance(event, Reloaded | SignedIn):
        return Step(state, Row.PAGE_CLOSED)
    # What happens in every run. Compiled, ``isinstance`` of a compiled class compares two
    # addresses, and ``match`` calls.
    if isinstance(event, Answered):
        return judging.judge_write(c, state, event.answer, moment)
    if isinstance(event, TimerFired):
        return life.timer_fired(c, state, event, moment)
    match event:
        case Save():
            return people.save(c, state, event, moment)
        case Edit():
            return people.edit(state, event.body)
        case StatusAnswered():
            return judging.judge_status(c, state, event.answer, moment)
        case ReadAnswered():
            return judging.take_read(c, state, event.answer)
        case ExchangeBroken():
            return life.exchange_broken(c, state, event, moment)
        case PersonRetries():
            return people.retry(c, state, moment)
        case PersonChecks():
            return people.check(c, state, moment)
        case PersonDiscards():
            return people.discard(c, state)
        case PersonMerges():
            return people.merge(state, event.body)
        case Reloaded():
            return life.reloaded(c, state, moment)
        case Closed():
            return life.closed(state)
        case WorkerStopped():
            return life.worker_stopped(state)
        case WorkerStarted():
            return life.worker_started(c, state, moment)
        case SignedIn():
            return life.signed_in(c, state, event.owner, moment)
        case SignedOut():
            return Step(state, Row.SIGNED_OUT)
        case Hinted():
            return Step(state._replace(online=event.online), Row.HINTED)
        case _:
            assert_never(event)
