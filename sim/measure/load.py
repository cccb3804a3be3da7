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
_AWAITING: Final = Phase.AWAITING_ACK
_QUIET: Final = "quiet"


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
        self._from_second = min((cut.from_us for cut in outages), default=0) // SECOND_US
        self._to_us = max((cut.to_us for cut in outages), default=0)
        self._after = -(-self._to_us // SECOND_US)
        """The first whole second after the outage."""
        self._arrivals: dict[int, int] = {}
        self._heard_us = 0
        """When a request arrived, or a screen changed, last."""
        self._unknown: dict[tuple[str, str], bool] = {}
        """The forms whose operation has been in an unknown outcome and is not settled."""
        self._caught: dict[tuple[str, str], bool] = {}
        """The forms that have been waiting for an answer since before the outage's end."""
        self._unknown_before = 0
        """The most unknown outcomes at once before the outage."""
        self._open = 0
        """How many forms are unknown or caught, when the first second after the outage begins."""
        self._open_most: dict[int, int] = {}
        """Second after the outage in which that changed -> the most forms at once in it."""
        self._open_last: dict[int, int] = {}
        """Second after the outage in which that changed -> how many they were at its end."""

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
        self._heard_us = at_us
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
            self._heard_us = at_us
            self._hears(at_us, (client, resource), phase)
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

    def _hears(self, at_us: int, form: tuple[str, str], phase: Phase) -> None:
        """What a form shows says whether its operation is unknown, caught, or neither."""
        before = len(self._unknown) + len(self._caught)
        if phase is _UNKNOWN or phase is _RECOVERY:
            self._unknown[form] = True
            if form in self._caught:
                del self._caught[form]
        elif phase is _AWAITING:
            # One more attempt makes no unknown outcome known.
            if at_us < self._to_us and form not in self._unknown:
                self._caught[form] = True
        elif form in self._unknown:
            del self._unknown[form]
        elif form in self._caught:
            del self._caught[form]
        now, second = len(self._unknown) + len(self._caught), at_us // SECOND_US
        if second < self._from_second:
            self._unknown_before = max(self._unknown_before, len(self._unknown))
        if second < self._after:
            self._open = now
        elif now != before:
            self._open_most[second] = max(self._open_most.get(second, before), now)
            self._open_last[second] = now

    def load(self) -> RunLoad:
        """Return what the run came to."""
        found = RunLoad(self._arrivals, had_outage=self._has_outage)
        if self._has_outage:
            found.recovery_us = self._recovery()
        return found

    def _recovery(self) -> int | None:
        """From the outage's end to the first second as quiet as the fullest one before it.

        A pause between two waves is not quiet: who waits for the next wave is caught or unknown.
        """
        load_before = max(
            (count for at, count in self._arrivals.items() if at < self._from_second), default=0
        )
        left = self._open
        for second in range(self._after, self._seconds_heard()):
            most = max(left, self._open_most.get(second, 0))
            left = self._open_last.get(second, left)
            if self._arrivals.get(second, 0) <= load_before and most <= self._unknown_before:
                return second * SECOND_US - self._to_us
        return None

    def _seconds_heard(self) -> int:
        """How many whole seconds of the run are known.

        In a run that ended quiet nothing can happen any more: the second after the last thing that
        happened is known, too. One that was cut off is known to its horizon, or to its last record.
        """
        if self.ledger.ended == _QUIET:
            return max(self._heard_us // SECOND_US, self._after) + 2
        return (self.ledger.end_us or self._heard_us) // SECOND_US
