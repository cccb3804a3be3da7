from math import isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.engine.draws import Draws, Purpose
from sim.measure.intervals import student_t
from sim.measure.paired import PairSums, Shown, difference

SIDES = st.tuples(st.integers(0, 9), st.integers(0, 9))
RUNS = st.lists(st.tuples(SIDES, SIDES), min_size=2, max_size=30)


def summed(runs, first=0):
    pair = PairSums()
    for run, (a, b) in enumerate(runs, first):
        pair.add(run, a, b)
    return pair


@given(RUNS)
def test_a_side_beside_itself_differs_in_nothing(runs) -> None:
    pair = summed([(a, a) for a, _ in runs])
    found = difference(pair)

    assert pair.differing == 0
    assert found is None or (found.value, found.half) == (0, 0)


@given(RUNS, st.integers(0, 30))
def test_runs_may_be_added_in_any_order_and_in_any_parts(runs, cut) -> None:
    cut = min(cut, len(runs))
    parts = [summed(runs[:cut]), summed(runs[cut:], cut)]
    backwards = PairSums()
    for part in reversed(parts):
        backwards.merge(part)

    assert backwards == summed(runs)


@given(RUNS)
def test_the_variance_is_that_of_the_linearised_residuals(runs) -> None:
    pair = summed(runs)
    found = difference(pair)
    if found is None:
        return
    ra, rb = pair.a.x / pair.a.n, pair.b.x / pair.b.n
    residuals = [
        (xb - rb * nb) / pair.b.n - (xa - ra * na) / pair.a.n for (xa, na), (xb, nb) in runs
    ]
    many = len(runs)

    half = student_t(many - 1) * sqrt(sum(e * e for e in residuals) * many / (many - 1))

    assert isclose(found.half, half, rel_tol=1e-9, abs_tol=1e-9)


@given(RUNS)
def test_every_run_that_differs_is_counted_once(runs) -> None:
    pair = summed(runs)

    assert pair.differing == sum(a != b for a, b in runs)


def test_the_runs_to_look_at_are_the_clearest_and_among_equals_the_first() -> None:
    pair = summed([((0, 4), (x, 4)) for x in (1, 2, 1, 4, 2, 0)])

    assert pair.best_higher == [Shown(-1.0, 3), Shown(-0.5, 1), Shown(-0.5, 4)]
    assert pair.best_lower == []


def test_a_run_with_a_ratio_on_one_side_only_has_no_direction() -> None:
    pair = summed([((1, 2), (0, 0)), ((1, 2), (2, 4))])

    assert (pair.higher, pair.lower, pair.otherwise) == (0, 0, 2)


def test_there_is_no_difference_to_a_side_without_a_value() -> None:
    assert difference(summed([((0, 0), (1, 2))] * 3)) is None


def test_one_run_has_a_difference_and_no_interval() -> None:
    found = difference(summed([((0, 1), (1, 1))]))

    assert (found.value, found.low, found.high, found.is_clear) == (1, None, None, False)


def draw(seed, run):
    return Draws(seed, run).block(Purpose.JITTER, 0, 1)


def one_trial(seed, run):
    """A fails below 0.3; b has a second, independent chance of a half: 0.15."""
    first, second, *_ = draw(seed, run)
    return (int(first < 0.3), 1), (int(first < 0.3 and second < 0.5), 1)


def shared_outage(seed, run):
    """Runs of 1 to 8 operations; half of them have an outage that fails all of a, every other b."""
    first, second, *_ = draw(seed, run)
    many, fails = 2 * (1 + int(4 * second)), first < 0.5
    return (many * fails, many), (many // 2 * fails, many)


@pytest.mark.parametrize(("make", "truth"), [(one_trial, -0.15), (shared_outage, -0.25)])
def test_the_interval_covers_a_known_difference_as_often_as_it_says(make, truth) -> None:
    """Of 200 intervals 95 % are expected to cover; 181 to 198 is what chance makes of that."""
    covered = 0
    for seed in range(200):
        found = difference(summed([make(seed, run) for run in range(120)]))
        covered += abs(found.value - truth) <= found.half

    assert 181 <= covered <= 198


def test_what_both_sides_share_makes_the_paired_interval_narrower() -> None:
    found = difference(summed([shared_outage(1, run) for run in range(120)]))

    assert found.narrower > 0.4
