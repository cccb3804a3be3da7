"""What the signs of a picture mean: those that it uses, in lines as wide as it is."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sim.report.sequence import messages, pen
from sim.report.sequence.layout import MARGIN, Layout
from sim.report.sequence.lifelines import gaps
from sim.report.sequence.messages import Flight
from sim.report.sequence.pen import Point
from sim.report.sequence.texts import LINE, width
from sim.report.story import Span, Stage, Tone
from sim.trace.records import Rec

_SIGN: Final = 38
"""Room for a sign."""

_APART: Final = 22
HIGH: Final = LINE + 4


class Entry(NamedTuple):
    """A sign, drawn from its left end, and what it means."""

    sign: list[str]
    says: str


def drawn(layout: Layout, flown: Sequence[Flight], top: int) -> tuple[list[str], int]:
    """Return the legend's elements and where it ends."""
    parts: list[str] = []
    x, y = MARGIN, top
    for name, says in _used(layout, flown):
        needed = (_SIGN if name else 0) + width(says)
        if x > MARGIN and x + needed > layout.wide - MARGIN:
            x, y = MARGIN, y + HIGH
        parts += _sign(name, Point(x, y + LINE // 2))
        start = x + (_SIGN if name else 0)
        parts.append(pen.letters(Point(start, y + 14), (Span(says, Tone.QUIET),)))
        x += needed + _APART
    return parts, y + HIGH


def _used(layout: Layout, flown: Sequence[Flight]) -> list[tuple[str, str]]:
    """Return the name and the meaning of each sign that is there to be seen."""
    ends = [flight.end.row.arrow for flight in flown if flight.end and flight.end.row.arrow]
    starts = [flight.arrow for flight in flown]
    stages = {arrow.stage for arrow in (*ends, *starts)}
    lanes = (*layout.clients, layout.server)
    is_lost = Stage.LOST_AT_ONCE in stages or Stage.LOST_LATER in stages
    under_way = any(one.end is None and one.arrow.stage is Stage.SENT for one in flown)
    signs = (
        ("", "time runs down, not to scale", True),
        ("sent", "message", bool(flown)),
        ("late", "late", any(flight.is_late for flight in flown)),
        ("copy", "copy", any(arrow.is_copy for arrow in starts)),
        ("lost", "lost", is_lost),
        ("held", "held back", Stage.HELD in stages),
        ("open", "still under way at the end", under_way),
        ("broken", "connection broken", any(p.row.about is Rec.BROKEN for p in layout.rows)),
        ("gap", "nobody there", any(gaps(lane, layout) for lane in lanes)),
        ("break", "an invariant breaks", any(p.row.about is None for p in layout.rows)),
    )
    return [(name, says) for name, says, is_used in signs if is_used]


def _sign(name: str, at: Point) -> list[str]:
    """Return a sign as the picture has it."""
    x, y = at
    end = Point(x + 30, y)
    match name:
        case "sent":
            return [pen.line(at, end), pen.head(at, end, is_open=False)]
        case "late":
            return [pen.line(at, end, thick="3"), pen.head(at, end, is_open=True)]
        case "copy":
            return [pen.line(at, end, dashes=messages.COPY), pen.head(at, end, is_open=False)]
        case "lost":
            return [pen.line(at, Point(x + 22, y)), pen.cross(Point(x + 22, y))]
        case "held":
            return [pen.line(at, end), pen.circle(Point(x + 15, y), 6, fill=pen.INK)]
        case "open":
            return [pen.line(at, Point(x + 22, y)), pen.circle(Point(x + 22, y), 5)]
        case "broken":
            return messages.flash(at)
        case "gap":
            ends = ((Point(x + 8, y + at), Point(x + 26, y + at)) for at in (-5, 5))
            return [pen.line(*bar, thick="3") for bar in ends]
        case "break":
            return [
                pen.box(Point(x + 2, y - 8), 28, 16, ink=pen.INKS[Tone.BAD], thick="1.5"),
                pen.box(Point(x + 5, y - 5), 22, 10, ink=pen.INKS[Tone.BAD]),
            ]
        case _:
            return []
