"""The ratios of one run, read off its judge's books in one go.

Compiled with the judge: every operation of every run passes through here.
"""

from dataclasses import dataclass, field
from typing import Final

from sim.contract.phases import Phase
from sim.judge.court import EFFECTS_MANY
from sim.judge.judge import Judge
from sim.measure.definitions import ENDINGS, PEAK_SCALE, REFUSALS

INTENT_RATES: Final = {
    "false_success_rate": "no-false-success",
    "false_failure_rate": "no-false-failure",
    "lost_draft_rate": "draft-kept",
}
"""Rates of intents that broke an invariant."""

_UNRESOLVED: Final = "unknown"
_OPEN: Final = "awaiting"
_QUIET: Final = "quiet"


@dataclass(slots=True)
class RunLoad:
    """What one run of a population came to, where it was watched."""

    arrivals: dict[int, int] = field(default_factory=dict)
    """Second -> requests that arrived in it."""
    recovery_us: int | None = None
    """From the end of the outage to the load before it; None: there was none, or no recovery."""
    had_outage: bool = False


class Totals:
    """What the operations of a run come to together."""

    def __init__(self, judge: Judge) -> None:
        self.operations = 0
        self.unknown = 0
        self.unknown_but_applied = 0
        self.unresolved = 0
        self.open = 0
        self.in_recovery = 0
        self.false_conflicts = 0
        self.delivered_again = 0
        self.extra_deliveries = 0
        self.launches = 0
        self.attempts_max = 0
        self.deliveries_max = 0
        self.times_us: list[int] = []
        """From launch to certainty, of those that are settled."""
        self.refused: dict[str, int] = {}
        """Refusal -> operations that it ended."""
        for op in judge.ledger.operations.values():
            self.operations += 1
            self.launches += op.launches
            self.attempts_max = max(self.attempts_max, op.attempt)
            self.deliveries_max = max(self.deliveries_max, op.deliveries)
            if op.settled_us is not None and op.is_settled:
                self.times_us.append(op.settled_us - op.first_sent_us)
            if op.ever_unknown:
                self.unknown += 1
                self.unknown_but_applied += op.effects > 0
            if op.belief == _UNRESOLVED:
                self.unresolved += 1
            elif op.belief == _OPEN:
                self.open += 1
            self.in_recovery += op.ever_recovery
            self.false_conflicts += op.false_conflict
            if op.deliveries > 1:
                self.delivered_again += 1
                self.extra_deliveries += op.deliveries - 1
            if op.refused:
                self.refused[op.refused] = self.refused.get(op.refused, 0) + 1


def beliefs(judge: Judge) -> dict[tuple[str, int], int]:
    """Return (what is believed of an intent in the end, its effects) -> how many intents."""
    found: dict[tuple[str, int], int] = {}
    for intent in judge.ledger.intents.values():
        cell = (intent.operations[-1].belief, min(intent.effects, EFFECTS_MANY))
        found[cell] = found.get(cell, 0) + 1
    return found


def ratios(judge: Judge, load: RunLoad | None = None) -> dict[str, tuple[int, int]]:
    """Return numerator and denominator of every ratio of one run."""
    sums, tally, intents = Totals(judge), judge.ledger.tally, judge.ledger.intents
    many, acks, wanted = sums.operations, sum(tally.acks.values()), len(intents)
    stored_again = 0
    for intent in intents.values():
        stored_again += intent.effects > 1
    busy = _still_busy(judge)
    found = {
        "unknown_outcome_rate": (sums.unknown, many),
        "unresolved_rate": (sums.unresolved - busy, many),
        "open_rate": (sums.open + busy, many),
        "recovery_required_rate": (sums.in_recovery, many),
        "stale_ack_rate": (tally.acks.get("stale", 0), acks),
        "repeated_ack_rate": (tally.acks.get("repeated", 0), acks),
        "invalid_ack_rate": (tally.acks.get("invalid", 0), acks),
        "duplicate_attempt_rate": (sums.delivered_again, many),
        "extra_deliveries": (sums.extra_deliveries, many),
        "duplicate_effect_rate": (stored_again, wanted),
        "refused_rate": (sum(sums.refused.values()), many),
        "false_conflict_rate": (sums.false_conflicts, many),
        "unknown_but_applied": (sums.unknown_but_applied, sums.unknown),
        "attempts_per_operation": (sums.launches, many),
        "deliveries_per_effect": (tally.deliveries, tally.effects),
        "turned_away_rate": (tally.turned_away, tally.deliveries),
        "peak_load": _peak(load),
        "recovery_time": _recovery(load),
        "never_recovered_rate": _never_recovered(load),
    }
    broken = {violation.invariant: True for violation in judge.ledger.violations}
    for name, invariant in INTENT_RATES.items():
        count = _intents_that_broke(judge, invariant) if invariant in broken else 0
        found[name] = (count, wanted)
    for kind in ENDINGS:
        found[f"refused_rate.{kind}"] = (sums.refused.get(kind, 0), many)
    for kind in REFUSALS:
        found[f"refusals_per_operation.{kind}"] = (tally.refused.get(kind, 0), many)
    return found


def _still_busy(judge: Judge) -> int:
    """Operations in unknown-outcome at the horizon, where a retry or a query would have come."""
    if judge.ledger.ended == _QUIET:
        return 0
    return sum(
        screen.phase is Phase.UNKNOWN_OUTCOME
        and screen.last is not None
        and screen.last.belief == _UNRESOLVED
        for screen in judge.screens
    )


def _intents_that_broke(judge: Judge, invariant: str) -> int:
    """Intents whose own operation broke it; what names no operation counts by its screen."""
    found: dict[tuple[str, str, int], bool] = {}
    for violation in judge.violations:
        if violation.invariant != invariant:
            continue
        op = judge.ledger.operations.get((violation.client, violation.op))
        number = op.intent.number if op else 0
        found[violation.client, violation.resource if op is None else "", number] = True
    return min(len(found), len(judge.ledger.intents))


def _peak(load: RunLoad | None) -> tuple[int, int]:
    """The fullest second over the mean of the seconds from the first arrival to the last.

    Both in millionths, so that the sums stay whole: a mean of few arrivals in many seconds is
    rounded by less than one in a thousand even where there is one in ten minutes.
    """
    if load is None or not load.arrivals:
        return 0, 0
    seconds = max(load.arrivals) - min(load.arrivals) + 1
    mean = (2 * sum(load.arrivals.values()) * PEAK_SCALE + seconds) // (2 * seconds)
    return max(load.arrivals.values()) * PEAK_SCALE, mean


def _recovery(load: RunLoad | None) -> tuple[int, int]:
    """Microseconds; runs that never recovered are no part of the mean."""
    if load is None or load.recovery_us is None:
        return 0, 0
    return load.recovery_us, 1


def _never_recovered(load: RunLoad | None) -> tuple[int, int]:
    if load is None or not load.had_outage:
        return 0, 0
    return int(load.recovery_us is None), 1
