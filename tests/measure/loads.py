"""The load of a finished run, found in its records the long way: second by second."""

from collections.abc import Sequence

from sim.measure.load import SECOND_US, watches_load
from sim.measure.ratios import RunLoad
from sim.network.faults import Cut
from sim.scenario.model import World
from sim.trace.records import Rec, Record


def load_of(world: World, records: Sequence[Record]) -> RunLoad | None:
    """Return what a meter should have found; None where none is wanted."""
    if not watches_load(world):
        return None
    arrivals: dict[int, int] = {}
    for record in records:
        if record.kind is Rec.ARRIVED and record.data["message"] == "request":
            second = record.at_us // SECOND_US
            arrivals[second] = arrivals.get(second, 0) + 1
    cuts = [clause for clause in world.faults if isinstance(clause, Cut)]
    if not cuts:
        return RunLoad(arrivals)
    from_us, to_us = min(cut.from_us for cut in cuts), max(cut.to_us for cut in cuts)
    return RunLoad(arrivals, _recovery(arrivals, records, from_us, to_us), had_outage=True)


def _recovery(
    arrivals: dict[int, int], records: Sequence[Record], from_us: int, to_us: int
) -> int | None:
    outage = from_us // SECOND_US
    shows = [record for record in records if record.kind is Rec.SHOW]
    load_before = max([0, *(count for at, count in arrivals.items() if at < outage)])
    unknown_before = max(unknown for unknown, _ in _waiting(shows, to_us, 0, outage))
    for second in range(-(-to_us // SECOND_US), _seconds(arrivals, records, to_us)):
        waiting = _waiting(shows, to_us, second, second + 1)
        quiet = max(unknown + caught for unknown, caught in waiting) <= unknown_before
        if quiet and arrivals.get(second, 0) <= load_before:
            return second * SECOND_US - to_us
    return None


def _seconds(arrivals: dict[int, int], records: Sequence[Record], to_us: int) -> int:
    """How many seconds are known: in a run that ended quiet, every one."""
    shown = [record.at_us // SECOND_US for record in records if record.kind is Rec.SHOW]
    last = max([*arrivals, *shown, to_us // SECOND_US + 1])
    if records[-1].kind is not Rec.END:
        return max([0, *arrivals, *shown])
    is_quiet = records[-1].data["why"] == "quiet"
    return last + 2 if is_quiet else records[-1].at_us // SECOND_US


def _waiting(shows: Sequence[Record], to_us: int, first: int, until: int) -> list[tuple[int, int]]:
    """How many forms are unknown, and how many caught: when it begins, and after each change."""
    kinds: dict[tuple[str, str], str] = {}
    found = [(0, 0)]
    for show in shows:
        second, form, phase = show.at_us // SECOND_US, (show.client, show.resource), ""
        if second >= until:
            break
        if show.data["phase"] in ("unknown-outcome", "recovery-required"):
            phase = "unknown"
        elif show.data["phase"] == "awaiting-ack":
            phase = kinds.get(form, "") or ("caught" if show.at_us < to_us else "")
        kinds[form] = phase
        now = sum(kind == "unknown" for kind in kinds.values())
        both = now, sum(kind == "caught" for kind in kinds.values())
        found = [both] if second < first else [*found, both]
    return found
