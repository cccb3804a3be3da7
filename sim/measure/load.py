"""Load over time: what arrives in each second, and when an outage is over for its victims."""

from typing import Final

from sim.contract.body import Body
from sim.contract.phases import Phase, Reason
from sim.judge.judge import Judge
from sim.measure.ratios import RunLoad
from sim.network.faults import Cut
from sim.scenario.model import World

SECOND_US: Final = 1_000_000
_UNKNOWN: Final = Phase.UNKNOWN_OUTCOME
_RECOVERY: Final = Phase.RECOVERY_REQUIRED


def watches_load(world: World) -> bool:
    """Whether load is a question here: several clients, or an outage."""
    return len(world.clients) > 1 or bool(_outages(world))


def _outages(world: World) -> list[Cut]:
    return [clause for clause in world.faults if isinstance(clause, Cut)]


class LoadMeter(Judge):
    """A judge that watches the load of its run as well, by two of the facts that it hears.

    No record is made for it. The screens count only where there is an outage to recover from.

    Args:
        world: What is run.
    """

    def __init__(self, world: World) -> None:
        super().__init__(world)
        outages = _outages(world)
        self._has_outage = bool(outages)
        self._from_us = min((cut.from_us for cut in outages), default=0)
        self._to_us = max((cut.to_us for cut in outages), default=0)
        self._arrivals: dict[int, int] = {}
        self._unknown: dict[tuple[str, str], bool] = {}
        """The forms that show an unknown outcome now."""
        self._unknown_most: dict[int, int] = {}
        """Second in which that changed -> the most forms that showed one at once in it."""
        self._unknown_last: dict[int, int] = {}
        """Second in which that changed -> how many showed one at its end."""

    def arrived(
        self,
        at_us: int,
        client: str,
        resource: str,
        number: int,
        attempt: int,
        msg: int,
        copy: int,
        sent_us: int,
        names: int,
        owner: str,
        body: Body,
        draft_version: int,
        expected_version: int,
        /,
    ) -> None:
        """A request reaches the server."""
        second = at_us // SECOND_US
        self._arrivals[second] = self._arrivals.get(second, 0) + 1
        super().arrived(
            at_us,
            client,
            resource,
            number,
            attempt,
            msg,
            copy,
            sent_us,
            names,
            owner,
            body,
            draft_version,
            expected_version,
        )

    def show(
        self,
        at_us: int,
        client: str,
        resource: str,
        owner: str,
        phase: Phase,
        reason: Reason,
        body: Body,
        draft_version: int,
        dirty: bool,
        base_version: int,
        read_version: int | None,
        /,
    ) -> None:
        """A screen changes."""
        if self._has_outage:
            if phase is _UNKNOWN or phase is _RECOVERY:
                self._changes(at_us, (client, resource), is_unknown=True)
            elif self._unknown and (client, resource) in self._unknown:
                self._changes(at_us, (client, resource), is_unknown=False)
        super().show(
            at_us,
            client,
            resource,
            owner,
            phase,
            reason,
            body,
            draft_version,
            dirty,
            base_version,
            read_version,
        )

    def _changes(self, at_us: int, form: tuple[str, str], *, is_unknown: bool) -> None:
        second, before = at_us // SECOND_US, len(self._unknown)
        if is_unknown:
            self._unknown[form] = True
        else:
            del self._unknown[form]
        now = len(self._unknown)
        self._unknown_most[second] = max(self._unknown_most.get(second, before), now)
        self._unknown_last[second] = now

    def load(self) -> RunLoad:
        """Return what the run came to."""
        found = RunLoad(self._arrivals, had_outage=self._has_outage)
        if self._has_outage:
            found.recovery_us = self._recovery(self._from_us // SECOND_US)
        return found

    def _recovery(self, outage_second: int) -> int | None:
        """From the outage's end to the first second from which on all is as quiet as before.

        As quiet: no more requests in a second, and no more unknown outcomes at once, than in the
        fullest second before the outage. From there on: for as long as was looked at before it,
        or to the end of the run, whatever comes first; a pause between two waves is no recovery.
        """
        load_before = max(
            (count for at, count in self._arrivals.items() if at < outage_second), default=0
        )
        unknown_before = max(
            (most for at, most in self._unknown_most.items() if at < outage_second), default=0
        )
        first, quiet_from = -(-self._to_us // SECOND_US), None
        unknown = self._unknown_at_start_of(first)
        for second in self._telling_seconds(first):
            if quiet_from is not None and second - quiet_from >= outage_second:
                break
            most = max(unknown, self._unknown_most.get(second, 0))
            unknown = self._unknown_last.get(second, unknown)
            if self._arrivals.get(second, 0) > load_before or most > unknown_before:
                quiet_from = None
            elif quiet_from is None:
                quiet_from = second
        if quiet_from is None:
            return None
        return max(0, quiet_from * SECOND_US - self._to_us)

    def _telling_seconds(self, first: int) -> list[int]:
        """Return the seconds in which something happens, and those after them.

        The last one of all shows how things stay.
        """
        happens = (first, *self._arrivals, *self._unknown_most, *self._unknown_last)
        told = {at + later: None for at in happens for later in (0, 1) if at + later >= first}
        return sorted(told)

    def _unknown_at_start_of(self, second: int) -> int:
        earlier = [at for at in self._unknown_last if at < second]
        return self._unknown_last[max(earlier)] if earlier else 0
