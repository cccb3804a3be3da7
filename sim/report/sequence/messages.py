"""Messages as arrows: from where they leave to where they arrive, are lost, or still are."""

from typing import Final, NamedTuple

from sim.report.sequence import pen
from sim.report.sequence.cells import lines
from sim.report.sequence.layout import Lane, Layout, Placed, leaves
from sim.report.sequence.pen import Point
from sim.report.sequence.texts import LINE, widest
from sim.report.story import Arrow, Stage, Tone
from sim.trace.records import Rec

_NEAR: Final = 10
"""Between a lifeline and the words beside it."""

_SHORT: Final = 40
"""From a receiver to the cross of what is lost on its doorstep."""

COPY: Final = "7 5"


class Flight(NamedTuple):
    """One message: the row in which it leaves and the one in which it ends, where there are."""

    arrow: Arrow
    lane: Lane
    start: Placed | None
    end: Placed | None

    @property
    def is_late(self) -> bool:
        """Whether it arrives late."""
        return (
            self.end is not None
            and self.end.row.arrow is not None
            and bool(self.end.row.arrow.late_us)
        )


def flights(layout: Layout) -> tuple[Flight, ...]:
    """Return every message of the story, in the order in which they are first heard of."""
    found: dict[tuple[int, bool, int], Flight] = {}
    for number, placed in enumerate(layout.rows):
        arrow = placed.row.arrow
        if arrow is None:
            continue
        lane = layout.lane(placed.row.client)
        key = (arrow.msg, arrow.to_server, 0)
        if leaves(arrow):
            found[key] = Flight(arrow, lane, placed, None)
        elif key in found:
            found[key] = found[key]._replace(end=placed)
        else:
            found[(arrow.msg, arrow.to_server, number)] = Flight(arrow, lane, None, placed)
    return tuple(found.values())


def drawn(flight: Flight, layout: Layout) -> list[str]:
    """Return the elements of one message."""
    route = _Route(flight, layout)
    parts = route.parts()
    kind = "request" if flight.arrow.to_server else "answer"
    return [f'<g data-message="{flight.arrow.msg}" data-way="{kind}">', *parts, "</g>"]


class _Route:
    """Knows both ends of one message."""

    def __init__(self, flight: Flight, layout: Layout) -> None:
        self._flight = flight
        self._layout = layout
        ends = (flight.lane.x, layout.server.x)
        self._from, self._to = ends if flight.arrow.to_server else ends[::-1]
        self._ahead = 1 if self._to > self._from else -1
        # Half way through the network, which lies beyond all clients.
        self._middle = (layout.clients[-1].x + layout.server.x) // 2

    def parts(self) -> list[str]:
        start, end = self._flight.start, self._flight.end
        if start is None:
            return self._stub(end) if end is not None else []
        at = Point(self._from, start.anchor)
        match self._flight.arrow.stage:
            case Stage.LOST_AT_ONCE:
                there = Point(self._middle, start.anchor)
                return [self._line(at, there), pen.cross(there)]
            case Stage.HELD:
                stop = Point(self._middle, start.anchor)
                dot = pen.circle(stop, 6, fill=pen.INK)
                return [self._line(at, stop), *(self._on(stop, end) if end else []), dot]
            case _:
                return self._on(at, end)

    def _on(self, at: Point, end: Placed | None) -> list[str]:
        """Return the way from a place to where the message ends."""
        if end is None:
            there = Point(self._middle, self._layout.bottom - 8)
            return [self._line(at, there), pen.circle(there, 5)]
        if self._is_lost(end):
            there = Point(self._to - self._ahead * _SHORT, end.anchor)
            return [self._line(at, there), pen.cross(there)]
        tip = Point(self._to, end.anchor)
        return [self._line(at, tip), pen.head(at, tip, is_open=self._flight.is_late)]

    def _stub(self, end: Placed) -> list[str]:
        """Return an end without a beginning: an answer that nobody relays."""
        there = Point(self._from + self._ahead * 2 * _SHORT, end.anchor)
        return [self._line(Point(self._from, end.anchor), there), pen.cross(there)]

    def _is_lost(self, end: Placed) -> bool:
        return end.row.arrow is not None and end.row.arrow.stage is Stage.LOST_LATER

    def _line(self, start: Point, end: Point) -> str:
        thick = "3" if self._flight.is_late else "1.5"
        return pen.line(start, end, thick=thick, dashes=COPY if self._flight.arrow.is_copy else "")


def words(placed: Placed, layout: Layout) -> list[str]:
    """Return what stands beside an arrow, on a ground of its own: other arrows may pass."""
    arrow = placed.row.arrow
    if arrow is None or not placed.note:
        return []
    wide = widest(placed.note)
    top = placed.top if leaves(arrow) else placed.top + LINE + 4
    if placed.at_client:
        corner = text = Point(layout.lane(placed.row.client).x + _NEAR, top)
    else:
        text = Point(layout.server.x - _NEAR, top)
        corner = Point(text.x - wide, top)
    ground = pen.veil(corner, wide, len(placed.note) * LINE)
    anchor = "start" if placed.at_client else "end"
    label = lines(text, placed.note[:1], anchor=anchor)
    why = lines(Point(text.x, text.y + LINE), placed.note[1:], anchor=anchor, is_light=True)
    return [ground, *label, *why]


def broken(placed: Placed, layout: Layout) -> list[str]:
    """Return the sign that a connection breaks, beside the lifeline of who sees it."""
    if placed.row.about is not Rec.BROKEN or not placed.row.left:
        return []
    x, y = layout.lane(placed.row.client).x, placed.middle
    return flash(Point(x + 2, y))


def flash(at: Point) -> list[str]:
    """Return a small flash of lightning to the right of a place."""
    x, y = at
    points = [Point(x, y), Point(x + 14, y - 6), Point(x + 10, y + 5), Point(x + 28, y - 1)]
    return [pen.path(points, ink=pen.INKS[Tone.BAD], thick="2.5")]
