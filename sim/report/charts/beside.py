"""Texts beside points: each where it covers no mark and no other text, if there is such a place."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from sim.report.charts.style import SMALL_PT

_WIDE, _HIGH = 0.68 * SMALL_PT, 1.35 * SMALL_PT
"""Of a bold letter, and of a line of text."""
_MARK = 5.5
"""Half of a marker, with what is to stay free around it."""
_PLACES = ((8, 6), (-8, 6), (8, -6), (-8, -6), (10, 0), (-10, 0), (0, 9), (0, -9))
"""From the point to the corner of the text that is nearest to it; the first that is free."""

_Box: TypeAlias = tuple[float, float, float, float]


class Point(NamedTuple):
    """A point in points from the lower left corner of the axes, and what is written beside it."""

    x: float
    y: float
    text: str


class Place(NamedTuple):
    """How a text is set beside its point: offset in points, and which of its sides is there."""

    dx: int
    dy: int

    @property
    def across(self) -> str:
        """Horizontal alignment."""
        return "center" if not self.dx else "left" if self.dx > 0 else "right"

    @property
    def along(self) -> str:
        """Vertical alignment."""
        return "center" if not self.dy else "bottom" if self.dy > 0 else "top"


def beside(
    points: Sequence[Point], marks: Sequence[tuple[float, float]], size: tuple[float, float]
) -> list[Place]:
    """Return a place for each point's text, the points in their order.

    Args:
        points: What is written where.
        marks: Every marker, whether something is written beside it or not.
        size: Width and height of the axes, in points; texts stay within.
    """
    taken: list[_Box] = [(x - _MARK, y - _MARK, x + _MARK, y + _MARK) for x, y in marks]
    found = []
    for point in points:
        costs = [
            (_outside(box, size) + sum(_shared(box, other) for other in taken), number, box)
            for number, box in enumerate(_box(point, *place) for place in _PLACES)
        ]
        _, number, box = min(costs)
        taken.append(box)
        found.append(Place(*_PLACES[number]))
    return found


def _box(point: Point, dx: int, dy: int) -> _Box:
    width = len(point.text) * _WIDE
    left = point.x + dx - (width / 2 if not dx else width if dx < 0 else 0)
    bottom = point.y + dy - (_HIGH / 2 if not dy else _HIGH if dy < 0 else 0)
    return left, bottom, left + width, bottom + _HIGH


def _shared(one: _Box, other: _Box) -> float:
    """Return the area that two boxes share."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    along = min(one[3], other[3]) - max(one[1], other[1])
    return across * along if across > 0 and along > 0 else 0.0


def _outside(box: _Box, size: tuple[float, float]) -> float:
    """Return the area of a box that is not within the axes."""
    return (box[2] - box[0]) * (box[3] - box[1]) - _shared(box, (0.0, 0.0, *size))
