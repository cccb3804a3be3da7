"""One cell of a sweep, named as ``lostack measure`` names it: ``client.timeout=1s``."""

from collections.abc import Sequence
from dataclasses import replace

from sim.cli.errors import CommandError
from sim.scenario.errors import use_one_of
from sim.scenario.model import Scenario, World


def only_cell(scenarios: Sequence[Scenario], cell: str) -> tuple[Scenario, ...]:
    """Return the scenarios that have the cell, with the worlds of that cell alone.

    Raises:
        CommandError: None of them has it.
    """
    kept = tuple(
        replace(one, worlds=worlds)
        for one in scenarios
        if (worlds := tuple(world for world in one.swept if _plain(_name(world)) == _plain(cell)))
    )
    if not kept:
        known = dict.fromkeys(_name(world) for one in scenarios for world in one.swept)
        names = [name for name in known if name]
        fix = use_one_of(cell, names) if names else "leave --cell out: there is no sweep"
        raise CommandError(f"no sweep has a cell '{cell[:120]}'", fix)
    return kept


def _name(world: World) -> str:
    return ", ".join(f"{path}={value}" for path, value in world.cell)


def _plain(name: str) -> str:
    return "".join(name.split())
