"""Pairs of a client's and a server's mistake: harmless alone, and harmful together.

Every mistake is caught somewhere (the kill matrix), so *harmless* is said of one situation and so
many faults: alone, neither mistake lets anybody be told an untruth, lose work or get a thing twice
(an operation may stay stuck, which its person is told); both together do. Such a pair is what
two teams make that each tested their own half.

For every situation the fewest faults are found that make each mistake harmful alone; a pair is
then searched within fewer faults than either needs: more would say nothing about the pair.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sim.contract.mistakes import MISTAKES, Side
from sim.explore.bounds import Bounds
from sim.explore.choice import applied
from sim.explore.kill import lines
from sim.explore.run import run_schedule
from sim.explore.safety import is_harmful
from sim.explore.search import explore
from sim.explore.suite import SUITE, situation, with_mistake
from sim.judge.catalog_invariants import INVARIANTS
from sim.scenario.model import World

FAULTS = 1
"""The most faults besides a situation's own, unless something else is asked for."""
CLIENTS = tuple(row.name for row in MISTAKES if row.side is Side.CLIENT)
SERVERS = tuple(row.name for row in MISTAKES if row.side is Side.SERVER)
_NAMES = tuple(entry.name for entry in INVARIANTS)


class Shown(NamedTuple):
    """What a world shows within a bound.

    ``faults`` is the fewest that do harm (None: no harm within the bound), ``harms`` what they
    break, each with a smallest set of faults, the situation's own first. ``stuck`` is what breaks
    with fewer than that and harms nobody, each with its fewest faults.
    """

    faults: int | None
    harms: dict[str, tuple[str, ...]]
    stuck: dict[str, int]
    schedules: int
    is_cut: bool
    """Whether it never comes to rest, so that it was not searched any deeper."""

    def stuck_within(self, faults: int) -> tuple[str, ...]:
        """Return what breaks with so many faults and harms nobody."""
        return tuple(name for name, need in self.stuck.items() if need <= faults)


class Alone(NamedTuple):
    """One mistake in one situation; ``place`` is the situation's in the suite."""

    place: int
    mistake: str
    faults: int


class Couples(NamedTuple):
    """A client's mistake in one situation, and the servers' mistakes that it is tried with."""

    place: int
    client: str
    client_alone: Shown
    servers: tuple[tuple[str, Shown], ...]
    faults: int


class Harm(NamedTuple):
    """A pair that does harm in a situation, with faults with which neither does alone."""

    situation: str
    client: str
    server: str
    faults: int
    """The fewest, besides the situation's own."""
    harms: dict[str, tuple[str, ...]]
    client_breaks: tuple[str, ...]
    """What the client's mistake alone breaks with as many faults; it harms nobody."""
    server_breaks: tuple[str, ...]


class Coupled(NamedTuple):
    """What came of some couples."""

    tried: int
    schedules: int
    harms: tuple[Harm, ...]
    cut: tuple[tuple[str, str, str], ...]
    """Situation, client's and server's mistake of pairs that never come to rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """All pairs over the suite. ``tried`` counts pairs in situations, ``many`` the pairs."""

    faults: int
    many: int
    tried: int
    schedules: int
    harms: tuple[Harm, ...]
    cut: tuple[tuple[str, str, str], ...]

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """The harmful pairs, each once, in the order of the tables of mistakes."""
        found = {(one.client, one.server) for one in self.harms}
        return tuple(
            (client, server)
            for client in CLIENTS
            for server in SERVERS
            if (client, server) in found
        )

    def of(self, client: str, server: str) -> tuple[Harm, ...]:
        """Return where a pair is harmful: the fewest faults first, then in the suite's order."""
        mine = [one for one in self.harms if (one.client, one.server) == (client, server)]
        return tuple(sorted(mine, key=lambda one: one.faults))


def alone_tasks(faults: int) -> list[Alone]:
    """Return every mistake in every situation, within so many faults."""
    return [Alone(place, row.name, faults) for place in range(len(SUITE)) for row in MISTAKES]


def alone(task: Alone) -> Shown:
    """Search one mistake alone in its situation."""
    return _search(with_mistake(situation(SUITE[task.place]), task.mistake), task.faults)


def couples(tasks: Sequence[Alone], shown: Sequence[Shown]) -> list[Couples]:
    """Return what is to be tried, from what the mistakes show alone.

    A mistake that does harm with no fault at all has no pair in that situation.
    """
    found: dict[tuple[int, str], Shown] = {
        (task.place, task.mistake): one for task, one in zip(tasks, shown, strict=True)
    }
    faults = max(task.faults for task in tasks)
    return [
        Couples(place, client, found[place, client], servers, faults)
        for place in range(len(SUITE))
        if (servers := tuple(_harmless(found, place, SERVERS)))
        for client, _ in _harmless(found, place, CLIENTS)
    ]


def _harmless(
    found: dict[tuple[int, str], Shown], place: int, names: Sequence[str]
) -> Iterable[tuple[str, Shown]]:
    for name in names:
        shown = found.get((place, name))
        if shown is not None and shown.faults != 0:
            yield name, shown


def couple(task: Couples) -> Coupled:
    """Search a client's mistake together with each of the servers' mistakes."""
    name = SUITE[task.place].name
    world = with_mistake(situation(SUITE[task.place]), task.client)
    schedules, harms, cut = 0, [], []
    for server, server_alone in task.servers:
        needs = [one.faults for one in (task.client_alone, server_alone) if one.faults is not None]
        shown = _search(
            with_mistake(world, server), min([task.faults, *(need - 1 for need in needs)])
        )
        schedules += shown.schedules
        if shown.is_cut:
            cut.append((name, task.client, server))
        if shown.faults is not None:
            client_breaks = task.client_alone.stuck_within(shown.faults)
            server_breaks = server_alone.stuck_within(shown.faults)
            breaks = (client_breaks, server_breaks)
            harms.append(Harm(name, task.client, server, shown.faults, shown.harms, *breaks))
    return Coupled(len(task.servers), schedules, tuple(harms), tuple(cut))


def pairs(faults: int, alone_found: Sequence[Shown], found: Sequence[Coupled]) -> Pairs:
    """Return all that was found, in its order."""
    together = sum(one.schedules for one in found)
    return Pairs(
        faults=faults,
        many=len(CLIENTS) * len(SERVERS),
        tried=sum(one.tried for one in found),
        schedules=together + sum(one.schedules for one in alone_found),
        harms=tuple(harm for one in found for harm in one.harms),
        cut=tuple(cut for one in found for cut in one.cut),
    )


def _search(world: World, within: int) -> Shown:
    """Search ever more faults, until some of them do harm or the bound is reached.

    A world that does not even come to rest when nothing goes wrong is not searched deeper: each of
    its endlessly many messages could go wrong.
    """
    calm = run_schedule(world, keep=False)
    broken: dict[str, World] = dict.fromkeys(calm.broken, world)
    stuck: dict[str, int] = {}
    schedules = 1
    for faults in range(within + 1):
        if faults:
            tally = explore(world, Bounds(faults=faults)).tally
            schedules = tally.schedules
            broken = {
                name: applied(world, one.example.schedule) for name, one in tally.broken.items()
            }
        harms = {
            name: lines(broken[name]) for name in _NAMES if name in broken and is_harmful(name)
        }
        if harms:
            return Shown(faults, harms, stuck, schedules, is_cut=False)
        for name in _NAMES:
            if name in broken:
                stuck.setdefault(name, faults)
        if calm.ended != "quiet":
            return Shown(None, {}, stuck, schedules, is_cut=within > 0)
    return Shown(None, {}, stuck, schedules, is_cut=False)
