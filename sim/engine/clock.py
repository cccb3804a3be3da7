"""Time and order: SimPy's heap, in integer microseconds, with the contract's rule for ties.

At one instant deliveries come before timers and timers before the person's actions; within a
kind the order of scheduling decides. SimPy orders its heap by (time, priority, order), so the
kind is the priority. A wake is one event with one callback: no process, no store, no condition.
"""

from collections.abc import Callable
from typing import cast

import simpy
from simpy.events import Event, EventPriority

from sim.network.faults import Order, TieClass

DELIVERY = 2
TIMER = 3
PERSON = 4

RANKS = {TieClass.DELIVERY: DELIVERY, TieClass.TIMER: TIMER, TieClass.PERSON: PERSON}


class Wake(Event):
    """One thing that happens at one instant; ``owner`` is the client it happens to."""

    def __init__(self, env: simpy.Environment, owner: str, value: object) -> None:
        super().__init__(env)
        self._ok = True
        self._value = value
        self.owner = owner


class Clock:
    """Schedules wakes; an ``order`` clause may turn one tie round.

    Args:
        orders: The ``order`` clauses with their place in the list of faults.
        used: Called with that place when a clause has turned its tie.
    """

    def __init__(self, orders: list[tuple[int, Order]], used: Callable[[int], None]) -> None:
        self.env = simpy.Environment()
        self._orders = orders
        self._used = used

    @property
    def now_us(self) -> int:
        """The instant, in microseconds."""
        return cast(int, self.env._now)  # noqa: SLF001 - the property costs as much as a wake

    def at(
        self, delay_us: int, rank: int, owner: str, act: Callable[[Event], None], value: object
    ) -> Wake:
        """Let ``act`` be called ``delay_us`` from now; the event carries ``value``."""
        wake = Wake(self.env, owner, value)
        callbacks = wake.callbacks
        assert callbacks is not None
        if self._orders:
            callbacks.append(lambda event: self._in_order(wake, rank, act, event))
        else:
            callbacks.append(act)
        self.env.schedule(wake, cast(EventPriority, rank), delay_us)
        return wake

    def person(self, delay_us: int, owner: str) -> Wake:
        """Return a wake that a person's process can yield."""
        wake = Wake(self.env, owner, None)
        self.env.schedule(wake, cast(EventPriority, PERSON), delay_us)
        return wake

    def run(self, horizon_us: int) -> bool:
        """Run to the horizon, inclusive; return whether anything was left to happen."""
        # SimPy stops *before* events at ``until``: the horizon is inclusive, hence one more.
        self.env.run(until=horizon_us + 1)
        return any(isinstance(entry[3], Wake) for entry in self.env._queue)  # noqa: SLF001

    def _in_order(
        self, wake: Wake, rank: int, act: Callable[[Event], None], event: Event
    ) -> None:
        for place, clause in self._orders:
            turned = RANKS[clause.second] == rank and self._waits(clause, wake)
            if turned and clause.client in (None, wake.owner):
                self._orders = [item for item in self._orders if item[0] != place]
                self._used(place)
                self.at(0, RANKS[clause.first], wake.owner, act, wake._value)  # noqa: SLF001
                return
        act(event)

    def _waits(self, clause: Order, wake: Wake) -> bool:
        """Whether something of the clause's first kind waits at this instant for this client."""
        rank = RANKS[clause.first]
        return any(
            at == self.env.now
            and priority == rank
            and isinstance(other, Wake)
            and other.owner == wake.owner
            for at, priority, _, other in self.env._queue  # noqa: SLF001 - SimPy has no look-ahead
        )
