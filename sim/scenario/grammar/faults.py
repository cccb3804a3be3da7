"""The ``faults`` list: what goes wrong, addressed to exactly the messages it happens to."""

from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Discriminator, Field, PlainValidator, Tag, model_validator

from sim.scenario.grammar.base import (
    Duration,
    LongerThanZero,
    Name,
    Nth,
    NthFromOne,
    Part,
    refuse,
    refuse_unknown,
)
from sim.scenario.grammar.corruption import read_corruption

Message: TypeAlias = Literal["request", "ack", "status", "status_answer", "read", "read_answer"]
Sent: TypeAlias = Literal["request", "status", "read"]
"""What a client sends: only that can be sent again, or fail to leave."""


def _read_times(value: object) -> int | str:
    if value == "all":
        return "all"
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 10**9:
        raise refuse("expected how often, or all", "use a number from 1 on, or all")
    return value


Times: TypeAlias = Annotated[
    int | Literal["all"],
    PlainValidator(
        _read_times, json_schema_input_type=Annotated[int, Field(ge=1)] | Literal["all"]
    ),
]


class AddressedPart(Part):
    """The address of a fault: everything is exact unless it says any."""

    client: Annotated[
        Name | None,
        Field(
            description="Whose message, or any; needed where there is more than one client.",
            examples=["left"],
        ),
    ] = None
    operation: Annotated[
        NthFromOne | None,
        Field(
            description="Of the client's n-th operation, or any; reads belong to none.",
            json_schema_extra={"default": 1},
        ),
    ] = None
    attempt: Annotated[
        Nth | None,
        Field(
            description="Of the n-th attempt (0: a raw send; for status and read: the n-th "
            "query), or any.",
            json_schema_extra={"default": 1},
        ),
    ] = None
    copy_: Annotated[
        NthFromOne | None,
        Field(
            alias="copy",
            description="1: the message itself; 2: the network's first copy of it; or any.",
            json_schema_extra={"default": 1},
        ),
    ] = None
    times: Annotated[
        Times | None,
        Field(
            description="How many matches the clause is good for, or all.",
            json_schema_extra={"default": 1},
        ),
    ] = None


class DropPart(AddressedPart):
    """The message is lost; nobody is told."""

    drop: Annotated[Message, Field(description="The message.")]


class DelayByPart(AddressedPart):
    """The message arrives later than its latency alone would bring it."""

    delay: Annotated[Message, Field(description="The message.")]
    by: Annotated[LongerThanZero, Field(description="How much later.", examples=["3s"])]


class UntilPart(Part):
    """Something that happens to one operation, or to one attempt of it."""

    event: Annotated[
        Literal["sent", "delivered", "committed", "answered", "timed_out", "settled", "expired"],
        Field(description="What happens."),
    ]
    client: Annotated[
        Name | None,
        Field(description="Whose operation; of the same client without it.", examples=["right"]),
    ] = None
    operation: Annotated[
        NthFromOne | None,
        Field(description="The n-th operation, or any.", json_schema_extra={"default": 1}),
    ] = None
    attempt: Annotated[
        Nth | None,
        Field(description="The n-th attempt, or any.", json_schema_extra={"default": "any"}),
    ] = None


class HoldPart(AddressedPart):
    """The message waits until something else has happened."""

    hold: Annotated[Message, Field(description="The message.")]
    until: Annotated[
        UntilPart,
        Field(description="What it waits for.", examples=[{"event": "committed", "attempt": 2}]),
    ]
    then: Annotated[
        Duration | None,
        Field(description="And then so long.", json_schema_extra={"default": "0s"}),
    ] = None


class DuplicatePart(AddressedPart):
    """The network delivers a second copy."""

    duplicate: Annotated[Message, Field(description="The message.")]
    after: Annotated[
        Duration | None,
        Field(
            description="How long after the first was sent.", json_schema_extra={"default": "0s"}
        ),
    ] = None


class ResendPart(AddressedPart):
    """The transport silently sends the same attempt again, on a new connection."""

    resend: Annotated[Sent, Field(description="The message.")]
    after: Annotated[
        Duration | None,
        Field(description="How long after the first.", json_schema_extra={"default": "0s"}),
    ] = None


class CorruptPart(AddressedPart):
    """Fields of the answer differ on arrival."""

    corrupt: Annotated[Literal["ack", "status_answer"], Field(description="The answer.")]
    set: Annotated[
        dict[str, Any],
        PlainValidator(read_corruption, json_schema_input_type=dict[str, Any]),
        Field(
            description="The fields and what they say instead: operation_id, attempt_id, "
            "accepted_version, body; resource_version only beside others.",
            examples=[{"accepted_version": 7}],
        ),
    ]


class ResetPart(AddressedPart):
    """The connection breaks: the client learns at once; the server may have the request."""

    reset: Annotated[Message, Field(description="The message.")]


class FailPart(AddressedPart):
    """The message never leaves: the client learns at once."""

    fail: Annotated[Sent, Field(description="The message.")]
    as_: Annotated[
        Literal["dns", "refused", "offline"],
        Field(alias="as", description="As what; an opaque client cannot tell."),
    ]


class CrashPart(AddressedPart):
    """The server dies while it works on the request, and comes back."""

    crash: Annotated[Literal["server"], Field(description="What crashes.")]
    at: Annotated[
        Literal["before_claim", "after_claim", "between", "after_commit"],
        Field(
            description="Where in the work; between: between write and record, where a mistake "
            "parts them."
        ),
    ]
    restart: Annotated[
        Duration | None,
        Field(description="When it is back.", json_schema_extra={"default": "1s"}),
    ] = None


