"""The ``client`` part: one client's policy, its senses and its mistakes."""

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from sim.contract.mistakes import Side
from sim.presets import POLICIES
from sim.scenario.grammar.base import (
    BY_SHAPE,
    MAP,
    VALUE,
    Duration,
    LongerThanZero,
    Name,
    Natural,
    Part,
    Positive,
    Thousandths,
    YesNo,
    exactly_one,
)
from sim.scenario.grammar.names import NAMES
from sim.scenario.grammar.network import LinkPart

COUNT_MAX = 100_000
GROWTHS = ("fixed", "exponential", "listed")


class DelayPart(Part):
    """The pause before a retry: fixed, doubling from retry to retry, or each one as listed."""

    fixed: Annotated[
        Duration | None, Field(description="The same pause each time.", examples=["500ms"])
    ] = None
    exponential: Annotated[
        Duration | None,
        Field(
            description="The pause before the first retry; it doubles each time.",
            examples=["500ms"],
        ),
    ] = None
    listed: Annotated[
        list[Duration] | None,
        Field(
            min_length=1,
            description="The pause before each retry in turn; the last one goes on.",
            examples=[["1s", "2s", "5s"]],
        ),
    ] = None
    cap: Annotated[
        Duration | None,
        Field(description="No pause is longer.", json_schema_extra={"default": "1d"}),
    ] = None
    jitter: Annotated[
        Literal["none", "full", "equal", "decorrelated"] | None,
        Field(
            description="How a pause b is spread: full = U(0, b); equal = b/2 + U(0, b/2); "
            "decorrelated = U(first, 3 · the pause before).",
            json_schema_extra={"default": "none"},
        ),
    ] = None

    @model_validator(mode="after")
    def _one_growth(self) -> Self:
        exactly_one(self, GROWTHS)
        return self


DelayChoice: TypeAlias = Annotated[Annotated[Duration, VALUE] | Annotated[DelayPart, MAP], BY_SHAPE]


class BudgetPart(Part):
    """A token bucket: a retry costs tokens, an acknowledgement refunds some."""

    tokens: Annotated[
        Thousandths, Field(description="The bucket's size; it starts full.", examples=[10])
    ]
    cost: Annotated[
        Thousandths | None,
        Field(description="What a retry costs.", json_schema_extra={"default": 1}),
    ] = None
    refund: Annotated[
        Thousandths | None,
        Field(
            description="What an acknowledgement gives back.",
            json_schema_extra={"default": 0.1},
            examples=[0.1],
        ),
    ] = None


class BreakerPart(Part):
    """A circuit breaker: while it is open, retries wait; saves never do."""

    failures: Annotated[
        Positive, Field(description="Failures in a row that open it.", examples=[5])
    ]
    open: Annotated[LongerThanZero, Field(description="How long it stays open.", examples=["30s"])]


class RetryPart(Part):
    """How an operation is tried again. No policy is unbounded."""

    max_attempts: Annotated[
        Positive | None,
        Field(
            description="Attempts of one operation, the first included.",
            json_schema_extra={"default": 2},
        ),
    ] = None
    delay: Annotated[
        DelayChoice | None,
        Field(
            description="The pause before a retry: a duration, or a map.",
            json_schema_extra={"default": "500ms"},
            examples=["500ms", {"exponential": "500ms", "cap": "5s", "jitter": "full"}],
        ),
    ] = None
    deadline: Annotated[
        LongerThanZero | None,
        Field(
            description="No retry starts later than this after the first send.", examples=["30s"]
        ),
    ] = None
    retry_after: Annotated[
        YesNo | None,
        Field(
            description="Whether the server's retry_after is the least pause.",
            json_schema_extra={"default": "yes"},
        ),
    ] = None
    budget: Annotated[
        BudgetPart | None,
        Field(description="A token bucket for retries.", examples=[{"tokens": 10, "refund": 0.1}]),
    ] = None
    breaker: Annotated[
        BreakerPart | None,
        Field(description="A circuit breaker.", examples=[{"failures": 5, "open": "30s"}]),
    ] = None
    confirm: Annotated[
        YesNo | None,
        Field(
            description="Whether a person must agree to each retry.",
            json_schema_extra={"default": "no"},
        ),
    ] = None


class StatusPart(Part):
    """How the client asks what became of an operation."""

    max: Annotated[
        Natural | None,
        Field(description="Queries for one operation.", json_schema_extra={"default": 3}),
    ] = None
    delay: Annotated[
        Duration | None,
        Field(description="The pause before each query.", json_schema_extra={"default": "1s"}),
    ] = None


class ClientPart(Part):
    """A client: a tab, a device, an app."""

    policy: Annotated[
        str | None,
        Field(
            description="A preset: the retry policy of a real library; the file's own keys win "
            "over it ('lostack list' names them).",
            examples=["stripe-python"],
            json_schema_extra={"enum": [preset.name for preset in POLICIES]},
        ),
    ] = None
    owner: Annotated[
        Name | None,
        Field(
            description="The account that is signed in; the client's own name without one.",
            examples=["ann"],
        ),
    ] = None
    count: Annotated[
        int | None,
        Field(
            ge=1,
            le=COUNT_MAX,
            description="Makes so many clients of it, named name-1, name-2 and so on.",
            examples=[100],
        ),
    ] = None
    resource: Annotated[
        Literal["shared", "own"] | None,
        Field(
            description="Whether all write the same resource, or each one of its own.",
            json_schema_extra={"default": "shared"},
        ),
    ] = None
    timeout: Annotated[
        LongerThanZero | None,
        Field(
            description="How long an attempt waits for its answer.",
            json_schema_extra={"default": "2s"},
        ),
    ] = None
    retry: Annotated[
        RetryPart | None,
        Field(description="The retry policy.", examples=[{"max_attempts": 3, "delay": "500ms"}]),
    ] = None
    on_unknown: Annotated[
        Literal["retry", "status", "person"] | None,
        Field(
            description="What comes first after an unknown outcome: a retry, a status query, "
            "or a person's decision.",
            json_schema_extra={"default": "retry"},
        ),
    ] = None
    status: Annotated[
        StatusPart | None,
        Field(description="Status queries.", examples=[{"max": 3, "delay": "1s"}]),
    ] = None
    recovery_window: Annotated[
        LongerThanZero | None,
        Field(
            description="No retry later than this after the first send; shorter than the "
            "server's retention, by default 23/24 of it.",
            examples=["20h"],
        ),
    ] = None
    ack_rule: Annotated[
        Literal["attempt", "operation"] | None,
        Field(
            description="Whether an ack counts for the last attempt only, or for any attempt of "
            "the pending operation.",
            json_schema_extra={"default": "attempt"},
        ),
    ] = None
    sees: Annotated[
        Literal["opaque", "detailed"] | None,
        Field(
            description="Whether transport errors can be told apart.",
            json_schema_extra={"default": "opaque"},
        ),
    ] = None
    ids: Annotated[
        Literal["secure", "none"] | None,
        Field(
            description="Whether there is a secure source of operation ids.",
            json_schema_extra={"default": "secure"},
        ),
    ] = None
    network: Annotated[
        LinkPart | None,
        Field(
            description="This client's own link, over the scenario's network.",
            examples=[{"request": {"latency": "300ms"}}],
        ),
    ] = None
    mistakes: Annotated[
        list[str] | None,
        Field(
            description="The mistakes that this client makes ('lostack list' names them).",
            examples=[["timeout-means-failure"]],
            json_schema_extra={"items": {"enum": list(NAMES[Side.CLIENT])}},
        ),
    ] = None
