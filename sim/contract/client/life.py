"""The life around a form: timers, broken exchanges, reloads, workers, sessions, the hint."""

from typing import assert_never

from sim.contract.body import EMPTY
from sim.contract.client.events import ExchangeBroken, ExchangeKind, Moment, TimerFired
from sim.contract.client.judging import assumed_failed, counted_failure
from sim.contract.client.rows import Row
from sim.contract.client.sending import (
    after_unknown,
    after_void,
    and_read,
    arm,
    ask,
    await_retry,
    exactly,
    launch,
    may_send_again,
    next_query,
    retry_is_due,
    start_operation,
)
from sim.contract.client.state import (
    READ_PAUSE_US,
    READ_TRIES_MAX,
    ClientConfig,
    ClientState,
    Draft,
    Fate,
    Operation,
    Shelved,
    Step,
    Timer,
    TimerKind,
    until,
)
from sim.contract.messages import NEVER_SENT
from sim.contract.phases import Phase, Reason

# --- timers and broken exchanges ------------------------------------------------------------------


def is_outlived(state: ClientState, timer: Timer) -> bool:
    """Return whether a timer outlived what it was armed for, so that it changes nothing."""
    op, reading = state.operation, state.reading
    return (op is None or op.due != timer) and (reading is None or reading.due != timer)


def timer_fired(c: ClientConfig, state: ClientState, event: TimerFired, moment: Moment) -> Step:
    """Act on a timer, unless it outlived what it was armed for."""
    timer = event.timer
    op = state.operation
    if is_outlived(state, timer):
        return Step(state, Row.OLD_TIMER)
    if op is None or op.due != timer:
        return _read_timer(c, state, timer.kind)
    match timer.kind:
        case TimerKind.TIMEOUT:
            if not c.rules.timeout_is_unknown:
                return assumed_failed(state)
            state = counted_failure(c, state, moment)
            return after_unknown(c, state, op, moment, Row.TIMED_OUT)
        case TimerKind.RETRY:
            return _retry_due(c, state, op, event, moment)
        case TimerKind.STATUS:
            return ask(c, state, op, moment, Row.QUERY_DUE, by_person=False)
        case TimerKind.STATUS_TIMEOUT:
            return next_query(c, state, op, Row.NO_STATUS_ANSWER)
        case TimerKind.READ_TIMEOUT | TimerKind.READ_RETRY:
            return Step(state, Row.OLD_TIMER)
        case _:
            assert_never(timer.kind)


def _retry_due(
    c: ClientConfig, state: ClientState, op: Operation, event: TimerFired, moment: Moment
) -> Step:
    if moment.us < state.open_until_us and c.rules.retry_bounded:
        rest_us = state.open_until_us - moment.us
        return await_retry(state, op, Row.RETRY_HELD_BACK, exactly(rest_us))
    op = until(op, op.due, event.waited_us)
    return retry_is_due(c, state, op, moment, Row.RETRY_DUE)


def exchange_broken(
    c: ClientConfig, state: ClientState, event: ExchangeBroken, moment: Moment
) -> Step:
    """Act on a transport error, unless its exchange is not the one that is waited for."""
    op = state.operation
    match event.exchange:
        case ExchangeKind.READ:
            if state.reading is None or state.reading.number != event.number:
                return Step(state, Row.OLD_EXCHANGE)
            return _read_failed(state)
        case ExchangeKind.STATUS:
            waits = op is not None and op.due is not None and op.due.number == event.number
            if op is None or op.due is None or not waits:
                return Step(state, Row.OLD_EXCHANGE)
            if op.due.kind is not TimerKind.STATUS_TIMEOUT or op.wire_id != event.operation_id:
                return Step(state, Row.OLD_EXCHANGE)
            return next_query(c, state, op, Row.NO_STATUS_ANSWER)
        case ExchangeKind.REQUEST:
            if op is None or op.wire_id != event.operation_id or op.attempt != event.number:
                return Step(state, Row.OLD_EXCHANGE)
            if state.phase is not Phase.AWAITING_ACK or op.fate is not Fate.OPEN:
                return Step(state, Row.OLD_EXCHANGE)
            state = counted_failure(c, state, moment)
            if event.error in NEVER_SENT:
                return after_void(c, state, op._replace(fate=Fate.VOID), moment, Row.VOID)
            return after_unknown(c, state, op, moment, Row.BROKEN)
        case _:
            assert_never(event.exchange)


def _read_timer(c: ClientConfig, state: ClientState, kind: TimerKind) -> Step:
    if kind is TimerKind.READ_TIMEOUT:
        return _read_failed(state)
    tries = state.reading.tries + 1 if state.reading else 1
    return and_read(c, Step(state, Row.READ_AGAIN), tries)


