"""What stands beside a lifeline: words, or a box whose frame says what kind of thing it is."""

from enum import StrEnum
from typing import Final, NamedTuple, assert_never

from sim.report.sequence import pen
from sim.report.sequence.pen import Point
from sim.report.sequence.texts import LINE, Line, widest
from sim.report.story import Row, Tone
from sim.trace.records import Rec

PAD: Final = 8
"""Between the frame of a box and its text."""

_ICON: Final = 20
"""Room for a sign before the text."""

_REACH: Final = 12
"""Between a box and its lifeline."""


class Look(StrEnum):
    """How a cell is drawn; no two are told apart by their colour alone."""

    WORDS = "words"
    ACT = "act"
    SCREEN = "screen"
    EFFECT = "effect"
    NOTE = "note"
    CRASH = "crash"
    BREAK = "break"


_ACTS: Final = frozenset(
    {
        Rec.EDIT,
        Rec.SAVE,
        Rec.RETRY,
        Rec.CHECK,
        Rec.DISCARD,
        Rec.MERGE,
        Rec.RELOAD,
        Rec.CLOSE,
        Rec.OPEN,
        Rec.SIGN_IN,
        Rec.SIGN_OUT,
    }
)
_NOTES: Final = frozenset({Rec.HINT, Rec.STOP_WORKER, Rec.START_WORKER, Rec.RESTART, Rec.EXPIRE})


def look(row: Row) -> Look:
    """Return how the words of a row are drawn."""
    match row.about:
        case None:
            return Look.BREAK
        case Rec.SHOW:
            return Look.SCREEN
        case Rec.COMMIT:
            return Look.EFFECT
        case Rec.CRASH:
            return Look.CRASH
        case kind if kind in _ACTS:
            return Look.ACT
        case kind if kind in _NOTES:
            return Look.NOTE
        case _:
            return Look.WORDS


class Cell(NamedTuple):
    """Some lines, and how they are drawn."""

    lines: tuple[Line, ...]
    look: Look

    @property
    def wide(self) -> int:
        """Pixels from the lifeline to the far edge."""
        if not self.lines:
            return 0
        frame = 0 if self.look is Look.WORDS else 2 * PAD
        return widest(self.lines) + frame + self._icon + _REACH

    @property
    def high(self) -> int:
        """Pixels from the upper to the lower edge."""
        return len(self.lines) * LINE

    @property
    def _icon(self) -> int:
        return _ICON if self.look in (Look.ACT, Look.EFFECT) else 0

    def drawn(self, lifeline: int, top: int, *, before: bool) -> list[str]:
        """Return the cell's elements.

        Args:
            lifeline: Where its lifeline is.
            top: Its upper edge.
            before: Whether it stands on the left of the lifeline.
        """
        if not self.lines:
            return []
        wide = self.wide - _REACH
        left = lifeline - _REACH - wide if before else lifeline + _REACH
        middle = top + LINE // 2
        parts = _frame(self.look, Point(left, top - 2), wide, self.high + 4)
        if self.look is not Look.WORDS:
            near = left + wide if before else left
            parts.append(pen.line(Point(near, middle), Point(lifeline, middle), thick="1"))
        inner = left + (0 if self.look is Look.WORDS else PAD)
        parts += _icon(self.look, Point(inner, middle))
        if self.look is Look.WORDS and before:
            return [*parts, *lines(Point(left + wide, top), self.lines, anchor="end")]
        return [*parts, *lines(Point(inner + self._icon, top), self.lines)]


def lines(
    at: Point, texts: tuple[Line, ...], *, anchor: str = "start", is_light: bool = False
) -> list[str]:
    """Return lines of text below ``at.y``."""
    return [
        pen.letters(Point(at.x, at.y + number * LINE + 14), text, anchor=anchor, is_light=is_light)
        for number, text in enumerate(texts)
    ]


def _frame(look_: Look, corner: Point, wide: int, high: int) -> list[str]:
    bad = pen.INKS[Tone.BAD]
    match look_:
        case Look.WORDS:
            return [pen.veil(corner, wide, high)]
        case Look.ACT:
            return [pen.box(corner, wide, high, round_by=9, fill="#f3f3f3")]
        case Look.SCREEN:
            bar = [Point(corner.x, corner.y), Point(corner.x + wide, corner.y)]
            return [pen.box(corner, wide, high), pen.line(*bar, thick="4")]
        case Look.EFFECT:
            return [pen.box(corner, wide, high, thick="2.5")]
        case Look.NOTE:
            return [pen.box(corner, wide, high, dashes="2 3")]
        case Look.CRASH:
            return [pen.box(corner, wide, high, ink=bad, thick="2", dashes="7 4")]
        case Look.BREAK:
            inner = Point(corner.x + 3, corner.y + 3)
            outer = pen.box(corner, wide, high, ink=bad, thick="1.5")
            return [outer, pen.box(inner, wide - 6, high - 6, ink=bad, thick="1")]
        case _:
            assert_never(look_)


def _icon(look_: Look, at: Point) -> list[str]:
    """Return a person for what a person does, and a store for what is stored."""
    x, y = at.x + 6, at.y
    if look_ is Look.ACT:
        body = f"M{x},{y - 2}V{y + 3}L{x - 4},{y + 8}M{x},{y + 3}L{x + 4},{y + 8}"
        limbs = f"{body}M{x - 5},{y}H{x + 5}"
        figure = f'<path d="{limbs}" fill="none" stroke="{pen.INK}" stroke-width="1.5"/>'
        return [pen.circle(Point(x, y - 5), 3), figure]
    if look_ is Look.EFFECT:
        side = f"M{x - 6},{y - 4}V{y + 5}A6,3 0 0 0 {x + 6},{y + 5}V{y - 4}"
        top = f"M{x - 6},{y - 4}A6,3 0 0 1 {x + 6},{y - 4}A6,3 0 0 1 {x - 6},{y - 4}"
        drum = f'<path d="{side}{top}" fill="none" stroke="{pen.INK}" stroke-width="1.5"/>'
        return [drum]
    return []
