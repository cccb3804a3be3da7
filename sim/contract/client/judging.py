"""Judging answers: rules 1 to 6 of the contract, in their order, in this one place.

An answer that rules 1 to 3 call stale, repeated or invalid changes nothing: the step returns the
very state it was given.
"""

from typing import Final, assert_never

from sim.contract.body import EMPTY
from sim.contract.client.events import Moment
from sim.contract.client.rows import Row
from sim.contract.client.sending import (
    after_unknown,
    after_void,
    and_read,
    next_query,
    rest,
    retry_after_not_found,
    too_late,
)
from sim.contract.client.state import (
    ClientConfig,
    ClientState,
    Draft,
    Fate,
    Operation,
    Step,
    TimerKind,
    settled,
)
from sim.contract.messages import (
    Ack,
    Kind,
    ReadAnswer,
    Refusal,
    RefusalKind,
    Resource,
    ServerError,
    Status,
    StatusAnswer,
    WriteAnswer,
)
from sim.contract.phases import ACKNOWLEDGED, NO_REASON, Phase, Reason
from sim.contract.tuples import new

# Named here because on Python 3.11 reading a member off its enum costs as much as a call.
_RULE_4: Final = Row.RULE_4_ACCEPTED
_RULE_5: Final = Row.RULE_5_ACCEPTED

_WAITING: Final = (Phase.AWAITING_ACK, Phase.UNKNOWN_OUTCOME)


def judge_write(c: ClientConfig, state: ClientState, answer: WriteAnswer, moment: Moment) -> Step:
    """Judge the answer to an attempt."""
    op = state.operation
    if c.rules.answer_matched_by_keys:
        if op is None or answer.operation_id != op.snapshot.operation_id:
            return _not_pending(c, state, answer)
        any_attempt = c.ack_of_any_attempt and isinstance(answer, Ack)
        if answer.attempt != op.attempt and not any_attempt:
            return _stale(c, state, Row.RULE_2_STALE)
    match answer:
        case Ack():
            return judge_ack(c, state, answer)
        case Refusal():
            return _refusal(c, state, answer, moment)
        case ServerError():
            return _server_error(c, state, answer, moment)
        case _:
            assert_never(answer)


def judge_ack(c: ClientConfig, state: ClientState, ack: Ack) -> Step:
    """Rules 3 to 5, for an ack and for the result that a status answer carries."""
    op = state.operation
    if op is None:
        # Reached only by the mistake that matches answers by their form alone.
        return _accepted(c, state, ack, sent_version=state.draft.version)
    snapshot = op.snapshot
    if c.rules.accepted_version_checked and (
        ack.accepted_version != snapshot.draft_version or ack.body != snapshot.body
    ):
        return Step(state, Row.RULE_3_INVALID)
    return _accepted(c, state, ack, sent_version=snapshot.draft_version)


def _accepted(c: ClientConfig, state: ClientState, ack: Ack, sent_version: int) -> Step:
    draft = state.draft
    moved_on = draft.version != sent_version
    if moved_on and not c.rules.older_ack_counts:
        return Step(
            state._replace(operation=None, phase=Phase.IDLE, reason=NO_REASON),
            Row.ACK_THROWN_AWAY,
        )
    base_version = max(draft.base_version, ack.resource_version)
    if not moved_on or not c.rules.newer_draft_kept:
        body = ack.body if moved_on else draft.body
        draft = new(Draft, (body, draft.version, draft.version, base_version))
        phase = ACKNOWLEDGED
    else:
        draft = Draft(draft.body, draft.version, draft.clean_version, base_version)
        phase = Phase.ACKNOWLEDGED_NEWER
    read = state.read if state.read and state.read.version > base_version else None
    budget = c.retry.budget
    tokens = min(state.tokens + budget.refund, budget.tokens) if budget else 0
    row = _RULE_4 if moved_on else _RULE_5
    return Step(settled(state, draft, phase, ack, read, tokens), row, ())


