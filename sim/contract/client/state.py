"""What a client holds for one resource, and what it asks for.

All of it is immutable. ``ClientState`` is one *form*: one person's draft of one resource, in one
tab or device, with at most one pending operation.
"""

from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias

from sim.contract.body import EMPTY, Body
from sim.contract.client.rows import Row
from sim.contract.messages import (
    Ack,
    Kind,
    Resource,
    Snapshot,
    WriteAnswer,
)
from sim.contract.phases import NO_REASON, Phase, Reason, sentence
from sim.contract.retry import OnUnknown, RetryPolicy, Wait
from sim.contract.rules import ClientRules
from sim.contract.tuples import new

READ_TRIES_MAX: Final = 3
READ_PAUSE_US: Final = 1_000_000


class ClientConfig:
    """What a form is told once: its resource, its policy, its rules.

    It is made for every form of every run, and a frozen dataclass takes a hundred times as long
    to be made where it is compiled.
    """

    __slots__ = (
        "ack_of_any_attempt",
        "has_status",
        "irreversible",
        "kind",
        "on_unknown",
        "recovery_window_us",
        "resource",
        "retry",
        "rules",
        "status_delay_us",
        "status_max",
        "timeout_us",
    )

    def __init__(
        self,
        *,
        resource: str,
        kind: Kind,
        irreversible: bool,
        timeout_us: int,
        retry: RetryPolicy,
        on_unknown: OnUnknown,
        status_max: int,
        status_delay_us: int,
        has_status: bool,
        recovery_window_us: int,
        ack_of_any_attempt: bool,
        rules: ClientRules,
    ) -> None:
        self.resource: Final = resource
        self.kind: Final = kind
        self.irreversible: Final = irreversible
        self.timeout_us: Final = timeout_us
        self.retry: Final = retry
        self.on_unknown: Final = on_unknown
        self.status_max: Final = status_max
        self.status_delay_us: Final = status_delay_us
        self.has_status: Final = has_status
        self.recovery_window_us: Final = recovery_window_us
        self.ack_of_any_attempt: Final = ack_of_any_attempt
        """The lawful setting ``operation`` of rule 2; False: ``attempt``."""
        self.rules: Final = rules


class Draft(NamedTuple):
    """What the person edits. It is dirty while ``version`` is not ``clean_version``."""

    body: Body
    version: int
    clean_version: int
    """The draft version that was last acknowledged or read."""
    base_version: int
    """The resource version that the draft has incorporated; it never falls."""

    @property
    def is_dirty(self) -> bool:
        """Whether the draft holds something that is not known to be saved."""
        return self.version != self.clean_version


class TimerKind(StrEnum):
    """What a timer is armed for."""

    TIMEOUT = "timeout"
    RETRY = "retry"
    STATUS = "status"
    STATUS_TIMEOUT = "status-timeout"
    READ_TIMEOUT = "read-timeout"
    READ_RETRY = "read-retry"


class Timer(NamedTuple):
    """One armed timer; ``serial`` tells it from every other of the same form."""

    kind: TimerKind
    number: int
    serial: int


class Fate(StrEnum):
    """What is known of the attempt launched last."""

    OPEN = "open"
    """No answer yet, or none that says whether it was executed."""
    VOID = "void"
    """It provably never left."""
    NOT_DONE = "not-done"
    """It arrived and was turned away unexecuted (throttled, not signed in)."""


# Named here because on Python 3.11 reading a member off its enum costs as much as a call.
_OPEN: Final = Fate.OPEN
_VOID: Final = Fate.VOID


class Operation(NamedTuple):
    """The pending operation and how far it has come."""

    snapshot: Snapshot
    wire_id: str
    """The id that requests carry; another than the snapshot's only by mistake."""
    attempt: int = 0
    tries: int = 0
    """Launches so far; the same as ``attempt`` unless a mistake renamed the operation."""
    first_sent_us: int = 0
    exposed: bool = False
    """Whether an attempt before the last one may have arrived."""
    unknown_before: bool = False
    """Whether the outcome of an attempt before the last one is unknown."""
    fate: Fate = Fate.OPEN
    due: Timer | None = None
    resumable: bool = False
    """Whether a new session of the same owner takes it up again."""
    waited_us: int = 0
    """The pause before the last retry, for decorrelated jitter."""
    queries: int = 0
    asked: int = 0
    """Status queries that the client made by itself; the rest a person asked for."""
    barred: bool = False
    """Whether it is too late for any retry."""


def launched(op: Operation, now_us: int, due: Timer) -> Operation:
    """Return the operation with its next attempt under way until ``due``."""
    went_out = op.attempt > 0 and op.fate is not _VOID
    return new(
        Operation,
        (
            op.snapshot,
            op.wire_id,
            op.attempt + 1,
            op.tries + 1,
            op.first_sent_us if op.tries else now_us,
            op.exposed or went_out,
            op.unknown_before or (went_out and op.fate is _OPEN),
            _OPEN,
            due,
            False,  # A new attempt is under way: no session need take it up.
            op.waited_us,
            op.queries,
            op.asked,
            op.barred,
        ),
    )


