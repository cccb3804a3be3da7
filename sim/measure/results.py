"""Results: what is reported of each cell, as rows that files, tables and charts share."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sim.measure.histogram import Histogram
from sim.measure.intervals import Interval, quantile, ratio, wilson
from sim.measure.plan import Cell
from sim.measure.tally import MEANS, RATIOS, CellTally

QUANTILES = (("p50", 0.5), ("p90", 0.9), ("p99", 0.99))


@dataclass(frozen=True, slots=True)
class Row:
    """One measure of one cell. ``value``, ``low`` and ``high`` are None where there is none.

    ``unit`` is ``share``, ``mean``, ``µs`` (quantiles and maxima of durations) or ``count``.
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


def rows(result: CellResult) -> Iterator[Row]:
    """Return every measure of a cell, in a fixed order."""
    tally = result.tally
    for name in RATIOS:
        yield _ratio_row(result, name)
    yield from _certainty_rows(result, tally.certainty)
    yield _row(result, "attempts_max", "count", tally.attempts_max, tally.operations)
    yield _row(result, "deliveries_max", "count", tally.deliveries_max, tally.operations)


def all_rows(results: Sequence[CellResult]) -> list[Row]:
    """Return the rows of all cells, in the order of the plan."""
    return [row for result in results for row in rows(result)]


def _ratio_row(result: CellResult, name: str) -> Row:
    sums = result.tally.sums[name]
    mean = name in MEANS
    row = _row(result, name, _unit(name), sums.x, sums.n)
    if sums.n == 0:
        return row
    interval: Interval | None
    if result.tally.is_independent and not mean and sums.x <= sums.n <= result.tally.runs:
        interval = wilson(sums.x, sums.n)
    else:
        interval = ratio(sums, None if mean else 1.0)
    return replace(
        row,
        value=sums.x / sums.n,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
    )


def _unit(name: str) -> str:
    if name == "recovery_time":
        return "µs"
    return "mean" if name in MEANS else "share"


def _certainty_rows(result: CellResult, certainty: Histogram) -> Iterator[Row]:
    for label, share in QUANTILES:
        name = f"time_to_certainty.{label}"
        row = _row(result, name, "µs", certainty.total, result.tally.operations)
        found = quantile(certainty, share)
        if found is None:
            yield row
            continue
        value, interval = found
        own = interval if result.tally.is_independent else None
        yield replace(
            row, value=float(value), low=own.low if own else None, high=own.high if own else None
        )
    row = _row(result, "time_to_certainty.max", "µs", certainty.total, result.tally.operations)
    yield replace(row, value=float(certainty.maximum_us)) if certainty.total else row


def _row(result: CellResult, measure: str, unit: str, count: int, denominator: int) -> Row:
    cell = result.cell
    value = float(count) if unit == "count" else None
    return Row(
        cell.scenario.name,
        cell.world.variant,
        cell.where,
        measure,
        unit,
        count,
        denominator,
        value,
        None,
        None,
    )
