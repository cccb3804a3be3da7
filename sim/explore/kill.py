"""The kill matrix: every mistake, alone, over the suite: what exposes it, and how little."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sim.contract.mistakes import MISTAKES
from sim.explore.bounds import Bounds
from sim.explore.choice import applied
from sim.explore.found import Explored
from sim.explore.search import explore
from sim.explore.suite import Case, cases
from sim.judge.catalog_invariants import INVARIANTS
from sim.scenario.clause_text import clause_text
from sim.scenario.model import World

_ORDER = {entry.name: rank for rank, entry in enumerate(INVARIANTS)}


class Exposure(NamedTuple):
    """How little exposes a mistake by one invariant."""

    faults: int
    """What goes wrong, the situation's own faults included."""
    situation: str
    clauses: tuple[str, ...]
    """The faults, as lines of a scenario."""


class Killed(NamedTuple):
    """What one case showed: by each broken invariant, its smallest exposure."""

    situation: str
    mistake: str
    schedules: int
    exposures: dict[str, Exposure]


@dataclass(slots=True)
class Row:
    """One mistake over the whole suite."""

    mistake: str
    schedules: int = 0
    exposures: dict[str, Exposure] = field(default_factory=dict)

    @property
    def faults(self) -> int | None:
        """The fewest faults that expose it at all; None: nothing did."""
        return min((one.faults for one in self.exposures.values()), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """The contract's own row, which must be empty, and one row for each mistake."""

    contract: Row
    rows: tuple[Row, ...]
    contract_faults: int | None
    """The bound for the contract's row in place of each situation's own."""

    @property
    def alive(self) -> tuple[str, ...]:
        """The mistakes that nothing exposed: holes in the invariants or in the suite."""
        return tuple(row.mistake for row in self.rows if not row.exposures)

    @property
    def is_clean(self) -> bool:
        """Whether every mistake is caught and the contract alone breaks nothing."""
        return not self.alive and not self.contract.exposures


def all_cases(contract_faults: int | None, only: Sequence[str] = ()) -> list[Case]:
    """Return what the matrix is made of: the contract first, then each mistake.

    Args:
        contract_faults: A bound for the contract in place of each situation's own.
        only: These mistakes alone; none: all of them.
    """
    names = [row.name for row in MISTAKES if not only or row.name in only]
    return [
        *cases("", contract_faults),
        *(case for name in names for case in cases(name)),
    ]


def kill(case: Case) -> Killed:
    """Search one case within its bound."""
    found = explore(case.world, Bounds(faults=case.faults))
    shown = exposures(case, found)
    return Killed(case.situation, case.mistake, found.tally.schedules, shown)


def exposures(case: Case, found: Explored) -> dict[str, Exposure]:
    """Return what a search of a case broke: by each invariant, its smallest exposure."""
    own = len(case.world.faults)
    return {
        name: Exposure(
            own + breakage.example.size[0],
            case.situation,
            lines(applied(case.world, breakage.example.schedule)),
        )
        for name, breakage in found.tally.broken.items()
    }


def lines(world: World) -> tuple[str, ...]:
    """Return a world's faults as the lines of a scenario."""
    only = world.clients[0].name if len(world.clients) == 1 else None
    return tuple(clause_text(clause, only) for clause in world.faults)


def matrix(found: Iterable[Killed], contract_faults: int | None) -> Matrix:
    """Return the matrix of what the cases showed, in their order."""
    rows: dict[str, Row] = {"": Row("")}
    for killed in found:
        row = rows.setdefault(killed.mistake, Row(killed.mistake))
        row.schedules += killed.schedules
        for name, exposure in killed.exposures.items():
            known = row.exposures.get(name)
            if known is None or exposure.faults < known.faults:
                row.exposures[name] = exposure
    for row in rows.values():
        row.exposures = dict(sorted(row.exposures.items(), key=lambda item: _ORDER[item[0]]))
    contract = rows.pop("")
    return Matrix(contract=contract, rows=tuple(rows.values()), contract_faults=contract_faults)