def until(op: Operation, due: Timer | None, waited_us: int) -> Operation:
    """Return the operation waiting until ``due``, after a pause of so long."""
    return new(
        Operation,
        (
            op.snapshot,
            op.wire_id,
            op.attempt,
            op.tries,
            op.first_sent_us,
            op.exposed,
            op.unknown_before,
            op.fate,
            due,
            op.resumable,
            waited_us,
            op.queries,
            op.asked,
            op.barred,
        ),
    )


def begun(snapshot: Snapshot, wire_id: str, now_us: int, due: Timer) -> Operation:
    """Return an operation with its first attempt under way until ``due``."""
    sent = (snapshot, wire_id, 1, 1, now_us, False, False, _OPEN, due, False, 0, 0, 0, False)
    return new(Operation, sent)


class Reading(NamedTuple):
    """A read under way."""

    number: int
    tries: int
    due: Timer


class Shelved(NamedTuple):
    """A draft and an operation set aside with their owner."""

    owner: str
    draft: Draft
    operation: Operation | None
    settled_by: WriteAnswer | None


class ClientState(NamedTuple):
    """One form. Everything but ``due`` and ``reading`` survives a reload."""

    owner: str
    draft: Draft
    phase: Phase = Phase.IDLE
    reason: Reason = Reason.NONE
    operation: Operation | None = None
    serial: int = 0  # of the timer that was armed last
    settled_by: WriteAnswer | None = None
    """The answer that settled the last operation, to recognise its repeats."""
    read: Resource | None = None
    """The resource as it was read anew, shown beside a dirty draft."""
    reading: Reading | None = None
    reads: int = 0
    shelf: tuple[Shelved, ...] = ()
    is_open: bool = True
    has_worker: bool = True
    online: bool = True
    tokens: int = 0
    """Thousandths of a token left in the retry budget."""
    failures: int = 0
    open_until_us: int = 0
    """Until when the circuit breaker holds retries back."""

    @property
    def says(self) -> str:
        """The sentence on the screen."""
        return sentence(self.phase, self.reason)


def showing(
    state: ClientState,
    draft: Draft,
    phase: Phase,
    reason: Reason,
    operation: Operation | None,
    serial: int,
) -> ClientState:
    """Return the form with another draft, phase, operation and timer serial."""
    return new(
        ClientState,
        (
            state.owner,
            draft,
            phase,
            reason,
            operation,
            serial,
            state.settled_by,
            state.read,
            state.reading,
            state.reads,
            state.shelf,
            state.is_open,
            state.has_worker,
            state.online,
            state.tokens,
            state.failures,
            state.open_until_us,
        ),
    )


def settled(
    state: ClientState, draft: Draft, phase: Phase, ack: Ack, read: Resource | None, tokens: int
) -> ClientState:
    """Return the form after an accepted ack: nothing is pending, failures are forgotten."""
    return new(
        ClientState,
        (
            state.owner,
            draft,
            phase,
            NO_REASON,
            None,
            state.serial,
            ack,
            read,
            state.reading,
            state.reads,
            state.shelf,
            state.is_open,
            state.has_worker,
            state.online,
            tokens,
            0,
            0,
        ),
    )


def first_state(config: ClientConfig, owner: str, resource: Resource | None) -> ClientState:
    """Return the form as it opens: clean, showing the resource as it is (None: nothing read)."""
    body, version = (resource.body, resource.version) if resource else (EMPTY, 0)
    draft = Draft(EMPTY if config.kind is Kind.POST else body, 1, 1, version)
    budget = config.retry.budget
    return ClientState(owner, draft, tokens=budget.tokens if budget else 0)


# --- what the machine asks for ------------------------------------------------------------------


class SendWrite:
    """Send this attempt."""

    __slots__ = ("attempt", "frozen", "snapshot")

    def __init__(self, snapshot: Snapshot, attempt: int, frozen: Snapshot) -> None:
        self.snapshot: Final = snapshot
        self.attempt: Final = attempt
        self.frozen: Final = frozen
        """The pending snapshot; what is sent differs from it only by mistake."""


class SendStatus(NamedTuple):
    """Ask what became of the operation."""

    owner: str
    operation_id: str
    query: int
    by_person: bool


class SendRead(NamedTuple):
    """Read the resource."""

    number: int


class Arm:
    """Ring after a delay drawn from ``wait``."""

    __slots__ = ("timer", "wait")

    def __init__(self, timer: Timer, wait: Wait) -> None:
        self.timer: Final = timer
        self.wait: Final = wait


Effect: TypeAlias = SendWrite | SendStatus | SendRead | Arm


class Step:
    """The form after an event, the row that decided, and the effects in order."""

    __slots__ = ("effects", "row", "state")

    def __init__(self, state: ClientState, row: Row, effects: tuple[Effect, ...] = ()) -> None:
        self.state: Final = state
        self.row: Final = row
        self.effects: Final = effects
