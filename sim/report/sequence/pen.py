"""The elements of a picture as SVG text: lines, boxes, arrow heads, letters.

Everything is an attribute of its element: no styles, classes or ids that could meet those of the
page that a picture is pasted into. Letters outside of ASCII are character references, so that a
picture reads the same under every encoding.
"""

from math import isqrt
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from sim.report.sequence.texts import FONT, Line
from sim.report.story import Tone
from sim.trace.words import plain

INK: Final = "#111111"
SOFT: Final = "#595959"
FAINT: Final = "#dddddd"
PAPER: Final = "#ffffff"

INKS: Final = {
    Tone.PLAIN: INK,
    Tone.QUIET: SOFT,
    Tone.STRONG: INK,
    Tone.BUSY: "#0b4f8a",
    Tone.GOOD: "#1b5e20",
    Tone.DOUBT: "#7a4b00",
    Tone.BAD: "#a30015",
    Tone.DECIDES: "#5b1a86",
}
"""Dark enough to be read in grey; what they mean is said in words, too."""

_LIGHT: Final = (Tone.PLAIN, Tone.QUIET)
"""What is not bold."""

_FONTS: Final = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"
_HEAD_LONG, _HEAD_WIDE = 11, 5


class Point(NamedTuple):
    """A place, in pixels from the upper left."""

    x: int
    y: int


def picture(wide: int, high: int, name: str, told: str, parts: list[str]) -> str:
    """Return the whole file, with a ground of its own, so that it reads on a dark page.

    Args:
        wide: Its width.
        high: Its height.
        name: Its title, for those who cannot see it and for those who point at it.
        told: What it shows, in one sentence.
        parts: Its elements, what is in front last.
    """
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}"'
        f' viewBox="0 0 {wide} {high}" role="img" xml:space="preserve"'
        f' font-family="{_FONTS}" font-size="{FONT}" fill="{INK}">'
    )
    ground = (
        f'<rect x="0" y="0" width="{wide}" height="{high}" fill="{PAPER}"/>'
        f'<rect x="0" y="0" width="{wide}" height="{high}" fill="none" stroke="{SOFT}"/>'
    )
    said = [f"<title>{escape(plain(name))}</title>", f"<desc>{escape(plain(told))}</desc>"]
    text = "\n".join([head, *said, ground, *parts, "</svg>", ""])
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def line(start: Point, end: Point, *, ink: str = INK, thick: str = "1.5", dashes: str = "") -> str:
    """Return a straight line."""
    return (
        f'<line x1="{start.x}" y1="{start.y}" x2="{end.x}" y2="{end.y}" stroke="{ink}"'
        f' stroke-width="{thick}"{_dashes(dashes)}/>'
    )


def box(
    corner: Point,
    wide: int,
    high: int,
    *,
    ink: str = INK,
    thick: str = "1",
    round_by: int = 0,
    dashes: str = "",
    fill: str = PAPER,
) -> str:
    """Return a box."""
    border = f' stroke="{ink}" stroke-width="{thick}"'
    corners = f' rx="{round_by}"' if round_by else ""
    return (
        f'<rect x="{corner.x}" y="{corner.y}" width="{wide}" height="{high}"{corners}'
        f' fill="{fill}"{border}{_dashes(dashes)}/>'
    )


def veil(corner: Point, wide: int, high: int) -> str:
    """Return the ground of a text that others' arrows may pass behind: they shine through."""
    return (
        f'<rect x="{corner.x}" y="{corner.y}" width="{wide}" height="{high}" fill="{PAPER}"'
        ' fill-opacity="0.8"/>'
    )


def path(points: list[Point], *, ink: str = INK, thick: str = "1.5") -> str:
    """Return a line with corners."""
    listed = " ".join(f"{point.x},{point.y}" for point in points)
    return f'<polyline points="{listed}" fill="none" stroke="{ink}" stroke-width="{thick}"/>'


def circle(centre: Point, radius: int, *, fill: str = PAPER, ink: str = INK) -> str:
    """Return a circle."""
    return (
        f'<circle cx="{centre.x}" cy="{centre.y}" r="{radius}" fill="{fill}" stroke="{ink}"'
        ' stroke-width="1.5"/>'
    )


def head(start: Point, tip: Point, *, is_open: bool) -> str:
    """Return the head of an arrow from ``start`` that ends at ``tip``."""
    dx, dy = tip.x - start.x, tip.y - start.y
    length = max(isqrt(dx * dx + dy * dy), 1)
    back = Point(tip.x - _share(dx, _HEAD_LONG, length), tip.y - _share(dy, _HEAD_LONG, length))
    side = Point(_share(-dy, _HEAD_WIDE, length), _share(dx, _HEAD_WIDE, length))
    one = Point(back.x + side.x, back.y + side.y)
    other = Point(back.x - side.x, back.y - side.y)
    if is_open:
        return path([one, tip, other], thick="2.5")
    listed = " ".join(f"{point.x},{point.y}" for point in (one, tip, other))
    return f'<polygon points="{listed}"/>'


def _share(part: int, of: int, length: int) -> int:
    """Return ``part * of / length``, rounded to the nearest, the same way on both sides of 0."""
    rounded = (2 * abs(part) * of + length) // (2 * length)
    return rounded if part >= 0 else -rounded


def cross(centre: Point) -> str:
    """Return the cross in which a lost message ends."""
    x, y = centre
    strokes = f"M{x - 7},{y - 7}L{x + 7},{y + 7}M{x - 7},{y + 7}L{x + 7},{y - 7}"
    return f'<path d="{strokes}" fill="none" stroke="{INKS[Tone.BAD]}" stroke-width="3"/>'


def letters(at: Point, spans: Line, *, anchor: str = "start", is_light: bool = False) -> str:
    """Return one line of text whose letters stand on ``at.y``; a light one has none in bold."""
    where = f' text-anchor="{anchor}"' if anchor != "start" else ""
    parts = "".join(_tspan(span.text, span.tone, is_light=is_light) for span in spans)
    return f'<text x="{at.x}" y="{at.y}"{where}>{parts}</text>'


def _tspan(text: str, tone: Tone, *, is_light: bool) -> str:
    said = escape(text)
    if tone is Tone.PLAIN:
        return said
    bold = "" if is_light or tone in _LIGHT else ' font-weight="bold"'
    return f'<tspan fill="{INKS[tone]}"{bold}>{said}</tspan>'


def _dashes(dashes: str) -> str:
    return f' stroke-dasharray="{dashes}"' if dashes else ""