def _not_pending(c: ClientConfig, state: ClientState, answer: WriteAnswer) -> Step:
    if state.settled_by is not None and _repeats(state.settled_by, answer):
        return Step(state, Row.RULE_1_REPEATED)
    return _stale(c, state, Row.RULE_1_STALE)


def _repeats(settled_by: WriteAnswer, answer: WriteAnswer) -> bool:
    """Whether ``answer`` says again what settled the last operation, whichever attempt asked."""
    match settled_by, answer:
        case Ack(), Ack():
            # What was confirmed is one result, replayed or not, whichever attempt it answers.
            return (
                settled_by.operation_id,
                settled_by.accepted_version,
                settled_by.resource_version,
                settled_by.body,
            ) == (
                answer.operation_id,
                answer.accepted_version,
                answer.resource_version,
                answer.body,
            )
        case Refusal(), Refusal():
            return (settled_by.operation_id, settled_by.kind) == (answer.operation_id, answer.kind)
        case _:
            return False


def _stale(c: ClientConfig, state: ClientState, row: Row) -> Step:
    if c.rules.stale_answer_inert:
        return Step(state, row)
    # The mistake writes the verdict into the phase, and the form is free again.
    return Step(state._replace(phase=Phase.IDLE, reason=Reason.NONE, operation=None), row)


# --- rule 6: refusals and server errors -----------------------------------------------------------


def _refusal(c: ClientConfig, state: ClientState, answer: Refusal, moment: Moment) -> Step:
    op = state.operation
    if op is None or state.phase not in _WAITING:
        return Step(state, Row.LATE_REFUSAL)
    match answer.kind:
        case RefusalKind.INVALID | RefusalKind.CONFLICT | RefusalKind.MISMATCH:
            return _final_refusal(c, state, op, answer)
        case RefusalKind.EXPIRED:
            return too_late(c, state, op, Row.EXPIRED)
        case RefusalKind.IN_FLIGHT:
            if state.phase is Phase.UNKNOWN_OUTCOME:
                return Step(state, Row.IN_FLIGHT)  # What is due already comes after its delay.
            return after_unknown(c, state, op, moment, Row.IN_FLIGHT, answer.retry_after_us)
        case RefusalKind.THROTTLED:
            op = op._replace(fate=Fate.NOT_DONE)
            return after_void(c, state, op, moment, Row.THROTTLED, answer.retry_after_us)
        case RefusalKind.UNAUTHENTICATED:
            op = op._replace(fate=Fate.NOT_DONE)
            return rest(state, op, Row.UNAUTHENTICATED, Reason.SIGN_IN)
        case _:
            assert_never(answer.kind)


def _final_refusal(c: ClientConfig, state: ClientState, op: Operation, answer: Refusal) -> Step:
    believed = answer.kind is RefusalKind.CONFLICT and not c.rules.late_conflict_is_unknown
    if op.unknown_before and not believed:
        # A server that compares versions first would say the same of a write that succeeded.
        return and_read(c, rest(state, op, Row.CONTRADICTED, Reason.CONTRADICTED))
    draft = state.draft
    if not c.rules.refusal_keeps_draft:
        draft = cleared(draft)
    refused = state._replace(
        phase=Phase.REFUSED,
        reason=Reason(answer.kind.value),
        operation=None,
        settled_by=answer,
        draft=draft,
    )
    step = Step(refused, Row.REFUSED)
    return and_read(c, step) if answer.kind is RefusalKind.CONFLICT else step


def _server_error(c: ClientConfig, state: ClientState, answer: ServerError, moment: Moment) -> Step:
    op = state.operation
    if op is None or state.phase is not Phase.AWAITING_ACK:
        return Step(state, Row.LATE_ERROR)
    if not c.rules.server_error_is_unknown:
        return assumed_failed(state)
    state = counted_failure(c, state, moment)
    return after_unknown(c, state, op, moment, Row.SERVER_ERROR, answer.retry_after_us)


def assumed_failed(state: ClientState) -> Step:
    """The mistakes that show "not saved" for an outcome that nobody knows."""
    return Step(
        state._replace(phase=Phase.IDLE, reason=Reason.ASSUMED_FAILED, operation=None),
        Row.ASSUMED_FAILED,
    )


