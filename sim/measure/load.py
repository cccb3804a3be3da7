"""Load over time: what arrives in each second, and when an outage is over for its victims."""

from sim.contract.phases import Phase
from sim.measure.tally import RunLoad
from sim.network.faults import Cut
from sim.scenario.model import World
from sim.trace.records import Rec, Record

SECOND_US = 1_000_000
_UNSETTLED = (Phase.UNKNOWN_OUTCOME.value, Phase.RECOVERY_REQUIRED.value)


def watches_load(world: World) -> bool:
    """Whether load is a question here: several clients, or an outage."""
    return len(world.clients) > 1 or bool(_outages(world))


def _outages(world: World) -> list[Cut]:
    return [clause for clause in world.faults if isinstance(clause, Cut)]


class LoadMeter:
    """Watches one run; fed with its records in order."""

    def __init__(self, world: World) -> None:
        outages = _outages(world)
        self._from_us = min((cut.from_us for cut in outages), default=None)
        self._to_us = max((cut.to_us for cut in outages), default=0)
        self._arrivals: dict[int, int] = {}
        self._unknown: dict[tuple[str, str], bool] = {}
        self._unknown_most: dict[int, int] = {}
        """Second -> the most forms that showed an unknown outcome at once in it."""
        self._unknown_last: dict[int, int] = {}
        """Second -> how many showed one at its end."""

    def feed(self, record: Record) -> None:
        """Take the next record."""
        second = record.at_us // SECOND_US
        if record.kind is Rec.ARRIVED and record.data["message"] == "request":
            self._arrivals[second] = self._arrivals.get(second, 0) + 1
        elif record.kind is Rec.SHOW:
            form = (record.client, record.resource)
            before = len(self._unknown)
            if record.data["phase"] in _UNSETTLED:
                self._unknown[form] = True
            else:
                self._unknown.pop(form, None)
            now = len(self._unknown)
            self._unknown_most[second] = max(self._unknown_most.get(second, before), now)
            self._unknown_last[second] = now

    def load(self) -> RunLoad:
        """Return what the run came to."""
        found = RunLoad(self._arrivals, had_outage=self._from_us is not None)
        if self._from_us is not None:
            found.recovery_us = self._recovery(self._from_us // SECOND_US)
        return found

    def _recovery(self, outage_second: int) -> int | None:
        """From the outage's end to the first second as quiet as the fullest one before it."""
        load_before = max(
            (count for at, count in self._arrivals.items() if at < outage_second), default=0
        )
        last = max([*self._arrivals, *self._unknown_last], default=0)
        first = -(-self._to_us // SECOND_US)
        unknown_before = self._unknown_at_start_of(outage_second)
        unknown = self._unknown_at_start_of(first)
        for second in range(first, last + 1):
            most = max(unknown, self._unknown_most.get(second, 0))
            unknown = self._unknown_last.get(second, unknown)
            if self._arrivals.get(second, 0) <= load_before and most <= unknown_before:
                return max(0, second * SECOND_US - self._to_us)
        return None

    def _unknown_at_start_of(self, second: int) -> int:
        earlier = [at for at in self._unknown_last if at < second]
        return self._unknown_last[max(earlier)] if earlier else 0
