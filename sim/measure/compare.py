"""Variants of a scenario on the same weather: the same seed and the same run numbers.

A decision of the weather depends on the seed, its name and the run's number, and on nothing else.
So variants that share a run share its losses and delays (common random numbers), and what differs
between them is their own doing.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from sim.measure.definitions import RATIOS, Measure, Unit
from sim.measure.histogram import Histogram, value_of
from sim.measure.paired import Difference, PairSums, difference
from sim.measure.parcels import packed, unpacked
from sim.measure.plan import RUNS_DEFAULT, Cell, Chunk, Plan
from sim.measure.pool import Pool
from sim.measure.results import CellResult, Row
from sim.measure.running import Clock, count_runs
from sim.measure.spread import spread
from sim.measure.tally import CellTally
from sim.measure.work import Work
from sim.scenario.model import Scenario, World

MEAN_CERTAINTY = Measure("time_to_certainty.mean", Unit.TIME, "operations that were settled")
"""First send to settled, exact to 0.05 %: the measure of it that is a sum over a sum."""

COMPARED: tuple[Measure, ...] = (*RATIOS, MEAN_CERTAINTY)
"""What has a paired difference with an interval."""

BESIDE = ("time_to_certainty.p50", "time_to_certainty.p90", "time_to_certainty.p99")
"""Shown for each side, without an interval of their difference: a quantile is no sum."""


class CompareError(Exception):
    """A scenario has nothing to compare; ``fix`` says what to do."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem, fix)
        self.problem, self.fix = problem, fix

    def __str__(self) -> str:
        return f"{self.problem}\n  fix: {self.fix}"


@dataclass(frozen=True, slots=True)
class Group:
    """What is compared: the variants of one scenario at one point of its sweep, the base first."""

    scenario: Scenario
    worlds: tuple[World, ...]
    runs: int

    @property
    def where(self) -> str:
        """The cell of the sweep as people read it; empty where there is none."""
        return ", ".join(f"{path}={value}" for path, value in self.worlds[0].cell)

    @property
    def seed(self) -> int:
        """The seed that all of them share."""
        return self.worlds[0].seed


def groups(
    scenario: Scenario,
    *,
    runs: int | None = None,
    seed: int | None = None,
    base: str | None = None,
) -> list[Group]:
    """Return what is to be compared of a scenario, in the order of its sweep.

    Args:
        scenario: Variants of it are compared.
        runs: In place of what the file says, and of the default of 10,000.
        seed: In place of the file's.
        base: The variant that the others are compared with; None: the first.

    Raises:
        CompareError: There is one variant only, or none of that name.
    """
    variants = [world.variant for world in scenario.worlds]
    if len(variants) < 2:
        raise CompareError(
            f"'{scenario.name}' has no variants, so there is nothing to compare it with",
            "give it 'variants: {name: {...}, other: {...}}', or use 'lostack measure'",
        )
    if base is not None and base not in variants:
        raise CompareError(
            f"'{scenario.name}' has no variant '{base[:60]}'", f"use one of: {', '.join(variants)}"
        )
    cells: dict[tuple[tuple[str, str], ...], list[World]] = {}
    for world in scenario.swept:
        seeded = world if seed is None else replace(world, seed=seed)
        cells.setdefault(world.cell, []).append(seeded)
    first = variants[0] if base is None else base
    many = runs or scenario.runs or RUNS_DEFAULT
    return [
        Group(scenario, tuple(sorted(worlds, key=lambda each: each.variant != first)), many)
        for worlds in cells.values()
    ]


@dataclass(slots=True)
class PairTally:
    """One variant beside the base."""

    differing: int = 0
    """Runs in which anything that is counted differs."""
    sums: dict[str, PairSums] = field(
        default_factory=lambda: {measure.name: PairSums() for measure in COMPARED}
    )

    def add(self, run: int, base: CellTally, other: CellTally) -> None:
        """Count one run of each side."""
        differs = False
        for name, sums in self.sums.items():
            a, b = _ratio(base, name), _ratio(other, name)
            sums.add(run, a, b)
            differs = differs or a != b
        self.differing += differs

    def merge(self, other: "PairTally") -> None:
        """Count the runs of ``other`` too."""
        self.differing += other.differing
        for name, sums in self.sums.items():
            sums.merge(other.sums[name])


def _ratio(tally: CellTally, name: str) -> tuple[int, int]:
    """Return numerator and denominator of a measure in one run."""
    if name == MEAN_CERTAINTY.name:
        return _total_us(tally.certainty), tally.certainty.total
    sums = tally.sums[name]
    return sums.x, sums.n


def _total_us(histogram: Histogram) -> int:
    return sum(value_of(bucket) * count for bucket, count in histogram.counts.items())


