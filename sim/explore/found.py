"""What a search has found: plain values, added up in the order in which schedules are made."""

from dataclasses import dataclass, field
from enum import StrEnum

from sim.explore.bounds import Bounds
from sim.explore.choice import Schedule, acts_in, faults_in
from sim.explore.run import Ending, Ran
from sim.judge.verdict import Violation
from sim.scenario.model import World


class Redundant(StrEnum):
    """Why a run was made and not counted."""

    HELD = "held"
    """What a late message waited for never came: the same as a lost one."""
    MISSED = "missed"
    """The fault did not strike where it was meant to: nothing is known of that schedule."""
    UNTURNED = "unturned"
    """The tie was none: turned or not, the same happens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A schedule that breaks an invariant, and where it does."""

    schedule: Schedule
    violation: Violation
    records: int
    """How long its story is."""

    @property
    def size(self) -> tuple[int, int, int, int]:
        """Fewest faults first, then the fewest acts, the earliest break, the shortest story."""
        schedule = self.schedule
        return faults_in(schedule), acts_in(schedule), self.violation.at_us, self.records


@dataclass(slots=True)
class Breakage:
    """How often an invariant broke, and the smallest schedule that breaks it."""

    times: int
    example: Example


@dataclass(slots=True)
class Tally:
    """Counts over schedules. ``add`` keeps the first of equals, so the order of adding counts."""

    tried: dict[int, int] = field(default_factory=dict)
    """Choices in a schedule -> schedules of that many that were tried."""
    redundant: dict[Redundant, int] = field(default_factory=dict)
    broken: dict[str, Breakage] = field(default_factory=dict)
    endings: dict[Ending, int] = field(default_factory=dict)
    unfinished: int = 0
    """Schedules whose run did not come to an end before its horizon, or its limit of records."""
    inert: int = 0
    """Choices at answers that cannot matter any more, with all that could have followed."""
    unaddressed: int = 0
    """Messages that no clause can name alone, so that nothing was tried on them."""
    runs: int = 0
    """Runs that were made; every other count has what they stand for as well."""
    states: int = 0
    """Schedules that were gone on from, each from a state of its own."""
    merged: int = 0
    """Schedules that were made and not gone on from: another one had come to the same state."""
    overran: int = 0
    """Runs that lasted longer than what was merged is known to go on alike."""

    @property
    def schedules(self) -> int:
        """How many schedules were tried: run and judged, or like one that was."""
        return sum(self.tried.values())

    @property
    def spared(self) -> int:
        """How many runs merging has spared."""
        return self.schedules + sum(self.redundant.values()) - self.runs

    def count(self, schedule: Schedule, ran: Ran, weight: int = 1) -> None:
        """Count one schedule that was run, and all that it stands for."""
        size = len(schedule)
        self.runs += 1
        self.tried[size] = self.tried.get(size, 0) + weight
        self.endings[ran.ending] = self.endings.get(ran.ending, 0) + weight
        self.unfinished += weight * (ran.ended != "quiet")
        first: dict[str, Violation] = {}
        for violation in ran.violations:
            first.setdefault(violation.invariant, violation)
        for invariant, violation in first.items():
            example = Example(schedule=schedule, violation=violation, records=ran.length)
            self._add_broken(invariant, Breakage(weight, example))

    def skip(self, why: Redundant, weight: int = 1) -> None:
        """Count a run that is no schedule of its own, and all that it stands for."""
        self.runs += 1
        self.redundant[why] = self.redundant.get(why, 0) + weight

    def add(self, other: "Tally") -> None:
        """Add what was counted elsewhere, later in the order of schedules."""
        for size, many in other.tried.items():
            self.tried[size] = self.tried.get(size, 0) + many
        for why, many in other.redundant.items():
            self.redundant[why] = self.redundant.get(why, 0) + many
        for ending, many in other.endings.items():
            self.endings[ending] = self.endings.get(ending, 0) + many
        for invariant, breakage in other.broken.items():
            self._add_broken(invariant, breakage)
        self.unfinished += other.unfinished
        self.inert += other.inert
        self.unaddressed += other.unaddressed
        self.runs += other.runs
        self.states += other.states
        self.merged += other.merged
        self.overran += other.overran

    def _add_broken(self, invariant: str, breakage: Breakage) -> None:
        known = self.broken.get(invariant)
        if known is None:
            self.broken[invariant] = Breakage(breakage.times, breakage.example)
            return
        known.times += breakage.times
        if breakage.example.size < known.example.size:
            known.example = breakage.example


@dataclass(frozen=True, slots=True, kw_only=True)
class Explored:
    """The result of one search.

    ``stopped`` says why the search is not complete; empty: everything within the bounds was
    tried.
    """

    world: World
    bounds: Bounds
    tally: Tally
    planned: tuple[int, ...]
    """Runs that belong to each number of choices, as far as they are known."""
    stopped: str = ""

    @property
    def undeclared(self) -> tuple[str, ...]:
        """The invariants that broke although the scenario does not say that they do."""
        declared = self.world.expect.violates
        return tuple(name for name in self.tally.broken if name not in declared)

    @property
    def is_conclusive(self) -> bool:
        """Whether 'holds' may be said of what did not break."""
        tally = self.tally
        cut = self.stopped or tally.unfinished or tally.unaddressed or self.missed
        return not cut

    @property
    def missed(self) -> int:
        """Faults that did not strike where they were meant to."""
        return self.tally.redundant.get(Redundant.MISSED, 0)
