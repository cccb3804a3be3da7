"""Every schedule of a world within its bounds, each exactly once.

The search goes by size: all schedules of one choice, then all of two, and so on, so that the
first one that breaks an invariant is a smallest one. A schedule of size n is run, its trace says
what could go otherwise *after* its last choice, and each of these makes one schedule of size
n + 1. A set of faults strikes in one order, so it is made in that order alone.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from sim.explore.bounds import Bounds
from sim.explore.choice import Choice
from sim.explore.found import Explored, Redundant, Tally
from sim.explore.nodes import Node, merged
from sim.explore.places import Places, places
from sim.explore.run import Ran, collector_paused, run_schedule
from sim.explore.states import Made, state_before
from sim.network.faults import Order
from sim.scenario.model import World
from sim.trace.records import Rec, Record

BATCH_MAX = 64
"""Schedules of one task: small enough to stop soon, large enough to be worth sending."""


class Task(NamedTuple):
    """One schedule to be extended by some of its choices."""

    world: World
    bounds: Bounds
    node: Node
    exact: bool = False
    """Whether only what came to one state at one instant is merged."""


class Batch(NamedTuple):
    """What came of a task; ``nodes`` can be extended further."""

    tally: Tally
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a search has come: runs made, and runs of this size that are known."""

    size: int
    done: int
    known: int
    broken: int


RunAll: TypeAlias = Callable[[Callable[[Task], Batch], Iterable[Task]], Iterator[Batch]]
"""Does tasks, here or elsewhere, and gives what came of them in the order of the tasks."""


class Stop(NamedTuple):
    """When to stop early.

    ``asked`` is called between tasks with the progress made; what it returns is why to stop
    (nothing: go on). ``runs_max`` bounds the runs; None: no bound.
    """

    asked: Callable[[Progress], str]
    runs_max: int | None = None


def never(_: Progress) -> str:
    """Do not stop."""
    return ""


def here(do: Callable[[Task], Batch], tasks: Iterable[Task]) -> Iterator[Batch]:
    """Do the tasks in this process, one after the other."""
    return map(do, tasks)


FREE = Stop(never)


def explore(world: World, bounds: Bounds, *, stop: Stop = FREE, run_all: RunAll = here) -> Explored:
    """Run and judge every schedule within the bounds.

    Args:
        world: What is explored; see ``calm`` for what it must not contain.
        bounds: How much may go wrong.
        stop: When to give up; the result then says so.
        run_all: How tasks are done.
    """
    found = _Search(world, bounds, stop, run_all).result()
    if found.stopped or not found.tally.overran:
        return found
    return _Search(world, bounds, stop, run_all, made=found.tally.runs).result()


class _Search:
    """One search.

    Args:
        world: What is explored.
        bounds: How much may go wrong.
        stop: When to give up.
        run_all: How tasks are done.
        made: Runs that a search made in which something lasted too long; 0: there was none. In
            this one every time counts to the microsecond.
    """

    def __init__(
        self, world: World, bounds: Bounds, stop: Stop, run_all: RunAll, *, made: int = 0
    ) -> None:
        self._world, self._bounds, self._stop, self._run_all = world, bounds, stop, run_all
        self._exact = made > 0
        self._tally = Tally()
        self._runs = made
        self._stopped = ""
        self._planned: list[int] = []

    def result(self) -> Explored:
        nodes: Sequence[Node] = self._root()
        size = 0
        while nodes and not self._stopped:
            size += 1
            known = sum(len(node.choices) for node in nodes)
            if not known:
                break
            self._planned.append(known)
            nodes = self._level(size, nodes, known)
        return Explored(
            world=self._world,
            bounds=self._bounds,
            tally=self._tally,
            planned=(1, *self._planned),
            stopped=self._stopped,
        )

    def _root(self) -> tuple[Node, ...]:
        ran = run_schedule(self._world, ())
        self._runs += 1
        self._tally.count((), ran)
        own = len(self._world.faults)
        found = offered(self._world, own, ran.records, 0, self._bounds.left_after(()))
        self._tally.unaddressed += found.unaddressed
        self._tally.inert += found.inert
        self._tally.states += bool(found.choices)
        return (Node((), found.choices),)

    def _level(self, size: int, nodes: Sequence[Node], known: int) -> list[Node]:
        """Run all schedules of one size; return those to go on from."""
        found: list[Node] = []
        done = 0
        tasks, cut = self._tasks(nodes, known)
        for task, batch in zip(tasks, self._run_all(extend, tasks), strict=False):
            self._tally.add(batch.tally)
            found += batch.nodes
            done += len(task.node.choices)
            self._runs += len(task.node.choices)
            self._ask(size, done, known)
            if self._stopped or self._tally.overran:
                return []
        if done < sum(len(task.node.choices) for task in tasks):
            # Whoever does the tasks has been asked to stop meanwhile.
            self._ask(size, done, known)
            assert self._stopped
        elif cut:
            self._stopped = f"the limit of {self._stop.runs_max:,} runs is reached"
        kept = merged(found)
        self._tally.states += len(kept)
        self._tally.merged += len(found) - len(kept)
        return kept

    def _ask(self, size: int, done: int, known: int) -> None:
        broken = len(self._tally.broken)
        progress = Progress(size=size, done=done, known=known, broken=broken)
        self._stopped = self._stop.asked(progress)

    def _tasks(self, nodes: Sequence[Node], known: int) -> tuple[list[Task], bool]:
        """Return the tasks of one size, and whether the limit cut some of them off."""
        most = self._stop.runs_max
        left = known if most is None else max(most - self._runs, 0)
        cut = known > left
        tasks: list[Task] = []
        for node in nodes:
            for first in range(0, len(node.choices), BATCH_MAX):
                part = node.choices[first : first + BATCH_MAX][:left]
                left -= len(part)
                if part:
                    part_of = node._replace(choices=part)
                    tasks.append(Task(self._world, self._bounds, part_of, self._exact))
        return tasks, cut


