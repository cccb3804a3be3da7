"""Latency tables against the distributions that they stand for."""

import math
import statistics
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.network.distributions import (
    constant,
    empirical,
    exponential,
    lognormal,
    pareto,
    quantiles,
    uniform,
)
from sim.network.weather import Latency

MEAN_US = 40_000
SHARES = st.floats(min_value=0, max_value=1, exclude_max=True)
TABLES = {
    "constant": constant(MEAN_US),
    "uniform": uniform(20_000, 60_000),
    "exponential": exponential(MEAN_US),
    "lognormal": lognormal(MEAN_US, 900_000),
    "pareto": pareto(10_000, 1.5),
    "empirical": empirical([7, 3, 50, 3, 900]),
    "quantiles": quantiles([(0, 10), (0.5, 40), (1, 3_000)]),
}


def mean_of(table: Latency) -> float:
    """Return the exact mean of what the table draws: straight lines between its knots."""
    if table.is_constant:
        return float(table.values_us[0])
    knots = pairwise(zip(table.shares, table.values_us, strict=True))
    return sum((q - p) * (a + b) / 2 for (p, a), (q, b) in knots)


@pytest.mark.parametrize("name", list(TABLES))
def test_a_table_s_shares_rise_from_0_and_its_values_never_fall(name: str) -> None:
    table = TABLES[name]

    assert table.shares[0] == 0.0
    assert all(a < b for a, b in pairwise(table.shares))
    assert all(a <= b for a, b in pairwise(table.values_us))
    assert table.is_constant or table.shares[-1] == 1.0


@pytest.mark.parametrize("name", list(TABLES))
@given(one=SHARES, other=SHARES)
def test_a_greater_share_never_draws_less(name: str, one: float, other: float) -> None:
    table = TABLES[name]
    low, high = sorted((one, other))

    assert table.at(low) <= table.at(high) <= table.values_us[-1]


@given(share=SHARES, low=st.integers(0, 10**9), spread=st.integers(0, 10**9))
def test_a_uniform_latency_is_the_share_of_its_range(share: float, low: int, spread: int) -> None:
    drawn = uniform(low, low + spread).at(share)

    assert abs(drawn - (low + share * spread)) <= 0.501


QUANTILES: dict[str, tuple[Latency, Callable[[float], float]]] = {
    "exponential": (exponential(MEAN_US), lambda p: -MEAN_US * math.log1p(-p)),
    "pareto": (pareto(10_000, 1.5), lambda p: 10_000 * (1 - p) ** (-1 / 1.5)),
    "lognormal": (
        lognormal(MEAN_US, 900_000),
        lambda p: (
            MEAN_US
            * math.exp(
                math.log(900_000 / MEAN_US) * statistics.NormalDist().inv_cdf(p) / 2.3263478740
            )
        ),
    ),
}


@pytest.mark.parametrize("name", list(QUANTILES))
@pytest.mark.parametrize("share", [0.001, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999])
def test_a_quantile_is_met_within_two_percent(name: str, share: float) -> None:
    table, exact = QUANTILES[name]

    assert table.at(share) == pytest.approx(exact(share), rel=0.02, abs=1.5)


def test_the_mean_of_an_exponential_latency_is_met_within_a_percent() -> None:
    assert mean_of(exponential(MEAN_US)) == pytest.approx(MEAN_US, rel=0.01)


def test_the_mean_of_a_pareto_latency_is_met_where_it_has_one() -> None:
    scale, shape = 10_000, 3.0

    assert mean_of(pareto(scale, shape)) == pytest.approx(scale * shape / (shape - 1), rel=0.01)


def test_a_lognormal_latency_has_the_median_and_the_p99_that_it_is_named_by() -> None:
    table = lognormal(40_000, 900_000)

    assert table.at(0.5) == pytest.approx(40_000, abs=1)
    assert table.at(0.99) == pytest.approx(900_000, rel=0.005)


def test_a_pareto_latency_is_never_under_its_scale() -> None:
    assert pareto(10_000, 1.5).at(0.0) == pytest.approx(10_000, abs=1)


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=300))
def test_a_measured_distribution_reaches_from_the_least_to_the_greatest(values: list[int]) -> None:
    table = empirical(values)

    assert table.at(0.0) == min(values)
    assert min(values) <= table.at(1 - 2**-53) <= max(values)


def test_a_measured_distribution_draws_each_kept_value() -> None:
    values = [5, 10, 20, 80, 160]
    table = empirical(values)

    assert [table.at(n / 4) for n in range(4)] == values[:4]


def test_many_measured_values_keep_their_quantiles() -> None:
    table = empirical(range(100_000))

    for share in (0.01, 0.1, 0.5, 0.9, 0.999):
        assert table.at(share) == pytest.approx(share * 100_000, rel=0.01)


@pytest.mark.parametrize(
    "knots",
    [[], [(0, 1)], [(0.1, 1), (1, 2)], [(0, 1), (0.9, 2)], [(0, 1), (0, 2), (1, 3)]],
)
def test_shares_that_do_not_rise_from_0_to_1_are_refused(knots: list[tuple[float, int]]) -> None:
    with pytest.raises(ValueError, match="quantiles"):
        quantiles(knots)


def test_durations_that_fall_are_refused() -> None:
    with pytest.raises(ValueError, match="fall"):
        quantiles([(0, 5), (1, 4)])


def test_no_latency_exceeds_a_hundred_years() -> None:
    assert pareto(10**15, 0.01).values_us[-1] <= 36_525 * 86_400 * 1_000_000
