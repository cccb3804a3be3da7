"""Sometimes, as well as always: what the scenarios of a suite come to, and what none of them does.

An invariant that holds always says nothing of a rule that is never used. Every variant is run once,
as it is shipped: what those without a mistake come to counts for the contract, and what only a
mistake can come to is counted from the variants that make it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sim.engine.world import simulate
from sim.explore.reach_items import BY_MISTAKE, ITEMS, ByMistake, Item, Set, fault_item, shown_by
from sim.explore.run import collector_paused
from sim.scenario.model import World


class Visit(NamedTuple):
    """What one variant came to."""

    scenario: str
    variant: str
    mistakes: tuple[str, ...]
    times: dict[Item, int]
    """In the order in which its run came to them."""

    @property
    def name(self) -> str:
        """``lost-ack``, or ``lost-ack/contract`` for a variant."""
        return f"{self.scenario}/{self.variant}" if self.variant else self.scenario


@dataclass(slots=True)
class Reached:
    """How often an item was come to, in how many scenarios, and where first."""

    item: Item
    times: int = 0
    scenarios: int = 0
    first: str = ""


class MistakeReached(NamedTuple):
    """An item that mistakes alone come to: which of them really do, and where first."""

    declared: ByMistake
    reached: Reached
    made: dict[str, str]
    """The mistake that comes to it ("": the contract) -> the first variant that shows it."""

    @property
    def item(self) -> Item:
        """What it is."""
        return self.reached.item


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a suite comes to. ``contract`` and ``by_mistake`` are in the order of the contract."""

    scenarios: int
    runs: int
    contract: tuple[Reached, ...]
    by_mistake: tuple[MistakeReached, ...]

    @property
    def unreached(self) -> tuple[Item, ...]:
        """What no contract variant comes to, although the contract can."""
        return tuple(one.item for one in self.contract if not one.times)

    @property
    def unmade(self) -> tuple[tuple[Item, str], ...]:
        """Items with a mistake that is declared to come to them, and does in no scenario."""
        return tuple(
            (one.item, name)
            for one in self.by_mistake
            for name in one.declared.mistakes
            if name not in one.made
        )

    @property
    def undeclared(self) -> tuple[tuple[Item, str], ...]:
        """Items of declared mistakes that something else comes to as well ("": the contract)."""
        return tuple(
            (one.item, name)
            for one in self.by_mistake
            for name in one.made
            if name not in one.declared.mistakes
        )

    @property
    def is_whole(self) -> bool:
        """Whether everything is reached, and by whom it is declared to be."""
        return not (self.unreached or self.undeclared or self.unmade)

    def of(self, which: Set) -> tuple[Reached, ...]:
        """Return what belongs to one closed set."""
        return tuple(one for one in self.contract if one.item.of is which)


def visit(world: World) -> Visit:
    """Run one variant once, as ``lostack run`` does, and note what it comes to."""
    times: dict[Item, int] = {}
    with collector_paused():
        for item in _come_to(world):
            times[item] = times.get(item, 0) + 1
    made = [name for client in world.clients for name in client.mistakes]
    mistakes = tuple(dict.fromkeys([*made, *world.server.mistakes]))
    return Visit(world.scenario, world.variant, mistakes, times)


def _come_to(world: World) -> Iterator[Item]:
    done = simulate(world)
    for record in done.records:
        yield from shown_by(record)
    for place, clause in enumerate(world.faults):
        if place not in done.unmatched and place not in done.still_held:
            yield fault_item(clause)


def reach(visits: Sequence[Visit]) -> Reach:
    """Return what the visits come to together, in their order.

    A variant with several mistakes on does not say which of them came to something: it is left
    out.
    """
    found = {item: Reached(item) for item in ITEMS}
    made: dict[Item, dict[str, str]] = {item: {} for item in BY_MISTAKE}
    latest: dict[Item, str] = {}
    for one in visits:
        if len(one.mistakes) > 1:
            continue
        mistake = "".join(one.mistakes)
        for item, times in one.times.items():
            reached = found[item]
            if item in made:
                made[item].setdefault(mistake, one.name)
            elif mistake:
                continue
            reached.times += times
            reached.first = reached.first or one.name
            reached.scenarios += latest.get(item) != one.scenario
            latest[item] = one.scenario
    return Reach(
        scenarios=len(dict.fromkeys(one.scenario for one in visits)),
        runs=len(visits),
        contract=tuple(one for item, one in found.items() if item not in BY_MISTAKE),
        by_mistake=tuple(
            MistakeReached(why, found[item], made[item]) for item, why in BY_MISTAKE.items()
        ),
    )
