"""The ``network`` part: two directions, each with its own weather."""

from typing import Annotated, Self, TypeAlias

from pydantic import BeforeValidator, Field, model_validator

from sim.scenario.grammar.base import (
    BY_SHAPE,
    MAP,
    VALUE,
    Duration,
    LongerThanZero,
    Part,
    Share,
    exactly_one,
    refuse,
)

FAMILIES = ("uniform", "exponential", "lognormal", "pareto", "empirical", "quantiles")


class ExponentialPart(Part):
    """An exponential distribution."""

    mean: Annotated[LongerThanZero, Field(description="Its mean.", examples=["40ms"])]


class LognormalPart(Part):
    """A log-normal distribution, given by what a monitoring system shows."""

    median: Annotated[LongerThanZero, Field(description="Half are faster.", examples=["40ms"])]
    p99: Annotated[LongerThanZero, Field(description="One in 100 is slower.", examples=["900ms"])]

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.p99 < self.median:
            raise refuse("'p99' is less than 'median'", "make p99 at least the median")
        return self


class ParetoPart(Part):
    """A Pareto distribution: a heavy tail."""

    scale: Annotated[LongerThanZero, Field(description="Its least value.", examples=["20ms"])]
    shape: Annotated[
        float,
        Field(
            ge=0.1,
            le=100,
            description="Its tail index: the smaller, the heavier the tail.",
            examples=[1.5],
        ),
    ]


def _read_pair(value: object) -> object:
    if not isinstance(value, list) or len(value) != 2:
        raise refuse("a knot of 'quantiles' is a pair", "write [share, duration], as [0.5, 40ms]")
    return tuple(value)


Knot: TypeAlias = Annotated[tuple[Share, Duration], BeforeValidator(_read_pair)]


class LatencyPart(Part):
    """A distribution of latencies: exactly one family."""

    uniform: Annotated[
        list[Duration] | None,
        Field(
            min_length=2,
            max_length=2,
            description="Anything between two durations.",
            examples=[["20ms", "60ms"]],
        ),
    ] = None
    exponential: Annotated[
        ExponentialPart | None, Field(description="Exponential.", examples=[{"mean": "40ms"}])
    ] = None
    lognormal: Annotated[
        LognormalPart | None,
        Field(
            description="Log-normal, by its median and p99.",
            examples=[{"median": "40ms", "p99": "900ms"}],
        ),
    ] = None
    pareto: Annotated[
        ParetoPart | None,
        Field(
            description="Pareto, by scale and shape.", examples=[{"scale": "20ms", "shape": 1.5}]
        ),
    ] = None
    empirical: Annotated[
        str | None,
        Field(
            description="A CSV file with a column of measured durations, found from the "
            "scenario's folder.",
            examples=["weather.csv"],
        ),
    ] = None
    quantiles: Annotated[
        list[Knot] | None,
        Field(
            description="A table of quantiles, from share 0 to share 1, with straight lines "
            "between.",
            examples=[[[0, "10ms"], [0.5, "40ms"], [0.99, "900ms"], [1, "3s"]]],
        ),
    ] = None

    @model_validator(mode="after")
    def _one_family(self) -> Self:
        exactly_one(self, FAMILIES)
        if self.uniform and self.uniform[0] > self.uniform[1]:
            raise refuse("the first of 'uniform' is the larger one", "write the smaller one first")
        return self


class BurstPart(Part):
    """Gilbert–Elliott loss: a good and a bad state, each with its own loss."""

    loss_good: Annotated[
        Share | None,
        Field(description="Loss in the good state.", json_schema_extra={"default": 0}),
    ] = None
    loss_bad: Annotated[
        Share | None,
        Field(description="Loss in the bad state.", json_schema_extra={"default": 1}),
    ] = None
    mean_good: Annotated[
        LongerThanZero, Field(description="Mean stay in the good state.", examples=["30s"])
    ]
    mean_bad: Annotated[
        LongerThanZero, Field(description="Mean stay in the bad state.", examples=["2s"])
    ]
    slot: Annotated[
        LongerThanZero | None,
        Field(
            description="How often the state is decided; at most either mean.",
            json_schema_extra={"default": "100ms"},
        ),
    ] = None

    @model_validator(mode="after")
    def _slot_fits(self) -> Self:
        if (self.slot or SLOT_US) > min(self.mean_good, self.mean_bad):
            raise refuse("'slot' is longer than a mean stay", "make slot at most either mean")
        return self


SLOT_US = 100_000


LatencyChoice: TypeAlias = Annotated[
    Annotated[Duration, VALUE] | Annotated[LatencyPart, MAP], BY_SHAPE
]


class DirectionPart(Part):
    """One direction. The probabilities are for each message."""

    loss: Annotated[
        Share | None,
        Field(description="Probability that a message is lost.", json_schema_extra={"default": 0}),
    ] = None
    latency: Annotated[
        LatencyChoice | None,
        Field(
            description="How long a message takes: a duration or a distribution.",
            json_schema_extra={"default": "40ms"},
            examples=["40ms", {"lognormal": {"median": "40ms", "p99": "900ms"}}],
        ),
    ] = None
    duplicate: Annotated[
        Share | None,
        Field(
            description="Probability that a second copy arrives.", json_schema_extra={"default": 0}
        ),
    ] = None
    corrupt: Annotated[
        Share | None,
        Field(
            description="Probability that a field of an answer differs on arrival.",
            json_schema_extra={"default": 0},
        ),
    ] = None
    burst: Annotated[
        BurstPart | None,
        Field(description="Loss in bursts.", examples=[{"mean_good": "30s", "mean_bad": "2s"}]),
    ] = None


class LinkPart(Part):
    """One client's link; it is merged over the scenario's network."""

    request: Annotated[
        DirectionPart | None,
        Field(description="From the client to the server.", examples=[{"loss": 0.01}]),
    ] = None
    ack: Annotated[
        DirectionPart | None,
        Field(
            description="Answers, from the server to the client.",
            examples=[{"loss": 0.05, "latency": "80ms"}],
        ),
    ] = None


class NetworkPart(LinkPart):
    """The network of every client that has none of its own."""

    message_lifetime: Annotated[
        LongerThanZero | None,
        Field(
            description="No message lives longer; at most the tombstone less the longest "
            "recovery_window, by default the smaller of 7d and that.",
            examples=["7d"],
        ),
    ] = None
