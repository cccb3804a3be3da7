"""The first place where two traces part."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest

from sim.trace.jsonl import record_line
from sim.trace.records import Record


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two traces part; a record is None where that trace had already ended."""

    index: int
    left: Record | None
    right: Record | None


def first_difference(left: Iterable[Record], right: Iterable[Record]) -> Difference | None:
    """Return the first difference of two traces, or None when they are equal.

    Records are compared by their lines, as the digest does: for Python ``1`` and ``true`` are
    equal, for a reader of the trace they are not.
    """
    for index, (one, other) in enumerate(zip_longest(left, right)):
        if one is None or other is None or record_line(one) != record_line(other):
            return Difference(index, one, other)
    return None
