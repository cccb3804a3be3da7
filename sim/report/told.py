"""The story of one run, ready to be drawn: whose it is, its rows, and where invariants break."""

from typing import NamedTuple

from sim.judge.verdict import Verdict
from sim.report.breaks import with_breaks
from sim.report.crowd import followed, records_of
from sim.report.findings import broken
from sim.report.story import Row
from sim.report.telling import rows
from sim.trace.words import count


class Told(NamedTuple):
    """What the timeline and every diagram draw."""

    names: tuple[str, ...]
    """The clients whose story it is."""
    rows: tuple[Row, ...]
    beside: str
    """Whose story it is, where others act beside them; else empty."""


def tell(verdict: Verdict, *, full: bool = False, why: bool = False) -> Told:
    """Return the story of a run.

    Args:
        verdict: The run.
        full: Whether the story of a crowd is told whole.
        why: Whether a mark says what broke, and not only where.
    """
    clients = tuple(client.name for client in verdict.world.clients)
    names = clients if full else followed(verdict)
    unseen = len(clients) - len(names)
    records = records_of(names, verdict.records) if unseen else verdict.records
    marked = with_breaks(rows(verdict.world, records), broken(verdict), why=why)
    others = count(unseen, "more client acts", "more clients act")
    return Told(
        names, marked, f"the story of {', '.join(names)}; {others} beside" if unseen else ""
    )