def _read_failed(state: ClientState) -> Step:
    """A read changes nothing, so it is simply made again: a few times, with a pause."""
    reading = state.reading
    if reading is None or reading.tries >= READ_TRIES_MAX:
        return Step(state._replace(reading=None), Row.READ_GIVEN_UP)
    armed = arm(state, TimerKind.READ_RETRY, reading.number, exactly(READ_PAUSE_US))
    waiting = armed.state._replace(reading=reading._replace(due=armed.timer))
    return Step(waiting, Row.READ_AGAIN, (armed.effect,))


# --- pages and workers ----------------------------------------------------------------------------


def reloaded(c: ClientConfig, state: ClientState, moment: Moment) -> Step:
    """Come back from storage: what was pending is an unknown outcome, never idle."""
    state = state._replace(is_open=True, has_worker=True, reading=None)
    if not c.rules.draft_durable:
        blank = state.draft.version + 1
        state = state._replace(draft=Draft(EMPTY, blank, blank, state.draft.base_version))
    step = _resumed(c, state, moment, Row.RELOADED)
    return step if step.state.reading else and_read(c, step)


def worker_started(c: ClientConfig, state: ClientState, moment: Moment) -> Step:
    """The worker runs again: what was pending goes on as after a reload; the page never left.

    A read that the stopped worker had under way is made again, so that there is something to merge.
    """
    if state.has_worker:
        return Step(state, Row.WORKER_STARTED)
    state = state._replace(has_worker=True)
    step = Step(state, Row.WORKER_STARTED)
    if state.operation is not None:
        step = _resumed(c, state, moment, Row.WORKER_STARTED)
    return step if step.state.reading else and_read(c, step)


def _resumed(c: ClientConfig, state: ClientState, moment: Moment, row: Row) -> Step:
    op = state.operation
    if op is None or not c.rules.operation_durable:
        idle = state._replace(phase=Phase.IDLE, reason=Reason.NONE, operation=None)
        return Step(idle, row)
    if not c.rules.reload_resumes:
        return start_operation(c, state._replace(operation=None), moment, row)
    return after_unknown(c, state, op._replace(due=None), moment, row)


def closed(state: ClientState) -> Step:
    """The page is gone; its timers and exchanges with it."""
    return Step(_without_timers(state)._replace(is_open=False), Row.CLOSED)


def worker_stopped(state: ClientState) -> Step:
    """The timers and exchanges of the worker are gone; the page stays."""
    return Step(_without_timers(state)._replace(has_worker=False), Row.WORKER_STOPPED)


def _without_timers(state: ClientState) -> ClientState:
    op = state.operation
    return state._replace(reading=None, operation=op._replace(due=None) if op else None)


# --- sessions -------------------------------------------------------------------------------------


def signed_in(c: ClientConfig, state: ClientState, owner: str, moment: Moment) -> Step:
    """A session starts: the same owner resumes, another owner starts from reading."""
    if owner != state.owner:
        return _other_owner(c, state, owner, moment)
    op = state.operation
    waits = op is not None and op.resumable and state.phase is Phase.RECOVERY_REQUIRED
    if op is None or not waits or not state.is_open:
        return Step(state, Row.SIGNED_IN)
    row = Row.SIGNED_IN_RESUMES
    if may_send_again(c, op):
        return launch(c, state, op, moment, row)
    return after_unknown(c, state, op, moment, row)


def _other_owner(c: ClientConfig, state: ClientState, owner: str, moment: Moment) -> Step:
    op = state.operation
    if op is not None and not c.rules.operation_bound_to_owner:
        taken = op._replace(snapshot=op.snapshot._replace(owner=owner))
        if not state.is_open:
            kept = state._replace(owner=owner, operation=taken)
            return Step(kept, Row.SIGNED_IN_OTHER)
        return launch(c, state._replace(owner=owner), taken, moment, Row.SIGNED_IN_OTHER)
    op = op._replace(due=None, resumable=False) if op else None
    mine = Shelved(state.owner, state.draft, op, state.settled_by)
    others = tuple(item for item in state.shelf if item.owner not in (owner, state.owner))
    back = next((item for item in state.shelf if item.owner == owner), None)
    theirs = back or Shelved(owner, Draft(EMPTY, 1, 1, 0), None, None)
    recovers = theirs.operation is not None
    state = state._replace(
        owner=owner,
        draft=theirs.draft,
        operation=theirs.operation,
        settled_by=theirs.settled_by,
        phase=Phase.RECOVERY_REQUIRED if recovers else Phase.IDLE,
        reason=Reason.SET_ASIDE if recovers else Reason.NONE,
        shelf=(*others, mine),
        read=None,
        reading=None,
    )
    step = Step(state, Row.SIGNED_IN_OTHER)
    # A closed page reads when it is opened again; until then nobody sees anything.
    return and_read(c, step) if state.is_open else step
