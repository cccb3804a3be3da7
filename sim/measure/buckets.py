"""Into which bucket a duration falls. Compiled: every operation of every run comes through here.

Log-linear: each power of two is cut into 1,024 equal buckets; below 2,048 µs each value has its
own.
"""

from collections.abc import Iterable
from typing import Final

SUB_BITS: Final = 10
EXACT_BELOW: Final = 2 << SUB_BITS


def bucket_of(value_us: int) -> int:
    """Return the number of the bucket that holds ``value_us`` (0 or more)."""
    if value_us < EXACT_BELOW:
        return value_us
    shift = value_us.bit_length() - SUB_BITS - 1
    return (shift << SUB_BITS) + (value_us >> shift)


def counted(values_us: Iterable[int]) -> dict[int, int]:
    """Return bucket -> how many of the durations fall into it."""
    found: dict[int, int] = {}
    for value_us in values_us:
        bucket = bucket_of(value_us)
        found[bucket] = found.get(bucket, 0) + 1
    return found
