"""Quantiles of times that share runs: integer sums that merge, and intervals made from runs."""

import json
import random
from collections.abc import Callable, Sequence
from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.measure.buckets import bucket_of
from sim.measure.histogram import Histogram, bounds_of
from sim.measure.intervals import Interval, Sums, quantile
from sim.measure.results import CellResult
from sim.measure.together import Together, quantile_over_runs, reached, step_of
from tests.measure.samples import CROWD, LOSSY, counted, plan_of
from tests.measure.test_coverage import binomial, holds, tolerance

PARTS = (500, 900, 990)
Runs = Sequence[Sequence[int]]
times = st.one_of(
    st.integers(0, 4_000), st.integers(0, 10**9), st.sampled_from([80_000, 5_000_000])
)
many_runs = st.lists(st.lists(times, max_size=6), max_size=12)
fewer = settings(max_examples=50)
"""Lists of lists take long to draw."""


def _tally(runs: Runs) -> tuple[Histogram, Together]:
    histogram, together = Histogram(), Together()
    for run in runs:
        together.add(run)
        for time_us in run:
            histogram.add(time_us)
    return histogram, together


def _interval(runs: Runs, thousandths: int) -> Interval | None:
    return quantile_over_runs(*_tally(runs), thousandths)


@fewer
@given(many_runs)
def test_at_each_step_the_sums_are_those_of_the_share_counted_run_by_run(runs: Runs) -> None:
    for first_us, last_us, sums in list(reached(*_tally(runs)))[1:]:
        expected = Sums()
        for run in filter(None, runs):
            expected.add(sum(time_us <= last_us for time_us in run), len(run))

        assert sums == expected
        assert any(first_us <= time_us <= last_us for run in runs for time_us in run)


@fewer
@given(many_runs, many_runs, many_runs)
def test_merged_in_any_order_the_parts_are_the_whole(a: Runs, b: Runs, c: Runs) -> None:
    whole, forth, back = _tally([*a, *b, *c])[1], Together(), Together()
    for part in (a, b, c):
        forth.merge(_tally(part)[1])
    for part in (c, b, a):
        back.merge(_tally(part)[1])

    assert forth == back == whole


@fewer
@given(many_runs)
def test_what_is_written_is_read_again(runs: Runs) -> None:
    _, together = _tally(runs)

    assert Together.from_lists(*json.loads(json.dumps(together.as_lists()))) == together


@given(st.lists(times))
def test_runs_of_a_single_time_leave_nothing_to_keep(values: list[int]) -> None:
    assert _tally([[value] for value in values])[1] == Together()


@fewer
@given(many_runs, st.sampled_from(PARTS))
def test_the_interval_holds_the_quantile(runs: Runs, thousandths: int) -> None:
    found, value = _interval(runs, thousandths), quantile(_tally(runs)[0], thousandths)

    if found is not None:
        assert value is not None
        assert holds(found, value[0])


@given(st.integers(0, 10**12))
def test_a_step_is_no_wider_than_is_stated(value_us: int) -> None:
    step = step_of(bucket_of(value_us))
    low = next(bounds_of(bucket)[0] for bucket in range(32 * step, 32 * step + 32))
    beyond = bounds_of(32 * step + 31)[1]

    assert low <= value_us < beyond
    assert beyond - low <= max(32, low / 32)


def test_where_all_times_are_equal_so_are_the_bounds() -> None:
    assert _interval([[80_000] * 3] * 50, 900) == Interval(80_000, 80_000)


@pytest.mark.parametrize("runs", [[], [[]] * 5, [[1, 2, 3]], [[1, 2], [], []]])
def test_of_a_single_run_with_times_there_is_no_interval(runs: Runs) -> None:
    assert _interval(runs, 500) is None


