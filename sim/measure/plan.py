"""What is to be measured: cells, and their runs cut into chunks."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sim.scenario.model import Scenario, World

RUNS_DEFAULT = 10_000


@dataclass(frozen=True, slots=True)
class Cell:
    """One variant of one scenario at one point of its sweep."""

    index: int
    scenario: Scenario
    world: World
    runs: int

    @property
    def where(self) -> str:
        """The cell as people read it: ``client.timeout=1s, network.ack.loss=0.1``."""
        return ", ".join(f"{path}={value}" for path, value in self.world.cell)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Runs [first, stop) of one cell."""

    cell: int
    first: int
    stop: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that one measurement runs, in the order in which it is reported."""

    cells: tuple[Cell, ...]

    @property
    def runs(self) -> int:
        """How many runs there are in all."""
        return sum(cell.runs for cell in self.cells)

    @property
    def digest(self) -> str:
        """What tells this plan from every other: scenarios, cells, runs and seeds."""
        lines = [
            f"{cell.scenario.name}\t{cell.scenario.digest}\t{cell.world.variant}\t{cell.where}"
            f"\t{cell.runs}\t{cell.world.seed}"
            for cell in self.cells
        ]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def make_plan(
    scenarios: Sequence[Scenario],
    *,
    runs: int | None = None,
    seed: int | None = None,
    variant: str | None = None,
) -> Plan:
    """Return the plan of a measurement.

    Args:
        scenarios: What to measure: every variant and every cell of every sweep.
        runs: In place of what the files say, and of the default of 10,000.
        seed: In place of the worlds' own seeds.
        variant: Only this one; scenarios without it rest, and the plan may be empty.
    """
    cells: list[Cell] = []
    for scenario in _told_apart(scenarios):
        many = runs or scenario.runs or RUNS_DEFAULT
        for world in scenario.swept:
            if variant is not None and world.variant != variant:
                continue
            seeded = world if seed is None else replace(world, seed=seed)
            cells.append(Cell(len(cells), scenario, seeded, many))
    return Plan(tuple(cells))


def _told_apart(scenarios: Sequence[Scenario]) -> Iterator[Scenario]:
    """Yield the scenarios with a number behind a name that another one before has, too."""
    taken: set[str] = set()
    for scenario in scenarios:
        name, number = scenario.name, 1
        while name in taken:
            number += 1
            name = f"{scenario.name}-{number}"
        taken.add(name)
        yield scenario if name == scenario.name else replace(scenario, name=name)
