"""A scenario, loaded: plain data with every default filled in.

``Scenario`` is one file. ``Scenario.worlds`` are what can be run: one for each variant (and, when
measuring, for each cell of the sweep); a file without variants has one world, named ``""``.
Durations are integer microseconds, bodies canonical text, probabilities floats.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from sim.contract.body import EMPTY, Body
from sim.contract.messages import Kind
from sim.contract.retry import OnUnknown, RetryPolicy
from sim.contract.rules import ClientRules, ServerRules
from sim.network.faults import Clause
from sim.network.weather import Link

SECOND = 1_000_000
HOUR = 3_600 * SECOND
DAY = 24 * HOUR
TITLE_MAX = 200
"""Characters of a scenario's title."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceSpec:
    """One resource of the server as the scenario starts."""

    name: str
    kind: Kind = Kind.PUT
    version: int = 1
    body: Body = EMPTY
    irreversible: bool = False
    accepts: tuple[tuple[str, tuple[Body, ...]], ...] = ()
    """Field of the body -> the values it may have (each as canonical text)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """How much the server can do at once. ``workers`` None: no limit."""

    workers: int | None = None
    queue: int | None = None
    time_us: int = 0
    retry_after_us: int = 1 * SECOND


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSpec:
    """The server's contract, its capacity and its mistakes."""

    resources: tuple[ResourceSpec, ...] = ()
    retention_us: int = 24 * HOUR
    tombstone_us: int = 30 * DAY
    replay_current: bool = False
    in_flight_waits: bool = False
    has_status: bool = True
    session_ttl_us: int | None = None
    capacity: Capacity = Capacity()
    gateway_timeout_us: int | None = None
    rules: ServerRules = ServerRules()
    mistakes: tuple[str, ...] = ()
    """The names behind ``rules``, in the order of the table of mistakes."""


class AckRule(StrEnum):
    """The two lawful settings of the client's rule 2."""

    ATTEMPT = "attempt"
    OPERATION = "operation"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientSpec:
    """One client: a tab, a device, an app."""

    name: str
    owner: str
    own_resources: bool = False
    """Whether each client writes resources of its own (named ``markdown@phone``)."""
    timeout_us: int = 2 * SECOND
    retry: RetryPolicy = RetryPolicy()
    on_unknown: OnUnknown = OnUnknown.RETRY
    status_max: int = 3
    status_delay_us: int = 1 * SECOND
    recovery_window_us: int = 23 * HOUR
    ack_rule: AckRule = AckRule.ATTEMPT
    detailed: bool = False
    """Whether transport errors can be told apart."""
    has_ids: bool = True
    """Whether there is a secure source of ids."""
    link: Link = Link()
    rules: ClientRules = ClientRules()
    mistakes: tuple[str, ...] = ()
    group: str = ""
    """The name in the file when ``count`` made several clients of it, else the client's name."""


class Do(StrEnum):
    """What a person (or a browser, or a clock) does."""

    EDIT = "edit"
    SAVE = "save"
    SEND = "send"
    RETRY = "retry"
    CHECK = "check"
    DISCARD = "discard"
    MERGE = "merge"
    RELOAD = "reload"
    CLOSE = "close"
    OPEN = "open"
    SIGN_IN = "sign_in"
    SIGN_OUT = "sign_out"
    EXPIRE_SESSION = "expire_session"
    HINT = "hint"
    STOP_WORKER = "stop_worker"
    START_WORKER = "start_worker"


@dataclass(frozen=True, slots=True, kw_only=True)
class Once:
    """Happens at one instant."""

    at_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeatedly:
    """Happens again and again in [from_us, until_us); ``until_us`` None: to the horizon."""

    every_us: int
    """The pause between two (fixed), or its mean (Poisson)."""
    poisson: bool
    from_us: int = 0
    until_us: int | None = None


