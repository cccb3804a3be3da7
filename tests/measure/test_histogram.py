"""The histogram keeps durations to a tenth of a per cent, in whatever order they come."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.measure.buckets import bucket_of
from sim.measure.histogram import RELATIVE_ERROR_MAX, Histogram, bounds_of, value_of

durations = st.integers(0, 10**14)


@given(durations)
def test_the_middle_of_a_bucket_is_within_the_stated_error(value_us: int) -> None:
    error = abs(value_of(bucket_of(value_us)) - value_us)

    assert error <= RELATIVE_ERROR_MAX * value_us
    assert RELATIVE_ERROR_MAX < 0.001


@given(durations)
def test_a_duration_lies_within_the_bounds_of_its_bucket(value_us: int) -> None:
    low, beyond = bounds_of(bucket_of(value_us))

    assert low <= value_us < beyond


def test_buckets_follow_one_another_without_gaps() -> None:
    for bucket in range(20_000):
        assert bounds_of(bucket)[1] == bounds_of(bucket + 1)[0]


@given(st.lists(durations), st.lists(durations), st.lists(durations))
def test_the_order_of_merging_does_not_matter(a: list[int], b: list[int], c: list[int]) -> None:
    first, second = _of(a), _of(c)
    first.merge(_of(b))
    first.merge(_of(c))
    second.merge(_of(b))
    second.merge(_of(a))

    assert first.as_pairs() == second.as_pairs() == _of(a + b + c).as_pairs()
    assert first.maximum_us == second.maximum_us


@given(st.lists(durations, min_size=1))
def test_a_rank_is_the_sorted_value_to_within_the_error(values: list[int]) -> None:
    histogram = _of(values)
    for rank, exact in enumerate(sorted(values), start=1):
        assert abs(histogram.at_rank(rank) - exact) <= RELATIVE_ERROR_MAX * exact


def test_the_last_rank_is_the_exact_maximum() -> None:
    histogram = _of([5, 1_234_567_890_123])

    assert histogram.at_rank(2) == 1_234_567_890_123


@pytest.mark.parametrize("rank", [0, 4])
def test_a_rank_that_is_not_there_is_refused(rank: int) -> None:
    with pytest.raises(ValueError, match=f"rank {rank} of 3"):
        _of([1, 2, 3]).at_rank(rank)


def test_points_rise_to_the_total() -> None:
    histogram = _of(random.Random(1).choices(range(10**7), k=500))

    points = histogram.points()

    assert points == sorted(points)
    assert points[-1][1] == 500


@given(st.lists(durations))
def test_what_is_written_is_read_again(values: list[int]) -> None:
    histogram = _of(values)

    again = Histogram.from_pairs(histogram.as_pairs(), histogram.maximum_us)

    assert (again.counts, again.total) == (histogram.counts, histogram.total)


def _of(values: list[int]) -> Histogram:
    histogram = Histogram()
    for value in values:
        histogram.add(value)
    return histogram
