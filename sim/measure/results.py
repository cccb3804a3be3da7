"""Results: what is reported of each cell, as rows that files, tables and charts share."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sim.measure.definitions import CERTAINTY, MAXIMA, QUANTILES, RATIOS, Measure, Unit
from sim.measure.intervals import Interval, mean, quantile, share
from sim.measure.plan import Cell
from sim.measure.tally import CellTally
from sim.measure.together import quantile_over_runs

_AT_LEAST_ONCE = ("attempts_per_operation", "deliveries_per_effect")
"""Means of what happens to each operation or effect once at least."""


@dataclass(frozen=True, slots=True)
class Row:
    """One measure of one cell.

    ``unit`` is ``share``, ``mean``, ``µs`` (times) or ``count``; ``value``, ``low`` and ``high``
    are in that unit, and None where there is none: the denominator is 0, or the cell is not whole.
    ``count / denominator`` is the value of shares, means and mean times; of quantiles they say how
    many operations were settled out of how many.
    """

    scenario: str
    variant: str
    cell: str
    measure: str
    unit: str
    count: int
    denominator: int
    value: float | None
    low: float | None
    high: float | None
    runs: int
    seed: int


@dataclass(frozen=True, slots=True)
class CellResult:
    """One cell and its tally; ``tally.runs`` may be fewer than ``cell.runs`` were planned."""

    cell: Cell
    tally: CellTally

    @property
    def is_whole(self) -> bool:
        """Whether every planned run was made: rates are reported only then."""
        return self.tally.runs == self.cell.runs

    @property
    def never_matched(self) -> tuple[str, ...]:
        """Fault clauses, as written, that matched in no run."""
        world = self.cell.world
        return tuple(
            world.fault_lines[place] if place < len(world.fault_lines) else f"fault {place + 1}"
            for place in range(len(world.faults))
            if not self.tally.matched.get(place)
        )

    def row(self, name: str) -> Row:
        """Return one measure by its name.

        Raises:
            KeyError: There is no such measure.
        """
        measure, make = _BY_NAME[name]
        return make(self, measure)


def rows(result: CellResult) -> Iterator[Row]:
    """Return every measure of a cell, in a fixed order."""
    return (make(result, measure) for measure, make in _MAKERS)


def all_rows(results: Sequence[CellResult]) -> list[Row]:
    """Return the rows of all cells, in the order of the plan."""
    return [row for result in results for row in rows(result)]


def _ratio(result: CellResult, measure: Measure) -> Row:
    sums = result.tally.sums[measure.name]
    if sums.n == 0:
        return _row(result, measure, sums.x, sums.n)
    interval = share(sums) if measure.unit is Unit.SHARE else mean(sums, _least(measure))
    return _row(result, measure, sums.x, sums.n, sums.x / sums.n, interval)


def _least(measure: Measure) -> int | None:
    """What each thing in the denominator adds to the numerator at the least; None: no count."""
    if measure.unit is not Unit.MEAN or measure.scale > 1:
        return None
    return 1 if measure.name in _AT_LEAST_ONCE else 0


def _quantile(result: CellResult, measure: Measure) -> Row:
    certainty, many = result.tally.certainty, result.tally.operations
    part = QUANTILES.get(measure.name.rpartition(".")[2])
    if certainty.total == 0:
        return _row(result, measure, 0, many)
    if part is None:
        return _row(result, measure, certainty.total, many, float(certainty.maximum_us))
    found = quantile(certainty, part)
    assert found is not None
    value, own = found
    # Order statistics need independent values: operations that share a run are none.
    alone = result.tally.is_independent
    interval = own if alone else quantile_over_runs(certainty, result.tally.together, part)
    return _row(result, measure, certainty.total, many, float(value), interval)


def _maximum(result: CellResult, measure: Measure) -> Row:
    tally = result.tally
    most = tally.attempts_max if measure.name == "attempts_max" else tally.deliveries_max
    return _row(result, measure, most, tally.operations, float(most))


_MAKERS = (
    *((measure, _ratio) for measure in RATIOS),
    *((measure, _quantile) for measure in CERTAINTY),
    *((measure, _maximum) for measure in MAXIMA),
)
_BY_NAME = {measure.name: (measure, make) for measure, make in _MAKERS}


def _row(
    result: CellResult,
    measure: Measure,
    count: int,
    denominator: int,
    value: float | None = None,
    interval: Interval | None = None,
) -> Row:
    cell = result.cell
    bounds = interval if result.is_whole else None
    return Row(
        scenario=cell.scenario.name,
        variant=cell.world.variant,
        cell=cell.where,
        measure=measure.name,
        unit=measure.unit.value,
        count=count,
        denominator=denominator,
        value=value if result.is_whole else None,
        low=bounds.low if bounds else None,
        high=bounds.high if bounds else None,
        runs=result.tally.runs,
        seed=cell.world.seed,
    )