When: TypeAlias = Once | Repeatedly


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One line of ``user``."""

    when: When
    do: Do
    client: str
    """The client's name; ``""``: every client (only where ``count`` or a group is meant)."""
    resource: str = ""
    body: Body | None = None
    """``edit``, ``merge``, ``send``: the body; None: a fresh one (edit), the draft (merge)."""
    new_intent: bool = False
    owner: str = ""
    """``sign_in``, ``expire_session``, ``send``: the account."""
    online: bool = True
    """``hint``: what the hint says."""
    operation: str = ""
    """``save``, ``send``: the id to use; ``op-1`` names an operation made earlier."""
    expected_version: int | None = None
    """``send``: None: the client's base version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What is expected of one scope; None: not stated."""

    phase: str | None = None
    draft_dirty: bool | None = None
    effects: int | None = None
    attempts: int | None = None
    deliveries: int | None = None
    acks: tuple[tuple[str, int], ...] = ()
    """Verdict (accepted, stale, invalid, repeated) -> how many."""
    refused: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedResource:
    """What a resource must hold in the end; None: not stated."""

    name: str
    version: int | None = None
    body: Body | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedRate:
    """Bounds on a measure; checked by ``lostack measure``."""

    measure: str
    min: float | None = None
    max: float | None = None
    on_interval: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Expect:
    """The ``expect`` block. ``of_clients`` and ``of_operations`` nest the same questions."""

    whole: Expected = Expected()
    resources: tuple[ExpectedResource, ...] = ()
    of_operations: tuple[tuple[int, Expected], ...] = ()
    of_clients: tuple[tuple[str, "Expect"], ...] = ()
    violates: tuple[str, ...] = ()
    """Exactly these invariants break, no more and no fewer."""
    rates: tuple[ExpectedRate, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """All that one run needs: one variant (and sweep cell) of a scenario, defaults filled in."""

    scenario: str
    """The scenario's name: its file name without folder and ending."""
    variant: str = ""
    cell: tuple[tuple[str, str], ...] = ()
    """Sweep path -> the value as written in the file."""
    seed: int = 1
    run: int = 0
    """Which run of the seed is told where nobody names one; a measurement makes all, from 0 on."""
    horizon_us: int = 60 * DAY
    server: ServerSpec = ServerSpec()
    clients: tuple[ClientSpec, ...] = ()
    message_lifetime_us: int = 7 * DAY
    user: tuple[Action, ...] = ()
    faults: tuple[Clause, ...] = ()
    fault_lines: tuple[str, ...] = ()
    """Each clause as it is written in the file, for stories and messages."""
    expect: Expect = Expect()


def lifetime_most_us(server: ServerSpec, clients: Iterable[ClientSpec]) -> int:
    """Return how long a message may live so that no late copy is ever executed as new.

    The last attempt may leave a recovery window after the first one's commit, from which the
    tombstone runs: window and lifetime together must fit into it.
    """
    window_us = max((client.recovery_window_us for client in clients), default=0)
    return max(server.tombstone_us - window_us, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One scenario file."""

    name: str
    title: str
    about: str = ""
    source: str = ""
    tags: tuple[str, ...] = ()
    runs: int | None = None
    worlds: tuple[World, ...] = ()
    """One for each variant, in the file's order; the sweep is not applied here."""
    swept: tuple[World, ...] = field(default=())
    """One for each variant and sweep cell; the same as ``worlds`` where there is no sweep."""
    path: str = ""
    digest: str = ""
    """SHA-256 of the scenario's canonical form, so that comments and layout do not change it."""
    reads: tuple[str, ...] = field(default=(), compare=False)
    """Paths of the files that it names: latencies."""
    lines: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    """Variant (``""``: what is expected of all) -> the line of the file where it stands."""

    @property
    def files(self) -> tuple[str, ...]:
        """The file itself and those that it names; none of them may be written over."""
        return (self.path, *self.reads)

    def line_of(self, variant: str) -> int:
        """Return the line of the file to point at for a variant, from 1."""
        known = dict(self.lines)
        return known.get(variant) or known.get("") or 1
