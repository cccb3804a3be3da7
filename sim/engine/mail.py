"""Messages under way, and the exchanges they belong to."""

from typing import Final, TypeAlias

from sim.contract.body import Json, freeze
from sim.contract.ids import named_id
from sim.contract.messages import (
    Ack,
    ReadAnswer,
    ReadQuery,
    Refusal,
    Request,
    ServerError,
    StatusAnswer,
    StatusQuery,
    WriteAnswer,
)
from sim.contract.tuples import new
from sim.engine.routes import Lane, Route
from sim.engine.truth import Intent
from sim.network.faults import MessageKind
from sim.network.matching import Address

Payload: TypeAlias = Request | StatusQuery | ReadQuery | WriteAnswer | StatusAnswer | ReadAnswer

ANSWER_TO: Final = {
    MessageKind.REQUEST: MessageKind.ACK,
    MessageKind.STATUS: MessageKind.STATUS_ANSWER,
    MessageKind.READ: MessageKind.READ_ANSWER,
}


class Exchange:
    """One request of a client and whoever may still hear the answer.

    An answer is heard only on the page that asked, on the connection used last, while that is
    not broken.
    """

    __slots__ = (
        "attempt",
        "client",
        "connection",
        "intent",
        "is_broken",
        "nth",
        "op",
        "operation_id",
        "page",
        "resource",
        "route",
    )

    def __init__(
        self,
        client: str,
        route: Route,
        resource: str,
        op: int,
        nth: int,
        attempt: int,
        operation_id: str,
        intent: Intent,
        page: int,
    ) -> None:
        self.client = client
        self.route = route
        self.resource = resource
        self.op = op
        """The operation's surrogate (0: none)."""
        self.nth = nth
        """How many-th operation of its client it is."""
        self.attempt = attempt
        """The attempt's number; for a status query the query's, for a read the read's."""
        self.operation_id = operation_id
        self.intent = intent
        self.page = page
        self.connection = 1
        self.is_broken = False


class Message:
    """One copy of one message."""

    __slots__ = (
        "born_us",
        "connection",
        "copy",
        "exchange",
        "is_corrupted",
        "kind",
        "lane",
        "nth",
        "number",
        "payload",
        "reply_to",
        "sent_us",
    )

    def __init__(
        self,
        number: int,
        kind: MessageKind,
        payload: Payload,
        exchange: Exchange,
        lane: Lane,
        nth: int,
        sent_us: int,
        connection: int = 1,
        reply_to: int = 0,
    ) -> None:
        self.number = number
        self.kind = kind
        self.payload = payload
        self.exchange = exchange
        self.lane = lane
        self.nth = nth
        """How many-th message of its kind and intent it is: the name of its random decisions."""
        self.sent_us = sent_us
        self.born_us = sent_us
        """When the message was first sent; its copies are as old as it is."""
        self.connection = connection
        self.reply_to = reply_to
        """The number of the message that this one answers (0: it answers none)."""
        self.copy = 1
        self.is_corrupted = False

    @property
    def address(self) -> Address:
        """What a fault clause can tell this message by."""
        exchange = self.exchange
        return new(Address, (self.kind, exchange.client, exchange.nth, exchange.attempt, self.copy))


def corrupted(payload: Payload, fields: tuple[tuple[str, Json], ...]) -> Payload:
    """Return an answer with other field values; an id becomes one that nobody ever made."""
    for name, value in fields:
        payload = _with_field(payload, name, value)
    return payload


def _with_field(payload: Payload, name: str, value: Json) -> Payload:
    match payload:
        case StatusAnswer():
            if name == "operation_id":
                return payload._replace(operation_id=named_id(f"corrupted {value}"))
            if payload.result is None:
                return payload
            result = _with_field(payload.result, name, value)
            assert isinstance(result, Ack)
            return payload._replace(result=result)
        case Ack():
            return _ack_with(payload, name, value)
        case Refusal() | ServerError():
            if name == "operation_id":
                return payload._replace(operation_id=named_id(f"corrupted {value}"))
            if name == "attempt_id":
                return payload._replace(attempt=attempt_number(value))
            return payload
        case _:
            return payload


def _ack_with(ack: Ack, name: str, value: Json) -> Ack:
    match name:
        case "operation_id":
            return ack._replace(operation_id=named_id(f"corrupted {value}"))
        case "attempt_id":
            return ack._replace(attempt=attempt_number(value))
        case "accepted_version":
            return ack._replace(accepted_version=_whole(value))
        case "resource_version":
            return ack._replace(resource_version=_whole(value))
        case "body":
            return ack._replace(body=freeze(value))
        case _:
            return ack


def attempt_number(value: Json) -> int:
    """Return the number behind ``attempt-02``, ``2`` or ``"2"``."""
    return _whole(value.removeprefix("attempt-") if isinstance(value, str) else value)


def _whole(value: Json) -> int:
    return int(value) if isinstance(value, int | float | str) else 0


def copy_of(message: Message, number: int, now_us: int) -> Message:
    """Return the next copy of a message, sent now."""
    copied = Message(
        number,
        message.kind,
        message.payload,
        message.exchange,
        message.lane,
        message.nth,
        now_us,
        message.connection,
        message.reply_to,
    )
    copied.born_us = message.born_us
    copied.copy = message.copy + 1
    copied.is_corrupted = message.is_corrupted
    return copied


def facts_of(message: Message) -> dict[str, Json]:
    """Return what a record says of any message that arrived."""
    data: dict[str, Json] = {
        "msg": message.number,
        "message": message.kind.value,
        "copy": message.copy,
        "sent_us": message.sent_us,
        "reply_to": message.reply_to,
    }
    if message.is_corrupted:
        data["corrupted"] = True
    return data
