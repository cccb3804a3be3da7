"""Launching attempts, and what happens when one ends without an answer that settles.

                 save                      timeout, reset, 5xx, in-flight
    (settled) ----------> awaiting-ack ------------------------------------> unknown-outcome
                            |      ^  void, throttled: the next attempt         |   |
                            |      |  later, phase unchanged                    |   | policy spent,
                            |      +--------------------------------------------+   | window passed
           ack, refusal     |                    retry due                          v
        <-------------------+                                            recovery-required

Every send goes through ``launch`` or ``ask``: both check the recovery window first.
"""

from typing import Final, NamedTuple

from sim.contract.client.events import Moment
from sim.contract.client.rows import Row
from sim.contract.client.state import (
    Arm,
    ClientConfig,
    ClientState,
    Effect,
    Fate,
    Operation,
    Reading,
    SendRead,
    SendStatus,
    SendWrite,
    Step,
    Timer,
    TimerKind,
    begun,
    launched,
    showing,
    until,
)
from sim.contract.ids import is_version_4
from sim.contract.messages import Snapshot
from sim.contract.phases import AWAITING_ACK, NO_REASON, UNKNOWN_OUTCOME, Phase, Reason
from sim.contract.retry import OnUnknown, Wait
from sim.contract.tuples import new

# Named here because on Python 3.11 reading a member off its enum costs as much as a call.
_TIMEOUT: Final = TimerKind.TIMEOUT
_OPEN: Final = Fate.OPEN
_PERSON: Final = OnUnknown.PERSON
_RETRY: Final = OnUnknown.RETRY


class Armed(NamedTuple):
    """A timer, the effect that arms it and the form that knows its serial number."""

    state: ClientState
    timer: Timer
    effect: Arm


def arm(state: ClientState, kind: TimerKind, number: int, wait: Wait) -> Armed:
    """Return a new timer; its serial number tells it from every other of this form."""
    serial = state.serial + 1
    timer = Timer(kind, number, serial)
    known = showing(state, state.draft, state.phase, state.reason, state.operation, serial)
    return Armed(known, timer, Arm(timer, wait))


def exactly(delay_us: int) -> Wait:
    """Return the wait that is always ``delay_us``."""
    return Wait(delay_us, delay_us, delay_us)


# --- launching ------------------------------------------------------------------------------------


def start_operation(
    c: ClientConfig, state: ClientState, moment: Moment, row: Row, chosen_id: str = ""
) -> Step:
    """Freeze the draft as a new operation and launch its first attempt.

    Without a secure source of ids nothing is sent and the reason is shown.
    """
    form_id, layer_id = moment.ids or ("", "")
    operation_id = chosen_id or form_id
    # What a source gives is an id; what somebody dictates need not be one.
    if not (is_version_4(chosen_id) if chosen_id else form_id):
        failed = state._replace(phase=Phase.IDLE, reason=Reason.NO_SECURE_IDS, operation=None)
        return Step(failed, Row.SAVE_NO_IDS)
    draft = state.draft
    snapshot = new(
        Snapshot,
        (
            operation_id,
            state.owner,
            c.resource,
            c.kind,
            draft.body,
            draft.version,
            draft.base_version,
        ),
    )
    wire_id = operation_id if c.rules.one_id_source else layer_id
    timer = new(Timer, (_TIMEOUT, 1, state.serial + 1))
    step = _under_way(c, state, begun(snapshot, wire_id, moment.us, timer), timer, row)
    if c.rules.success_needs_ack:
        return step
    shown = step.state._replace(
        phase=Phase.ACKNOWLEDGED,
        operation=None,
        draft=draft._replace(clean_version=draft.version),
    )
    return Step(shown, step.row, step.effects)


def launch(c: ClientConfig, state: ClientState, op: Operation, moment: Moment, row: Row) -> Step:
    """Send the next attempt of ``op``, which was sent before, and start its timer."""
    if _window_passed(c, op, moment):
        return too_late(c, state, op, Row.WINDOW_PASSED)
    if not c.rules.one_operation_per_intent and moment.ids:
        op = _renamed(op, moment.ids[0])
    timer = new(Timer, (_TIMEOUT, op.attempt + 1, state.serial + 1))
    return _under_way(c, state, launched(op, moment.us, timer), timer, row)


