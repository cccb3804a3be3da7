"""Fault clauses: what goes wrong, addressed to exactly the messages it happens to.

A clause is a target and one action. Clauses are tried in the order of the file and the first
that matches wins; a clause is used up after ``times`` matches. Faults are addressed, never drawn.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from sim.contract.body import Json
from sim.contract.messages import TransportError

ANY: Final = None
"""In a target: matches every value."""


class MessageKind(StrEnum):
    """The messages that a fault can be addressed to."""

    REQUEST = "request"
    ACK = "ack"
    """Any answer to a request, refusals and errors too."""
    STATUS = "status"
    STATUS_ANSWER = "status_answer"
    READ = "read"
    READ_ANSWER = "read_answer"

    @property
    def is_answer(self) -> bool:
        """Whether the message travels from the server to a client."""
        return self in _ANSWERS


_ANSWERS: Final = frozenset({MessageKind.ACK, MessageKind.STATUS_ANSWER, MessageKind.READ_ANSWER})


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The messages that a clause applies to; None matches any.

    ``operation`` is the n-th operation of the client. ``attempt`` is the attempt's number (0: a
    raw send); for a status query the operation's n-th query, for a read the form's n-th read.
    ``copy`` is 1 for the message itself, 2 for the first copy that the network made of it.
    """

    message: MessageKind
    client: str | None = ANY
    operation: int | None = 1
    attempt: int | None = 1
    copy: int | None = 1


class HappeningKind(StrEnum):
    """What a held message can wait for."""

    SENT = "sent"
    DELIVERED = "delivered"
    COMMITTED = "committed"
    ANSWERED = "answered"
    TIMED_OUT = "timed_out"
    SETTLED = "settled"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """Something that happens to one operation, or to one attempt of it (None: to any)."""

    event: HappeningKind
    client: str | None = ANY
    operation: int | None = 1
    attempt: int | None = ANY


@dataclass(frozen=True, slots=True)
class Drop:
    """The message is lost; nobody is told."""


@dataclass(frozen=True, slots=True)
class DelayBy:
    """The message arrives ``by_us`` later than its latency alone would bring it."""

    by_us: int


@dataclass(frozen=True, slots=True)
class HoldUntil:
    """The message waits until something else happens, then ``then_us``; without a limit."""

    until: Happening
    then_us: int = 0


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The network delivers a second copy, ``after_us`` after the first was sent."""

    after_us: int


@dataclass(frozen=True, slots=True)
class Resend:
    """The transport silently sends the same attempt again on a new connection.

    The answer to the copy before it can no longer be heard; the client knows nothing of it.
    """

    after_us: int


@dataclass(frozen=True, slots=True)
class Corrupt:
    """Fields of the answer differ on arrival."""

    fields: tuple[tuple[str, Json], ...]


@dataclass(frozen=True, slots=True)
class Reset:
    """The connection breaks: the client learns at once; a request may still reach the server."""


@dataclass(frozen=True, slots=True)
class Fail:
    """The message never leaves: the client learns at once, in its own words."""

    error: TransportError


MessageAction: TypeAlias = Drop | DelayBy | HoldUntil | Duplicate | Resend | Corrupt | Reset | Fail


class CrashPoint(StrEnum):
    """Where in the work on a request the server dies."""

    BEFORE_CLAIM = "before_claim"
    AFTER_CLAIM = "after_claim"
    BETWEEN = "between"
    """Between write and record, where a mistake parts them; else inside the one commit."""
    AFTER_COMMIT = "after_commit"


@dataclass(frozen=True, slots=True)
class Crash:
    """The server dies while it works on the request, and is back ``restart_us`` later."""

    at: CrashPoint
    restart_us: int


@dataclass(frozen=True, slots=True)
class AnswerError:
    """The server answers ``code`` (429, 500, 502, 503 or 504) instead of its result."""

    code: int
    after_commit: bool


@dataclass(frozen=True, slots=True)
class Slow:
    """The execution of the request takes ``by_us`` longer.

    ``gateway_us``: after so long a gateway in front of this one execution answers 504, and the
    request goes on; None: only the server's own gateway does that.
    """

    by_us: int
    gateway_us: int | None = None


ServerAction: TypeAlias = Crash | AnswerError | Slow


class CutWhat(StrEnum):
    """What a partition cuts."""

    REQUEST = "request"
    ACK = "ack"
    BOTH = "both"
    SERVER = "server"
    """Connections are refused; the client learns at once."""
    DNS = "dns"
    """The name does not resolve; the client learns at once."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Every message sent in [from_us, to_us) in that direction is lost or refused."""

    what: CutWhat
    from_us: int
    to_us: int
    client: str | None = ANY


class TieClass(StrEnum):
    """The kinds of thing that can fall on one instant, in their default order."""

    DELIVERY = "delivery"
    TIMER = "timer"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Order:
    """At the first instant where both wait, ``first`` goes before ``second`` for one client.

    ``at_us`` names the instant; None: the first one at which they do.
    """

    first: TieClass
    second: TieClass
    client: str | None = ANY
    at_us: int | None = ANY


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageClause:
    """A message fault: what happens to the messages that ``target`` matches."""

    target: Target
    action: MessageAction
    times: int | None = 1
    """How many matches it is good for; None: all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerClause:
    """A server fault: what happens while the server works on a request that ``target`` matches."""

    target: Target
    action: ServerAction
    times: int | None = 1


Clause: TypeAlias = MessageClause | ServerClause | Cut | Order