def counted_failure(c: ClientConfig, state: ClientState, moment: Moment) -> ClientState:
    """Count a failure towards the circuit breaker, which opens when there are too many."""
    breaker = c.retry.breaker
    if breaker is None:
        return state
    failures = state.failures + 1
    opens = failures >= breaker.failures
    return state._replace(
        failures=failures,
        open_until_us=moment.us + breaker.open_us if opens else state.open_until_us,
    )


def cleared(draft: Draft) -> Draft:
    """The form as code empties it: nothing in it, and nothing to save."""
    return Draft(EMPTY, draft.version + 1, draft.version + 1, draft.base_version)


# --- status answers and reads ---------------------------------------------------------------------


def judge_status(c: ClientConfig, state: ClientState, answer: StatusAnswer, moment: Moment) -> Step:
    """Judge the answer to a status query; it names no attempt, so rule 2 lets it pass."""
    op = state.operation
    matched = op is not None and answer.operation_id == op.snapshot.operation_id
    if not matched and c.rules.answer_matched_by_keys:
        result = answer.result
        if result is not None and state.settled_by and _repeats(state.settled_by, result):
            return Step(state, Row.RULE_1_REPEATED)
        return _stale(c, state, Row.RULE_1_STALE)
    if answer.status is Status.COMPLETED and answer.result is not None:
        return judge_ack(c, state, answer.result)
    if op is None:
        return Step(state, Row.STATUS_OLD)
    if state.phase is Phase.RECOVERY_REQUIRED and answer.query == op.queries:
        if answer.status is Status.EXPIRED:
            return too_late(c, state, op, Row.STATUS_EXPIRED)
        return Step(state, Row.STATUS_SEEN)
    awaited = op.due is not None and op.due.kind is TimerKind.STATUS_TIMEOUT
    if not awaited or answer.query != op.queries:
        return Step(state, Row.STATUS_OLD)
    return _open_status(c, state, op, answer.status, moment)


def _open_status(
    c: ClientConfig, state: ClientState, op: Operation, status: Status, moment: Moment
) -> Step:
    match status:
        case Status.PENDING | Status.COMPLETED:
            return next_query(c, state, op, Row.STATUS_PENDING)
        case Status.NOT_FOUND:
            if not c.rules.not_found_is_open:
                return assumed_failed(state)
            return retry_after_not_found(c, state, op, moment, Row.STATUS_NOT_FOUND)
        case Status.EXPIRED:
            return too_late(c, state, op, Row.STATUS_EXPIRED)
        case Status.UNAUTHENTICATED:
            return rest(state, op, Row.STATUS_UNAUTHENTICATED, Reason.SIGN_IN)
        case _:
            assert_never(status)


def take_read(c: ClientConfig, state: ClientState, answer: ReadAnswer) -> Step:
    """Take in the resource: under a clean draft it becomes the draft, else it stands beside it."""
    if state.reading is None or answer.number != state.reading.number:
        return Step(state, Row.OLD_EXCHANGE)
    state = state._replace(reading=None)
    draft = state.draft
    if answer.version < draft.base_version:
        return Step(state, Row.READ_OLD)
    if state.operation is None and not draft.is_dirty:
        return Step(_adopted(c, state, answer), Row.READ_ADOPTED)
    if not c.rules.base_moves_by_merge:
        draft = draft._replace(base_version=answer.version)
    beside = Resource(answer.version, answer.body)
    return Step(state._replace(read=beside, draft=draft), Row.READ_BESIDE)


def _adopted(c: ClientConfig, state: ClientState, answer: ReadAnswer) -> ClientState:
    draft = state.draft
    if c.kind is Kind.POST or answer.body == draft.body:
        return state._replace(draft=draft._replace(base_version=answer.version), read=None)
    version = draft.version + 1
    return state._replace(
        draft=Draft(answer.body, version, version, answer.version),
        read=None,
        # The text on the screen is no longer what an operation of this form stored.
        phase=Phase.IDLE,
        reason=Reason.NONE,
    )
