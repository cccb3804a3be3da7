"""What is counted over many runs of one cell: integers only, so that any order gives the same.

One definition serves both ways of counting: a tally takes a finished run's books (``judge``),
whether the judge listened while the run was made or read its trace afterwards.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from sim.contract.names import INVARIANT_NAMES
from sim.judge.judge import Judge
from sim.measure.definitions import RATIOS
from sim.measure.histogram import Histogram
from sim.measure.intervals import Sums
from sim.measure.ratios import RunLoad, Totals, beliefs, ratios
from sim.measure.together import Together

Key = TypeVar("Key")

NAMES = tuple(measure.name for measure in RATIOS)
"""In the order in which their sums are kept."""


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
        totals = Totals(judge)
        self.runs += 1
        self.operations += totals.operations
        self.operations_in_a_run_max = max(self.operations_in_a_run_max, totals.operations)
        self.attempts_max = max(self.attempts_max, totals.attempts_max)
        self.deliveries_max = max(self.deliveries_max, totals.deliveries_max)
        self.certainty.add(*totals.times_us)
        self.together.add(totals.times_us)
        _merge_counts(self.beliefs, beliefs(judge))
        for name in dict.fromkeys(violation.invariant for violation in judge.violations):
            self.violations[name] = self.violations.get(name, 0) + 1
            self.broken_run[name] = min(self.broken_run.get(name, run), run)
        if load is not None:
            for second, count in load.arrivals.items():
                self.arrivals[second] = self.arrivals.get(second, 0) + count

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
