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
ENDS_WITH_RECOVERY = """\
title: The last thing that happens is the recovery
server: {resources: {note: {version: 1}}}
clients:
  a: {resource: own, timeout: 1s, retry: {max_attempts: 30, delay: 1s}}
  b: {resource: own}
network: {request: {latency: 40ms}, ack: {latency: 40ms}}
user:
  - {at: 5s, client: b, edit: note}
  - {at: 5s, client: b, save: note}
  - {at: 12s, client: a, edit: note}
  - {at: 12s, client: a, save: note}
faults: [{cut: both, client: any, from: 10s, to: 20s}]
"""
WAVES = """\
title: Detailed clients during an outage
server:
  resources: {note: {version: 1}}
  capacity: {workers: 1, queue: 8, time: 150ms, retry_after: 0s}
client:
  count: 20
  resource: own
  sees: detailed
  retry: {max_attempts: 40, delay: {exponential: 1s, cap: 16s}}
network: {request: {latency: {uniform: [20ms, 60ms]}}, ack: {latency: {uniform: [20ms, 60ms]}}}
user:
  - {every: {fixed: 10s}, from: 1s, until: 2m, client: all, edit: note}
  - {every: {poisson: 20s}, until: 2m, client: all, save: note}
  - {at: 31s, save: note, client: all}
faults: [{cut: server, from: 30s, to: 60s}]
"""


def _load(*events: tuple[float, str], ended: str = "quiet") -> RunLoad:
    """Arrivals (``arrives``) and what the only form shows (a phase), at seconds.

    A run that did not end ``quiet`` ends with the last event.
    """
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
    end_us = round(events[-1][0] * S)
    meter.note(Record(len(events) + 2, end_us, Rec.END, "", "", 0, 0, "", {"why": ended}))
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


def test_a_wave_after_as_long_a_quiet_as_was_looked_at_before_is_another_story() -> None:
    assert _load((1, "arrives"), (9, "arrives"), (9.1, "arrives")).recovery_us == 0


def test_the_quiet_after_the_last_thing_that_happens_is_a_recovery() -> None:
    load = _load((1, "arrives"), (4, "unknown-outcome"), (6, "arrives"), (6.5, "acknowledged"))

    assert load.recovery_us == 2 * S


@pytest.mark.parametrize(("until_s", "recovery_us"), [(7.9, None), (8, 2 * S)])
def test_the_second_of_a_recovery_has_to_lie_before_the_horizon(
    until_s: float, recovery_us: int | None
) -> None:
    load = _load((5, "arrives"), (6, "arrives"), (until_s, "idle"), ended="horizon")

    assert load.recovery_us == recovery_us


def test_a_pause_before_a_wave_is_no_recovery() -> None:
    load = _load((1, "arrives"), (4, "awaiting-ack"), (8, "arrives"), (8.1, "acknowledged"))

    assert load.recovery_us == 4 * S


def test_a_retry_of_an_unknown_outcome_leaves_it_unknown() -> None:
    wave: list[tuple[float, str]] = [(5.2, "arrives"), (5.3, "unknown-outcome")]
    load = _load((1, "arrives"), *wave, (6.9, "awaiting-ack"), (8.1, "acknowledged"))

    assert load.recovery_us == 4 * S


def test_what_begins_after_an_outage_is_not_of_it() -> None:
    load = _load((1, "arrives"), (6, "awaiting-ack"), (9, "arrives"), (9.1, "acknowledged"))

    assert load.recovery_us == 0


def test_as_many_unknown_outcomes_as_at_once_before_are_none_of_the_outage() -> None:
    before: list[tuple[float, str]] = [(1, "unknown-outcome"), (1.5, "acknowledged")]
    load = _load(*before, (5.5, "unknown-outcome"), (7.5, "acknowledged"))

    assert load.recovery_us == 0


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


def _recoveries(text: str, runs: int) -> list[int | None]:
    """The recovery time of each run, in seconds."""
    world = scenario(text).worlds[0]
    meters = [LoadMeter(world) for _ in range(runs)]
    for run, meter in enumerate(meters):
        simulate(world, run=run, live=meter)
    found = [meter.load().recovery_us for meter in meters]
    return [None if time_us is None else time_us // S for time_us in found]


def test_a_run_that_ends_with_the_recovery_has_recovered() -> None:
    assert _recoveries(ENDS_WITH_RECOVERY, 1) == [1]


def test_who_knows_that_nothing_was_sent_comes_back_in_waves_all_the_same() -> None:
    # The waves come at about 62 and 78 s; the outage ends at 60 s, in a pause before both.
    assert min(found or 0 for found in _recoveries(WAVES, 3)) >= 18


def test_a_recovery_does_not_wait_for_the_ordinary_load_to_end() -> None:
    longer = WAVES.replace("until: 2m", "until: 5m")

    assert longer != WAVES
    assert _recoveries(longer, 2) == _recoveries(WAVES, 2)


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
