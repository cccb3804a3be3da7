"""Quantiles of times that share runs: what is kept of each run, and the interval made from it.

The share of times up to a threshold is a ratio of sums over runs, and such a ratio has an interval
with the run as the unit. A quantile lies where that interval holds the part which it stands for.
Thresholds lie on a fixed grid, so that tallies stay small and merge: 32 to an octave, each at most
1/32 (3.1 %) above the one before it, and 32 µs apart below 1 ms.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from sim.measure.buckets import SUB_BITS, counted
from sim.measure.histogram import Histogram, bounds_of
from sim.measure.intervals import Interval, Sums, share

_STEP_BITS = 5
STEPS_AN_OCTAVE = 1 << _STEP_BITS
_SHIFT = SUB_BITS - _STEP_BITS


def step_of(bucket: int) -> int:
    """Return the step of the grid that a bucket of the histogram lies on."""
    return bucket >> _SHIFT


def _step_of_item(counted_bucket: tuple[int, int]) -> int:
    return step_of(counted_bucket[0])


@dataclass(slots=True)
class Together:
    """How the times of a run go together: integer sums, the same in whatever order runs come.

    A run has ``n`` times, ``x`` of them up to the end of a step. What its squares and products
    come to beyond those of ``n`` runs of one time each is kept: a run of a single time adds
    nothing, so that only runs that hold more have to be told of. Along the grid it is the growth
    that is kept, which a run has only on the steps that hold some of its times; a threshold's sum
    is that of all steps up to it.
    """

    others: int = 0
    """Times that are not the first of their run."""
    nn: int = 0
    """Sum of ``n² − n``."""
    xx: dict[int, int] = field(default_factory=dict)
    """Step -> by how much the sum of ``x² − x`` grows on it."""
    xn: dict[int, int] = field(default_factory=dict)
    """Step -> by how much the sum of ``x·n − x`` grows on it."""

    def add(self, times_us: Sequence[int]) -> None:
        """Count one run: all of its times."""
        others = len(times_us) - 1
        if others < 1:
            return
        self.others += others
        self.nn += others * len(times_us)
        xx, xn, before = self.xx, self.xn, 0
        for step, buckets in groupby(sorted(counted(times_us).items()), _step_of_item):
            grown = sum([count for _, count in buckets])
            xx[step] = xx.get(step, 0) + grown * (grown + 2 * before - 1)
            xn[step] = xn.get(step, 0) + grown * others
            before += grown

    def merge(self, other: "Together") -> None:
        """Count the runs of ``other`` too."""
        self.others += other.others
        self.nn += other.nn
        for mine, theirs in ((self.xx, other.xx), (self.xn, other.xn)):
            for step, grown in theirs.items():
                mine[step] = mine.get(step, 0) + grown

    def as_lists(self) -> list[object]:
        """Return everything for a file: two sums, then [step, growth, growth] in rising order."""
        steps = [[step, self.xx[step], self.xn[step]] for step in sorted(self.xx)]
        return [self.others, self.nn, steps]

    @classmethod
    def from_lists(cls, others: int, nn: int, steps: Iterable[tuple[int, int, int]]) -> "Together":
        """Return what ``as_lists`` wrote."""
        found = cls(others, nn)
        for step, xx, xn in steps:
            found.xx[step], found.xn[step] = xx, xn
        return found


class Reached(NamedTuple):
    """A step that holds times, and what runs come to at the end of it."""

    first_us: int
    """No time on the step is below it."""
    last_us: int
    """None is above it."""
    sums: Sums


def reached(times: Histogram, together: Together) -> Iterator[Reached]:
    """Yield the runs before any time has come, then at every step that holds times, rising.

    Between these nothing changes. The sums are of the runs that hold a time.
    """
    runs, total = times.total - together.others, times.total
    nn = total + together.nn
    x = xx = xn = 0
    yield Reached(0, 0, Sums(runs, 0, total, 0, nn, 0, runs))
    for step, group in groupby(sorted(times.counts), step_of):
        buckets = list(group)
        grown = sum(times.counts[bucket] for bucket in buckets)
        x += grown
        xx += grown + together.xx.get(step, 0)
        xn += grown + together.xn.get(step, 0)
        yield Reached(
            bounds_of(buckets[0])[0],
            min(bounds_of(buckets[-1])[1] - 1, times.maximum_us),
            Sums(runs, x, total, xx, nn, xn, runs),
        )


def quantile_over_runs(times: Histogram, together: Together, thousandths: int) -> Interval | None:
    """Return the interval of a quantile of times that share runs, in µs.

    What the runs refute is left out: durations by which less than the quantile's part can have
    come, since the upper bound of the share is below it, and those from which on the lower bound
    stays at that part or above. What is left is widened to whole steps, but not to durations at
    which there is no time.

    That the lower bound has to *stay* there matters: before the last times have come, few runs
    that were all spared look like many operations; at the end they count as so many runs. So an
    upper end takes as many runs as single operations: 7 for p50, 38 for p90, 383 for p99.

    Args:
        times: All times.
        together: How they share runs.
        thousandths: Which quantile, in (0, 1000): 500 is the median.

    Returns:
        Bounds with the value of ``intervals.quantile`` between them; 0 and None where the runs are
        too few for a lower or upper one. None where they are too few for either.

    Source:
        R. S. Woodruff, "Confidence Intervals for Medians and Other Position Measures", Journal of
        the American Statistical Association 47 (1952), 635-646.
    """
    if times.total - together.others < 2:
        return None
    part = thousandths / 1_000
    low: float | None = None
    high: float | None = None
    for first_us, last_us, sums in reached(times, together):
        bounds = share(sums)
        assert bounds is not None
        assert bounds.high is not None
        if low is None and bounds.high >= part:
            low = float(first_us)
        if bounds.low < part:
            high = None
        elif high is None:
            high = float(last_us)
    assert low is not None
    return Interval(low, high) if low or high is not None else None
