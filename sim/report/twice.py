"""What ``--twice`` shows where a second run differs from the first."""

from rich.console import Group, RenderableType
from rich.text import Text

from sim.trace.diff import Difference
from sim.trace.jsonl import record_line
from sim.trace.records import Record
from sim.trace.words import plain


def difference(found: Difference) -> RenderableType:
    """Return the first record in which two runs of one scenario differ, in both forms."""
    return Group(
        Text(f"the two runs differ first at line {found.index + 1} of their traces", "bold red"),
        Text.assemble(("  first   ", "dim"), _line(found.left)),
        Text.assemble(("  second  ", "dim"), _line(found.right)),
    )


def _line(record: Record | None) -> str:
    if record is None:
        return "(this run had already ended)"
    return plain(record_line(record).decode("utf-8"))
