"""A story drawn as a timeline: time, client, arrows between two lifelines, server.

::

    0 s     attempt-01 {text: 3}  ├──── request ────╌╌╌╌┤
    40 ms                         │╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌─────▶│  executed

A solid line is the end of a message that the row is about, a dashed one the way still open (or
already gone): a message leaves in one row and arrives in another, and what happens between is
seen between.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from sim.judge.verdict import Verdict
from sim.report.arrows import draw
from sim.report.story import GLUE, Row, Span, Tone
from sim.report.told import tell
from sim.trace.words import count, duration

STYLES = {
    Tone.PLAIN: "",
    Tone.QUIET: "dim",
    Tone.STRONG: "bold",
    Tone.BUSY: "cyan",
    Tone.GOOD: "green",
    Tone.DOUBT: "yellow",
    Tone.BAD: "red",
    Tone.DECIDES: "magenta",
}

_TIME = "time"
ROWS_MAX = 120
_HEAD, _TAIL = 70, 48
_TEXT_MAX = 76
"""Text further from its arrow than this is no longer read as belonging to it."""


class Columns(NamedTuple):
    """The widths of a timeline's columns; ``client`` is 0 where there is only one."""

    time: int
    client: int
    left: int
    arrow: int
    right: int


def columns(width: int, time: int, client: int) -> Columns:
    """Share ``width`` out; the text of both sides gets what is left, the client a little more."""
    time = min(time, max(9, width // 7))
    arrow = min(max(width // 5, 18), 34)
    gaps = 2 + (2 if client else 0) + 2
    rest = width - time - client - arrow - gaps
    left = min(rest * 11 // 20, _TEXT_MAX)
    return Columns(time, client, left, arrow, min(rest - left, _TEXT_MAX))


class Timeline:
    """The story of one run, as wide as the console.

    Args:
        verdict: The run.
        full: Whether a story of more than 120 rows, or of a crowd, is told whole.
    """

    def __init__(self, verdict: Verdict, *, full: bool = False) -> None:
        told = tell(verdict, full=full)
        self._names, self._rows, self._beside = told
        self._full = full

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        names = self._names if len(self._names) > 1 else ()
        shape = columns(
            options.max_width,
            max([len(_TIME), *(len(duration(row.at_us)) for row in self._rows)]),
            min(max(6, *map(len, names)), 12) if names else 0,
        )
        if self._beside:
            yield Text(f"{self._beside}; --full tells all")
        yield _heading(self._names, shape)
        before: Row | None = None
        for row in self._kept():
            if row is None:
                yield Text(f"  … {count(self._left_out, 'row')} left out; --full shows all", "dim")
                before = None
            else:
                yield from _drawn(row, before, shape, console)
                before = row

    @property
    def _left_out(self) -> int:
        return len(self._rows) - _HEAD - _TAIL

    def _kept(self) -> Sequence[Row | None]:
        if self._full or len(self._rows) <= ROWS_MAX:
            return self._rows
        return (*self._rows[:_HEAD], None, *self._rows[-_TAIL:])


_HARD_SPACE = "\ue000"
"""A private sign that wrapping takes for a letter; it stands for ``GLUE`` meanwhile."""


def styled(spans: Iterable[Span]) -> Text:
    """Return spans as one text."""
    return Text.assemble(
        *((span.text.replace(GLUE, _HARD_SPACE), STYLES[span.tone]) for span in spans)
    )


def _heading(names: Sequence[str], shape: Columns) -> Text:
    """Return the line above the story that names its columns."""
    who = names[0] if len(names) == 1 and len(names[0]) <= shape.left else "client"
    client = "client".ljust(shape.client)[: shape.client] + "  " if shape.client else ""
    left = "" if shape.client else who
    parts = (_TIME.ljust(shape.time), "  ", client, left.ljust(shape.left), " ")
    return Text("".join((*parts, "network".center(shape.arrow), " ", "server")), "dim")


def _drawn(row: Row, before: Row | None, shape: Columns, console: Console) -> Iterable[Text]:
    """Yield the lines of one row; a time or client that has not changed is not repeated."""
    is_new = before is None or before.at_us != row.at_us
    same_client = before is not None and not is_new and before.client == row.client
    cells = [
        (Text(duration(row.at_us) if is_new else "", "bold"), shape.time),
        (Text("" if same_client else row.client, "cyan"), shape.client),
        (styled(row.left), shape.left),
        (styled(row.right), shape.right),
    ]
    justify: Literal["left", "right"] = "right" if row.speaks_for_arrow else "left"
    wrapped = [_wrapped(text, width, console) for text, width in cells]
    for number in range(max(1, *map(len, wrapped))):
        time, client, left, right = (
            lines[number].copy() if number < len(lines) else Text() for lines in wrapped
        )
        for cell, width in ((time, shape.time), (client, shape.client), (right, shape.right)):
            cell.align("left", width)
        left.align(justify, shape.left)
        arrow = draw(row.arrow if number == 0 else None, shape.arrow)
        gap = Text("  ")
        parts = [time, gap, *((client, gap) if shape.client else ()), left, Text(" "), arrow]
        line = Text.assemble(*parts, Text(" "), right)
        line.rstrip()
        yield line


def _wrapped(text: Text, width: int, console: Console) -> list[Text]:
    """Return the lines of a cell; all but the first hang two columns further in."""
    if not width or not text.plain:
        return []
    lines = list(text.wrap(console, width))
    if len(lines) > 1:
        used = len(lines[0].plain.rstrip())
        rest = text.plain[used:]
        others = text[used + len(rest) - len(rest.lstrip()) :].wrap(console, width - 2)
        lines[1:] = [Text("  ") + line for line in others]
    for line in lines:
        line.rstrip()
        line.plain = line.plain.replace(_HARD_SPACE, " ")
    return lines
