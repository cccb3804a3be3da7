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
    seconds_before = dict.fromkeys(show.at_us // SECOND_US for show in shows)
    before = [max(_unknown(shows, second)) for second in seconds_before if second < outage]
    last = max([0, *arrivals, *seconds_before])
    first, quiet = -(-to_us // SECOND_US), 0
    for second in range(first, max(first, last) + 2):
        is_quiet = max(_unknown(shows, second)) <= max([0, *before])
        quiet = quiet + 1 if is_quiet and arrivals.get(second, 0) <= load_before else 0
        if quiet and (quiet >= outage or second > last):
            return (second - quiet + 1) * SECOND_US - to_us
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
