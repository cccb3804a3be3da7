"""A client's link as the network uses it: what need not be found out for each message."""

from sim.engine.draws import Draws, Purpose
from sim.network.weather import Burst, Direction, Link


class Lane:
    """One direction of one client's link."""

    __slots__ = (
        "burst",
        "certain_us",
        "is_answer",
        "latency_us",
        "loss",
        "second",
        "weather",
    )

    def __init__(self, weather: Direction, burst: "BurstChain | None", *, is_answer: bool) -> None:
        self.weather = weather
        self.burst = burst
        self.is_answer = is_answer
        self.loss = weather.loss
        latency = weather.latency
        self.latency_us = latency.values_us[0] if latency.is_constant else None
        """The latency where no chance is in it."""
        self.certain_us = self.latency_us if weather.is_certain else None
        """The latency where nothing at all is left to chance."""
        self.second = bool(weather.duplicate or weather.corrupt)
        """Whether copies and corruption take draws of their own."""


class Route:
    """Both directions of one client's link, and who is at its end."""

    __slots__ = ("ack", "client", "index", "page", "request")

    def __init__(self, client: str, index: int, link: Link, draws: Draws) -> None:
        self.client = client
        self.index = index
        self.page: int | None = 1
        """Counts pages and worker lives; None while nobody is there to hear an answer."""
        chains = [
            BurstChain(weather.burst, draws, purpose, index) if weather.burst else None
            for weather, purpose in (
                (link.request, Purpose.BURST_REQUEST),
                (link.ack, Purpose.BURST_ACK),
            )
        ]
        self.request = Lane(link.request, chains[0], is_answer=False)
        self.ack = Lane(link.ack, chains[1], is_answer=True)


class BurstChain:
    """Gilbert–Elliott: the state of one direction, slot by slot, each from its own named draw.

    A slot's draw says what becomes of either state. Where it says the same of both, what came
    before has no say: a state is found by looking back to the nearest such slot, or to the last
    one that is known, instead of walking through a whole day of slots.

    Source:
        E. N. Gilbert (1960) and E. O. Elliott (1963), Bell System Technical Journal.
    """

    def __init__(self, burst: Burst, draws: Draws, purpose: Purpose, client: int) -> None:
        self._burst = burst
        self._draws = draws
        self._purpose = purpose
        self._client = client
        self._leaves_bad = burst.slot_us / burst.mean_bad_us
        self._leaves_good = burst.slot_us / burst.mean_good_us
        self._slot = 0
        """The last slot that was asked for."""
        self._bad = self._share(0) < burst.mean_bad_us / (burst.mean_good_us + burst.mean_bad_us)
        self._first_bad = self._bad

    def loss_at(self, now_us: int) -> float:
        """Return the loss in the slot that ``now_us`` falls into."""
        slot = now_us // self._burst.slot_us
        if slot != self._slot:
            self._bad = self._is_bad(slot)
            self._slot = slot
        return self._burst.loss_bad if self._bad else self._burst.loss_good

    def _is_bad(self, slot: int) -> bool:
        known, bad = (self._slot, self._bad) if slot > self._slot else (0, self._first_bad)
        is_swapped = False
        for at in range(slot, known, -1):
            share = self._share(at)
            bad_stays, good_turns = share >= self._leaves_bad, share < self._leaves_good
            if bad_stays == good_turns:
                return bad_stays != is_swapped
            is_swapped ^= good_turns
        return bad != is_swapped

    def _share(self, slot: int) -> float:
        return self._draws.block(self._purpose, self._client, slot)[0]
