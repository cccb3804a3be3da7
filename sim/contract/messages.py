"""What client and server say to each other: plain values, no behaviour.

Every message is a named tuple: immutable, comparable, cheap. An *attempt* is carried as its
number; ``attempt_label(2)`` is the ``attempt-02`` that people read.
"""

from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias

from sim.contract.body import Body


class Kind(StrEnum):
    """How a resource is written."""

    PUT = "put"
    """Replaces it; the server compares ``expected_version``."""
    POST = "post"
    """Adds to it; only the registry stands between a retry and a duplicate."""


class Snapshot(NamedTuple):
    """What an operation froze. Two snapshots are one operation only if all fields are equal."""

    operation_id: str
    owner: str
    resource: str
    kind: Kind
    body: Body
    draft_version: int
    expected_version: int


class Request(NamedTuple):
    """One attempt to write: a snapshot, the attempt's number (0: a raw send) and the session."""

    snapshot: Snapshot
    attempt: int
    session: str


class StatusQuery(NamedTuple):
    """Asks what became of an operation; ``query`` counts the operation's queries from 1."""

    owner: str
    operation_id: str
    query: int
    session: str


class ReadQuery(NamedTuple):
    """Reads a resource; ``number`` counts this form's reads from 1."""

    resource: str
    number: int


class Resource(NamedTuple):
    """What the server holds under one name; ``version`` rises by one with each write."""

    version: int
    body: Body


class Ack(NamedTuple):
    """The answer that the API defines as confirmation of one operation.

    ``current`` is the resource as it is now, sent beside a replay where the contract says so;
    no client's base version ever moves because of it.
    """

    operation_id: str
    attempt: int
    accepted_version: int
    resource_version: int
    body: Body
    replayed: bool
    current: Resource | None = None


class RefusalKind(StrEnum):
    """An explicit no, with the HTTP status that carries it."""

    INVALID = "invalid"
    UNAUTHENTICATED = "unauthenticated"
    CONFLICT = "conflict"
    IN_FLIGHT = "in-flight"
    MISMATCH = "mismatch"
    EXPIRED = "expired"
    THROTTLED = "throttled"

    @property
    def http_status(self) -> int:
        """The HTTP status code of this refusal."""
        return _STATUS[self]


_STATUS: Final = {
    RefusalKind.INVALID: 400,
    RefusalKind.UNAUTHENTICATED: 401,
    RefusalKind.CONFLICT: 409,
    RefusalKind.IN_FLIGHT: 409,
    RefusalKind.MISMATCH: 422,
    RefusalKind.EXPIRED: 410,
    RefusalKind.THROTTLED: 429,
}


class Refusal(NamedTuple):
    """An explicit no to one attempt; ``retry_after_us`` is 0 where the server names no delay."""

    operation_id: str
    attempt: int
    kind: RefusalKind
    retry_after_us: int = 0


class ServerError(NamedTuple):
    """500, 502, 503 or 504, whoever sent it: it does not prove that nothing was written."""

    operation_id: str
    attempt: int
    code: int
    retry_after_us: int = 0


WriteAnswer: TypeAlias = Ack | Refusal | ServerError


class Status(StrEnum):
    """What a status query is told."""

    COMPLETED = "completed"
    PENDING = "pending"
    NOT_FOUND = "not-found"
    EXPIRED = "expired"
    UNAUTHENTICATED = "unauthenticated"


class StatusAnswer(NamedTuple):
    """The answer to a status query; ``result`` is there exactly when it is ``completed``."""

    operation_id: str
    query: int
    status: Status
    result: Ack | None = None


class ReadAnswer(NamedTuple):
    """A resource as it was when it was read."""

    number: int
    version: int
    body: Body


Answer: TypeAlias = WriteAnswer | StatusAnswer | ReadAnswer
Query: TypeAlias = Request | StatusQuery | ReadQuery


class TransportError(StrEnum):
    """What a client sees of a broken exchange."""

    TIMEOUT = "timeout"
    RESET = "reset"
    REFUSED = "refused"
    DNS = "dns"
    OFFLINE = "offline"
    NETWORK_ERROR = "network-error"
    """All that an opaque client (a browser's fetch) can tell."""


NEVER_SENT: Final = frozenset({TransportError.REFUSED, TransportError.DNS, TransportError.OFFLINE})
"""Errors that prove, when seen as such at send time, that no copy of the request left."""


def attempt_label(attempt: int) -> str:
    """Return the attempt id that people read: ``attempt-02``; a raw send has none: ``raw``."""
    return f"attempt-{attempt:02}" if attempt else "raw"
