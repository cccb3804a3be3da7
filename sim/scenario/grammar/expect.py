"""The ``expect`` part: what must have become of it all."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from sim.contract.names import INVARIANT_NAMES, MEASURE_NAMES
from sim.scenario.grammar.base import Name, Natural, Number, Part, refuse

PHASE = Literal[
    "idle",
    "awaiting-ack",
    "unknown-outcome",
    "acknowledged",
    "acknowledged-newer-draft-retained",
    "refused",
    "recovery-required",
]
REFUSAL = Literal[
    "invalid", "unauthenticated", "conflict", "in-flight", "mismatch", "expired", "throttled"
]


class AcksPart(Part):
    """How many acks were judged how."""

    accepted: Annotated[
        Natural | None, Field(description="How many were accepted.", examples=[1])
    ] = None
    stale: Annotated[
        Natural | None, Field(description="How many were stale: they change nothing.", examples=[1])
    ] = None
    invalid: Annotated[
        Natural | None,
        Field(
            description="How many confirmed another version or body than was sent.", examples=[0]
        ),
    ] = None
    repeated: Annotated[
        Natural | None,
        Field(description="How many repeated what had settled the operation.", examples=[0]),
    ] = None


class ExpectedResourcePart(Part):
    """What a resource must hold in the end."""

    NULLS: ClassVar[frozenset[str]] = frozenset({"body"})

    version: Annotated[Natural | None, Field(description="Its version.", examples=[5])] = None
    body: Annotated[Any, Field(description="Its body.", examples=[{"sessions_per_week": 3}])] = None


class ExpectedPart(Part):
    """What is asked of a scope: of an operation, of a client, of all."""

    phase: Annotated[PHASE | None, Field(description="The phase that the screen shows.")] = None
    draft: Annotated[
        Literal["clean", "dirty"] | None, Field(description="Whether the draft is all saved.")
    ] = None
    effects: Annotated[Natural | None, Field(description="Committed writes.", examples=[1])] = None
    attempts: Annotated[Natural | None, Field(description="Attempts launched.", examples=[2])] = (
        None
    )
    deliveries: Annotated[
        Natural | None,
        Field(description="Copies of requests that reached the server.", examples=[2]),
    ] = None
    acks: Annotated[
        AcksPart | None,
        Field(description="Acks, by how they were judged.", examples=[{"accepted": 1, "stale": 0}]),
    ] = None
    refused: Annotated[REFUSAL | None, Field(description="The refusal that it ended with.")] = None


class RatePart(Part):
    """Bounds on a measure, checked by 'lostack measure'."""

    min: Annotated[Number | None, Field(description="At least.", examples=[0.99])] = None
    max: Annotated[Number | None, Field(description="At most.", examples=[1])] = None
    on: Annotated[
        Literal["point", "interval"] | None,
        Field(
            description="Whether the estimate must keep the bounds, or its whole 95 % interval.",
            json_schema_extra={"default": "point"},
        ),
    ] = None

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        if self.min is None and self.max is None:
            raise refuse("a rate without a bound", "add min, max or both")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise refuse("'min' is larger than 'max'", "exchange them")
        return self


class ExpectedClientPart(ExpectedPart):
    """What is expected of one client."""

    resources: Annotated[
        dict[str, ExpectedResourcePart] | None,
        Field(description="What resources hold.", examples=[{"markdown": {"version": 5}}]),
    ] = None
    operations: Annotated[
        dict[str, ExpectedPart] | None,
        Field(
            description="Its operations, by number from 1.",
            examples=[{"1": {"attempts": 2, "effects": 1}}],
        ),
    ] = None


class ExpectPart(ExpectedClientPart):
    """What is expected of a run. Without an index: of the only client and every operation."""

    clients: Annotated[
        dict[Name, ExpectedClientPart] | None,
        Field(
            description="The same, for each client.",
            examples=[{"left": {"phase": "acknowledged"}, "right": {"attempts": 1}}],
        ),
    ] = None
    violates: Annotated[
        list[str] | None,
        Field(
            description="Exactly these invariants break, no more and no fewer; none without it.",
            examples=[["one-effect-per-intent"]],
            json_schema_extra={"items": {"enum": list(INVARIANT_NAMES)}},
        ),
    ] = None
    rates: Annotated[
        dict[str, RatePart] | None,
        Field(
            description="Bounds on measures, by name.",
            examples=[{"duplicate_effect_rate": {"max": 0}}],
            json_schema_extra={"propertyNames": {"enum": list(MEASURE_NAMES)}},
        ),
    ] = None
