"""What a measurement has to show: rates within their bounds, invariants whole, faults that happen.

Bounds are in the measure's own unit: shares as parts of one, times in seconds.
"""

from dataclasses import dataclass

from sim.contract.names import INVARIANT_NAMES
from sim.judge.verdict import Status
from sim.measure.definitions import ASKED_AS, BY_NAME, Measure, Unit
from sim.measure.results import CellResult, Row
from sim.scenario.model import ExpectedRate

_SECOND_US = 1_000_000


@dataclass(frozen=True, slots=True)
class RateCheck:
    """One line of ``expect.rates`` beside what was measured.

    ``holds`` is None where it cannot be told: there is no value, or no interval.
    """

    asked: ExpectedRate
    row: Row
    holds: bool | None

    @property
    def measure(self) -> Measure:
        """The measure that the bounds are of."""
        return BY_NAME[self.row.measure]


@dataclass(frozen=True, slots=True)
class Broken:
    """An invariant that broke in ``runs`` runs; ``run`` is the first of them."""

    invariant: str
    runs: int
    run: int
    is_expected: bool


@dataclass(frozen=True, slots=True)
class Findings:
    """What one cell showed, beside what it should show."""

    rates: tuple[RateCheck, ...]
    broken: tuple[Broken, ...]
    never_broke: tuple[str, ...]
    """Invariants of ``violates`` that broke in no run."""
    never_matched: tuple[str, ...]
    """Fault clauses that matched in no run."""
    given_up: int
    """Runs that made too many records to be finished."""
    is_idle: bool
    """Whether nobody acts, so that nothing was put to the test."""
    is_whole: bool

    @property
    def status(self) -> Status:
        """Failed before inconclusive; a cell that is not whole proves nothing yet."""
        unexpected = any(not broken.is_expected for broken in self.broken)
        if unexpected or any(check.holds is False for check in self.rates):
            return Status.FAILED
        unknown = any(check.holds is None for check in self.rates)
        doubts = self.never_broke or self.never_matched or self.given_up or self.is_idle
        if not self.is_whole or unknown or doubts:
            return Status.INCONCLUSIVE
        return Status.PASSED


def findings(result: CellResult) -> Findings:
    """Return what a cell showed; of one that is not whole, only what is certain already."""
    tally, expect = result.tally, result.cell.world.expect
    whole = result.is_whole
    return Findings(
        rates=tuple(_rate(result, asked) for asked in expect.rates),
        broken=tuple(
            Broken(name, tally.violations[name], tally.broken_run[name], name in expect.violates)
            for name in tally.invariants
        ),
        never_broke=tuple(
            name
            for name in INVARIANT_NAMES
            if whole and name in expect.violates and name not in tally.violations
        ),
        never_matched=result.never_matched if whole else (),
        given_up=tally.cut_short,
        is_idle=not result.cell.world.user,
        is_whole=whole,
    )


def _rate(result: CellResult, asked: ExpectedRate) -> RateCheck:
    row = result.row(ASKED_AS.get(asked.measure, asked.measure))
    low, high = (row.low, row.high) if asked.on_interval else (row.value, row.value)
    return RateCheck(asked, row, _holds(asked, row, low, high))


def _holds(asked: ExpectedRate, row: Row, low: float | None, high: float | None) -> bool | None:
    scale = _SECOND_US if row.unit == Unit.TIME else 1
    if row.value is None:
        return None
    found = []
    if asked.min is not None:
        found.append(None if low is None else low >= asked.min * scale)
    if asked.max is not None:
        found.append(None if high is None else high <= asked.max * scale)
    if False in found:
        return False
    return None if None in found else True
