"""How far a search goes: what it tries, and how much of it at once."""

from dataclasses import dataclass

from sim.explore.choice import FAULTS, Kind, Schedule, acts_in, faults_in
from sim.scenario.model import Do

FAULTS_DEFAULT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The space of schedules that is searched.

    ``faults`` and ``acts`` bound how many of each one schedule holds; ``kinds`` are the faults
    that are tried, ``also`` what people do besides what the scenario says. ``plain``: nothing
    is left out, not even what provably cannot matter, and no two states are merged.
    """

    faults: int = FAULTS_DEFAULT
    acts: int = 0
    kinds: tuple[Kind, ...] = FAULTS
    also: tuple[Do, ...] = ()
    plain: bool = False

    def left_after(self, schedule: Schedule) -> "Bounds":
        """Return what may still be added to a schedule."""
        faults = self.faults - faults_in(schedule)
        acts = self.acts - acts_in(schedule)
        return Bounds(
            faults=faults,
            acts=acts,
            kinds=self.kinds if faults > 0 else (),
            also=self.also if acts > 0 else (),
            plain=self.plain,
        )

    @property
    def is_spent(self) -> bool:
        """Whether nothing can be added any more."""
        return not self.kinds and not self.also
