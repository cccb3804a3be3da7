"""Every measure: what its numbers are and what it is a rate of.

The measures of the contract, in its order, with those that stand beside them: counts by kind, what
is still open at the horizon, and the maxima of what is given as a mean.
"""

from dataclasses import dataclass
from enum import StrEnum


class Unit(StrEnum):
    """What a value is."""

    SHARE = "share"
    """A part of the denominator, in [0, 1]."""
    MEAN = "mean"
    """A ratio that may exceed 1."""
    TIME = "µs"
    COUNT = "count"
    """A whole number, the largest that was seen; it has no interval."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure. ``over`` says what its denominator counts, in the plural."""

    name: str
    unit: Unit
    over: str
    scale: int = 1
    """Sums of it are kept in this many parts of one."""
    is_harm: bool = False
    """Whether it must be 0 where the contract is kept."""
    is_detail: bool = False
    """Whether it only tells more about another measure."""


PEAK_SCALE = 1_000_000
"""Loads are kept in millionths of a request in a second."""
ENDINGS = ("invalid", "conflict", "mismatch")
"""Refusals that can end an operation."""
REFUSALS = (
    "invalid",
    "unauthenticated",
    "conflict",
    "in-flight",
    "mismatch",
    "expired",
    "throttled",
)

_OPERATIONS, _ACKS, _INTENTS = "operations", "acks delivered to clients", "intents"
_EFFECTS, _DELIVERIES = "effects", "deliveries"

RATIOS: tuple[Measure, ...] = (
    Measure("unknown_outcome_rate", Unit.SHARE, _OPERATIONS),
    Measure("unresolved_rate", Unit.SHARE, _OPERATIONS),
    Measure("open_rate", Unit.SHARE, _OPERATIONS),
    Measure("recovery_required_rate", Unit.SHARE, _OPERATIONS),
    Measure("stale_ack_rate", Unit.SHARE, _ACKS),
    Measure("repeated_ack_rate", Unit.SHARE, _ACKS, is_detail=True),
    Measure("invalid_ack_rate", Unit.SHARE, _ACKS),
    Measure("duplicate_attempt_rate", Unit.SHARE, _OPERATIONS),
    Measure("extra_deliveries", Unit.MEAN, _OPERATIONS, is_detail=True),
    Measure("duplicate_effect_rate", Unit.SHARE, _INTENTS, is_harm=True),
    Measure("false_success_rate", Unit.SHARE, _INTENTS, is_harm=True),
    Measure("false_failure_rate", Unit.SHARE, _INTENTS, is_harm=True),
    Measure("lost_draft_rate", Unit.SHARE, _INTENTS, is_harm=True),
    Measure("refused_rate", Unit.SHARE, _OPERATIONS),
    *(Measure(f"refused_rate.{kind}", Unit.SHARE, _OPERATIONS, is_detail=True) for kind in ENDINGS),
    *(
        Measure(f"refusals_per_operation.{kind}", Unit.MEAN, _OPERATIONS, is_detail=True)
        for kind in REFUSALS
    ),
    Measure("false_conflict_rate", Unit.SHARE, _OPERATIONS, is_harm=True),
    Measure("unknown_but_applied", Unit.SHARE, "operations ever in unknown-outcome"),
    Measure("attempts_per_operation", Unit.MEAN, _OPERATIONS),
    Measure("deliveries_per_effect", Unit.MEAN, _EFFECTS),
    Measure("peak_load", Unit.MEAN, "mean arrivals in a second, summed over runs", PEAK_SCALE),
    Measure("turned_away_rate", Unit.SHARE, _DELIVERIES),
    Measure("recovery_time", Unit.TIME, "runs that recovered from their outage"),
    Measure("never_recovered_rate", Unit.SHARE, "runs with an outage"),
)
"""Every measure that is a sum over a sum, in the order in which it is reported."""

QUANTILES = {"p50": 500, "p90": 900, "p99": 990}
"""Name of a quantile -> thousandths."""

CERTAINTY: tuple[Measure, ...] = tuple(
    Measure(f"time_to_certainty.{name}", Unit.TIME, _OPERATIONS) for name in (*QUANTILES, "max")
)
"""First send to settled; the count is of the operations that were settled."""

MAXIMA: tuple[Measure, ...] = (
    Measure("attempts_max", Unit.COUNT, _OPERATIONS, is_detail=True),
    Measure("deliveries_max", Unit.COUNT, _OPERATIONS, is_detail=True),
)
"""The most of one operation."""

BY_NAME = {measure.name: measure for measure in (*RATIOS, *CERTAINTY, *MAXIMA)}

ASKED_AS = {"time_to_certainty": "time_to_certainty.p99"}
"""What ``expect.rates`` means by the name of a measure that has several values."""
