"""What the server holds, and what it does about a request.

Unlike a client's form the store is changed in place: a step touches one entry, and copying a
registry for each step would cost its size. Nothing else is shared: ``Server`` owns its store.
"""

from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias

from sim.contract.body import Body
from sim.contract.messages import Ack, Kind, Request, ServerError, Snapshot, WriteAnswer
from sim.contract.rules import ServerRules


class Step(StrEnum):
    """The step of the server's contract that decided."""

    SESSION = "server.step-1"
    FORM = "server.step-2"
    REPLAY = "server.step-3-replay"
    MISMATCH = "server.step-3-mismatch"
    IN_FLIGHT = "server.step-3-in-flight"
    WAITS = "server.step-3-waits"
    EXPIRED = "server.step-3-expired"
    VERSION = "server.step-4"
    CLAIM = "server.claim"
    COMMIT = "server.step-5"
    VERSION_AGAIN = "server.step-5-conflict"
    FAULT = "server.fault"
    CAPACITY = "server.capacity"
    GATEWAY = "server.gateway"
    STATUS = "server.status"
    READ = "server.read"


class ResourceRules:
    """How one resource may be written. ``accepts``: field -> allowed values, canonical text."""

    __slots__ = ("accepts", "kind")

    def __init__(
        self, *, kind: Kind, accepts: tuple[tuple[str, tuple[Body, ...]], ...] = ()
    ) -> None:
        self.kind: Final = kind
        self.accepts: Final = accepts


class ServerConfig:
    """The settings that the server's contract leaves open."""

    __slots__ = (
        "in_flight_waits",
        "replay_current",
        "resources",
        "retention_us",
        "rules",
        "tombstone_us",
    )

    def __init__(
        self,
        *,
        resources: dict[str, ResourceRules],
        retention_us: int,
        tombstone_us: int,
        replay_current: bool,
        in_flight_waits: bool,
        rules: ServerRules,
    ) -> None:
        self.resources: Final = resources
        self.retention_us: Final = retention_us
        self.tombstone_us: Final = tombstone_us
        self.replay_current: Final = replay_current
        self.in_flight_waits: Final = in_flight_waits
        self.rules: Final = rules


class Claim:
    """The right to execute one request; its lease ends with the execution or with a crash."""

    __slots__ = ("compares", "delivery", "number", "request")

    def __init__(self, number: int, delivery: int, request: Request, compares: bool) -> None:
        self.number: Final = number
        self.delivery: Final = delivery
        self.request: Final = request
        self.compares: Final = compares
        """Whether the version is compared again inside the commit."""


class Waiter(NamedTuple):
    """A copy that waits for the running execution."""

    delivery: int
    attempt: int


class Entry:
    """What the registry knows of one operation; ``result`` None while it is running."""

    __slots__ = ("committed_us", "first_attempt", "result", "snapshot", "waiters")

    def __init__(
        self,
        snapshot: Snapshot,
        first_attempt: int,
        result: Ack | ServerError | None = None,
        committed_us: int = 0,
    ) -> None:
        self.snapshot = snapshot
        self.first_attempt = first_attempt
        self.result = result
        self.committed_us = committed_us
        self.waiters: tuple[Waiter, ...] = ()


class Reply:
    """Answer this delivery."""

    __slots__ = ("answer", "delivery", "step")

    def __init__(self, delivery: int, answer: WriteAnswer, step: Step) -> None:
        self.delivery: Final = delivery
        self.answer: Final = answer
        self.step: Final = step


class Work:
    """Execute this claim; ``Server.finish`` commits it when the work is done."""

    __slots__ = ("claim",)

    def __init__(self, claim: Claim) -> None:
        self.claim: Final = claim


class Waits(NamedTuple):
    """This delivery is answered when the running execution ends."""

    delivery: int


class Committed:
    """One effect: the resource changed."""

    __slots__ = ("delivery", "replaced_version", "request", "version")

    def __init__(
        self, request: Request, delivery: int, replaced_version: int, version: int
    ) -> None:
        self.request: Final = request
        self.delivery: Final = delivery
        self.replaced_version: Final = replaced_version
        self.version: Final = version


class Registered:
    """The registry's entry of an operation changed: running, completed, error or released."""

    __slots__ = ("operation_id", "owner", "resource", "state")

    def __init__(self, owner: str, operation_id: str, resource: str, state: str) -> None:
        self.owner: Final = owner
        self.operation_id: Final = operation_id
        self.resource: Final = resource
        self.state: Final = state


Effect: TypeAlias = Reply | Work | Waits | Committed | Registered
