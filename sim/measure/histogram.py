"""A mergeable histogram of whole microseconds with a bounded relative error.

Log-linear: each power of two is cut into 1,024 equal buckets, so that a value and the middle of
its bucket differ by less than 0.05 % of the value; below 2,048 µs each value has its own bucket.
Only integers are kept, so histograms merge to the same counts in any order.

Source:
    The layout is that of G. Tene's HdrHistogram, with 1,024 sub-buckets.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from sim.measure.buckets import EXACT_BELOW, SUB_BITS, counted

RELATIVE_ERROR_MAX = 1 / (2 << SUB_BITS)
"""Half a bucket over the least value in it."""


def bounds_of(bucket: int) -> tuple[int, int]:
    """Return the least duration of a bucket and the least one beyond it, in microseconds."""
    if bucket < EXACT_BELOW:
        return bucket, bucket + 1
    shift = (bucket >> SUB_BITS) - 1
    low = (bucket - (shift << SUB_BITS)) << shift
    return low, low + (1 << shift)


def value_of(bucket: int) -> int:
    """Return the middle of a bucket, in whole microseconds."""
    low, beyond = bounds_of(bucket)
    return low + (beyond - low) // 2


@dataclass(slots=True)
class Histogram:
    """Counts of durations; ``counts`` maps a bucket's number to how many fell into it."""

    counts: dict[int, int] = field(default_factory=dict)
    total: int = 0
    maximum_us: int = 0

    def add(self, *values_us: int) -> None:
        """Count durations."""
        for bucket, count in counted(values_us).items():
            self.counts[bucket] = self.counts.get(bucket, 0) + count
        self.total += len(values_us)
        self.maximum_us = max([self.maximum_us, *values_us])

    def merge(self, other: "Histogram") -> None:
        """Count everything that ``other`` counted."""
        for bucket, count in other.counts.items():
            self.counts[bucket] = self.counts.get(bucket, 0) + count
        self.total += other.total
        self.maximum_us = max(self.maximum_us, other.maximum_us)

    def at_rank(self, rank: int) -> int:
        """Return the ``rank``-th smallest duration (from 1), in microseconds.

        Raises:
            ValueError: There are not so many.
        """
        if not 1 <= rank <= self.total:
            raise ValueError(f"rank {rank} of {self.total}")
        if rank == self.total:
            return self.maximum_us
        seen = 0
        for bucket in sorted(self.counts):
            seen += self.counts[bucket]
            if seen >= rank:
                return min(value_of(bucket), self.maximum_us)
        raise AssertionError("the counts do not add up to the total")

    def points(self) -> list[tuple[int, int]]:
        """Return (duration in µs, how many are at most so long) for each bucket, rising."""
        seen, found = 0, []
        for bucket in sorted(self.counts):
            seen += self.counts[bucket]
            found.append((value_of(bucket), seen))
        return found

    def as_pairs(self) -> list[list[int]]:
        """Return [bucket, count] pairs in rising order, for a file."""
        return [[bucket, self.counts[bucket]] for bucket in sorted(self.counts)]

    @classmethod
    def from_pairs(cls, pairs: Iterable[Iterable[int]], maximum_us: int) -> "Histogram":
        """Return the histogram that ``as_pairs`` wrote."""
        found = cls()
        for bucket, count in pairs:
            found.counts[bucket] = count
            found.total += count
        found.maximum_us = maximum_us
        return found
