from dataclasses import replace
from fractions import Fraction
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.engine.world import simulate
from sim.measure import baseline as module
from sim.measure.baseline import Count, first_difference, trace_baseline
from sim.measure.baseline_diff import (
    By,
    CountMoved,
    PartMoved,
    State,
    TraceMoved,
    Which,
    Within,
    allows,
)
from sim.measure.baseline_make import Wanted, make
from sim.measure.intervals import Sums, mean
from sim.measure.pool import Pool
from sim.report.baselined_words import detail, headline, one_line
from tests.measure.baselines import (
    MEASURED,
    SCRIPTED,
    baseline,
    checked,
    made,
    scenario,
    with_count,
)

WORLD = scenario(SCRIPTED).worlds[1]
RECORDS = simulate(WORLD).records
UNKNOWN = "unknown_outcome_rate"


@pytest.fixture(scope="module")
def story():
    return scenario(SCRIPTED)


@pytest.fixture(scope="module")
def weather():
    return scenario(MEASURED)


@pytest.fixture(scope="module")
def held(weather):
    return baseline(weather)


def other(record):
    return record._replace(at_us=record.at_us + 1)


@given(st.integers(0, len(RECORDS) - 1))
def test_the_first_record_that_differs_is_found(place) -> None:
    held = trace_baseline(WORLD, RECORDS, ())
    changed = (*RECORDS[:place], *map(other, RECORDS[place:]))

    assert first_difference(held, RECORDS) is None
    assert first_difference(held, changed) == place


@given(st.integers(1, len(RECORDS) - 1))
def test_a_trace_that_goes_on_or_ends_early_differs_where_the_other_ended(length) -> None:
    part = RECORDS[:length]

    assert first_difference(trace_baseline(WORLD, RECORDS, ()), part) == length
    assert first_difference(trace_baseline(WORLD, part, ()), RECORDS) == length


def test_of_a_long_trace_the_block_that_differs_is_found(monkeypatch) -> None:
    monkeypatch.setattr(module, "HASHES_MAX", 10)
    held = trace_baseline(WORLD, RECORDS, ())
    changed = (*RECORDS[:12], other(RECORDS[12]), *RECORDS[13:])

    assert len(held.hashes) <= 10
    assert first_difference(held, changed) == 12 // held.every * held.every


def test_in_a_long_trace_it_says_in_which_records_the_difference_lies(monkeypatch, story) -> None:
    monkeypatch.setattr(module, "HASHES_MAX", 10)
    held = baseline(story)
    lost = held.traces[1]
    moved = replace(lost, digest="0" * 64, hashes=(*lost.hashes[:4], "0" * 8, *lost.hashes[5:]))

    found = checked(story, replace(held, traces=(held.traces[0], moved)))

    first = 4 * lost.every
    assert lost.every > 1
    assert one_line(detail(found.moved[0])).endswith(
        f"differs first somewhere in records {first + 1} to {first + lost.every}"
    )


def test_many_records_are_written_with_separators(story) -> None:
    held = baseline(story)
    moved = replace(held.traces[1], digest="0" * 64, records=12_345)

    found = checked(story, replace(held, traces=(held.traces[0], moved)))

    assert detail(found.moved[0]).old == "00000000 (12,345 records)"


def test_what_moved_within_the_tolerance_is_told_of_a_stale_baseline(weather, held) -> None:
    changed = replace(with_count(held, UNKNOWN, 1), digest="0" * 64)

    found = checked(weather, changed, Within())

    assert found.state is State.STALE
    assert headline(found).endswith("made; 1 measure moved no further than --tolerance allows")
    assert headline(replace(found, within=())).endswith("made; what it does has not moved")


def test_what_has_not_moved_is_the_same(story, weather, held) -> None:
    assert checked(story, baseline(story)).state is State.SAME
    assert checked(weather, held).state is State.SAME


def test_a_trace_that_moved_is_told_with_the_place_where_it_parts(story) -> None:
    held = baseline(story)
    lost = held.traces[1]
    moved = replace(lost, digest="0" * 64, hashes=(*lost.hashes[:9], "0" * 8, *lost.hashes[10:]))

    found = checked(story, replace(held, traces=(held.traces[0], moved)))

    assert found.state is State.MOVED
    assert [type(each) for each in found.moved] == [TraceMoved]
    assert (found.moved[0].world.variant, found.moved[0].first) == ("lost", 9)


def test_a_count_that_moved_by_one_is_told(weather, held) -> None:
    found = checked(weather, with_count(held, UNKNOWN, -1))

    assert found.state is State.MOVED
    assert [type(each) for each in found.moved] == [CountMoved]
    assert found.moved[0].cell == (("client.timeout", "1s"),)
    assert found.moved[0].found.count - found.moved[0].held.count == 1


@pytest.mark.parametrize(
    ("tolerance", "state"),
    [
        (By(Fraction(1, 40)), State.SAME),
        (By(Fraction(1, 41)), State.MOVED),
        (Within(), State.SAME),
    ],
)
def test_a_rate_may_move_as_far_as_is_allowed(weather, held, tolerance, state) -> None:
    assert held.cells[0].counts[UNKNOWN].denominator == 40

    assert checked(weather, with_count(held, UNKNOWN, 1), tolerance).state is state


