"""Making baselines: scripted scenarios run once, measured ones counted, by as many workers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sim.engine.world import simulate
from sim.judge.court import judge_records
from sim.judge.verdict import Verdict
from sim.measure.baseline import (
    Baseline,
    CellBaseline,
    Count,
    TraceBaseline,
    is_measured,
    runs_of,
    trace_baseline,
)
from sim.measure.checks import findings
from sim.measure.definitions import CERTAINTY
from sim.measure.intervals import wilson
from sim.measure.measuring import Progress, alone, together
from sim.measure.plan import RUNS_DEFAULT, Cell, Plan
from sim.measure.pool import Pool
from sim.measure.results import CellResult, Row, rows
from sim.measure.running import Clock
from sim.measure.spread import spread
from sim.measure.work import Work
from sim.scenario.model import Scenario, World

BREAKS = "runs_that_break."
"""Before an invariant's name: runs in which it broke / runs."""
_QUANTILES = tuple(measure.name for measure in CERTAINTY)
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Wanted:
    """A scenario whose baseline is to be made; ``runs`` are those of each cell, if measured."""

    scenario: Scenario
    runs: int

    @property
    def size(self) -> int:
        """How many runs that takes."""
        scenario = self.scenario
        return self.runs * len(scenario.swept) if is_measured(scenario) else len(scenario.worlds)


@dataclass(frozen=True, slots=True)
class Made:
    """What a scenario does now."""

    traces: tuple[TraceBaseline, ...] = ()
    cells: tuple[CellBaseline, ...] = ()

    @property
    def runs(self) -> int | None:
        """Runs of each cell; None for a scripted scenario."""
        return self.cells[0].runs if self.cells else None

    @property
    def failures(self) -> tuple[str, ...]:
        """What is not as the scenario expects, each with its variant and cell."""
        return (
            *(named(each.variant, "", text) for each in self.traces for text in each.failures),
            *(
                named(each.variant, where(each.cell), text)
                for each in self.cells
                for text in each.failures
            ),
        )


def wanted(scenario: Scenario, asked: int | None, held: Baseline | None) -> Wanted:
    """Return what is to be made of a scenario."""
    return Wanted(scenario, runs_of(scenario, asked, held) if is_measured(scenario) else 1)


def where(cell: tuple[tuple[str, str], ...]) -> str:
    """Return a cell of a sweep as people read it."""
    return ", ".join(f"{path}={value}" for path, value in cell)


def named(variant: str, cell: str, text: str) -> str:
    """Return a text with the variant and the cell that it is about."""
    name = ", ".join(part for part in (variant, cell) if part)
    return f"{name}: {text}" if name else text


def make(
    all_wanted: Sequence[Wanted],
    clock: Clock,
    pool: Pool | None = None,
    *,
    stop: Callable[[], bool] = lambda: False,
    made: Callable[[int], None] = lambda _: None,
) -> list[Made] | None:
    """Return what each scenario does now; None where ``stop`` said so before the end.

    Args:
        all_wanted: The scenarios.
        clock: Seconds from wherever; it paces the work and touches no number.
        pool: Worker processes; None: this process does it all.
        stop: Whether to stop early.
        made: Told how many runs were finished.
    """
    cells = _measure(all_wanted, clock, pool, stop, made)
    traces = None if cells is None else _run(all_wanted, pool, stop, made)
    if cells is None or traces is None:
        return None
    return [
        Made(tuple(traces.get(place, ())), tuple(cells.get(place, ())))
        for place in range(len(all_wanted))
    ]


def _measure(
    all_wanted: Sequence[Wanted],
    clock: Clock,
    pool: Pool | None,
    stop: Callable[[], bool],
    made: Callable[[int], None],
) -> Mapping[int, list[CellBaseline]] | None:
    """Return place of a scenario -> its measured cells."""
    places: list[int] = []
    cells: list[Cell] = []
    for place, each in enumerate(all_wanted):
        for world in each.scenario.swept if is_measured(each.scenario) else ():
            cells.append(Cell(len(cells), each.scenario, world, each.runs))
            places.append(place)
    plan = Plan(tuple(cells))
    progress, work = Progress(plan), Work(plan)
    chunks = alone(plan, work, stop, clock)
    if pool is not None:
        chunks = together(plan, work, pool, stop, clock)
    for finished in chunks:
        progress.take(finished)
        made(finished.tally.runs)
    if not progress.is_whole:
        return None
    found: dict[int, list[CellBaseline]] = {}
    for place, result in zip(places, progress.results(), strict=True):
        found.setdefault(place, []).append(_cell(result))
    return found


