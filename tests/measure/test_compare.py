from time import perf_counter

import pytest

from sim.measure.compare import MEAN_CERTAINTY, CompareError, compare, count_pairs, groups
from sim.measure.definitions import BY_NAME
from sim.measure.pool import Pool
from sim.report.charts import pairings
from sim.report.compared_formats import as_json
from sim.report.compared_words import interval
from sim.scenario.load import load_text

POLICIES = """\
title: Policies in the same rain
server: {resources: {note: {version: 1}}, status: no}
client: {timeout: 2s, retry: {max_attempts: 3, delay: 500ms}}
network: {request: {latency: 40ms, loss: 0.2}, ack: {latency: 40ms, loss: 0.1}}
user:
  - {at: 0s, edit: note}
  - {at: 0s, save: note}
variants:
  once: {client: {retry: {max_attempts: 1}}}
  thrice: {}
  twin: {client: {retry: {max_attempts: 3}}}
"""
BUSY = POLICIES.replace("at: 0s", "every: {fixed: 20s}, until: 100s")
SWEPT = POLICIES + "sweep: {network.ack.loss: [0.1, 0.5]}\n"
LOST = 1 - 0.8 * 0.9


def scenario(text=POLICIES):
    return load_text(text, "policies", "policies.yaml")


def compared(text=POLICIES, runs=300, **options):
    return compare(groups(scenario(text), runs=runs), perf_counter, **options)


@pytest.fixture(scope="module")
def result():
    return compared(runs=300)[0]


def test_variants_that_are_the_same_differ_in_nothing() -> None:
    twins = groups(scenario(), runs=200, base="thrice")
    found = compare(twins, perf_counter)[0]

    assert [world.variant for world in found.group.worlds] == ["thrice", "once", "twin"]
    assert found.tally.pairs[1].differing == 0
    assert all(not one.pair.differing for one in found.comparisons(2))


def test_the_difference_of_two_policies_covers_its_closed_form() -> None:
    """Unresolved is what every attempt loses: with one attempt f, with three f**3.

    One interval in twenty misses, so ten seeds are asked: fewer than 8 are 1 in 100.
    """
    truth, one = LOST**3 - LOST, scenario(POLICIES.replace("  twin:", "  # twin:"))
    found = [compare(groups(one, runs=90, seed=seed), perf_counter)[0] for seed in range(10)]
    rates = [each.comparison(1, BY_NAME["unresolved_rate"]).difference for each in found]

    assert sum(rate.low <= truth <= rate.high for rate in rates) >= 8
    assert all(rate.is_clear for rate in rates)


def test_no_run_is_worse_off_with_more_attempts_in_the_same_weather(result) -> None:
    pair = result.comparison(1, BY_NAME["unresolved_rate"]).pair

    assert pair.higher == 0
    assert pair.lower > 0


def test_on_the_same_losses_the_paired_interval_is_narrower() -> None:
    text = BUSY.replace("max_attempts: 1", "max_attempts: 2")
    found = compared(text, runs=150)[0].comparison(1, BY_NAME["unknown_outcome_rate"])

    assert found.difference.half < 0.8 * found.difference.half_apart


def test_measures_in_which_no_run_differs_are_not_drawn(result) -> None:
    drawn = {pairing.measure.name for pairing in pairings([result])}

    assert "unresolved_rate" in drawn
    assert "false_success_rate" not in drawn


def test_a_side_with_one_unknown_outcome_has_no_interval_to_show() -> None:
    text = POLICIES.replace("0.2", "0.02").replace("0.1", "0")
    found = compared(text, runs=40)[0]

    one = found.comparison(1, BY_NAME["unknown_but_applied"])

    assert min(one.pair.a.witnesses, one.pair.b.witnesses) == 1
    assert (one.difference.half, interval(one)) == (None, "none")


def test_a_run_that_is_named_really_differs(result) -> None:
    run = result.comparison(1, BY_NAME["unresolved_rate"]).pair.best_lower[0].run

    again = count_pairs(result.group.worlds, run, run + 1)

    assert again.sides[0].sums["unresolved_rate"].x == 1
    assert again.sides[1].sums["unresolved_rate"].x == 0


def test_the_values_are_those_that_measuring_gives(result) -> None:
    side = result.tally.sides[1]

    found = result.comparison(1, BY_NAME["unresolved_rate"])

    assert found.value == side.sums["unresolved_rate"].x / side.operations


def test_the_mean_time_to_certainty_is_compared_too(result) -> None:
    found = result.comparison(1, MEAN_CERTAINTY)

    assert found.base == pytest.approx(80_000, rel=0.001)
    assert found.value > found.base


def test_the_size_of_chunks_changes_no_byte() -> None:
    wholes = [as_json(compared(SWEPT, runs=12, runs_in_a_chunk=size)) for size in (1, 5, 12)]

    assert len({*wholes, as_json(compared(SWEPT, runs=12))}) == 1


def test_the_number_of_workers_changes_no_byte() -> None:
    pool = Pool(2)
    try:
        together = as_json(compared(SWEPT, runs=12, pool=pool, runs_in_a_chunk=5))
    finally:
        pool.close()

    assert together == as_json(compared(SWEPT, runs=12))


def test_each_cell_of_a_sweep_is_compared_for_itself() -> None:
    found = groups(scenario(SWEPT))

    assert [group.where for group in found] == ["network.ack.loss=0.1", "network.ack.loss=0.5"]
    assert all(len(group.worlds) == 3 for group in found)


def test_the_seed_is_the_same_for_all_sides() -> None:
    found = groups(scenario(SWEPT), seed=7)

    assert [world.seed for group in found for world in group.worlds] == [7] * 6


def test_one_variant_cannot_be_compared() -> None:
    alone = load_text(POLICIES.partition("variants:")[0], "alone", "alone.yaml")

    with pytest.raises(CompareError, match="'alone' has no variants"):
        groups(alone)


def test_the_base_must_be_one_of_the_variants() -> None:
    with pytest.raises(CompareError, match="no variant 'never'\n  fix: use one of: once, thrice"):
        groups(scenario(), base="never")


def test_it_stops_between_chunks_when_asked() -> None:
    found = compared(stop=lambda: True)

    assert found[0].tally.runs == 0
