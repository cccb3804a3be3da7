import random
from math import comb, isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.engine.draws import Draws, Purpose
from sim.measure.definitions import BY_NAME
from sim.measure.intervals import Sums, student_t, unseen
from sim.measure.paired import PairSums, Shown, difference

RATE, MEAN = BY_NAME["unresolved_rate"], BY_NAME["attempts_per_operation"]
TIME, LOAD = BY_NAME["recovery_time"], BY_NAME["peak_load"]
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
    found = difference(pair, MEAN)

    assert pair.differing == 0
    assert found is None or (found.value, found.is_clear) == (0, False)


@given(RUNS, st.integers(0, 30))
def test_runs_may_be_added_in_any_order_and_in_any_parts(runs, cut) -> None:
    cut = min(cut, len(runs))
    parts = [summed(runs[:cut]), summed(runs[cut:], cut)]
    backwards = PairSums()
    for part in reversed(parts):
        backwards.merge(part)

    assert backwards == summed(runs)


@given(RUNS)
def test_the_variance_is_that_of_the_linearised_residuals_and_of_two_runs_more(runs) -> None:
    pair = summed(runs)
    found, many = difference(pair, TIME), min(pair.a.witnesses, pair.b.witnesses)
    if found is None or found.half is None:
        return
    ra, rb = pair.a.x / pair.a.n, pair.b.x / pair.b.n
    residuals = [
        (xb - rb * nb) / pair.b.n - (xa - ra * na) / pair.a.n for (xa, na), (xb, nb) in runs
    ]
    variance = sum(e * e for e in residuals) * many / (many - 1)

    half = student_t(many - 1) * sqrt(variance * (1 + 2 / pair.differing))

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
    assert difference(summed([((0, 0), (1, 2))] * 3), RATE) is None


@pytest.mark.parametrize("others", [0, 39])
def test_one_run_with_a_denominator_has_a_difference_and_no_interval(others) -> None:
    found = difference(summed([((0, 1), (1, 1)), *[((0, 0), (0, 0))] * others]), RATE)

    assert (found.value, found.low, found.high, found.is_clear) == (1, None, None, False)


@pytest.mark.parametrize(("many", "is_clear"), [(2, False), (5, False), (7, True)])
def test_runs_that_all_differ_alike_prove_as_much_as_they_are_many(many, is_clear) -> None:
    found = difference(summed([((0, 1), (1, 1))] * many), RATE)

    assert (found.value, found.high, found.is_clear) == (1, 1, is_clear)
    assert (found.low > 0) is is_clear


@pytest.mark.parametrize("measure", [RATE, MEAN])
def test_where_no_run_differs_as_many_may_as_wilson_leaves(measure) -> None:
    found = difference(summed([((0, 1), (0, 1))] * 40), measure)

    assert (found.low, found.high) == (-unseen(40), unseen(40))
    assert found.narrower is None


@pytest.mark.parametrize("measure", [TIME, LOAD])
def test_times_that_are_apart_by_the_same_in_every_run_have_no_interval(measure) -> None:
    found = difference(summed([((8, 1), (9, 1))] * 40), measure)

    assert (found.value, found.low, found.high, found.is_clear) == (1, None, None, False)


@pytest.mark.parametrize(("differing", "is_clear"), [(1, False), (5, False), (6, True)])
def test_it_takes_six_runs_of_one_direction_to_be_clear(differing, is_clear) -> None:
    """As with the exact sign test: 2 · 0.5^6 is 3.1 %, 2 · 0.5^5 6.3 %."""
    found = difference(few(differing, 0, 100), RATE)

    assert found.is_clear is is_clear


def few(higher, lower, runs):
    """One operation a run; in some runs it fails in b alone, in some in a alone, else in none."""
    sides = [Sums(runs, k, runs, k, runs, k, runs) for k in (lower, higher)]
    return PairSums(
        *sides, nn=runs, xa_nb=lower, na_xb=higher, higher=higher, lower=lower, otherwise=0
    )


@given(st.integers(0, 9), st.integers(0, 9), st.integers(18, 40))
def test_few_that_differ_are_summed_as_one_by_one(higher, lower, runs) -> None:
    rest = [((0, 1), (0, 1))] * (runs - higher - lower)
    pair = summed([((0, 1), (1, 1))] * higher + [((1, 1), (0, 1))] * lower + rest)

    assert difference(few(higher, lower, runs), RATE) == difference(pair, RATE)


def coverage(runs, up, down):
    """The exact probability that the interval holds the difference of the chances of each."""
    total = 0.0
    for higher in range(25):
        for lower in range(25 if down else 1):
            ways = comb(runs, higher) * comb(runs - higher, lower)
            chance = ways * up**higher * down**lower * (1 - up - down) ** (runs - higher - lower)
            if chance > 1e-7:
                found = difference(few(higher, lower, runs), RATE)
                total += chance * (found.low <= up - down <= found.high)
    return total


@pytest.mark.parametrize(
    ("runs", "up", "down"),
    [
        *((100, up, 0) for up in (0.005, 0.02, 0.045, 0.06)),
        *((1_000, up, 0) for up in (0.001, 0.003, 0.0044, 0.006)),
        *((300, up, down) for up in (0.003, 0.01, 0.02) for down in (0.001, 0.01)),
    ],
)
def test_where_few_runs_differ_it_covers_93_per_cent_and_more(runs, up, down) -> None:
    """Without the added runs it is 39 % at 0.005 of 100, and 87 % still at 0.005 of 1,000."""
    assert coverage(runs, up, down) >= 0.931


def test_few_runs_that_differ_are_covered_over_seeds_as_computed() -> None:
    draw, exact, covered = random.Random(3), coverage(100, 0.06, 0), 0
    for _ in range(400):
        found = difference(few(sum(draw.random() < 0.06 for _ in range(100)), 0, 100), RATE)
        covered += found.low <= 0.06 <= found.high

    assert covered / 400 == pytest.approx(exact, abs=4 * sqrt(exact * (1 - exact) / 400))


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
        found = difference(summed([make(seed, run) for run in range(120)]), RATE)
        covered += abs(found.value - truth) <= found.half

    assert 181 <= covered <= 198


def test_what_both_sides_share_makes_the_paired_interval_narrower() -> None:
    found = difference(summed([shared_outage(1, run) for run in range(120)]), RATE)

    assert found.narrower > 0.4
