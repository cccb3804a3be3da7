"""Results sorted for charts: by scenario, by variant, by the values of its sweep."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sim.measure.definitions import BY_NAME
from sim.measure.results import CellResult
from sim.report.charts.scales import Swept, swept

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Family:
    """The finished cells of one scenario. ``name`` is that of its charts' files."""

    name: str
    results: tuple[CellResult, ...]
    unfinished: int
    """Cells that are left out because not all of their runs were made."""

    @property
    def title(self) -> str:
        """The scenario's title."""
        return self.results[0].cell.scenario.title or self.results[0].cell.scenario.name

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants' names, in the file's order; one empty name without variants."""
        return tuple(dict.fromkeys(result.cell.world.variant for result in self.results))

    @property
    def axes(self) -> tuple[Swept, ...]:
        """The swept paths that have more than one value, the longest first."""
        values: dict[str, dict[str, None]] = {}
        for result in self.results:
            for path, value in result.cell.world.cell:
                values.setdefault(path, {}).setdefault(value, None)
        several = [swept(path, list(found)) for path, found in values.items() if len(found) > 1]
        return tuple(sorted(several, key=lambda axis: -len(axis.values)))

    @property
    def left_out(self) -> tuple[str, ...]:
        """What has to be said of cells that are not shown."""
        if not self.unfinished:
            return ()
        return (f"{self.unfinished} unfinished cells are left out",)


@dataclass(frozen=True, slots=True)
class Line:
    """Cells that differ in what is on the chart's axis alone; None where there is no cell."""

    label: str
    cells: tuple[CellResult | None, ...]


def families(results: Sequence[CellResult]) -> list[Family]:
    """Sort results by scenario; what is not whole is left out and counted."""
    found: dict[str, list[CellResult]] = {}
    for result in results:
        scenario = result.cell.scenario
        found.setdefault(scenario.path or scenario.name, []).append(result)
    made: list[Family] = []
    taken: dict[str, int] = {}
    for several in found.values():
        stem = slug(several[0].cell.scenario.name)
        taken[stem] = taken.get(stem, 0) + 1
        name = stem if taken[stem] == 1 else f"{stem}-{taken[stem]}"
        whole = tuple(r for r in several if r.is_whole and r.tally.operations)
        unfinished = sum(not r.is_whole for r in several)
        if whole:
            made.append(Family(name, whole, unfinished))
    return made


def lines(family: Family, along: Swept) -> list[Line]:
    """Return the cells along one swept path: a line for each variant and each other value."""
    found: dict[str, dict[str, CellResult]] = {}
    for result in family.results:
        cell = dict(result.cell.world.cell)
        value = cell.pop(along.path)
        label = _label(family, result.cell.world.variant, list(cell.items()))
        found.setdefault(label, {})[value] = result
    return [
        Line(label, tuple(cells.get(value) for value in along.values))
        for label, cells in found.items()
    ]


def label_of(family: Family, result: CellResult) -> str:
    """Return what tells a cell from the others of its scenario."""
    return _label(family, result.cell.world.variant, list(result.cell.world.cell))


def _label(family: Family, variant: str, cell: list[tuple[str, str]]) -> str:
    several = [axis.path for axis in family.axes]
    parts = [f"{short(path)}={value}" for path, value in cell if path in several]
    if variant and (len(family.variants) > 1 or not parts):
        parts.insert(0, variant)
    return ", ".join(parts)


def short(path: str) -> str:
    """Return the end of a path, which is what tells it: ``ack.loss``."""
    return ".".join(path.split(".")[-2:])


def telling(results: Sequence[CellResult], names: Sequence[str]) -> list[str]:
    """Return the measures that say something here: not all zero, not all one attempt."""
    found = []
    for name in names:
        rows = [result.row(name) for result in results]
        values = [row.value for row in rows if row.value is not None]
        least = 1.0 if name in ("attempts_per_operation", "deliveries_per_effect") else 0.0
        if any(value != least for value in values):
            found.append(name)
    return found


HARMS = tuple(measure.name for measure in BY_NAME.values() if measure.is_harm)
"""Shown wherever they are not zero."""


def slug(text: str) -> str:
    """Return a text as part of a file name."""
    return re.sub(r"[^A-Za-z0-9._]+", "-", text)[:80].strip("-.") or "scenario"


def parts(items: Sequence[_Item], most: int) -> Iterator[Sequence[_Item]]:
    """Cut a sequence into parts of nearly equal length, none longer than ``most``."""
    many = -(-len(items) // most)
    for number in range(many):
        yield items[number * len(items) // many : (number + 1) * len(items) // many]
