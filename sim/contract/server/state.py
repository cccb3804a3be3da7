"""What the server holds, and what it does about a request.

Unlike a client's form the store is changed in place: a step touches one entry, and copying a
registry for each step would cost its size. Nothing else is shared: ``Server`` owns its store.
"""

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceRules:
    """How one resource may be written. ``accepts``: field -> allowed values, canonical text."""

    kind: Kind
    accepts: tuple[tuple[str, tuple[Body, ...]], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerConfig:
    """The settings that the server's contract leaves open."""

    resources: dict[str, ResourceRules]
    retention_us: int
    tombstone_us: int
    replay_current: bool
    in_flight_waits: bool
    rules: ServerRules


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
