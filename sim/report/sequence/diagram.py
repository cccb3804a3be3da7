"""The whole picture: what is to be known before, the story, what the signs mean, what broke."""

from collections.abc import Iterable, Sequence
from typing import Final

from sim.report.phrases import Words
from sim.report.sequence import legend, lifelines, messages, pen
from sim.report.sequence.cells import lines
from sim.report.sequence.layout import MARGIN, Layout, lay_out
from sim.report.sequence.pen import Point
from sim.report.sequence.texts import FONT, LINE, Line, wrap
from sim.report.story import Row, Span, Tone
from sim.trace.words import duration

_NARROW: Final = 60
"""Letters in a line above and below the story, where the story itself is not wider."""

_LINES_MAX: Final = 6


def draw(
    name: str,
    before: Sequence[Words],
    told: Sequence[Row],
    names: Sequence[str],
    after: Sequence[Words],
) -> str:
    """Return the picture of one run as SVG, ending in a line feed.

    Args:
        name: The run's name.
        before: What stands above the story, a paragraph each; the first is a title.
        told: The story.
        names: The clients, one lifeline each.
        after: What stands below it, a paragraph each.
    """
    wide = lay_out(told, names, 0).wide
    wide = max(wide, 2 * MARGIN + _NARROW * FONT * 6 // 10)
    above = _paragraphs(before, wide)
    top = MARGIN + len(above) * LINE + MARGIN // 2
    layout = lay_out(told, names, top)._replace(wide=wide)
    flown = messages.flights(layout)
    parts = lines(Point(MARGIN, MARGIN), above)
    parts += _instants(layout)
    parts += lifelines.drawn(layout)
    parts += [part for flight in flown for part in messages.drawn(flight, layout)]
    for placed in layout.rows:
        lane = layout.lane(placed.row.client)
        parts += messages.words(placed, layout)
        parts += messages.broken(placed, layout)
        parts += placed.left.drawn(lane.x, placed.top, before=True)
        parts += placed.right.drawn(layout.server.x, placed.top, before=False)
    signs, end = legend.drawn(layout, flown, lifelines.foot(layout) + MARGIN)
    below = _paragraphs(after, wide)
    parts += [*signs, *lines(Point(MARGIN, end + 4), below)]
    high = end + 4 + len(below) * LINE + MARGIN // 2
    title = "".join(span.text for span in before[0]) if before else ""
    return pen.picture(wide, high, name, title, parts)


def _paragraphs(said: Iterable[Words], wide: int) -> tuple[Line, ...]:
    """Return paragraphs in lines as wide as the picture."""
    most = (wide - 2 * MARGIN) * 10 // (FONT * 6)
    return tuple(line for words in said for line in wrap(words, most, _LINES_MAX))


def _instants(layout: Layout) -> list[str]:
    """Return the instants at the left, each once, and a faint line above what belongs to it."""
    parts = [pen.letters(Point(layout.time, layout.top - 9), _quiet("time"), anchor="end")]
    before = -1
    for placed in layout.rows:
        if placed.row.at_us == before:
            continue
        before = placed.row.at_us
        y = placed.top - 6
        parts.append(
            pen.line(Point(MARGIN, y), Point(layout.wide - MARGIN, y), ink=pen.FAINT, thick="1")
        )
        when = (Span(duration(before), Tone.STRONG),)
        parts.append(pen.letters(Point(layout.time, placed.top + 14), when, anchor="end"))
    return parts


def _quiet(text: str) -> Line:
    return (Span(text, Tone.QUIET),)