@dataclass(slots=True)
class GroupTally:
    """What was counted of one group: each side, and each variant beside the base."""

    sides: list[CellTally]
    pairs: list[PairTally]

    @classmethod
    def of(cls, variants: int) -> "GroupTally":
        """Return the empty tally of so many variants."""
        return cls(
            [CellTally() for _ in range(variants)], [PairTally() for _ in range(variants - 1)]
        )

    @property
    def runs(self) -> int:
        """How many runs were made of each variant."""
        return self.sides[0].runs

    def merge(self, other: "GroupTally") -> None:
        """Count everything that ``other`` counted; the order of merging does not matter."""
        for mine, side in zip(self.sides, other.sides, strict=True):
            mine.merge(side)
        for pair, theirs in zip(self.pairs, other.pairs, strict=True):
            pair.merge(theirs)


def count_pairs(worlds: Sequence[World], first: int, stop: int) -> GroupTally:
    """Run all worlds with the run numbers [first, stop) and count them side by side."""
    tally = GroupTally.of(len(worlds))
    for run in range(first, stop):
        base, *others = sides = [count_runs(world, run, run + 1) for world in worlds]
        for mine, side in zip(tally.sides, sides, strict=True):
            mine.merge(side)
        for pair, other in zip(tally.pairs, others, strict=True):
            pair.add(run, base, other)
    return tally


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measure of one variant beside the base; ``difference`` is the variant less the base.

    ``base`` and ``value`` are in the measure's unit, None where a denominator is 0.
    """

    measure: Measure
    base: float | None
    value: float | None
    difference: Difference | None
    pair: PairSums


@dataclass(frozen=True, slots=True)
class GroupResult:
    """One group, counted."""

    group: Group
    tally: GroupTally

    def comparisons(self, variant: int) -> list[Comparison]:
        """Return every measure of the variant at a place (1: the first after the base)."""
        return [self.comparison(variant, measure) for measure in COMPARED]

    def comparison(self, variant: int, measure: Measure) -> Comparison:
        """Return one measure of the variant at a place."""
        pair = self.tally.pairs[variant - 1].sums[measure.name]
        base = pair.a.x / pair.a.n if pair.a.n else None
        value = pair.b.x / pair.b.n if pair.b.n else None
        return Comparison(measure, base, value, difference(pair, measure), pair)

    def beside(self, variant: int) -> list[tuple[Row, Row]]:
        """Return what has no paired difference: the base's rows and the variant's."""
        base, other = self.side(0), self.side(variant)
        return [(base.row(name), other.row(name)) for name in BESIDE]

    @property
    def never_matched(self) -> list[tuple[str, str]]:
        """Fault clauses, as written, that matched in no run: each with its variant."""
        return [
            (world.variant, clause)
            for place, world in enumerate(self.group.worlds)
            for clause in self.side(place).never_matched
        ]

    def side(self, place: int) -> CellResult:
        """Return what was counted of the variant at a place; 0 is the base."""
        group = self.group
        return CellResult(
            Cell(place, group.scenario, group.worlds[place], group.runs), self.tally.sides[place]
        )


@dataclass(frozen=True, slots=True)
class _Task:
    chunk: Chunk
    parcel: bytes
    clock: Clock


def compare(
    wanted: Sequence[Group],
    clock: Clock,
    pool: Pool | None = None,
    *,
    stop: Callable[[], bool] = lambda: False,
    made: Callable[[int], None] = lambda _: None,
    runs_in_a_chunk: int | None = None,
) -> list[GroupResult]:
    """Count every group; the numbers do not depend on workers or chunks.

    Args:
        wanted: What is compared.
        clock: Seconds from wherever; it paces the work and touches no number.
        pool: Worker processes; None: this process counts.
        stop: Whether to stop early; then groups are not whole.
        made: Told how many run numbers were finished in a chunk.
        runs_in_a_chunk: A fixed size; None: as many as take a moment.
    """
    tallies = [GroupTally.of(len(group.worlds)) for group in wanted]
    cells = (Cell(at, g.scenario, g.worlds[0], g.runs) for at, g in enumerate(wanted))
    work = Work(Plan(tuple(cells)), runs_in_a_chunk=runs_in_a_chunk)
    for task, (tally, seconds) in spread(_tasks(wanted, work, clock), _count, pool, stop):
        work.took(task.chunk, seconds)
        tallies[task.chunk.cell].merge(tally)
        made(tally.runs)
    return [GroupResult(group, tally) for group, tally in zip(wanted, tallies, strict=True)]


def _tasks(wanted: Sequence[Group], work: Work, clock: Clock) -> Iterator[_Task]:
    at, parcel = -1, b""
    while (chunk := work.take()) is not None:
        if chunk.cell != at:
            at, parcel = chunk.cell, packed(wanted[chunk.cell].worlds)
        yield _Task(chunk, parcel, clock)


def _count(task: _Task) -> tuple[GroupTally, float]:
    began = task.clock()
    tally = count_pairs(_worlds_in(task.parcel), task.chunk.first, task.chunk.stop)
    return tally, task.clock() - began


@lru_cache(maxsize=2)
def _worlds_in(parcel: bytes) -> tuple[World, ...]:
    worlds = unpacked(parcel)
    assert isinstance(worlds, tuple)
    return worlds
