"""Intervals against published values and their own definitions."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.measure.histogram import Histogram
from sim.measure.intervals import (
    Interval,
    Sums,
    mean,
    quantile,
    ranks,
    share,
    student_t,
    unseen,
    wilson,
)

runs = st.lists(
    st.integers(0, 20).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), max_size=30
)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_is_as_published(count: int, total: int, low: float, high: float) -> None:
    """R. G. Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, method 3."""
    found = wilson(count, total)

    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("degrees", "published"),
    [(1, 12.706), (2, 4.303), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980), (1_000, 1.962)],
)
def test_students_t_is_as_published(degrees: int, published: float) -> None:
    assert student_t(degrees) == pytest.approx(published, abs=5e-4)


@given(runs, runs)
def test_sums_do_not_depend_on_the_order(
    a: list[tuple[int, int]], b: list[tuple[int, int]]
) -> None:
    one, other = _sums(a), _sums(b)
    one.merge(_sums(b))
    other.merge(_sums(a))

    assert one.as_list() == other.as_list() == _sums(a + b).as_list()


@given(st.lists(st.sampled_from([(0, 0), (0, 1), (1, 1)]), min_size=1))
def test_one_trial_a_run_makes_the_interval_wilsons(pairs: list[tuple[int, int]]) -> None:
    sums = _sums(pairs)

    assert sums.is_one_a_run
    assert share(sums) == (wilson(sums.x, sums.n) if sums.n else None)


@given(runs)
def test_a_share_keeps_its_interval_in_range(pairs: list[tuple[int, int]]) -> None:
    sums = _sums(pairs)
    found = share(sums)

    if found is not None and found.high is not None:
        assert 0 <= found.low <= sums.x / sums.n <= found.high <= 1


def test_runs_that_share_everything_count_once_each() -> None:
    """In 10 of 100 runs all 20 operations failed, in the others none: 100 witnesses, not 2,000."""
    found = share(_sums([(20, 20)] * 10 + [(0, 20)] * 90))

    assert found is not None
    assert found.high is not None
    width = found.high - found.low
    one_each = wilson(10, 100)
    assert one_each.high is not None
    assert width == pytest.approx(one_each.high - one_each.low, rel=0.05)


def test_independent_operations_that_share_runs_lose_little() -> None:
    draw = random.Random(1)
    pairs = [(sum(draw.random() < 0.3 for _ in range(20)), 20) for _ in range(500)]

    found, naive = share(_sums(pairs)), wilson(sum(x for x, _ in pairs), 10_000)

    assert found is not None
    assert found.high is not None
    assert naive.high is not None
    assert found.high - found.low == pytest.approx(naive.high - naive.low, rel=0.1)


def test_nothing_seen_in_any_run_leaves_room_as_wide_as_the_runs_allow() -> None:
    found = share(_sums([(0, 20)] * 100))

    assert found is not None
    assert found.low == 0
    assert found.high == pytest.approx(wilson(0, 100).high, rel=0.05)


@pytest.mark.parametrize("pairs", [[], [(0, 0)] * 5, [(1, 2)]])
def test_where_nothing_can_be_said_there_is_no_interval(pairs: list[tuple[int, int]]) -> None:
    assert share(_sums(pairs)) is None
    assert mean(_sums(pairs)) is None


def test_a_mean_has_the_interval_of_the_run_means() -> None:
    """Runs of equal size: the ratio estimator is the ordinary mean with Student's t."""
    values = [3, 5, 4, 8, 6]
    found = mean(_sums([(value, 1) for value in values]))

    # Mean 5.2, s² = 3.7, t(4) = 2.776: half = 2.776 · sqrt(3.7 / 5) = 2.388.
    assert found is not None
    assert (found.low, found.high) == pytest.approx((2.812, 7.588), abs=1e-3)


@pytest.mark.parametrize("each", [1, 20])
def test_a_mean_on_which_all_runs_agree_leaves_room_for_runs_that_do_not(each: int) -> None:
    """Every operation took one attempt; in so many runs at most (Wilson's) each takes two."""
    found = mean(_sums([(each, each)] * 30), 1)

    assert found == Interval(1.0, 1 + unseen(30))
    assert unseen(30) == pytest.approx(0.122, abs=0.001)


def test_a_time_on_which_all_runs_agree_has_no_interval() -> None:
    """By how much another run would differ nobody knows."""
    assert mean(_sums([(51_000_000, 1)] * 5)) is None


def test_one_run_that_deviates_counts_as_three() -> None:
    """The variance is that of 1 of 30, with one more upwards and one more downwards."""
    found = mean(_sums([(2, 1), *[(1, 1)] * 29]), 1)

    assert found is not None
    assert found.low == 1
    assert found.high == pytest.approx(1 + (1 + student_t(29) * 3**0.5) / 30, rel=1e-3)


def test_runs_that_deviate_in_all_their_operations_are_added_whole() -> None:
    """Twenty operations a run that all deviate are as wide as one a run."""
    alone, together = (mean(_sums([(2 * n, n)] * 3 + [(n, n)] * 97), 1) for n in (1, 20))

    assert alone is not None
    assert together is not None
    assert (together.low, together.high) == pytest.approx((alone.low, alone.high), abs=1e-3)


@given(runs.filter(lambda pairs: sum(n > 0 for _, n in pairs) > 1), st.sampled_from([None, 0, 1]))
def test_a_mean_lies_in_its_interval(pairs: list[tuple[int, int]], least: int | None) -> None:
    sums = _sums(pairs)
    found = mean(sums, least)

    if found is not None and found.high is not None:
        assert 0 <= found.low <= sums.x / sums.n <= found.high
        assert least is None or found.low < found.high


def test_the_median_of_a_hundred_lies_between_the_40th_and_the_61st() -> None:
    """H. A. David and H. N. Nagaraja give these ranks for n = 100 and 95 %."""
    assert ranks(100, 500) == (40, 61)


def test_a_quantile_that_the_sample_cannot_bound_says_so() -> None:
    """Of 100 values, the greatest is below the 99 % quantile more than a third of the time."""
    found = quantile(_histogram(range(1, 101)), 990)

    assert found == (99, Interval(97, None))


def test_the_quantile_of_nothing_is_none() -> None:
    assert quantile(Histogram(), 500) is None


def test_exact_and_approximate_ranks_agree_where_they_meet() -> None:
    for part in (500, 900, 990):
        exact, approximate = ranks(2_000, part), ranks(2_001, part)

        assert abs(exact[0] - approximate[0]) <= 2
        assert abs(exact[1] - approximate[1]) <= 2


def _sums(pairs: list[tuple[int, int]]) -> Sums:
    sums = Sums()
    for x, n in pairs:
        sums.add(x, n)
    return sums


def _histogram(values: range) -> Histogram:
    histogram = Histogram()
    for value in values:
        histogram.add(value)
    return histogram
