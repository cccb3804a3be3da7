"""The ``server`` part of a scenario file."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from sim.contract.mistakes import Side
from sim.presets import CONTRACTS
from sim.scenario.grammar.base import Duration, LongerThanZero, Name, Natural, Part, Positive, YesNo
from sim.scenario.grammar.names import NAMES


class ResourcePart(Part):
    """One resource of the server as the scenario starts."""

    NULLS: ClassVar[frozenset[str]] = frozenset({"body"})

    kind: Annotated[
        Literal["put", "post"] | None,
        Field(
            description="How it is written: put replaces it and compares versions; "
            "post adds to it and has no version to compare.",
            json_schema_extra={"default": "put"},
        ),
    ] = None
    version: Annotated[
        Natural | None,
        Field(
            description="Its version before anything happens.",
            json_schema_extra={"default": 1},
            examples=[4],
        ),
    ] = None
    body: Annotated[
        Any,
        Field(
            description="Its body, any JSON value; null without one.",
            examples=[{"sessions_per_week": 2}],
        ),
    ] = None
    irreversible: Annotated[
        YesNo | None,
        Field(
            description="Whether a write cannot be taken back (a payment, a mail): it is never "
            "sent again automatically with an unknown outcome.",
            json_schema_extra={"default": "no"},
        ),
    ] = None
    accepts: Annotated[
        dict[str, list[Any]] | None,
        Field(
            description="For fields of the body, the values that the server accepts; "
            "anything else is refused as invalid (400).",
            examples=[{"sessions_per_week": [1, 2, 3]}],
        ),
    ] = None


class CapacityPart(Part):
    """How much the server can do at once; past it a request is turned away with 503."""

    workers: Annotated[
        Positive | None,
        Field(
            description="How many requests are executed at once; no limit without it.", examples=[8]
        ),
    ] = None
    queue: Annotated[
        Natural | None,
        Field(description="How many requests may wait; no limit without it.", examples=[100]),
    ] = None
    time: Annotated[
        Duration | None,
        Field(
            description="How long one execution takes.",
            json_schema_extra={"default": "0s"},
            examples=["20ms"],
        ),
    ] = None
    retry_after: Annotated[
        Duration | None,
        Field(
            description="The pause that a turned-away client is asked to keep; 0s asks for none.",
            json_schema_extra={"default": "1s"},
        ),
    ] = None


class GatewayPart(Part):
    """A gateway in front: past its own timeout it answers 504 while the request goes on."""

    timeout: Annotated[LongerThanZero, Field(description="Its timeout.", examples=["1s"])]


class ServerPart(Part):
    """The server: what it holds, what it promises, what it can do, what it gets wrong."""

    contract: Annotated[
        str | None,
        Field(
            description="A preset: the contract of a real product; the file's own keys win over "
            "it ('lostack list' names them).",
            examples=["stripe-v1"],
            json_schema_extra={"enum": [preset.name for preset in CONTRACTS]},
        ),
    ] = None
    resources: Annotated[
        dict[Name, ResourcePart] | None,
        Field(
            description="What the server holds when the scenario starts, by name.",
            examples=[{"markdown": {"version": 4, "body": {"sessions_per_week": 2}}}],
        ),
    ] = None
    retention: Annotated[
        LongerThanZero | None,
        Field(
            description="How long an operation's result is kept, from its commit.",
            json_schema_extra={"default": "24h"},
        ),
    ] = None
    tombstone: Annotated[
        LongerThanZero | None,
        Field(
            description="How long the key alone is kept, from the commit, so that a late copy is "
            "answered expired and not executed as new; at least the retention.",
            json_schema_extra={"default": "30d"},
        ),
    ] = None
    replay: Annotated[
        Literal["stored", "current"] | None,
        Field(
            description="What a repeat is answered with: the stored result, or that and the "
            "resource as it is now beside it.",
            json_schema_extra={"default": "stored"},
        ),
    ] = None
    in_flight: Annotated[
        Literal["refuse", "wait"] | None,
        Field(
            description="What a repeat gets while the first is executed: refused as in-flight, "
            "or it waits for the result.",
            json_schema_extra={"default": "refuse"},
        ),
    ] = None
    status: Annotated[
        YesNo | None,
        Field(
            description="Whether an operation's status can be asked for.",
            json_schema_extra={"default": "yes"},
        ),
    ] = None
    session_ttl: Annotated[
        LongerThanZero | None,
        Field(
            description="How long a session lives after sign-in; without it, for ever.",
            examples=["30m"],
        ),
    ] = None
    capacity: Annotated[
        CapacityPart | None,
        Field(
            description="Workers, queue, time.",
            examples=[{"workers": 8, "queue": 100, "time": "20ms"}],
        ),
    ] = None
    gateway: Annotated[
        GatewayPart | None, Field(description="A gateway in front.", examples=[{"timeout": "1s"}])
    ] = None
    mistakes: Annotated[
        list[str] | None,
        Field(
            description="The mistakes that this server makes ('lostack list' names them).",
            examples=[["version-before-registry"]],
            json_schema_extra={"items": {"enum": list(NAMES[Side.SERVER])}},
        ),
    ] = None
