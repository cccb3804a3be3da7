"""Time and order: SimPy's heap, in integer microseconds, with the contract's rule for ties.

At one instant deliveries come before timers and timers before the person's actions; within a
kind the order of scheduling decides. SimPy orders its heap by (time, priority, order), so the
kind is the priority. Whatever happens by itself is a wake: one call, no process, no store, no
condition. What people do is done by SimPy's processes, on the same heap.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any, Final, TypeAlias

import simpy
from simpy.events import Event

from sim.network.faults import Order, TieClass

DELIVERY: Final = 2
TIMER: Final = 3
PERSON: Final = 4

_LOOKS_EVERY: Final = 16

RANKS: Final = {TieClass.DELIVERY: DELIVERY, TieClass.TIMER: TIMER, TieClass.PERSON: PERSON}


class Wake:
    """One thing that happens at one instant: ``act`` is called with this wake.

    ``owner`` is the client it happens to, ``what`` is for whoever acts on it.
    """

    __slots__ = ("act", "at_us", "owner", "rank", "what")

    def __init__(self, at_us: int, rank: int, owner: str, act: "Act", what: Any) -> None:
        self.at_us = at_us
        self.rank = rank
        self.owner = owner
        self.act = act
        self.what = what


class Turn(Event):
    """A person's turn: what the process of a person waits for.

    SimPy's own attributes are given directly and not by its constructor: a turn is triggered from
    the start.
    """

    _ok = True
    _value = None

    def __init__(self, owner: str) -> None:
        self.callbacks = []
        self.owner = owner


Act: TypeAlias = Callable[[Wake], None]


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
        self._queue: list[Any] = self.env._queue  # noqa: SLF001 - the one queue of both
        self._count = 0
        """Of wakes and turns. SimPy counts its own events, which never meet ours: their ranks are
        others."""
        self._orders = orders
        self._used = used
        self._look = look
        self.last_us = 0
        """When something was last recorded: a quiet run ends then, whatever still rang unheard."""
        self.busy_until_us = 0
        """When something last happened, heard or not."""

    def at(self, at_us: int, rank: int, owner: str, act: Act, what: object) -> None:
        """Let ``act`` be called at an instant that is not past; the wake carries ``what``."""
        self._count = count = self._count + 1
        if count % _LOOKS_EVERY == 0:
            self._look()
        wake = Wake(at_us, rank, owner, act, what)
        heappush(self._queue, (at_us, rank, count, wake))

    def person(self, at_us: int, owner: str) -> Turn:
        """Return a turn that a person's process can yield."""
        self._count = count = self._count + 1
        if count % _LOOKS_EVERY == 0:
            self._look()
        turn = Turn(owner)
        heappush(self._queue, (at_us, PERSON, count, turn))
        return turn

    def run(self, horizon_us: int) -> bool:
        """Run to the horizon, inclusive; return whether anything was left to happen.

        A wake is taken off the queue and acted on, and a turn given to its person, as SimPy would
        step it; every other event is SimPy's to step.
        """
        env, queue = self.env, self._queue
        while queue:
            entry = heappop(queue)
            event = entry[3]
            if entry[0] > horizon_us:
                heappush(queue, entry)
                break
            if isinstance(event, Wake):
                if self._orders:
                    self._in_order(event)
                else:
                    event.act(event)
            elif isinstance(event, Turn):
                env._now = entry[0]  # noqa: SLF001 - what ``step`` does, without the call
                waiting, event.callbacks = event.callbacks, []
                for resume in waiting:
                    resume(event)
            else:
                heappush(queue, entry)
                env.step()
            self.busy_until_us = entry[0]
        return any(isinstance(entry[3], Wake | Turn) for entry in queue)

    def forget(self) -> None:
        """Let go of whatever has not happened: the run is over."""
        self._queue.clear()

    def _in_order(self, wake: Wake) -> None:
        for place, clause in self._orders:
            turned = RANKS[clause.second] == wake.rank and self._waits(clause, wake)
            meant = clause.client in (None, wake.owner) and clause.at_us in (None, wake.at_us)
            if turned and meant:
                self._orders = [item for item in self._orders if item[0] != place]
                self._used(place)
                self.at(wake.at_us, RANKS[clause.first], wake.owner, wake.act, wake.what)
                return
        wake.act(wake)

    def _waits(self, clause: Order, wake: Wake) -> bool:
        """Whether something of the clause's first kind waits at this instant for this client."""
        rank = RANKS[clause.first]
        return any(
            at == wake.at_us
            and priority == rank
            and isinstance(other, Wake | Turn)
            and other.owner == wake.owner
            for at, priority, _, other in self._queue
        )
