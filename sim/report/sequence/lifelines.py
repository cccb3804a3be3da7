"""Lifelines with the names above them, and gaps where nobody is there.

A server is down, a page is closed, or its worker is stopped.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from sim.report.sequence import pen
from sim.report.sequence.layout import HEAD, NAME_MAX, Lane, Layout
from sim.report.sequence.pen import Point
from sim.report.sequence.texts import cut
from sim.report.story import Span, Tone
from sim.trace.records import Rec

_LONG: Final = 25
"""After more rows than this the names stand below the lifelines, too."""

_ENDS: Final[Mapping[Rec | None, Collection[Rec]]] = {
    Rec.CRASH: (Rec.RESTART,),
    Rec.CLOSE: (Rec.OPEN, Rec.RELOAD),
    Rec.STOP_WORKER: (Rec.START_WORKER, Rec.OPEN, Rec.RELOAD),
}
"""What a lifeline's gap begins with, and what ends it."""

_NOTHING: Final[Collection[Rec]] = ()
_OF_SERVER: Final = (Rec.CRASH, Rec.RESTART)


def drawn(layout: Layout) -> list[str]:
    """Return all lifelines with their names."""
    lanes = (*layout.clients, layout.server)
    parts = [part for lane in lanes for part in _lifeline(lane, layout)]
    parts += [part for lane in lanes for part in _name(lane, layout.top - HEAD)]
    middle = (layout.clients[-1].x + layout.server.x) // 2
    caption = (Span("network", Tone.QUIET),)
    parts.append(pen.letters(Point(middle, layout.top - 9), caption, anchor="middle"))
    if len(layout.rows) > _LONG:
        parts += [part for lane in lanes for part in _name(lane, layout.bottom)]
    return parts


def foot(layout: Layout) -> int:
    """Return where what stands below the lifelines may begin."""
    return layout.bottom + (HEAD if len(layout.rows) > _LONG else 0)


def gaps(lane: Lane, layout: Layout) -> list[tuple[int, int]]:
    """Return from where to where a lifeline is interrupted."""
    found: list[tuple[int, int]] = []
    since, ends = 0, _NOTHING
    for placed in layout.rows:
        about = placed.row.about
        is_server = about in _OF_SERVER
        mine = is_server if lane is layout.server else placed.row.client == lane.name
        if not mine or (is_server and lane is not layout.server):
            continue
        if about in _ENDS and not since:
            since, ends = placed.middle, _ENDS[about]
        elif about in ends and since:
            found.append((since, placed.middle))
            since = 0
    return [*found, (since, layout.bottom)] if since else found


def _lifeline(lane: Lane, layout: Layout) -> Iterator[str]:
    at = layout.top
    missing = gaps(lane, layout)
    for start, end in missing:
        yield from _piece(lane.x, at, start)
        at = end
    if at < layout.bottom:
        yield from _piece(lane.x, at, layout.bottom)
    for start, end in missing:
        yield from _bars(lane.x, [start, *([end] if end < layout.bottom else [])])


def _piece(x: int, start: int, end: int) -> Iterator[str]:
    yield pen.line(Point(x, start), Point(x, end), thick="2")


def _bars(x: int, ends: Iterable[int]) -> Iterator[str]:
    for y in ends:
        yield pen.line(Point(x - 9, y), Point(x + 9, y), thick="3")


def _name(lane: Lane, top: int) -> list[str]:
    name = (Span(cut(lane.name, NAME_MAX), Tone.STRONG),)
    frame = pen.box(Point(lane.x - lane.half, top), 2 * lane.half, HEAD, thick="2")
    return [frame, pen.letters(Point(lane.x, top + 19), name, anchor="middle")]
