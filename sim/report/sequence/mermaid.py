"""The story of one run as a Mermaid sequence diagram.

A message is drawn where it arrives; a lost one where it is lost, with a cross. A late one has an
open arrow on a coloured ground. What people do, what screens show, what faults do on the way and
what the server does beside answering are notes. An instant is written where it begins.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from sim.report.sequence.layout import leaves
from sim.report.sequence.texts import wrap
from sim.report.story import Arrow, Row, Span, Stage
from sim.trace.records import Rec
from sim.trace.words import duration, printable

_SERVER: Final = "server"
_LATE: Final = "rect rgba(255, 170, 0, 0.2)"
_ACROSS_COLUMNS: Final = 40


def mermaid(told: Sequence[Row], names: Sequence[str], beside: str = "") -> str:
    """Return the diagram's text, ending in a line feed.

    Args:
        told: The story.
        names: The clients, one lane each.
        beside: Whose story it is, where others act beside them.
    """
    lanes = {name: f"c{number}" for number, name in enumerate(names, start=1)}
    lines = ["sequenceDiagram", "    autonumber"]
    lines += [f"    participant {lane} as {_safe(name)}" for name, lane in lanes.items()]
    lines.append(f"    participant {_SERVER}")
    if beside:
        lines.append(f"    {_across(_SERVER, beside)}")
    before = -1
    for row in told:
        lane = lanes.get(row.client, "")
        for line in _row(row, lane, f"{duration(row.at_us)}: " if row.at_us != before else ""):
            lines.append(f"    {line}")
            before = row.at_us
    return "\n".join(lines) + "\n"


def _row(row: Row, lane: str, instant: str) -> Iterator[str]:
    arrow, left, right = row.arrow, _text(row.left), _text(row.right)
    if row.about is None:
        both = f"{lane},{_SERVER}" if lane else _SERVER
        yield _across(both, instant + left + right)
    elif arrow is None:
        if left:
            yield _note("left of", lane or _SERVER, instant + left)
        if right:
            yield _note("right of", _SERVER, instant + right)
    elif arrow.stage is Stage.ARRIVED:
        yield from _arrived(row, arrow, lane)
    else:
        yield from _under_way(row, arrow, lane, instant)


def _arrived(row: Row, arrow: Arrow, lane: str) -> Iterator[str]:
    said = _text((*row.left, *row.right))
    # What the server holds is told beside the arrow, in a note: the arrow names its operation.
    label = _label(arrow, "" if row.about is Rec.COMMIT and not arrow.late_us else said)
    label += f" at {duration(row.at_us)}"
    if arrow.late_us:
        yield _LATE
        yield f"    {_arrow(arrow, lane, ')')}: {_safe(f'{label}, {said}')}"
        yield "end"
    elif row.about is Rec.COMMIT:
        yield f"{_arrow(arrow, lane, '>>')}: {_safe(label)}"
        yield _note("right of", _SERVER, said)
    else:
        yield f"{_arrow(arrow, lane, '>>')}: {_safe(f'{label}: {said}' if said else label)}"


def _under_way(row: Row, arrow: Arrow, lane: str, instant: str) -> Iterator[str]:
    """Yield what is said where a message leaves, and its end, if that is there, too."""
    left, right = _text(row.left), _text(row.right)
    own, about = (left, right) if arrow.to_server else (right, left)
    if not leaves(arrow):
        own, about = "", left or right
    if own:
        yield _note("left of" if arrow.to_server else "right of",
                    lane if arrow.to_server else _SERVER, instant + own)  # fmt: skip
        instant = ""
    if arrow.stage in (Stage.LOST_AT_ONCE, Stage.LOST_LATER):
        label = f"{_label(arrow, about)} at {duration(row.at_us)}"
        yield f"{_arrow(arrow, lane, 'x')}: {_safe(f'{label}: {about}')}"
    elif about:
        yield _across(f"{lane},{_SERVER}", f"{instant}{_label(arrow, about)}: {about}")


def _arrow(arrow: Arrow, lane: str, head: str) -> str:
    """Return an arrow with its head: ``>>``, ``)`` of a late message, ``x`` of a lost one."""
    return f"{lane}-{head}{_SERVER}" if arrow.to_server else f"{_SERVER}--{head}{lane}"


def _label(arrow: Arrow, said: str) -> str:
    """Return what a message is, and of which operation, where that is not said beside it."""
    is_named = not arrow.about or re.search(rf"\b{re.escape(arrow.about)}\b", said)
    return arrow.label if is_named else f"{arrow.about} {arrow.label}"


def _text(spans: Sequence[Span]) -> str:
    return "".join(span.text for span in spans)


def _note(where: str, lane: str, said: str) -> str:
    return f"Note {where} {lane}: {_safe(said)}"


def _across(lane: str, said: str) -> str:
    """Return a note on both lanes, in lines: unlike others it does not grow with its text."""
    lines = wrap([Span(said)], _ACROSS_COLUMNS, len(said))
    return f"Note over {lane}: {'<br/>'.join(_safe(_text(line)) for line in lines)}"


_WORD_END: Final = re.compile(r"\bend\b", re.IGNORECASE)


def _safe(text: str) -> str:
    """Return text that Mermaid shows as it is: ``#``, ``;`` and the word *end* mean something."""
    shown = printable(" ".join(text.split())).replace("#", "\0").replace(";", "#59;")
    shown = shown.replace("\0", "#35;")
    shown = shown.replace("<", "#lt;").replace(">", "#gt;").replace("%", "#37;")
    return _WORD_END.sub(lambda found: f"#{ord(found[0][0])};{found[0][1:]}", shown)
