"""Time and order: SimPy's heap, in integer microseconds, with the contract's rule for ties.

At one instant deliveries come before timers and timers before the person's actions; within a
kind the order of scheduling decides. SimPy orders its heap by (time, priority, order), so the
kind is the priority. A wake is one event with one callback: no process, no store, no condition.
"""

from collections.abc import Callable
from heapq import heappush
from typing import Any, cast

import simpy
from simpy.events import Event

from sim.network.faults import Order, TieClass

DELIVERY = 2
TIMER = 3
PERSON = 4

_LOOKS_EVERY = 16

RANKS = {TieClass.DELIVERY: DELIVERY, TieClass.TIMER: TIMER, TieClass.PERSON: PERSON}


class Wake(Event):
    """One thing that happens at one instant.

    ``owner`` is the client it happens to, ``what`` is for whoever acts on it. SimPy's own
    attributes are given directly and not by its constructor: a wake is triggered from the start.
    """

    _ok = True
    _value = None

    def __init__(self, at_us: int, owner: str, what: Any, callbacks: list[Any]) -> None:
        self.callbacks = callbacks
        self.at_us = at_us
        self.owner = owner
        self.what = what


Act = Callable[[Wake], None]


class Clock:
    """Schedules wakes; an ``order`` clause may turn one tie round.

    Args:
        orders: The ``order`` clauses with their place in the list of faults.
        used: Called with that place when a clause has turned its tie.
        look: Called every few wakes; it may raise to end a run that goes on too long.
    """

    def __init__(
        self,
        orders: list[tuple[int, Order]],
        used: Callable[[int], None],
        look: Callable[[], None] = lambda: None,
    ) -> None:
        self.env = simpy.Environment()
        self._queue = self.env._queue  # noqa: SLF001 - what ``schedule`` does, without the call
        self._count = self.env._eid  # noqa: SLF001
        self._orders = orders
        self._used = used
        self._look = look
        self.last_us = 0
        """When something was last recorded: a quiet run ends then, whatever still rang unheard."""

    @property
    def now_us(self) -> int:
        """The instant, in microseconds. Whoever acts on a wake reads the wake's own instead."""
        return cast("int", self.env.now)

    def at(self, at_us: int, rank: int, owner: str, act: Act, what: object) -> Wake:
        """Let ``act`` be called at an instant that is not past; the wake carries ``what``."""
        wake = Wake(at_us, owner, what, [self._turning(rank, act) if self._orders else act])
        count = next(self._count)
        if count % _LOOKS_EVERY == 0:
            self._look()
        heappush(self._queue, (at_us, rank, count, wake))  # type: ignore[misc]
        return wake

    def person(self, at_us: int, owner: str) -> Wake:
        """Return a wake that a person's process can yield."""
        wake = Wake(at_us, owner, None, [])
        count = next(self._count)
        if count % _LOOKS_EVERY == 0:
            self._look()
        heappush(self._queue, (at_us, PERSON, count, wake))  # type: ignore[misc]
        return wake

    def run(self, horizon_us: int) -> bool:
        """Run to the horizon, inclusive; return whether anything was left to happen."""
        # SimPy stops *before* events at ``until``: the horizon is inclusive, hence one more.
        self.env.run(until=horizon_us + 1)
        return any(isinstance(entry[3], Wake) for entry in self._queue)

    def _turning(self, rank: int, act: Act) -> Act:
        return lambda wake: self._in_order(wake, rank, act)

    def _in_order(self, wake: Wake, rank: int, act: Act) -> None:
        for place, clause in self._orders:
            turned = RANKS[clause.second] == rank and self._waits(clause, wake)
            if turned and clause.client in (None, wake.owner):
                self._orders = [item for item in self._orders if item[0] != place]
                self._used(place)
                self.at(wake.at_us, RANKS[clause.first], wake.owner, act, wake.what)
                return
        act(wake)

    def _waits(self, clause: Order, wake: Wake) -> bool:
        """Whether something of the clause's first kind waits at this instant for this client."""
        rank = RANKS[clause.first]
        return any(
            at == wake.at_us
            and priority == rank
            and isinstance(other, Wake)
            and other.owner == wake.owner
            for at, priority, _, other in self._queue
        )