class ErrorPart(AddressedPart):
    """The server answers with an error instead of its result."""

    error: Annotated[
        Literal[429, 500, 502, 503, 504],
        Field(description="The HTTP status; 429 only before the commit."),
    ]
    at: Annotated[
        Literal["before_commit", "after_commit"] | None,
        Field(
            description="Whether the write is done by then.",
            json_schema_extra={"default": "before_commit"},
        ),
    ] = None

    @model_validator(mode="after")
    def _throttled_first(self) -> Self:
        if self.error == 429 and self.at == "after_commit":
            raise refuse("429 says that nothing was executed", "use at: before_commit, or 500")
        return self


class SlowPart(AddressedPart):
    """The execution of the request takes longer."""

    slow: Annotated[Literal["server"], Field(description="What is slow.")]
    by: Annotated[LongerThanZero, Field(description="How much longer.", examples=["5s"])]
    gateway: Annotated[
        LongerThanZero | None,
        Field(
            description="A gateway in front of this one execution answers 504 after so long, and "
            "the request goes on; without it only the server's own gateway does.",
            examples=["1s"],
        ),
    ] = None


class CutPart(Part):
    """A partition: what is sent in that time is lost or refused."""

    cut: Annotated[
        Literal["request", "ack", "both", "server", "dns"],
        Field(
            description="What is cut: a direction or both (lost), the server (connections are "
            "refused) or dns (the name does not resolve)."
        ),
    ]
    from_: Annotated[
        Duration | None,
        Field(alias="from", description="From when.", json_schema_extra={"default": "0s"}),
    ] = None
    to: Annotated[Duration, Field(description="To when (exclusive).", examples=["30s"])]
    client: Annotated[
        Name | None,
        Field(description="Whose link; everybody's without it, or any.", examples=["left"]),
    ] = None

    @model_validator(mode="after")
    def _forwards(self) -> Self:
        if self.to <= (self.from_ or 0):
            raise refuse("'to' is not after 'from'", "make to later than from")
        return self


Kind: TypeAlias = Literal["delivery", "timer", "person"]


class OrderPart(Part):
    """At the first instant where both wait, the first goes before the second."""

    order: Annotated[
        list[Kind],
        Field(
            min_length=2,
            max_length=2,
            description="Two of delivery, timer and person; this is also their usual order.",
            examples=[["timer", "delivery"]],
        ),
    ]
    at: Annotated[
        Duration | None,
        Field(
            description="The instant; the first one where both wait, without it.", examples=["2s"]
        ),
    ] = None
    client: Annotated[
        Name | None, Field(description="Whose; any client's without it, or any.", examples=["left"])
    ] = None

    @model_validator(mode="after")
    def _two_kinds(self) -> Self:
        if self.order[0] == self.order[1]:
            raise refuse("'order' names one kind twice", "name two of delivery, timer, person")
        return self


ACTIONS = (
    "drop", "delay", "hold", "duplicate", "resend", "corrupt", "reset", "fail", "crash", "error",
    "slow", "cut", "order",
)  # fmt: skip


_OTHER_KEYS = (
    *AddressedPart.keys(),
    *("by", "until", "then", "after", "set", "as", "at", "from", "gateway"),
)


def _action(value: object) -> str | None:
    if isinstance(value, dict):
        return next((action for action in ACTIONS if action in value), None)
    return next((a for a in ACTIONS if a in getattr(value, "model_fields", {})), None)


def _one_action(value: object) -> object:
    if not isinstance(value, dict):
        raise refuse("a fault is a map", "write it as {drop: ack, attempt: 1}")
    given = [action for action in ACTIONS if action in value]
    if len(given) > 1:
        raise refuse(
            f"a fault has one action, not '{given[0]}' and '{given[1]}'",
            "write a fault for each",
            f"in:{given[1]}",
        )
    if not given:
        strays = [str(key) for key in value if key not in _OTHER_KEYS]
        if strays:
            raise refuse_unknown("fault", strays[0], ACTIONS, f"in:{strays[0]}")
        raise refuse("this fault does nothing", f"add one of: {', '.join(ACTIONS)}")
    return value


_Clause: TypeAlias = Annotated[
    Annotated[DropPart, Tag("drop")]
    | Annotated[DelayByPart, Tag("delay")]
    | Annotated[HoldPart, Tag("hold")]
    | Annotated[DuplicatePart, Tag("duplicate")]
    | Annotated[ResendPart, Tag("resend")]
    | Annotated[CorruptPart, Tag("corrupt")]
    | Annotated[ResetPart, Tag("reset")]
    | Annotated[FailPart, Tag("fail")]
    | Annotated[CrashPart, Tag("crash")]
    | Annotated[ErrorPart, Tag("error")]
    | Annotated[SlowPart, Tag("slow")]
    | Annotated[CutPart, Tag("cut")]
    | Annotated[OrderPart, Tag("order")],
    Discriminator(_action),
]

Fault: TypeAlias = Annotated[_Clause, BeforeValidator(_one_action)]
"""One fault: exactly one action, and the messages that it happens to."""

MessageFault: TypeAlias = (
    DropPart
    | DelayByPart
    | HoldPart
    | DuplicatePart
    | ResendPart
    | CorruptPart
    | ResetPart
    | FailPart
)
"""Faults that happen to a message on its way."""
