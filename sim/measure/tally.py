"""What is counted over many runs of one cell: integers only, so that any order gives the same.

One definition serves both ways of counting: a tally takes a finished run's books (``judge``),
whether the judge listened while the run was made or read its trace afterwards.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from sim.contract.names import INVARIANT_NAMES
from sim.contract.phases import Phase
from sim.judge.court import EFFECTS_MANY
from sim.judge.judge import Judge
from sim.measure.definitions import ENDINGS, RATIOS, REFUSALS, Unit
from sim.measure.histogram import Histogram
from sim.measure.intervals import Sums
from sim.measure.together import Together

INTENT_RATES = {
    "false_success_rate": "no-false-success",
    "false_failure_rate": "no-false-failure",
    "lost_draft_rate": "draft-kept",
}
"""Rates of intents that broke an invariant."""

Key = TypeVar("Key")

NAMES = tuple(measure.name for measure in RATIOS)
"""In the order in which their sums are kept."""
_SHARES = tuple(measure.name for measure in RATIOS if measure.unit is Unit.SHARE)
_UNRESOLVED = "unknown"
_OPEN = "awaiting"
_QUIET = "quiet"


@dataclass(slots=True)
class RunLoad:
    """What one run of a population came to, where it was watched."""

    arrivals: dict[int, int] = field(default_factory=dict)
    """Second -> requests that arrived in it."""
    recovery_us: int | None = None
    """From the end of the outage to the load before it; None: there was none, or no recovery."""
    had_outage: bool = False


@dataclass(slots=True)
class CellTally:
    """The counts of one cell: one variant of one scenario at one point of its sweep."""

    runs: int = 0
    operations: int = 0
    operations_in_a_run_max: int = 0
    sums: dict[str, Sums] = field(default_factory=lambda: {name: Sums() for name in NAMES})
    certainty: Histogram = field(default_factory=Histogram)
    together: Together = field(default_factory=Together)
    """How the times in ``certainty`` share runs."""
    beliefs: dict[tuple[str, int], int] = field(default_factory=dict)
    attempts_max: int = 0
    deliveries_max: int = 0
    arrivals: dict[int, int] = field(default_factory=dict)
    """Second -> requests that arrived in it, over all runs."""
    violations: dict[str, int] = field(default_factory=dict)
    """Invariant -> runs in which it broke."""
    broken_run: dict[str, int] = field(default_factory=dict)
    """Invariant -> the lowest number of a run in which it broke."""
    matched: dict[int, int] = field(default_factory=dict)
    """Place of a fault clause -> runs in which it matched."""
    cut_short: int = 0
    """Runs that were given up after too many records."""

    @property
    def is_independent(self) -> bool:
        """Whether each run holds at most one operation, so that operations are independent."""
        return self.operations_in_a_run_max <= 1

    @property
    def invariants(self) -> tuple[str, ...]:
        """The invariants that broke in some run, in the order of the contract."""
        return tuple(name for name in INVARIANT_NAMES if name in self.violations)

    def add(self, run: int, judge: Judge, load: RunLoad | None = None) -> None:
        """Count one finished run."""
        self.add_ratios(ratios(judge, load))
        self.add_rest(run, judge, load)

    def add_ratios(self, found: Mapping[str, tuple[int, int]], times: int = 1) -> None:
        """Count the ratios of one run, or of so many that came out alike."""
        for name, (x, n) in found.items():
            self.sums[name].add(x, n, times)

    def add_rest(self, run: int, judge: Judge, load: RunLoad | None = None) -> None:
        """Count everything of a finished run but its ratios."""
        operations = judge.operations
        self.runs += 1
        self.operations += len(operations)
        self.operations_in_a_run_max = max(self.operations_in_a_run_max, len(operations))
        times_us = []
        for op in operations:
            if op.settled_us is not None and op.is_settled:
                times_us.append(op.settled_us - op.first_sent_us)
                self.certainty.add(times_us[-1])
            self.attempts_max = max(self.attempts_max, op.attempt)
            self.deliveries_max = max(self.deliveries_max, op.deliveries)
        self.together.add(times_us)
        self._add_beliefs(judge)
        for name in dict.fromkeys(violation.invariant for violation in judge.violations):
            self.violations[name] = self.violations.get(name, 0) + 1
            self.broken_run[name] = min(self.broken_run.get(name, run), run)
        if load is not None:
            for second, count in load.arrivals.items():
                self.arrivals[second] = self.arrivals.get(second, 0) + count

    def _add_beliefs(self, judge: Judge) -> None:
        for intent in judge.ledger.intents.values():
            cell = (intent.operations[-1].belief, min(intent.effects, EFFECTS_MANY))
            self.beliefs[cell] = self.beliefs.get(cell, 0) + 1

    def merge(self, other: "CellTally") -> None:
        """Count everything that ``other`` counted; the order of merging does not matter."""
        self.runs += other.runs
        self.operations += other.operations
        self.operations_in_a_run_max = max(
            self.operations_in_a_run_max, other.operations_in_a_run_max
        )
        for name in NAMES:
            self.sums[name].merge(other.sums[name])
        self.certainty.merge(other.certainty)
        self.together.merge(other.together)
        self.attempts_max = max(self.attempts_max, other.attempts_max)
        self.deliveries_max = max(self.deliveries_max, other.deliveries_max)
        _merge_counts(self.beliefs, other.beliefs)
        _merge_counts(self.arrivals, other.arrivals)
        _merge_counts(self.violations, other.violations)
        _merge_counts(self.matched, other.matched)
        for name, run in other.broken_run.items():
            self.broken_run[name] = min(self.broken_run.get(name, run), run)
        self.cut_short += other.cut_short


def _merge_counts(into: dict[Key, int], other: Mapping[Key, int]) -> None:
    for key, count in other.items():
        into[key] = into.get(key, 0) + count


def ratios(judge: Judge, load: RunLoad | None = None) -> dict[str, tuple[int, int]]:
    """Return numerator and denominator of every ratio of one run."""
    operations = judge.operations
    tally, intents = judge.ledger.tally, judge.ledger.intents.values()
    many = len(operations)
    acks = sum(tally.acks.values())
    unknown = [op for op in operations if op.ever_unknown]
    broken = {violation.invariant for violation in judge.violations}
    busy = _still_busy(judge)
    unresolved = sum(op.belief == _UNRESOLVED for op in operations)
    found = {
        "unknown_outcome_rate": (len(unknown), many),
        "unresolved_rate": (unresolved - busy, many),
        "open_rate": (sum(op.belief == _OPEN for op in operations) + busy, many),
        "recovery_required_rate": (sum(op.ever_recovery for op in operations), many),
        "stale_ack_rate": (tally.acks.get("stale", 0), acks),
        "repeated_ack_rate": (tally.acks.get("repeated", 0), acks),
        "invalid_ack_rate": (tally.acks.get("invalid", 0), acks),
        "duplicate_attempt_rate": (sum(op.deliveries > 1 for op in operations), many),
        "extra_deliveries": (sum(max(op.deliveries - 1, 0) for op in operations), many),
        "duplicate_effect_rate": (sum(intent.effects > 1 for intent in intents), len(intents)),
        "refused_rate": (sum(bool(op.refused) for op in operations), many),
        "false_conflict_rate": (tally.false_conflicts, many),
        "unknown_but_applied": (sum(op.effects > 0 for op in unknown), len(unknown)),
        "attempts_per_operation": (sum(op.launches for op in operations), many),
        "deliveries_per_effect": (tally.deliveries, tally.effects),
        "turned_away_rate": (tally.turned_away, tally.deliveries),
        "peak_load": _peak(load),
        "recovery_time": _recovery(load),
        "never_recovered_rate": _never_recovered(load),
    }
    for name, invariant in INTENT_RATES.items():
        count = _intents_that_broke(judge, invariant) if invariant in broken else 0
        found[name] = (count, len(intents))
    for kind in ENDINGS:
        found[f"refused_rate.{kind}"] = (sum(op.refused == kind for op in operations), many)
    for kind in REFUSALS:
        found[f"refusals_per_operation.{kind}"] = (tally.refused.get(kind, 0), many)
    for name in _SHARES:
        # Two conflicts told to one operation are one operation that was told of a conflict.
        count, over = found[name]
        found[name] = (min(count, over), over)
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
    """The fullest second over the mean of the seconds from the first arrival to the last."""
    if load is None or not load.arrivals:
        return 0, 0
    seconds = max(load.arrivals) - min(load.arrivals) + 1
    mean_thousandths = sum(load.arrivals.values()) * 1_000 // seconds
    return max(load.arrivals.values()) * 1_000, mean_thousandths


def _recovery(load: RunLoad | None) -> tuple[int, int]:
    """Microseconds; runs that never recovered are no part of the mean."""
    if load is None or load.recovery_us is None:
        return 0, 0
    return load.recovery_us, 1


def _never_recovered(load: RunLoad | None) -> tuple[int, int]:
    if load is None or not load.had_outage:
        return 0, 0
    return int(load.recovery_us is None), 1
