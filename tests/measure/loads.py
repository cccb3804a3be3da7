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
    unknown_before = _unknown(shows, outage)[0]
    last = max([0, *arrivals, *(show.at_us // SECOND_US for show in shows)])
    for second in range(-(-to_us // SECOND_US), last + 1):
        quiet = max(_unknown(shows, second)) <= unknown_before
        if quiet and arrivals.get(second, 0) <= load_before:
            return second * SECOND_US - to_us
    return None


def _unknown(shows: Sequence[Record], second: int) -> list[int]:
    """How many forms show an unknown outcome: when the second begins, and after each change."""
    unknown: dict[tuple[str, str], bool] = {}
    found = [0]
    for show in shows:
        if show.at_us // SECOND_US > second:
            break
        phase = show.data["phase"]
        unknown[show.client, show.resource] = phase in ("unknown-outcome", "recovery-required")
        now = sum(unknown.values())
        found = [now] if show.at_us // SECOND_US < second else [*found, now]
    return found
