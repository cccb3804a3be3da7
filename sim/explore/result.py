"""What ``lostack explore`` says about one world: counts, invariants and counterexamples."""

from dataclasses import dataclass, replace

from sim.explore.calm import Calmed
from sim.explore.choice import applied
from sim.explore.counterexample import Counterexample, counterexamples
from sim.explore.found import Breakage, Explored
from sim.explore.shrink import Shrunk, shrink
from sim.judge.catalog_invariants import INVARIANTS
from sim.judge.court import NOBODY_ACTS
from sim.scenario.model import Scenario, World

NAMES = tuple(entry.name for entry in INVARIANTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One world, explored."""

    scenario: Scenario
    explored: Explored
    notes: tuple[str, ...]
    counterexamples: tuple[Counterexample, ...]

    @property
    def world(self) -> World:
        """The world that was explored."""
        return self.explored.world

    @property
    def name(self) -> str:
        """``lost-ack``, or ``lost-ack/contract`` for a variant."""
        variant = self.world.variant
        return f"{self.scenario.name}/{variant}" if variant else self.scenario.name

    @property
    def broken(self) -> dict[str, Breakage]:
        """What broke, in the order of the contract."""
        found = self.explored.tally.broken
        return {name: found[name] for name in NAMES if name in found}

    @property
    def held(self) -> tuple[str, ...]:
        """What broke in no schedule that was tried, in the order of the contract."""
        return tuple(name for name in NAMES if name not in self.explored.tally.broken)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why the search does not say that the rest holds; empty: it says so."""
        return doubts(self.explored)


def doubts(explored: Explored) -> tuple[str, ...]:
    """Return why a search is inconclusive, as sentences; nothing: it is complete."""
    tally = explored.tally
    said = [explored.stopped] if explored.stopped else []
    if not explored.world.user:
        said.append(NOBODY_ACTS)
    if tally.unfinished:
        said.append(f"{tally.unfinished:,} runs were cut off by the horizon or by their length")
    if tally.unaddressed:
        said.append(
            f"{tally.unaddressed:,} messages share their address with another one, so that no "
            "fault can be put on them alone"
        )
    missed = explored.missed
    if missed:
        said.append(f"{missed:,} faults did not strike where they were meant to")
    return tuple(said)


def concluded(
    scenario: Scenario, calmed: Calmed, explored: Explored, how: str, *, every: bool = False
) -> Result:
    """Return the result of a search, with the smallest counterexample of what broke.

    Args:
        scenario: Where the world comes from.
        calmed: The world as it was explored.
        explored: What the search found.
        how: The command, for the counterexamples' texts.
        every: Whether what the scenario declares to break gets a counterexample, too.
    """
    result = Result(scenario=scenario, explored=explored, notes=calmed.notes, counterexamples=())
    wanted = result.broken if every else [n for n in result.broken if n in explored.undeclared]
    smallest = [_smallest(explored, name) for name in wanted]
    found = counterexamples(smallest, explored.world, how)
    return replace(result, counterexamples=found)


def _smallest(explored: Explored, invariant: str) -> Shrunk:
    example = explored.tally.broken[invariant].example
    world = applied(explored.world, example.schedule)
    shrunk = shrink(world, invariant)
    if shrunk is not None:
        return shrunk
    broken = tuple(sorted({invariant, *explored.world.expect.violates}))
    return Shrunk(world, invariant, example.violation, broken, 0)
