"""Marks in a story: where an invariant breaks."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from sim.judge.verdict import Violation
from sim.report.findings import Broken
from sim.report.story import Row, Span, Tone


def with_breaks(
    told: Sequence[Row], breaks: Iterable[Broken], *, why: bool = False
) -> tuple[Row, ...]:
    """Return the story with a row wherever an invariant breaks first, on the side that broke it.

    Args:
        told: The story.
        breaks: What broke.
        why: Whether a mark says what happened, too.
    """
    after: dict[int, list[Violation]] = {}
    for violation in (item.first for item in breaks if item.first is not None):
        place = bisect_right(told, violation.seq, key=lambda row: row.seq) - 1
        after.setdefault(max(place, 0), []).append(violation)
    marked: list[Row] = []
    for place, row in enumerate(told):
        marked.append(row)
        marked += [_break(violation, row, why=why) for violation in after.get(place, ())]
    return tuple(marked)


def _break(violation: Violation, row: Row, *, why: bool) -> Row:
    what = f": {violation.what}" if why and violation.what else " here"
    said = (Span(f"✗ {violation.invariant} breaks{what}", Tone.BAD),)
    at_server = bool(row.right) and not row.left
    client = violation.client or row.client
    left, right = ((), said) if at_server else (said, ())
    return Row(seq=violation.seq, at_us=violation.at_us, client=client, left=left, right=right)
