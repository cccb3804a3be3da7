"""What a scenario does now beside its baseline: exact, unless somebody allows rates to move."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from sim.measure.baseline import (
    NOTHING,
    Baseline,
    CellBaseline,
    Count,
    TraceBaseline,
    first_difference,
)
from sim.measure.baseline_make import BREAKS, Made
from sim.measure.definitions import BY_NAME, Unit
from sim.scenario.model import Scenario, World
from sim.trace.records import Record


@dataclass(frozen=True, slots=True)
class Exactly:
    """Nothing may move."""


@dataclass(frozen=True, slots=True)
class By:
    """A share may move by so much, everything else by that part of what it was.

    It is above 0: values are compared then, and no counts that give the same value.
    """

    amount: Fraction


@dataclass(frozen=True, slots=True)
class Within:
    """A value may move within its baseline's 95 % interval."""


Tolerance: TypeAlias = Exactly | By | Within


@dataclass(frozen=True, slots=True)
class TraceMoved:
    """A scripted run whose trace is another one.

    ``first`` is the place (from 0) of the first record that differs, or of the first one of the
    block of ``held.every`` records that it is in; it may be the length of ``records``.
    """

    held: TraceBaseline
    world: World
    records: tuple[Record, ...]
    first: int


@dataclass(frozen=True, slots=True)
class CountMoved:
    """A measure of a cell that has another value."""

    variant: str
    cell: tuple[tuple[str, str], ...]
    measure: str
    held: Count
    found: Count


class Which(StrEnum):
    """Which way a variant or cell is on one side alone."""

    NEW = "new"
    GONE = "gone"
    REMADE = "made with another seed or number of runs"


@dataclass(frozen=True, slots=True)
class PartMoved:
    """A variant or a cell that only one side has, or that cannot be compared."""

    variant: str
    cell: tuple[tuple[str, str], ...]
    which: Which


Moved: TypeAlias = TraceMoved | CountMoved | PartMoved


class State(StrEnum):
    """How a scenario stands beside its baseline."""

    SAME = "same"
    MOVED = "moved"
    STALE = "stale"
    """The scenario itself has changed since its baseline was made."""
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One scenario beside its baseline."""

    scenario: Scenario
    state: State
    moved: tuple[Moved, ...] = ()
    within: tuple[CountMoved, ...] = ()
    """What has moved no further than is allowed."""
    new_failures: tuple[str, ...] = ()
    known_failures: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    """Failures that the baseline knows and that are none any more."""
    versions: tuple[str, ...] = ()
    """Where the baseline was made with other versions: ``numpy 2.1.0, now 2.2.0``."""
    runs: int | None = None
    """Runs that were made of each cell; None: the scenario is scripted, or was not run."""

    def is_passed(self, *, only_new: bool) -> bool:
        """Whether a check may pass over this one.

        Args:
            only_new: Whether only failures count that the baseline does not know.
        """
        if only_new:
            return self.state in (State.SAME, State.MOVED) and not self.new_failures
        return self.state is State.SAME


def check(
    scenario: Scenario,
    held: Baseline | None,
    found: Made | None,
    versions: dict[str, str],
    *,
    records_of: Callable[[World], Sequence[Record]],
    tolerance: Tolerance = Exactly(),
) -> Checked:
    """Compare what a scenario does now with its baseline.

    Args:
        scenario: The scenario.
        held: Its baseline; None: there is none.
        found: What it does now; None: not known, where there is no baseline.
        versions: Those of now.
        records_of: Makes the trace of a scripted run anew, to find what differs.
        tolerance: How far rates may move; traces may not.
    """
    failures = found.failures if found is not None else ()
    runs = found.runs if found is not None else None
    if held is None or found is None:
        return Checked(scenario=scenario, state=State.MISSING, new_failures=failures, runs=runs)
    known = _failures_of(held)
    moved: list[Moved] = []
    within: list[CountMoved] = []
    for each in _moved(scenario, held, found, records_of):
        if isinstance(each, CountMoved) and allows(tolerance, each):
            within.append(each)
        else:
            moved.append(each)
    new = tuple(text for text in failures if text not in known)
    mended = tuple(text for text in known if text not in failures)
    state = State.MOVED if moved or new or mended else State.SAME
    return Checked(
        scenario=scenario,
        state=state if held.digest == scenario.digest else State.STALE,
        moved=tuple(moved),
        within=tuple(within),
        new_failures=new,
        known_failures=tuple(text for text in failures if text in known),
        mended=mended,
        runs=runs,
        versions=tuple(
            f"{name} {held.versions.get(name, 'none')}, now {now}"
            for name, now in versions.items()
            if held.versions.get(name) != now
        ),
    )


def _failures_of(held: Baseline) -> tuple[str, ...]:
    return Made(held.traces, held.cells).failures


def _moved(
    scenario: Scenario,
    held: Baseline,
    found: Made,
    records_of: Callable[[World], Sequence[Record]],
) -> Iterator[Moved]:
    worlds = {world.variant: world for world in scenario.worlds}
    old_traces = {each.variant: each for each in held.traces}
    for trace in found.traces:
        old_trace = old_traces.pop(trace.variant, None)
        if old_trace is None:
            yield PartMoved(trace.variant, (), Which.NEW)
        elif trace.digest != old_trace.digest:
            records = tuple(records_of(worlds[trace.variant]))
            first = first_difference(old_trace, records)
            assert first is not None
            yield TraceMoved(old_trace, worlds[trace.variant], records, first)
    old_cells = {(each.variant, each.cell): each for each in held.cells}
    for cell in found.cells:
        old_cell = old_cells.pop((cell.variant, cell.cell), None)
        if old_cell is None:
            yield PartMoved(cell.variant, cell.cell, Which.NEW)
        elif (cell.seed, cell.runs) != (old_cell.seed, old_cell.runs):
            yield PartMoved(cell.variant, cell.cell, Which.REMADE)
        else:
            yield from _counts(old_cell, cell)
    yield from (PartMoved(variant, (), Which.GONE) for variant in old_traces)
    yield from (PartMoved(variant, cell, Which.GONE) for variant, cell in old_cells)


def _counts(held: CellBaseline, found: CellBaseline) -> Iterator[CountMoved]:
    for name in dict.fromkeys((*held.counts, *found.counts)):
        old, new = held.counts.get(name, NOTHING), found.counts.get(name, NOTHING)
        if _exact(old) != _exact(new):
            yield CountMoved(held.variant, held.cell, name, old, new)


def _exact(count: Count) -> tuple[int, int, int | None]:
    return count.count, count.denominator, count.value_us


def unit_of(measure: str) -> Unit:
    """Return the unit of what a baseline counts."""
    return Unit.SHARE if measure.startswith(BREAKS) else BY_NAME[measure].unit


def allows(tolerance: Tolerance, moved: CountMoved) -> bool:
    """Return whether a measure may have moved so far.

    What cannot be held against the tolerance is not compared: a maximum is no rate, and a quantile
    of too few values has no interval that it could leave. A rate or a mean without one was seen in
    a single run, or the same in all: nothing says how far it may move.
    """
    if isinstance(tolerance, Exactly):
        return False
    old, new, unit = moved.held, moved.found, unit_of(moved.measure)
    if unit is Unit.COUNT or moved.measure == "time_to_certainty.max":
        return True
    was, now = old.value, new.value
    if was is None or now is None:
        return was is now
    if isinstance(tolerance, By):
        return abs(now - was) <= tolerance.amount * (1 if unit is Unit.SHARE else was)
    if old.low is None:
        return old.value_us is not None
    return old.low <= now and (old.high is None or now <= old.high)
