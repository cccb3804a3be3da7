"""What a person does to the form: edit, save, and decide where the client rests."""

from sim.contract.body import Body
from sim.contract.client.events import Moment, Save
from sim.contract.client.rows import Row
from sim.contract.client.sending import (
    and_read,
    ask,
    launch,
    may_send_again,
    retry_is_due,
    start_operation,
)
from sim.contract.client.state import (
    ClientConfig,
    ClientState,
    Draft,
    Operation,
    Step,
    TimerKind,
    showing,
)
from sim.contract.phases import AWAITING_ACK, UNKNOWN_OUTCOME, Phase, Reason
from sim.contract.tuples import new


def edit(state: ClientState, body: Body) -> Step:
    """Change the draft; an equal body changes nothing, and no edit is ever refused."""
    draft = state.draft
    if body == draft.body:
        return Step(state, Row.EDIT_SAME)
    draft = new(Draft, (body, draft.version + 1, draft.clean_version, draft.base_version))
    phase = state.phase
    if phase is Phase.ACKNOWLEDGED:
        phase = Phase.ACKNOWLEDGED_NEWER
    changed = showing(state, draft, phase, state.reason, state.operation, state.serial)
    return Step(changed, Row.EDIT_CHANGED)


def save(c: ClientConfig, state: ClientState, event: Save, moment: Moment) -> Step:
    """Start an operation where none is pending; else the pending one decides."""
    if not state.online and not c.rules.hint_is_only_a_hint:
        return Step(state, Row.SAVE_BLOCKED_BY_HINT)
    op = state.operation
    if op is None:
        if not state.draft.is_dirty and not event.new_intent:
            return Step(state, Row.SAVE_CLEAN)
        return start_operation(c, state, moment, Row.SAVE_LAUNCHED, event.operation_id)
    if state.phase is AWAITING_ACK:
        if c.rules.one_launch_at_a_time:
            return Step(state, Row.SAVE_BLOCKED_AWAITING)
        return start_operation(c, state, moment, Row.SAVE_LAUNCHED, event.operation_id)
    if _retry_is_due(state, op) and state.draft.body == op.snapshot.body and not event.new_intent:
        return retry_is_due(c, state, op, moment, Row.SAVE_RETRIES_NOW)
    return Step(state, Row.SAVE_BLOCKED_UNSETTLED)


def _retry_is_due(state: ClientState, op: Operation) -> bool:
    scheduled = op.due is not None and op.due.kind is TimerKind.RETRY
    return scheduled and state.phase is UNKNOWN_OUTCOME


def retry(c: ClientConfig, state: ClientState, moment: Moment) -> Step:
    """Launch the next attempt because a person says so, within the policy's limit."""
    op = state.operation
    if op is None or state.phase is not Phase.RECOVERY_REQUIRED or not may_send_again(c, op):
        return Step(state, Row.PERSON_MAY_NOT_RETRY)
    return launch(c, state, op, moment, Row.PERSON_RETRIES)


def check(c: ClientConfig, state: ClientState, moment: Moment) -> Step:
    """Ask once what became of the operation; where that cannot be asked, read the resource."""
    op = state.operation
    if op is None or state.phase is not Phase.RECOVERY_REQUIRED:
        return Step(state, Row.PERSON_MAY_NOT_CHECK)
    if not c.has_status:
        return and_read(c, Step(state, Row.PERSON_READS))
    return ask(c, state, op, moment, Row.PERSON_CHECKS, by_person=True)


def discard(c: ClientConfig, state: ClientState) -> Step:
    """Give the operation up: the draft stays as it is, the resource is read and shown beside it."""
    if state.operation is None or state.phase is not Phase.RECOVERY_REQUIRED:
        return Step(state, Row.PERSON_MAY_NOT_DISCARD)
    idle = state._replace(phase=Phase.IDLE, reason=Reason.NONE, operation=None, settled_by=None)
    return and_read(c, Step(idle, Row.PERSON_DISCARDS))


def merge(state: ClientState, body: Body | None) -> Step:
    """Let the draft be what the person made of both; only now does the base version rise."""
    read = state.read
    mergeable = state.phase in (Phase.IDLE, Phase.REFUSED, Phase.RECOVERY_REQUIRED)
    if read is None or not mergeable:
        return Step(state, Row.MERGE_NOTHING)
    draft = state.draft
    if body is not None and body != draft.body:
        draft = draft._replace(body=body, version=draft.version + 1)
    draft = draft._replace(base_version=max(read.version, draft.base_version))
    if draft.body == read.body:
        draft = draft._replace(clean_version=draft.version)
    return Step(state._replace(draft=draft, read=None), Row.MERGED)
