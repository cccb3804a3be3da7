"""Load over time, and when an outage is over for its victims."""

from sim.measure.load import LoadMeter, watches_load
from sim.measure.tally import RunLoad
from sim.network.faults import Cut, CutWhat
from sim.scenario.model import World
from sim.trace.records import Rec, Record
from tests.measure.samples import CROWD, LOSSY, scenario, tally_of

S = 1_000_000
OUTAGE = World(scenario="x", faults=(Cut(CutWhat.SERVER, 3 * S, 5 * S),))


def _load(*events: tuple[float, str]) -> RunLoad:
    """Arrivals (``arrives``) and what the only form shows (a phase), at seconds."""
    meter = LoadMeter(OUTAGE)
    for seq, (at_s, what) in enumerate(events, start=1):
        arrives = what == "arrives"
        meter.feed(
            Record(
                seq,
                round(at_s * S),
                Rec.ARRIVED if arrives else Rec.SHOW,
                "one",
                "note",
                1,
                1,
                "",
                {"message": "request"} if arrives else {"phase": what},
            )
        )
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


def test_an_outage_that_never_ends_for_somebody_has_no_recovery_time() -> None:
    load = _load((1, "arrives"), (4, "unknown-outcome"), (6, "arrives"))

    assert load.had_outage
    assert load.recovery_us is None


def test_populations_have_a_peak_and_a_recovery() -> None:
    tally = tally_of(CROWD, 3)

    peak, recovery = tally.sums["peak_load"], tally.sums["recovery_time"]
    assert peak.x > peak.n > 0
    assert recovery.n + tally.sums["never_recovered_rate"].x == 3
