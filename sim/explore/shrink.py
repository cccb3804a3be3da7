"""The smallest counterexample: no single part can be left out or weakened any more.

Every simpler world is tried, the largest parts first, until none of them breaks the invariant:
so what is left is needed. The result is an ordinary world, written and read back as a scenario
before it counts.
"""

from dataclasses import replace
from typing import NamedTuple

from sim.explore.run import Ran, run_schedule
from sim.explore.simpler import candidates
from sim.judge.verdict import Violation
from sim.network.faults import Drop, MessageClause
from sim.scenario.dump import dump_world
from sim.scenario.errors import ScenarioError
from sim.scenario.load import load_text
from sim.scenario.model import Expect, World

NAME = "counterexample.yaml"


class Shrunk(NamedTuple):
    """A world that breaks an invariant and would not with any part less."""

    world: World
    invariant: str
    violation: Violation
    broken: tuple[str, ...]
    """All that breaks in it, in alphabetical order."""
    tries: int
    is_eased: bool = False
    """Whether settings went back to their defaults, because it breaks with these, too."""


def shrink(world: World, invariant: str) -> Shrunk | None:
    """Return the smallest part of a world that still breaks an invariant.

    Args:
        world: A world that breaks it, its schedule included.
        invariant: What has to stay broken.

    Returns:
        The shrunk world; None where the world, written as a scenario, does not break it.
    """
    smallest = _striking(replace(world, variant="", cell=(), expect=Expect()))
    violation = _breaks(smallest, invariant)
    if violation is None or not _is_written(smallest):
        return None
    tries, is_eased = 0, False
    goes_on = True
    while goes_on:
        goes_on = False
        for candidate in candidates(smallest):
            if candidate.world == smallest:
                continue
            tries += 1
            found = _breaks(candidate.world, invariant)
            if found is not None and _is_written(candidate.world):
                smallest, violation, goes_on = candidate.world, found, True
                is_eased = is_eased or candidate.is_setting
                break
    ran = run_schedule(smallest, keep=False)
    return Shrunk(smallest, invariant, violation, tuple(sorted(ran.broken)), tries, is_eased)


def _striking(world: World) -> World:
    """Return the world without faults that never strike; who is held for ever is lost."""
    ran = run_schedule(world, keep=False)
    faults = tuple(
        replace(clause, action=Drop())
        if place in ran.still_held and isinstance(clause, MessageClause)
        else clause
        for place, clause in enumerate(world.faults)
        if place not in ran.unmatched
    )
    return replace(world, faults=faults, fault_lines=())


def _breaks(world: World, invariant: str) -> Violation | None:
    """Return where a world breaks an invariant with every one of its faults striking."""
    if not any(line for line in world.user):
        return None
    ran = run_schedule(world, keep=False)
    if not _is_whole(ran):
        return None
    return next((one for one in ran.violations if one.invariant == invariant), None)


def _is_whole(ran: Ran) -> bool:
    """Whether the run proves something: every fault struck, and nothing was cut short."""
    return not ran.unmatched and not ran.still_held and ran.ended != "limit"


def _is_written(world: World) -> bool:
    """Whether the world, written as a scenario and read back, is the same world."""
    try:
        loaded = load_text(dump_world(world, "tried", ""), world.scenario, NAME).worlds[0]
    except ScenarioError:
        return False
    return replace(loaded, fault_lines=()) == replace(world, fault_lines=())
