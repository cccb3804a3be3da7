"""Arrows between two lifelines, as text of a given width.

::

    ├─── request 01 ───╌╌╌╌│    sent: solid where it leaves, dashed where it is still to go
    │╌╌╌╌╌ request 01 ────▶┤    arrived
    │┄┄┄┄┄ request 01 ────▶┤    arrived late
    ├─── request 01 ──✗    │    lost
    ├─── request 01 ──●    │    held

Answers are the same from right to left. The parts are listed in the order of travel and put down
backwards for an answer, so that both directions are drawn by one rule.
"""

from typing import assert_never

from rich.text import Text

from sim.report.story import Arrow, Stage

_Part = tuple[str, str]
_LABEL_ROOM = 6


def draw(arrow: Arrow | None, width: int) -> Text:
    """Return ``width`` columns: two lifelines and, between them, the arrow or nothing."""
    if arrow is None:
        return Text.assemble(("│", "dim"), " " * (width - 2), ("│", "dim"))
    parts = _parts(arrow, width - 2)
    leaves = arrow.stage in (Stage.SENT, Stage.LOST_AT_ONCE, Stage.HELD)
    if arrow.to_server:
        ends = ("├" if leaves else "│", "┤" if arrow.stage is Stage.ARRIVED else "│")
    else:
        ends = ("├" if arrow.stage is Stage.ARRIVED else "│", "┤" if leaves else "│")
        parts.reverse()
    return Text.assemble((ends[0], "dim"), *parts, (ends[1], "dim"))


def _parts(arrow: Arrow, room: int) -> list[_Part]:
    """Return the pieces in the order of travel; they fill ``room`` columns."""
    head = "▶" if arrow.to_server else "◀"
    label = _label(arrow, room)
    rest = room - len(label)
    match arrow.stage:
        case Stage.SENT:
            tail = rest // 3
            return [("──", "bold"), (label, ""), *_lines(rest - 2 - tail, tail)]
        case Stage.LOST_AT_ONCE:
            gap = max(min(3, rest - 5), 0)
            return [("──", ""), (label, ""), ("─" * (rest - 3 - gap), ""), ("✗", "bold red"),
                    (" " * gap, "")]  # fmt: skip
        case Stage.HELD:
            gap = max(min(3, rest - 5), 0)
            return [("──", ""), (label, ""), ("─" * (rest - 3 - gap), ""), ("●", "bold yellow"),
                    (" " * gap, "")]  # fmt: skip
        case Stage.LOST_LATER:
            gap = max(min(3, rest - 5), 0)
            return [
                ("╌" * (rest - 1 - gap), "dim"),
                (label, ""),
                ("✗", "bold red"),
                (" " * gap, ""),
            ]
        case Stage.ARRIVED:
            style = "yellow" if arrow.late_us else "bold"
            tail = rest // 2
            way = ("┄" * tail, "yellow") if arrow.late_us else ("╌" * tail, "dim")
            return [way, (label, style), ("─" * (rest - tail - 1), style),
                    (head, style)]  # fmt: skip
        case _:
            assert_never(arrow.stage)


def _lines(solid: int, dashed: int) -> list[_Part]:
    return [("─" * solid, "bold"), ("╌" * dashed, "dim")]


def _label(arrow: Arrow, room: int) -> str:
    """Return the label between two spaces, cut to leave room for a line on both sides."""
    return f" {arrow.label[: max(room - _LABEL_ROOM, 1)]} "
