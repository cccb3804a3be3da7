"""How often the intervals hold the truth: computed where it can be, and seen over many seeds.

Nothing here runs the engine: the models are binomial, so that the coverage that a method really
has at its n and p is a finite sum.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from math import exp, lgamma, log, sqrt

import pytest

from sim.measure.histogram import Histogram
from sim.measure.intervals import Interval, Sums, mean, quantile, ranks, share, wilson

SEEDS = 3_000


def binomial(total: int, p: float) -> list[float]:
    """P(K = k) for k in 0..total."""
    return [
        exp(
            lgamma(total + 1)
            - lgamma(k + 1)
            - lgamma(total - k + 1)
            + k * log(p)
            + (total - k) * log(1 - p)
        )
        for k in range(total + 1)
    ]


def holds(interval: Interval | None, truth: float) -> bool:
    assert interval is not None
    return interval.low <= truth and (interval.high is None or truth <= interval.high)


def coverage(total: int, p: float, interval: Callable[[int], Interval | None]) -> float:
    """The exact probability that the interval of a binomial count holds p."""
    return sum(chance for k, chance in enumerate(binomial(total, p)) if holds(interval(k), p))


def seen(total: int, p: float, interval: Callable[[int], Interval | None]) -> float:
    """The same, as a share of many seeds."""
    draw = random.Random(7)
    counts = Counter(draw.choices(range(total + 1), binomial(total, p), k=SEEDS))
    return sum(many for k, many in counts.items() if holds(interval(k), p)) / SEEDS


def tolerance(probability: float, many: int = SEEDS) -> float:
    return 4 * sqrt(probability * (1 - probability) / many)


def independent(k: int, total: int) -> Sums:
    return Sums(runs=total, x=k, n=total, xx=k, nn=total, xn=k, witnesses=total)


def shared(k: int, runs: int, each: int) -> Sums:
    """In k of the runs an outage hit every operation, in the others none."""
    hit, n = k * each**2, runs * each
    return Sums(runs=runs, x=k * each, n=n, xx=hit, nn=n * each, xn=hit, witnesses=runs)


@pytest.mark.parametrize(
    ("total", "p", "real"), [(1_000, 0.001, 0.920), (1_000, 0.02, 0.951), (200, 0.3, 0.948)]
)
def test_wilson_covers_as_it_computes_to(total: int, p: float, real: float) -> None:
    exact = coverage(total, p, lambda k: share(independent(k, total)))

    assert exact == pytest.approx(real, abs=0.006)
    found = seen(total, p, lambda k: share(independent(k, total)))
    assert found == pytest.approx(exact, abs=tolerance(exact))


RUNS, EACH, OUTAGE = 1_000, 168, 0.1


def test_taking_operations_of_an_outage_as_independent_covers_an_eighth() -> None:
    """The naive interval is narrower than the truth by sqrt(168) = 13."""

    def naive(k: int) -> Interval:
        return wilson(k * EACH, RUNS * EACH)

    exact = coverage(RUNS, OUTAGE, naive)

    assert exact == pytest.approx(0.12, abs=0.02)
    assert seen(RUNS, OUTAGE, naive) == pytest.approx(exact, abs=tolerance(exact))


@pytest.mark.parametrize("runs", [50, 200, 1_000])
@pytest.mark.parametrize("outage", [0.01, 0.1, 0.5])
def test_runs_as_units_cover_an_outage_as_they_should(runs: int, outage: float) -> None:
    def ours(k: int) -> Interval | None:
        return share(shared(k, runs, EACH))

    exact = coverage(runs, outage, ours)

    # Wilson's own coverage at this n and p, which wavers around 95 %.
    own = coverage(runs, outage, lambda k: wilson(k, runs))
    assert exact >= own - 1e-9
    assert exact >= 0.9
    assert seen(runs, outage, ours) == pytest.approx(exact, abs=tolerance(exact))


def mixed(draw: random.Random, runs: int, each: int) -> Sums:
    """An outage in a fifth of the runs raises the rate from 5 % to 60 %."""
    sums = Sums()
    in_outage, in_peace = binomial(each, 0.6), binomial(each, 0.05)
    hit = [draw.random() < 0.2 for _ in range(runs)]
    outages = iter(draw.choices(range(each + 1), in_outage, k=runs))
    peace = iter(draw.choices(range(each + 1), in_peace, k=runs))
    for is_hit in hit:
        sums.add(next(outages if is_hit else peace), each)
    return sums


def test_a_rate_that_an_outage_raises_is_covered_too() -> None:
    draw, truth, many = random.Random(3), 0.2 * 0.6 + 0.8 * 0.05, 600
    measured = [mixed(draw, 100, 20) for _ in range(many)]

    ours = sum(holds(share(sums), truth) for sums in measured) / many
    naive = sum(holds(wilson(sums.x, sums.n), truth) for sums in measured) / many

    assert ours == pytest.approx(0.95, abs=tolerance(0.95, many))
    assert naive < 0.7


def test_a_mean_over_runs_of_different_size_is_covered() -> None:
    """Run sizes from 1 to 10, attempts per operation 1 or 2 with a rate that the run shares."""
    draw, many = random.Random(5), 600
    found = 0
    for _ in range(many):
        sums = Sums()
        for _ in range(80):
            size, extra = draw.randint(1, 10), draw.random() < 0.3
            sums.add(size * (2 if extra else 1), size)
        found += holds(mean(sums), 1.3)

    assert found / many == pytest.approx(0.95, abs=tolerance(0.95, many) + 0.01)


def retried(k: int, runs: int, each: int = 1) -> Sums:
    """In k of the runs every operation took a second attempt, in the others none."""
    sums = Sums()
    sums.add(each, each, runs - k)
    if k:
        sums.add(2 * each, each, k)
    return sums


FEW = [(100, 0.005), (100, 0.02), (300, 0.003), (300, 0.02), (1_000, 0.001), (1_000, 0.0044)]
"""Runs, and the part of them that deviates: half a run of a hundred to six of three hundred."""


@pytest.mark.parametrize(("runs", "p"), FEW)
@pytest.mark.parametrize("each", [1, EACH])
def test_a_mean_from_which_few_runs_deviate_is_covered(runs: int, p: float, each: int) -> None:
    def ours(k: int) -> Interval | None:
        return mean(retried(k, runs, each), 1)

    exact = _coverage_of_mean(runs, p, ours)

    assert exact >= 0.931
    draw = random.Random(7)
    counts = draw.choices(range(runs + 1), binomial(runs, p), k=SEEDS)
    found = sum(holds(ours(k), 1 + p) for k in counts) / SEEDS
    assert found == pytest.approx(exact, abs=tolerance(exact))


@pytest.mark.parametrize(("runs", "p", "real"), [(100, 0.005, 0.39), (1_000, 0.001, 0.63)])
def test_without_the_added_runs_such_a_mean_is_lost(runs: int, p: float, real: float) -> None:
    """With nothing but the variance that was seen, no run that deviates means no width."""

    def bare(k: int) -> Interval | None:
        return mean(retried(k, runs)) or Interval(1, 1)

    assert _coverage_of_mean(runs, p, bare) == pytest.approx(real, abs=0.01)


def _coverage_of_mean(runs: int, p: float, interval: Callable[[int], Interval | None]) -> float:
    """The exact probability that the interval holds 1 + p, k of the runs being binomial."""
    chances = enumerate(binomial(runs, p))
    return sum(chance for k, chance in chances if chance > 1e-9 and holds(interval(k), 1 + p))


@pytest.mark.parametrize("thousandths", [500, 900, 990])
@pytest.mark.parametrize("total", [20, 150, 2_000, 5_000])
def test_the_ranks_of_a_quantile_cover_at_least_95_per_cent(total: int, thousandths: int) -> None:
    """The quantile lies between two order statistics as a binomial count lies between ranks."""
    assert _rank_coverage(total, thousandths) >= 0.9495


def test_the_interval_of_a_quantile_covers_what_its_ranks_compute_to() -> None:
    draw, many, truth = random.Random(11), 400, 100_000 * log(10)
    covered = 0
    for values in _exponentials(draw, many, 150):
        found = quantile(values, 900)
        assert found is not None
        covered += holds(found[1], truth)

    exact = _rank_coverage(150, 900)
    assert covered / many == pytest.approx(exact, abs=tolerance(exact, many))


def _rank_coverage(total: int, thousandths: int) -> float:
    low, high = ranks(total, thousandths)
    return sum(binomial(total, thousandths / 1_000)[low:high])


def _exponentials(draw: random.Random, many: int, size: int) -> Iterator[Histogram]:
    for _ in range(many):
        histogram = Histogram()
        for _ in range(size):
            histogram.add(round(draw.expovariate(1 / 100_000)))
        yield histogram
