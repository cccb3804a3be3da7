"""Where everything is: a column for each client and the server, and a place for each row."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sim.report.sequence.cells import Cell, look
from sim.report.sequence.texts import LINE, Line, cut, width, wrap
from sim.report.story import Arrow, Row, Span, Stage, Tone
from sim.trace.words import duration

MARGIN: Final = 16
NAME_MAX: Final = 24
"""Most letters of a name above its lifeline."""

HEAD: Final = 28
"""Height of a box with a name."""

_GAP: Final = 12
"""Between two rows."""

_ALONE, _AMONG, _CROWDED = 36, 30, 24
"""Letters in a line beside the lifeline of one client, of one of two, of one of several."""

_SERVER_COLUMNS: Final = 36
_NOTE_COLUMNS: Final = 28
_LINK: Final = 264
"""Between the last client and the server: a note fits beside an arrow's ends."""

_LINES_MAX: Final = 5
_SIGN: Final = 12
"""Above and below the middle of a cross."""

_LONG: Final = 6
"""An arrow over more rows than this says at its end, too, what it is."""

_LONG_LATE: Final = 2
"""The same, of what is late."""


class Lane(NamedTuple):
    """One lifeline: whose it is, and where."""

    name: str
    x: int
    half: int
    """Half of the width of the box with the name."""


class Placed(NamedTuple):
    """A row where it is drawn."""

    row: Row
    top: int
    high: int
    anchor: int
    """Where its message leaves or arrives."""
    left: Cell
    right: Cell
    note: tuple[Line, ...]
    """What stands beside the arrow itself."""
    at_client: bool
    """Whether it stands at the client's end."""

    @property
    def middle(self) -> int:
        """The middle of its first line."""
        return self.top + LINE // 2


class Layout(NamedTuple):
    """Everything in its place."""

    clients: tuple[Lane, ...]
    server: Lane
    rows: tuple[Placed, ...]
    wide: int
    top: int
    """Where the lifelines begin."""
    bottom: int
    """Where they end."""
    time: int
    """Where instants are written."""

    def lane(self, client: str) -> Lane:
        """Return a client's lane."""
        return next((lane for lane in self.clients if lane.name == client), self.clients[0])


def lay_out(told: Sequence[Row], names: Sequence[str], top: int) -> Layout:
    """Return where everything is.

    Args:
        told: The story.
        names: The clients, one lane each.
        top: Where the boxes with the names begin.
    """
    most = {1: _ALONE, 2: _AMONG}.get(len(names), _CROWDED)
    rows = _place(told, most, top + HEAD + _GAP)
    time = MARGIN + max(map(width, ["time", *(duration(row.at_us) for row in told)]))
    clients: list[Lane] = []
    free, room = time + MARGIN, 0
    for name in names or ("client",):
        half = width(cut(name, NAME_MAX)) // 2 + 10
        mine = [one.left.wide for one in rows if one.row.client == name or len(names) < 2]
        x = free + max(half, max(mine, default=0), room + half)
        clients.append(Lane(name, x, half))
        free, room = x + MARGIN, half
    half = width("server") // 2 + 10
    server = Lane("server", clients[-1].x + max(_LINK, room + half + width("network") + 40), half)
    right = max([half, *(one.right.wide for one in rows)])
    last = rows[-1] if rows else None
    bottom = last.top + last.high + _GAP if last else top + HEAD + 2 * _GAP
    wide = server.x + right + MARGIN
    return Layout(tuple(clients), server, rows, wide, top + HEAD, bottom, time)


def _place(told: Sequence[Row], most: int, top: int) -> tuple[Placed, ...]:
    """Return the rows below each other, each as high as what is in it."""
    sent: dict[tuple[int, bool], int] = {}
    placed: list[Placed] = []
    for number, row in enumerate(told):
        since = 0
        if row.arrow is not None:
            key = (row.arrow.msg, row.arrow.to_server)
            if leaves(row.arrow):
                sent[key] = number
            since = number - sent.get(key, number)
        one = _placed(row, most, top, since)
        placed.append(one)
        top += one.high
    return tuple(placed)


def leaves(arrow: Arrow) -> bool:
    """Whether a row is about the beginning of a message's way."""
    return arrow.stage in (Stage.SENT, Stage.HELD, Stage.LOST_AT_ONCE)


def _placed(row: Row, most: int, top: int, since: int) -> Placed:
    """Return one row; its message, if it has one, left ``since`` rows before."""
    left, said, right = _shared(row)
    cells = (
        Cell(wrap(left, most, _LINES_MAX), look(row)),
        Cell(wrap(right, _SERVER_COLUMNS, _LINES_MAX), look(row)),
    )
    high = max(1, *(len(cell.lines) for cell in cells)) * LINE
    arrow, anchor, note, at_client = row.arrow, top + LINE // 2, tuple[Line, ...](), True
    if arrow is not None:
        at_client = arrow.to_server == leaves(arrow)
        is_long = since > (_LONG_LATE if arrow.late_us else _LONG)
        if arrow.stage is not Stage.ARRIVED or is_long:
            tone = Tone.STRONG if leaves(arrow) else Tone.QUIET
            label = (Span(arrow.label, tone), Span(f" {arrow.about}", Tone.QUIET))
            note = (*wrap(label, _NOTE_COLUMNS, 1), *wrap(said, _NOTE_COLUMNS, _LINES_MAX))
        if leaves(arrow):
            below = 5 if arrow.stage is Stage.SENT else _SIGN
            anchor = top + len(note) * LINE + below
            high = max(high, anchor - top + below)
        elif note:
            high = max(high, (len(note) + 1) * LINE + 4)
            at_client = at_client and since > 0  # What nobody relays is lost beside the server.
    return Placed(row, top, high + _GAP, anchor, *cells, note, at_client)


def _shared(row: Row) -> tuple[tuple[Span, ...], tuple[Span, ...], tuple[Span, ...]]:
    """Return what is said beside the clients, beside the arrow and beside the server."""
    arrow = row.arrow
    if arrow is None or arrow.stage is Stage.ARRIVED:
        return row.left, (), row.right
    if arrow.stage is Stage.LOST_LATER:
        return (), (*row.left, *row.right), ()
    return (row.left, row.right, ()) if arrow.to_server else ((), row.left, row.right)