def extend(task: Task) -> Batch:
    """Run and judge a schedule with each of some choices added."""
    with collector_paused():
        return _extended(*task)


def _extended(world: World, bounds: Bounds, node: Node, exact: bool) -> Batch:
    tally = Tally()
    nodes: list[Node] = []
    before: Sequence[Record] = ()
    if any(_is_compared(choice) for choice in node.choices):
        before = run_schedule(world, node.schedule).records
    for choice in node.choices:
        schedule = (*node.schedule, choice)
        left = bounds.left_after(schedule)
        is_last = left.is_spent
        ran = run_schedule(world, schedule, keep=not is_last or _is_compared(choice))
        tally.overran += node.until_us is not None and ran.busy_until_us >= node.until_us
        why = _redundant(choice, len(world.faults), before, ran)
        if why is None:
            tally.count(schedule, ran, node.weight)
        else:
            tally.skip(why, node.weight)
        if not is_last and why in (None, Redundant.HELD):
            after = _struck_at(choice, before, ran)
            struck = ran.records[after if _is_compared(choice) else after - 1]
            made = Made(world, schedule, ran, after, struck.at_us, left, exact)
            nodes += _gone_on_from(made, node, tally)
    return Batch(tally, tuple(nodes))


def _gone_on_from(made: Made, before: Node, tally: Tally) -> Iterator[Node]:
    """Yield a schedule that was run, if anything can be added to it."""
    ran, left, weight = made.ran, made.left, before.weight
    found = offered(ran.world, len(made.world.faults), ran.records, made.after, left)
    tally.unaddressed += found.unaddressed * weight
    tally.inert += found.inert * weight
    if found.choices:
        state = None if left.plain else state_before(found.choices, made)
        yield Node(made.schedule, found.choices, weight, state, before.until_us)


def offered(world: World, own: int, records: Sequence[Record], after: int, left: Bounds) -> Places:
    """Return what can go otherwise in a run; see ``places``.

    Every tie is named by its instant: without it an ``order`` clause would turn the first one that
    it finds, and which one that is would depend on what nobody sees in the trace.
    """
    found = places(world, own, records, after, left)
    choices = tuple([_at_its_instant(choice, records) for choice in found.choices])
    return found._replace(choices=choices)


def _at_its_instant(choice: Choice, records: Sequence[Record]) -> Choice:
    clause = choice.clause
    if not isinstance(clause, Order):
        return choice
    return replace(choice, clause=replace(clause, at_us=records[choice.place].at_us))


def _is_compared(choice: Choice) -> bool:
    """Whether only the run without it shows where a choice takes effect."""
    return choice.clause is None or isinstance(choice.clause, Order)


def _redundant(choice: Choice, own: int, before: Sequence[Record], ran: Ran) -> Redundant | None:
    """Return why a run is no schedule of its own.

    Args:
        choice: The schedule's last choice.
        own: How many fault clauses are the scenario's own.
        before: The run without the last choice, where that is compared.
        ran: The run with it.
    """
    last = len(ran.world.faults) - 1
    if choice.clause is not None and last in ran.unmatched:
        return Redundant.UNTURNED if isinstance(choice.clause, Order) else Redundant.MISSED
    if _is_compared(choice) and not choice.place <= _same_until(before, ran.records) < ran.length:
        return Redundant.UNTURNED
    if any(place >= own for place in ran.still_held):
        return Redundant.HELD
    return None


def _struck_at(choice: Choice, before: Sequence[Record], ran: Ran) -> int:
    """Return the record of a run up to which the last choice leaves it as it was."""
    if _is_compared(choice):
        return _same_until(before, ran.records)
    last = len(ran.world.faults)
    return next(
        record.seq
        for record in ran.records
        if record.kind in (Rec.FAULT, Rec.CRASH) and record.data["clause"] == last
    )


def _same_until(before: Sequence[Record], after: Sequence[Record]) -> int:
    """Return how many records two runs share from the start."""
    for number, (old, new) in enumerate(zip(before, after, strict=False)):
        if old != new:
            return number
    return min(len(before), len(after))
