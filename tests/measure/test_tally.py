"""What is counted while a run is made is what is counted in its trace, and adds up in any order."""

import pickle

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.cli.perform import perform_one
from sim.engine.world import simulate
from sim.judge.judge import Judge
from sim.measure.definitions import RATIOS, Unit
from sim.measure.running import count_runs
from sim.measure.tally import CellTally
from sim.scenario.model import World
from tests.measure.loads import load_of
from tests.measure.samples import CROWD, LOSSY, SWEPT, VARIANTS, scenario, tally_of
from tests.properties.worlds import worlds


def count_trace(world: World, run: int) -> CellTally:
    """Count one finished trace, read record by record, by the definitions that count live runs."""
    judge, records = Judge(world), simulate(world, run=run).records
    for record in records:
        judge.feed(record)
    tally = CellTally()
    tally.add(run, judge, load_of(world, records))
    return tally


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(world=worlds(), run=st.integers(0, 10**6))
def test_counting_while_running_is_counting_the_trace(world: World, run: int) -> None:
    live = count_runs(world, run, run + 1)
    live.matched.clear()

    assert live == count_trace(world, run)


@settings(max_examples=30, suppress_health_check=list(HealthCheck))
@given(world=worlds())
def test_no_share_exceeds_its_denominator(world: World) -> None:
    tally = count_runs(world, 0, 2)

    for measure in RATIOS:
        sums = tally.sums[measure.name]
        assert measure.unit is not Unit.SHARE or 0 <= sums.x <= sums.n


@pytest.mark.parametrize(("text", "runs"), [(CROWD, 6), (LOSSY, 120), (VARIANTS, 120)])
def test_ranges_may_be_cut_anywhere_and_merged_in_any_order(text: str, runs: int) -> None:
    """Runs that are alike are counted together; cut into single runs, none is like another."""
    world = scenario(text).worlds[-1]
    whole = count_runs(world, 0, runs)

    merged = CellTally()
    merged.merge(count_runs(world, 5, runs))
    for run in range(5):
        merged.merge(count_runs(world, run, run + 1))

    assert merged == whole


@pytest.mark.parametrize("text", [VARIANTS, SWEPT, CROWD])
def test_a_run_of_a_measurement_is_the_run_of_that_number(text: str) -> None:
    for world in scenario(text).swept:
        tally, verdict = count_runs(world, 4711, 4712), perform_one(world, 4711)

        beliefs = {(found.belief, found.effects): found.count for found in verdict.beliefs}
        assert tally.beliefs == beliefs
        assert sorted(tally.violations) == list(verdict.broken)


def test_a_tally_does_not_grow_with_the_runs() -> None:
    world = scenario(CROWD).worlds[0]
    few, many = count_runs(world, 0, 2), count_runs(world, 0, 12)

    assert len(pickle.dumps(many)) < 1.5 * len(pickle.dumps(few))


def test_a_broken_invariant_is_counted_by_runs_and_its_first_run_is_kept() -> None:
    wrong = scenario(VARIANTS).worlds[1]
    tally = count_runs(wrong, 0, 40)
    broke = [run for run in range(40) if count_runs(wrong, run, run + 1).violations]

    assert tally.violations["no-false-failure"] <= len(broke)
    assert tally.broken_run["unknown-is-visible"] == broke[0]


def test_operations_in_unknown_outcome_at_the_horizon_are_open_and_not_unresolved() -> None:
    tally = tally_of(_NEVER_ANSWERED.format(horizon="3s"), 1)

    assert (tally.sums["open_rate"].x, tally.sums["unresolved_rate"].x) == (1, 0)


def test_operations_that_end_with_a_person_are_unresolved() -> None:
    tally = tally_of(_NEVER_ANSWERED.format(horizon="1h"), 1)

    assert (tally.sums["open_rate"].x, tally.sums["unresolved_rate"].x) == (0, 1)


_NEVER_ANSWERED = """\
title: Nothing comes back
horizon: {horizon}
server: {{resources: {{note: {{version: 1, body: {{text: old}}}}}}, status: no}}
client: {{timeout: 2s, retry: {{max_attempts: 2, delay: 5s}}}}
network: {{ack: {{loss: 1}}}}
user:
  - {{at: 0s, edit: note}}
  - {{at: 0s, save: note}}
"""


def test_each_text_that_a_form_loses_is_a_lost_draft() -> None:
    """Two of three saves are refused, and the mistake drops what was refused."""
    tally = tally_of(
        """\
title: A form loses its text twice
server: {resources: {note: {version: 4, body: {n: 2}, accepts: {n: [1, 2]}}}}
client: {mistakes: [refusal-drops-draft]}
user:
  - {at: 0s, edit: note, body: {n: 9}}
  - {at: 0s, save: note}
  - {at: 10s, edit: note, body: {n: 8}}
  - {at: 10s, save: note}
  - {at: 20s, edit: note, body: {n: 1}}
  - {at: 20s, save: note}
""",
        2,
    )

    assert (tally.sums["lost_draft_rate"].x, tally.sums["lost_draft_rate"].n) == (4, 6)