def _under_way(c: ClientConfig, state: ClientState, op: Operation, timer: Timer, row: Row) -> Step:
    state = showing(state, state.draft, AWAITING_ACK, NO_REASON, op, timer.serial)
    sent = op.snapshot
    if op.attempt > 1 or op.wire_id != sent.operation_id:
        sent = _on_the_wire(c, state, op)
    send = SendWrite(sent, op.attempt, op.snapshot)
    arms = Arm(timer, exactly(c.timeout_us))
    return Step(state, row, (send, arms))


def _renamed(op: Operation, operation_id: str) -> Operation:
    """The mistake ``new-operation-per-retry``: the same text under a new id."""
    snapshot = op.snapshot._replace(operation_id=operation_id)
    fresh = Operation(snapshot, operation_id, tries=op.tries, first_sent_us=op.first_sent_us)
    return fresh._replace(waited_us=op.waited_us)


def _on_the_wire(c: ClientConfig, state: ClientState, op: Operation) -> Snapshot:
    sent = op.snapshot
    if op.wire_id != sent.operation_id:
        sent = sent._replace(operation_id=op.wire_id)
    if op.attempt > 1 and not c.rules.frozen_body:
        sent = sent._replace(body=state.draft.body)
    if op.attempt > 1 and not c.rules.frozen_version:
        known = state.read.version if state.read else 0
        sent = sent._replace(expected_version=max(state.draft.base_version, known))
    return sent


# --- after an attempt without a settling answer ---------------------------------------------------


def after_unknown(
    c: ClientConfig, state: ClientState, op: Operation, moment: Moment, row: Row, least_us: int = 0
) -> Step:
    """Show the unknown outcome and do what the policy says about it."""
    state = showing(state, state.draft, UNKNOWN_OUTCOME, NO_REASON, state.operation, state.serial)
    if op.barred or _window_passed(c, op, moment):
        return too_late(c, state, op, row)
    if c.on_unknown is _PERSON:
        return rest(state, op, row, Reason.PERSON_DECIDES)
    wait = _retry_wait(c, op, least_us)
    if c.on_unknown is _RETRY and may_retry(c, state, op, moment, wait):
        return _schedule_retry(c, state, op, row, wait)
    return next_query(c, state, op, row)


def after_void(
    c: ClientConfig, state: ClientState, op: Operation, moment: Moment, row: Row, least_us: int = 0
) -> Step:
    """The attempt provably was not executed: the next one later, the phase unchanged.

    With none left the outcome is that of the attempts before. An attempt that was *throttled* did
    arrive, and a copy of it may still be under way; only one that never left lets the client say
    "not sent".
    """
    wait = _retry_wait(c, op, least_us)
    if not c.retry.confirm and may_retry(c, state, op, moment, wait):
        return _schedule_retry(c, state, op, row, wait)
    if op.exposed or op.fate is not Fate.VOID:
        return after_unknown(c, state, op, moment, row, least_us)
    return _never_sent(state)


def _never_sent(state: ClientState) -> Step:
    idle = state._replace(phase=Phase.IDLE, reason=Reason.NOT_SENT, operation=None)
    return Step(idle, Row.NOT_SENT)


def retry_is_due(
    c: ClientConfig, state: ClientState, op: Operation, moment: Moment, row: Row
) -> Step:
    """Launch the retry that was scheduled and pay for it.

    What was affordable when it was scheduled may not be any more: jitter or the breaker moved it
    past the deadline, or another retry took the last token. Then there is no retry.
    """
    if may_retry(c, state, op, moment, exactly(0)):
        budget = c.retry.budget
        if budget is not None and c.rules.retry_bounded:
            state = state._replace(tokens=state.tokens - budget.cost)
        return launch(c, state, op, moment, row)
    if op.fate is Fate.VOID and not op.exposed:
        return _never_sent(state)
    state = state._replace(phase=Phase.UNKNOWN_OUTCOME, reason=Reason.NONE)
    return next_query(c, state, op, Row.RETRY_FORGONE)


def may_retry(
    c: ClientConfig, state: ClientState, op: Operation, moment: Moment, wait: Wait | None = None
) -> bool:
    """Return whether the policy has another attempt for ``op``, started by itself."""
    if not may_send_again(c, op):
        return False
    if not c.rules.retry_bounded:
        return True
    if c.retry.deadline_us is not None and wait is not None:
        earliest_us = moment.us + min(max(wait.low_us, wait.least_us), max(wait.cap_us, 0))
        if earliest_us > op.first_sent_us + c.retry.deadline_us:
            return False
    return c.retry.budget is None or state.tokens >= c.retry.budget.cost