def test_a_rate_may_not_leave_its_interval(weather, held) -> None:
    cell = held.cells[0]
    apart = {**cell.counts, UNKNOWN: replace(cell.counts[UNKNOWN], count=39, low=0.9, high=1.0)}

    found = checked(weather, replace(held, cells=(replace(cell, counts=apart),)), Within())

    assert [each.measure for each in found.moved if isinstance(each, CountMoved)] == [UNKNOWN]


@pytest.mark.parametrize(
    ("measure", "held", "may_move"),
    [
        ("time_to_certainty.p99", Count(count=40, denominator=40, value_us=80_000), True),
        ("attempts_max", Count(count=3, denominator=40), True),
        ("recovery_time", Count(count=255_000_000, denominator=5), False),
        ("unknown_but_applied", Count(count=1, denominator=2), False),
    ],
)
def test_without_an_interval_quantiles_and_maxima_may_move_and_others_not(
    measure, held, may_move
) -> None:
    value_us = held.value_us and 2 * held.value_us
    moved = CountMoved("", (), measure, held, replace(held, count=1, value_us=value_us))

    assert allows(Within(), moved) is may_move


def test_one_more_attempt_than_in_a_baseline_of_single_ones_is_within_its_interval() -> None:
    sums = Sums(runs=30, x=30, n=30, xx=30, nn=30, xn=30, witnesses=30)
    bounds = mean(sums, 1)
    held = Count(count=30, denominator=30, low=bounds.low, high=bounds.high)
    found = [
        CountMoved("", (), "attempts_per_operation", held, replace(held, count=30 + more))
        for more in (1, 4)
    ]

    assert [allows(Within(), each) for each in found] == [True, False]


def test_what_moved_within_the_tolerance_is_still_named(weather, held) -> None:
    found = checked(weather, with_count(held, UNKNOWN, 1), Within())

    assert [each.measure for each in found.within] == [UNKNOWN]


def test_a_trace_may_not_move_whatever_is_allowed(story) -> None:
    held = baseline(story)
    moved = replace(held.traces[0], digest="0" * 64, hashes=("0" * 8,))

    found = checked(story, replace(held, traces=(moved, held.traces[1])), By(Fraction(1)))

    assert found.state is State.MOVED


def test_another_scenario_makes_its_baseline_stale(story) -> None:
    changed = scenario(SCRIPTED.replace("500ms", "501ms"))

    assert checked(changed, baseline(story)).state is State.STALE


def test_comments_do_not_make_a_baseline_stale(story) -> None:
    commented = scenario(SCRIPTED.replace("title:", "# a remark\ntitle:"))

    assert checked(commented, baseline(story)).state is State.SAME


def test_without_a_baseline_it_is_missing(story) -> None:
    assert checked(story, None).state is State.MISSING


def test_a_variant_on_one_side_only_is_named(story) -> None:
    held = baseline(story)
    renamed = replace(held.traces[0], variant="quiet")

    found = checked(story, replace(held, traces=(renamed, held.traces[1])))

    assert [(each.variant, each.which) for each in found.moved] == [
        ("calm", Which.NEW),
        ("quiet", Which.GONE),
    ]


def test_cells_of_other_runs_are_not_compared_as_if_they_were_the_same(weather, held) -> None:
    other = replace(held, cells=tuple(replace(cell, seed=2) for cell in held.cells))

    found = checked(weather, other)

    assert {(type(each), each.which) for each in found.moved} == {(PartMoved, Which.REMADE)}


def test_a_failure_that_the_baseline_does_not_know_is_new(story) -> None:
    wrong = scenario(SCRIPTED + "expect: {effects: 2}\n")

    found = checked(wrong, replace(baseline(story), digest=wrong.digest))

    assert found.new_failures == ("calm: effects is not 2", "lost: effects is not 2")
    assert not found.is_passed(only_new=True)


def test_a_failure_that_the_baseline_knows_is_no_news() -> None:
    wrong = scenario(SCRIPTED + "expect: {effects: 2}\n")

    found = checked(wrong, baseline(wrong))

    assert found.is_passed(only_new=False)
    assert found.known_failures == ("calm: effects is not 2", "lost: effects is not 2")


def test_a_failure_that_is_gone_is_mended(story) -> None:
    wrong = scenario(SCRIPTED + "expect: {effects: 2}\n")

    found = checked(story, replace(baseline(wrong), digest=story.digest))

    assert found.state is State.MOVED
    assert found.mended == ("calm: effects is not 2", "lost: effects is not 2")


def test_bounds_are_judged_only_over_as_many_runs_as_the_file_asks_for() -> None:
    bounded = scenario(MEASURED + "expect: {rates: {unknown_outcome_rate: {max: 0}}}\n")

    assert made(bounded, 40).failures[0].endswith("unknown_outcome_rate is out of its bounds")
    assert made(bounded, 39).failures == ()


def test_a_baseline_is_the_same_from_two_workers(weather) -> None:
    both = [Wanted(weather, 40), Wanted(scenario(SCRIPTED), 1)]
    pool = Pool(2)
    try:
        found = make(both, perf_counter, pool)
    finally:
        pool.close()

    assert found == [made(weather), made(scenario(SCRIPTED))]