@pytest.mark.parametrize(("thousandths", "runs"), [(500, 7), (900, 38), (990, 383)])
def test_an_upper_end_takes_as_many_runs_as_single_operations_would(
    thousandths: int, runs: int
) -> None:
    few, enough = ([list(range(1_000, 9_000, 40))] * many for many in (runs - 1, runs))
    missing, found = _interval(few, thousandths), _interval(enough, thousandths)

    assert missing is None or missing.high is None
    assert found is not None
    assert found.high is not None


def test_runs_without_a_settled_operation_change_nothing() -> None:
    runs = [[10_000 * k, 20_000 * k] for k in range(1, 60)]

    assert _interval([*runs, *[[]] * 40], 500) == _interval(runs, 500)


def _results(text: str, runs: int) -> CellResult:
    (result,) = counted(plan_of(text, runs=runs)).results()
    return result


def test_a_cell_whose_operations_share_runs_has_it() -> None:
    row = _results(CROWD, 12).row("time_to_certainty.p50")

    assert row.low is not None
    assert row.high is not None
    assert row.value is not None
    assert 0 < row.low <= row.value <= row.high


def test_a_cell_with_one_operation_a_run_keeps_its_order_statistics() -> None:
    result = _results(LOSSY, 60)
    row, found = result.row("time_to_certainty.p90"), quantile(result.tally.certainty, 900)

    assert found is not None
    assert (row.low, row.high) == (found[1].low, found[1].high)
    assert result.tally.together == Together()


RUNS, EACH = 100, 10
QUICK_US, LATE_US = 100_000, 5_000_000


@pytest.mark.parametrize(("outage", "truth_us"), [(0.095, QUICK_US), (0.105, LATE_US)])
def test_an_outage_that_hits_whole_runs_is_covered(outage: float, truth_us: int) -> None:
    """In k of the runs every operation is late: the coverage is a sum over the binomial k."""
    chances = binomial(RUNS, outage)
    ours = naive = 0.0
    for k, chance in enumerate(chances):
        tally = _tally([[LATE_US] * EACH] * k + [[QUICK_US] * EACH] * (RUNS - k))
        alone = quantile(tally[0], 900)
        assert alone is not None
        ours += chance * _covers(quantile_over_runs(*tally, 900), truth_us)
        naive += chance * _covers(alone[1], truth_us)

    assert ours >= 0.95
    assert naive < 0.8


def _covers(interval: Interval | None, truth_us: int) -> bool:
    """Whether it does, but for the width of a bucket: order statistics are their middles."""
    assert interval is not None
    high = interval.high
    return interval.low * 0.999 <= truth_us and (high is None or truth_us <= high * 1.001)


MANY = 100


def _slowed_by_outages(draw: random.Random) -> Runs:
    """60 runs of 16 operations, exponential around 100 ms, around 1 s in a fifth of the runs."""
    means = [1_000_000 if draw.random() < 0.2 else 100_000 for _ in range(60)]
    return [[int(draw.expovariate(1 / mean)) for _ in range(16)] for mean in means]


def _quantile_of(settled_by: Callable[[float], float], part: float) -> float:
    low, high = 0.0, 1e9
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if settled_by(middle) < part else (low, middle)
    return high


def test_times_that_an_outage_of_the_run_stretches_are_covered() -> None:
    """As a share of many seeds; where operations are taken as independent it is about half."""
    draw, ours, naive = random.Random(17), dict.fromkeys((500, 900), 0), 0
    truth = {part: _quantile_of(_settled_by, part / 1_000) for part in ours}
    for _ in range(MANY):
        tally = _tally(_slowed_by_outages(draw))
        for part in ours:
            ours[part] += holds(quantile_over_runs(*tally, part), truth[part])
        alone = quantile(tally[0], 900)
        assert alone is not None
        naive += holds(alone[1], truth[900])

    assert min(ours.values()) / MANY >= 0.95 - tolerance(0.95, MANY) / 2
    assert naive / MANY < 0.65


def _settled_by(time_us: float) -> float:
    return 0.8 * (1 - exp(-time_us / 100_000)) + 0.2 * (1 - exp(-time_us / 1_000_000))
