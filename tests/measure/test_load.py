"""Load over time, and when an outage is over for its victims."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.contract.body import Body
from sim.contract.phases import Phase, Reason
from sim.engine.world import simulate
from sim.measure.load import LoadMeter, watches_load
from sim.measure.ratios import RunLoad, ratios
from sim.network.faults import Cut, CutWhat
from sim.scenario.model import World
from sim.trace.records import Rec, Record
from tests.measure.loads import load_of
from tests.measure.samples import CROWD, LOSSY, scenario, tally_of
from tests.properties.worlds import worlds

S = 1_000_000
OUTAGE = World(scenario="x", faults=(Cut(CutWhat.SERVER, 3 * S, 5 * S),))


TWO_CONFLICTS = """\
title: One operation of two is told a conflict twice, by two copies of its second attempt
server: {resources: {note: {}, other: {}}, mistakes: [version-before-registry]}
client: {timeout: 1s, retry: {max_attempts: 2, delay: 500ms}}
user:
  - {at: 0s, edit: note}
  - {at: 0s, save: note}
  - {at: 10s, edit: other}
  - {at: 10s, save: other}
faults:
  - {drop: ack, operation: 1, attempt: 1}
  - {duplicate: request, operation: 1, attempt: 2, after: 10ms}
"""
NOTHING = Body("{}")


def _load(*events: tuple[float, str]) -> RunLoad:
    """Arrivals (``arrives``) and what the only form shows (a phase), at seconds."""
    meter = LoadMeter(OUTAGE)
    opens = {"version": 1, "holds": NOTHING, "body": NOTHING, "owner": "one"}
    meter.note(Record(1, 0, Rec.START, "one", "note", 0, 0, "", opens))
    for at_s, what in events:
        at_us = round(at_s * S)
        if what == "arrives":
            meter.arrived(at_us, "one", "note", 1, 1, 1, 1, 0, 1, "one", NOTHING, 1, 1)
        else:
            phase = Phase(what)
            meter.show(at_us, "one", "note", "one", phase, Reason.NONE, NOTHING, 1, False, 1, None)
    return meter.load()


def test_load_is_watched_where_it_is_a_question() -> None:
    assert watches_load(scenario(CROWD).worlds[0])
    assert not watches_load(scenario(LOSSY).worlds[0])


def test_arrivals_are_counted_by_the_second() -> None:
    assert _load((0.1, "arrives"), (0.9, "arrives"), (2.0, "arrives")).arrivals == {0: 2, 2: 1}


def test_an_outage_is_over_when_load_and_unknown_outcomes_are_as_before() -> None:
    load = _load(
        (1, "arrives"),
        (4, "unknown-outcome"),
        (5, "arrives"),
        (5.1, "arrives"),
        (6, "arrives"),
        (6.5, "acknowledged"),
        (7, "arrives"),
    )

    # Second 5 is too busy, second 6 begins with an unknown outcome: second 7 is the first calm one.
    assert load.recovery_us == 2 * S


def test_a_recovery_may_be_the_last_thing_that_happens() -> None:
    assert _load((4, "unknown-outcome"), (6.1, "acknowledged")).recovery_us == 2 * S


def test_a_pause_between_two_waves_is_no_recovery() -> None:
    wave = ((6, "arrives"), (6.1, "arrives"))

    assert _load((1, "arrives"), *wave).recovery_us == 2 * S
    assert _load((1, "arrives"), (7, "arrives")).recovery_us == 0


def test_a_wave_after_as_long_a_quiet_as_was_looked_at_before_is_another_story() -> None:
    assert _load((1, "arrives"), (9, "arrives"), (9.1, "arrives")).recovery_us == 0


def test_unknown_outcomes_are_compared_with_the_most_at_once_before_the_outage() -> None:
    usual = ((1, "unknown-outcome"), (1.5, "acknowledged"))

    assert _load(*usual, (6, "unknown-outcome")).recovery_us == 0


def test_an_outage_that_never_ends_for_somebody_has_no_recovery_time() -> None:
    load = _load((1, "arrives"), (4, "unknown-outcome"), (6, "arrives"))

    assert load.had_outage
    assert load.recovery_us is None


@pytest.mark.parametrize("at_s", [(0, 1_200, 2_400), (0, 2_400), (0, 0, 0)])
def test_a_peak_is_that_over_the_mean_however_few_arrive(at_s: tuple[int, ...]) -> None:
    load = _load(*((at, "arrives") for at in at_s))
    most, mean = ratios(LoadMeter(OUTAGE), load)["peak_load"]
    seconds = at_s[-1] - at_s[0] + 1

    assert most / mean == pytest.approx(at_s.count(0) * seconds / len(at_s), rel=1e-3)


def test_an_operation_that_is_told_two_false_conflicts_is_one() -> None:
    tally = tally_of(TWO_CONFLICTS, 2)

    assert (tally.sums["false_conflict_rate"].x, tally.sums["false_conflict_rate"].n) == (2, 4)


def test_populations_have_a_peak_and_a_recovery() -> None:
    tally = tally_of(CROWD, 3)

    peak, recovery = tally.sums["peak_load"], tally.sums["recovery_time"]
    assert peak.x > peak.n > 0
    assert recovery.n + tally.sums["never_recovered_rate"].x == 3


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(
    world=worlds(),
    run=st.integers(0, 10**6),
    cuts=st.lists(st.tuples(st.integers(0, 6 * S), st.integers(1, 6 * S)), max_size=2),
)
def test_the_load_that_is_heard_is_the_load_in_the_records(
    world: World, run: int, cuts: list[tuple[int, int]]
) -> None:
    outages = [Cut(CutWhat.BOTH, from_us, from_us + for_us) for from_us, for_us in cuts]
    world = replace(world, faults=(*world.faults, *outages))
    meter = LoadMeter(world)
    records = simulate(world, run=run, live=meter).records

    assert meter.seq == records[-1].seq
    assert not watches_load(world) or meter.load() == load_of(world, records)


@pytest.mark.parametrize("run", range(3))
def test_the_load_of_a_population_is_that_of_its_records(run: int) -> None:
    world = scenario(CROWD).worlds[0]
    meter = LoadMeter(world)

    records = simulate(world, run=run, live=meter).records

    assert meter.load() == load_of(world, records)
