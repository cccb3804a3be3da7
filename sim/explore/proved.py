"""The contract without a mistake over the whole suite: it breaks nothing, within a bound."""

from dataclasses import dataclass
from typing import NamedTuple

from sim.explore.bounds import Bounds
from sim.explore.kill import Exposure, exposures
from sim.explore.result import doubts
from sim.explore.search import explore
from sim.explore.suite import Case, cases

FAULTS = 3
"""How deep the contract is searched, unless something else is asked for."""


class Proved(NamedTuple):
    """One situation, searched within the bound."""

    situation: str
    own: int
    """Faults of the situation itself, which strike in every schedule."""
    sizes: tuple[int, ...]
    """Schedules of 0, 1, 2 … faults besides."""
    exposures: dict[str, Exposure]
    """Broken invariant -> the fewest faults that break it."""
    doubts: tuple[str, ...]
    """Why the search does not say that the rest holds."""

    @property
    def schedules(self) -> int:
        """How many schedules there were."""
        return sum(self.sizes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """All situations, each within the same bound."""

    faults: int
    situations: tuple[Proved, ...]

    @property
    def schedules(self) -> int:
        """How many schedules there were in all."""
        return sum(one.schedules for one in self.situations)

    @property
    def broken(self) -> tuple[Proved, ...]:
        """The situations in which something breaks."""
        return tuple(one for one in self.situations if one.exposures)

    @property
    def doubtful(self) -> tuple[Proved, ...]:
        """The situations whose search was not complete."""
        return tuple(one for one in self.situations if one.doubts)


def prove_all(faults: int) -> tuple[Case, ...]:
    """Return what is to be searched: every situation, with the contract as it is."""
    return cases("", faults)


def prove(case: Case) -> Proved:
    """Search one situation within its bound."""
    found = explore(case.world, Bounds(faults=case.faults))
    tried = found.tally.tried
    return Proved(
        situation=case.situation,
        own=len(case.world.faults),
        sizes=tuple(tried.get(size, 0) for size in range(max(tried) + 1)),
        exposures=exposures(case, found),
        doubts=doubts(found),
    )
