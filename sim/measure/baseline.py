"""What a baseline holds: what a scenario did when somebody last said that it is right.

A scripted scenario is held by the traces of its variants, a measured one (it names ``runs`` or has
a sweep) by the counts of its cells. The simulator is deterministic, so both can be compared
exactly, wherever they are made again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256

from sim.measure.versions import versions
from sim.scenario.model import Scenario, World
from sim.trace.jsonl import record_line
from sim.trace.records import Record

VERSION = 1
RUNS_MAX = 10**7
"""So many runs of a cell at most: more would never end."""
RUNS_UNASKED_MAX = 50
"""So many, unless somebody asks for more: a check must be quick."""
HASHES_MAX = 5_000
"""A longer trace is remembered in blocks of several records: what differs first is then known to
lie in one of them."""
HASH_DIGITS = 8
_DECISIVE = ("lostack", "numpy")


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceBaseline:
    """One scripted run: its trace's digest, and short hashes to find what differs.

    ``hashes`` holds one for each block of ``every`` records, in order.
    """

    variant: str
    seed: int
    records: int
    digest: str
    every: int
    hashes: tuple[str, ...]
    failures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """One measure of one cell: what is compared, and the interval that it may move in.

    ``value_us`` is a quantile in µs; of everything else the value is ``count / denominator``, but
    for a maximum, which is its ``count``.
    ``low`` and ``high`` are None where there is no interval; ``high`` alone: unbounded above.
    """

    count: int
    denominator: int
    value_us: int | None = None
    low: float | None = None
    high: float | None = None

    @property
    def value(self) -> Fraction | None:
        """The value, exactly; None where there is none."""
        if self.value_us is not None:
            return Fraction(self.value_us)
        return Fraction(self.count, self.denominator) if self.denominator else None


NOTHING = Count(count=0, denominator=0)
"""What stands for a measure that a baseline does not hold: it had no value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellBaseline:
    """One measured cell: a variant at a point of the sweep."""

    variant: str
    cell: tuple[tuple[str, str], ...]
    seed: int
    runs: int
    counts: Mapping[str, Count]
    failures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Why a baseline was made or renewed, and what had moved."""

    reason: str
    versions: Mapping[str, str]
    moved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The baseline of one scenario.

    ``path`` leads from the baselines' folder to the scenario's file, ``digest`` is the scenario's.
    """

    scenario: str
    path: str
    digest: str
    versions: Mapping[str, str]
    traces: tuple[TraceBaseline, ...] = ()
    cells: tuple[CellBaseline, ...] = ()
    history: tuple[Change, ...] = field(default=())

    @property
    def runs(self) -> int | None:
        """Runs of each cell; None for a scripted scenario."""
        return self.cells[0].runs if self.cells else None


def is_measured(scenario: Scenario) -> bool:
    """Whether a scenario is held by counts over many runs rather than by its traces."""
    return scenario.runs is not None or any(world.cell for world in scenario.swept)


def runs_of(scenario: Scenario, asked: int | None, held: Baseline | None) -> int:
    """Return how many runs of each cell a baseline takes.

    Args:
        scenario: A measured one.
        asked: What somebody asked for, if anybody did.
        held: The baseline that there is: it keeps its runs.
    """
    if asked is not None:
        return asked
    if held is not None and held.runs is not None:
        return held.runs
    return min(scenario.runs or RUNS_UNASKED_MAX, RUNS_UNASKED_MAX)


def decisive_versions() -> dict[str, str]:
    """Return the versions that the numbers depend on."""
    found = versions()
    return {name: found[name] for name in _DECISIVE}


def trace_baseline(
    world: World, records: Sequence[Record], failures: tuple[str, ...]
) -> TraceBaseline:
    """Return what is kept of a scripted run."""
    lines = [record_line(record) for record in records]
    every = max(1, -(-len(lines) // HASHES_MAX))
    return TraceBaseline(
        variant=world.variant,
        seed=world.seed,
        records=len(lines),
        digest=sha256(b"".join(lines)).hexdigest(),
        every=every,
        hashes=_hashes(lines, every),
        failures=failures,
    )


def first_difference(held: TraceBaseline, records: Sequence[Record]) -> int | None:
    """Return the place (from 0) of the first record that differs from a baseline.

    With blocks it is the first record of the first block that differs. Where one of the traces is
    the beginning of the other, it is the place at which that one ended. None: they are equal.
    """
    lines = [record_line(record) for record in records]
    if sha256(b"".join(lines)).hexdigest() == held.digest:
        return None
    found = _hashes(lines, held.every)
    for block, (old, new) in enumerate(zip(held.hashes, found, strict=False)):
        if old != new:
            return block * held.every
    return min(len(held.hashes), len(found)) * held.every


def _hashes(lines: Sequence[bytes], every: int) -> tuple[str, ...]:
    return tuple(
        sha256(b"".join(lines[first : first + every])).hexdigest()[:HASH_DIGITS]
        for first in range(0, len(lines), every)
    )
