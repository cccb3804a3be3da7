"""Hearing a run while it is made is the same as reading its trace afterwards."""

from hypothesis import HealthCheck, given, settings

from sim.engine.world import simulate
from sim.judge.expectations import checks
from sim.judge.judge import Judge
from sim.scenario.model import World
from sim.trace.records import Record
from sim.trace.telling import tell
from sim.trace.writer import Writer
from tests.properties.worlds import worlds
from tests.shipped import scenarios

RECORDS_MAX = 5_000
quick = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


def books(judge: Judge) -> list[object]:
    """All that is written in the books, without the references between them."""
    links = {"intent", "last", "pending", "unsettled", "last_of", "pending_of"}
    return [
        {name: getattr(book, name) for name in fields(type(book)) if name not in links}
        for book in (*judge.operations, *judge.screens)
    ]


def fields(kind: type) -> tuple[str, ...]:
    """The names of a class's fields, be it compiled or not."""
    held = vars(kind)
    return tuple(held.get("__mypyc_attrs__") or held["__slots__"])


def same_live_and_afterwards(world: World) -> None:
    live, after = Judge(world), Judge(world)
    simulate(world, keep=False, live=live, records_max=RECORDS_MAX)
    for record in simulate(world, records_max=RECORDS_MAX).records:
        after.feed(record)

    assert live.violations == after.violations
    assert live.ledger.of_client == after.ledger.of_client
    assert books(live) == books(after)
    assert checks(live, world) == checks(after, world)
    assert (live.seq, live.ledger.end_us) == (after.seq, after.ledger.end_us)


@quick
@given(world=worlds())
def test_a_judge_that_listens_says_what_one_says_who_reads_the_trace(world: World) -> None:
    same_live_and_afterwards(world)


def test_mistakes_are_judged_the_same_live_and_afterwards() -> None:
    found = [world for scenario in scenarios() for world in scenario.worlds]

    assert len(found) > 100
    for world in found:
        same_live_and_afterwards(world)


@quick
@given(world=worlds())
def test_a_judge_beside_a_writer_hears_the_same(world: World) -> None:
    alone, beside = Judge(world), Judge(world)
    simulate(world, keep=False, live=alone, records_max=RECORDS_MAX)
    done = simulate(world, live=beside, records_max=RECORDS_MAX)

    assert done.records == simulate(world, records_max=RECORDS_MAX).records
    assert (beside.violations, books(beside)) == (alone.violations, books(alone))


@quick
@given(world=worlds())
def test_telling_a_trace_to_a_writer_gives_the_trace(world: World) -> None:
    told: list[Record] = []
    writer = Writer(told.append)
    records = simulate(world, records_max=RECORDS_MAX).records

    for record in records:
        tell(record, writer)

    assert tuple(told) == records
