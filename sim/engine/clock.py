"""Time and order, in integer microseconds, with the contract's rule for ties.

At one instant deliveries come before timers and timers before the person's actions; within a
kind the order of scheduling decides. So everything of one instant and kind waits in one line, and
what is sorted are the lines: a comparison is one of two whole numbers, however many wait at once.

Whatever happens by itself is a wake: one call, no process, no store, no condition. What people do
is done by SimPy's processes. SimPy's own events (a process begins, a process ends) stand in its own
queue; they are always of the present instant and come before whatever else it holds.
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

_RANK_BITS: Final = 3
_RANK_MASK: Final = 7
_LOOKS_EVERY: Final = 16
# Named here because compiled code would look them up by name each time.
_push: Final = heappush
_pop: Final = heappop

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
    """A person's turn: what the process of a person waits for, again and again.

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
        self._of_simpy: list[Any] = self.env._queue  # noqa: SLF001 - to see whether it is empty
        self._lines: dict[int, list[Wake | Turn]] = {}
        """Instant and rank as one number -> what waits there, in the order of scheduling."""
        self._sorted: list[int] = []
        """A heap of the numbers of these lines."""
        self._count = 0
        """Of wakes and turns."""
        self._orders = orders
        self._used = used
        self._look = look
        self.last_us = 0
        """When something was last recorded: a quiet run ends then, whatever still rang unheard."""
        self.busy_until_us = 0
        """When something last happened, heard or not."""

    def at(self, at_us: int, rank: int, owner: str, act: Act, what: object) -> None:
        """Let ``act`` be called at an instant that is not past; the wake carries ``what``."""
        self._wait(at_us << _RANK_BITS | rank, Wake(at_us, rank, owner, act, what))

    def person(self, at_us: int, turn: Turn) -> Turn:
        """Return the turn, to be yielded by a person's process: it comes at that instant."""
        self._wait(at_us << _RANK_BITS | PERSON, turn)
        return turn

    def _wait(self, key: int, event: Wake | Turn) -> None:
        self._count += 1
        if self._count % _LOOKS_EVERY == 0:
            self._look()
        line = self._lines.get(key)
        if line is not None:
            line.append(event)
            return
        self._lines[key] = [event]
        _push(self._sorted, key)

    def run(self, horizon_us: int) -> bool:
        """Run to the horizon, inclusive; return whether anything was left to happen."""
        self._let_simpy()
        last = horizon_us << _RANK_BITS | PERSON
        numbers = self._sorted
        while numbers:
            key = numbers[0]
            if key > last:
                break
            line = self._lines[key]
            done = 0
            for event in line:  # What comes to the end of it meanwhile is come to, too.
                done += 1
                self._happens(event, key)
                self.busy_until_us = key >> _RANK_BITS
                if numbers[0] != key:
                    break
            del line[:done]
            if numbers[0] == key:
                _pop(numbers)
                del self._lines[key]
        return bool(numbers)

    def _happens(self, event: Wake | Turn, key: int) -> None:
        """Act on a wake, or give a turn to its person as SimPy would step it."""
        if isinstance(event, Wake):
            if self._orders:
                self._in_order(event)
            else:
                event.act(event)
            return
        self.env._now = key >> _RANK_BITS  # noqa: SLF001 - what ``step`` does, without the call
        waiting, event.callbacks = event.callbacks, []
        for resume in waiting:
            resume(event)
        self._let_simpy()

    def _let_simpy(self) -> None:
        """Let SimPy step its own events: of this instant, and before whatever else it holds."""
        while self._of_simpy:
            self.env.step()

    def waiting(self) -> list[tuple[int, int, Wake | Turn]]:
        """Return what has not happened yet, in the order in which it will: when, rank and what."""
        return [
            (key >> _RANK_BITS, key & _RANK_MASK, event)
            for key in sorted(self._lines)
            for event in self._lines[key]
        ]

    def forget(self) -> None:
        """Let go of whatever has not happened: the run is over."""
        self._of_simpy.clear()
        self._lines.clear()
        self._sorted.clear()

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
        """Whether something of the clause's first kind waits at this instant for this client.

        The kinds of a clause differ, so that the line looked at is not the one that is come to.
        """
        line = self._lines.get(wake.at_us << _RANK_BITS | RANKS[clause.first], [])
        return any(other.owner == wake.owner for other in line)