def may_send_again(c: ClientConfig, op: Operation) -> bool:
    """Return whether another attempt is lawful at all, whoever asks for it."""
    if op.barred:
        return False
    unknown = op.unknown_before or op.fate is _OPEN
    if c.irreversible and unknown and c.rules.irreversible_once:
        return False
    return op.tries < c.retry.max_attempts or not c.rules.retry_bounded


def _retry_wait(c: ClientConfig, op: Operation, least_us: int) -> Wait:
    least_us = least_us if c.retry.retry_after else 0
    if not c.rules.retry_bounded:
        return exactly(c.retry.delay.base_us)
    return c.retry.delay.wait(op.tries, op.waited_us, least_us)


def _schedule_retry(
    c: ClientConfig, state: ClientState, op: Operation, row: Row, wait: Wait
) -> Step:
    if c.retry.confirm:
        return rest(state, op, row, Reason.PERSON_DECIDES)
    return await_retry(state, op, row, wait)


def await_retry(state: ClientState, op: Operation, row: Row, wait: Wait) -> Step:
    """Arm the timer of the next attempt."""
    return _waiting(state, op, row, TimerKind.RETRY, op.attempt + 1, wait)


def retry_after_not_found(
    c: ClientConfig, state: ClientState, op: Operation, moment: Moment, row: Row
) -> Step:
    """Nothing is known of the operation *yet*: after the agreed wait, the same operation again."""
    wait = exactly(c.status_delay_us)
    if not c.retry.confirm and may_retry(c, state, op, moment, wait):
        return _schedule_retry(c, state, op, row, wait)
    return next_query(c, state, op, row)


def next_query(c: ClientConfig, state: ClientState, op: Operation, row: Row) -> Step:
    """Arm the next status query, if there is an endpoint and one left."""
    if not c.has_status:
        return rest(state, op, row, Reason.NO_STATUS)
    if op.asked >= c.status_max:
        return rest(state, op, row, Reason.OUT_OF_QUERIES)
    wait = exactly(c.status_delay_us)
    return _waiting(state, op, row, TimerKind.STATUS, op.queries + 1, wait)


def _waiting(
    state: ClientState, op: Operation, row: Row, kind: TimerKind, number: int, wait: Wait
) -> Step:
    serial = state.serial + 1
    timer = new(Timer, (kind, number, serial))
    waits = showing(
        state, state.draft, state.phase, state.reason, until(op, timer, op.waited_us), serial
    )
    return Step(waits, row, (Arm(timer, wait),))


def ask(
    c: ClientConfig, state: ClientState, op: Operation, moment: Moment, row: Row, *, by_person: bool
) -> Step:
    """Send one status query; a person's does not count towards the policy's limit."""
    if _window_passed(c, op, moment):
        return too_late(c, state, op, Row.WINDOW_PASSED)
    number = op.queries + 1
    send = SendStatus(op.snapshot.owner, op.wire_id, number, by_person)
    if by_person:
        return Step(state._replace(operation=op._replace(queries=number)), row, (send,))
    armed = arm(state, TimerKind.STATUS_TIMEOUT, number, exactly(c.timeout_us))
    op = op._replace(queries=number, asked=op.asked + 1, due=armed.timer)
    return Step(armed.state._replace(operation=op), row, (send, armed.effect))


def rest(state: ClientState, op: Operation, row: Row, reason: Reason) -> Step:
    """Stop: the operation and the draft are kept, and a person decides."""
    op = op._replace(due=None, resumable=reason is Reason.SIGN_IN)
    return Step(state._replace(phase=Phase.RECOVERY_REQUIRED, reason=reason, operation=op), row)


def too_late(c: ClientConfig, state: ClientState, op: Operation, row: Row) -> Step:
    """The result can no longer be recognised: no retry any more, read the resource anew."""
    step = rest(state, op._replace(barred=True), row, Reason.EXPIRED)
    return and_read(c, step)


def _window_passed(c: ClientConfig, op: Operation, moment: Moment) -> bool:
    return op.tries > 0 and moment.us - op.first_sent_us > c.recovery_window_us


# --- reads ----------------------------------------------------------------------------------------


def and_read(c: ClientConfig, step: Step, tries: int = 1) -> Step:
    """Let ``step`` also read the resource anew; a read under way is replaced."""
    state = step.state
    number = state.reads + 1
    armed = arm(state, TimerKind.READ_TIMEOUT, number, exactly(c.timeout_us))
    state = armed.state._replace(reads=number, reading=Reading(number, tries, armed.timer))
    effects: tuple[Effect, ...] = (*step.effects, SendRead(number), armed.effect)
    return Step(state, step.row, effects)