def _run(
    all_wanted: Sequence[Wanted],
    pool: Pool | None,
    stop: Callable[[], bool],
    made: Callable[[int], None],
) -> Mapping[int, list[TraceBaseline]] | None:
    """Return place of a scenario -> the traces of its variants, in the file's order."""
    tasks = [
        _Task(place, world)
        for place, each in enumerate(all_wanted)
        if not is_measured(each.scenario)
        for world in each.scenario.worlds
    ]
    done: dict[tuple[int, str], TraceBaseline] = {}
    for task, trace in spread(tasks, _trace, pool, stop):
        done[task.place, task.world.variant] = trace
        made(1)
    if len(done) < len(tasks):
        return None
    found: dict[int, list[TraceBaseline]] = {}
    for task in tasks:
        found.setdefault(task.place, []).append(done[task.place, task.world.variant])
    return found


@dataclass(frozen=True, slots=True)
class _Task:
    place: int
    world: World


def _trace(task: _Task) -> TraceBaseline:
    done = simulate(task.world)
    verdict = judge_records(
        task.world,
        done.records,
        unmatched=done.unmatched,
        still_held=done.still_held,
        ended=done.ended,
    )
    return trace_baseline(task.world, done.records, _failures_of_run(verdict))


def _failures_of_run(verdict: Verdict) -> tuple[str, ...]:
    """Return what is not as expected, without numbers that may differ while it stays so."""
    expected = dict.fromkeys(verdict.world.expect.violates)
    return (
        *(f"{check.what} is not {check.expected}" for check in verdict.checks if not check.holds),
        *(f"{name} breaks" for name in verdict.broken if name not in expected),
        *(f"{name} does not break" for name in expected if name not in verdict.broken),
        *(f"this fault never matches: {clause}" for clause in verdict.unmatched),
        *verdict.inconclusive,
    )


def _failures_of_cell(result: CellResult) -> tuple[str, ...]:
    """Return what is not as expected.

    What takes as many runs as the file asks for (rates within bounds, faults and violations that
    occur) is judged only where so many were made.
    """
    found = findings(result)
    certain = (
        *(f"{broken.invariant} breaks" for broken in found.broken if not broken.is_expected),
        *(("runs are given up after too many records",) if found.given_up else ()),
    )
    if result.tally.runs < (result.cell.scenario.runs or RUNS_DEFAULT):
        return certain
    return (
        *certain,
        *(
            f"{check.row.measure} is {'out of its bounds' if check.holds is False else 'not known'}"
            for check in found.rates
            if not check.holds
        ),
        *(f"{name} does not break" for name in found.never_broke),
        *(f"this fault never matches: {clause}" for clause in found.never_matched),
    )


def _cell(result: CellResult) -> CellBaseline:
    world = result.cell.world
    counts = {row.measure: _count(row) for row in rows(result) if row.denominator}
    for name in result.tally.invariants:
        broke, runs = result.tally.violations[name], result.tally.runs
        bounds = wilson(broke, runs)
        counts[BREAKS + name] = Count(
            count=broke, denominator=runs, low=_rounded(bounds.low), high=_rounded(bounds.high)
        )
    return CellBaseline(
        variant=world.variant,
        cell=world.cell,
        seed=world.seed,
        runs=result.tally.runs,
        counts=counts,
        failures=_failures_of_cell(result),
    )


def _count(row: Row) -> Count:
    is_quantile = row.measure in _QUANTILES and row.value is not None
    return Count(
        count=row.count,
        denominator=row.denominator,
        value_us=round(row.value) if is_quantile and row.value is not None else None,
        low=_rounded(row.low),
        high=_rounded(row.high),
    )


def _rounded(bound: float | None) -> float | None:
    return None if bound is None else round(bound, _DIGITS)
