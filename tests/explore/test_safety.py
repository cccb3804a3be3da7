"""A verdict says what the search has shown, and never more."""

import pytest

from sim.explore.bounds import Bounds
from sim.explore.choice import Kind
from sim.explore.found import Explored
from sim.explore.safety import Safety, SafetyVerdict, safety
from sim.explore.search import Progress, Stop, explore
from sim.report.safety import assumptions, meaning, witness
from sim.scenario.model import World
from tests.explore.worlds import load, one_save, with_mistakes

POST = """
title: A payment
server: {{resources: {{pay: {{kind: post, irreversible: {irreversible}}}}}, status: "{status}"}}
client: {{retry: {{max_attempts: {attempts}}}}}
user: [{{at: 0s, edit: pay, body: 30}}, {{at: 0s, save: pay}}]
"""


def post(irreversible: str = "no", status: str = "yes", attempts: int = 2) -> World:
    return load(POST.format(irreversible=irreversible, status=status, attempts=attempts))


def _search(world: World, bounds: Bounds) -> Explored:
    return explore(world, bounds)


def _verdict(world: World, faults: int = 1) -> SafetyVerdict:
    return safety(world, Bounds(faults=faults), _search)


@pytest.mark.parametrize(
    ("world", "expected"),
    [
        (post(), Safety.ONCE),
        (post(irreversible="yes"), Safety.AFTER_STATUS),
        (post(irreversible="yes", status="no"), Safety.AT_MOST_ONCE),
        (with_mistakes(post(), server=["no-registry"]), Safety.AT_LEAST_ONCE),
        (with_mistakes(post(), client=["timeout-means-failure"]), Safety.UNSAFE),
        (with_mistakes(one_save(), server=["first-attempt-echoed"]), Safety.AT_MOST_ONCE),
    ],
)
def test_the_verdict_is_the_one_that_the_schedules_show(world: World, expected: Safety) -> None:
    assert _verdict(world).whole.safety is expected


def test_a_kind_of_fault_has_a_verdict_of_its_own() -> None:
    found = _verdict(with_mistakes(post(), server=["check-then-act"]), 1)

    by_kind = {judged.kinds[0]: judged.safety for judged in found.by_kind}
    assert by_kind[Kind.SLOW] is Safety.AT_LEAST_ONCE
    assert by_kind[Kind.LOST] is Safety.ONCE


def test_a_search_that_was_cut_short_shows_nothing() -> None:
    def at_once(_: Progress) -> str:
        return "enough"

    def cut(world: World, bounds: Bounds) -> Explored:
        return explore(world, bounds, stop=Stop(at_once))

    found = safety(post(), Bounds(faults=1), cut)

    assert found.whole.safety is Safety.NOT_SHOWN
    assert found.doubts == ("enough",)


def test_a_counterexample_counts_even_where_the_search_was_cut_short() -> None:
    def soon(progress: Progress) -> str:
        return "enough" if progress.size == 1 else ""

    def cut(world: World, bounds: Bounds) -> Explored:
        return explore(world, bounds, stop=Stop(soon))

    world = with_mistakes(post(), server=["no-registry"])

    assert safety(world, Bounds(faults=2), cut).whole.safety is Safety.AT_LEAST_ONCE


def test_the_change_that_would_lift_it_is_named_with_what_it_leads_to() -> None:
    (lift,) = _verdict(with_mistakes(post(), server=["no-registry"])).lifts

    assert lift.change.startswith("no-registry: ")
    assert lift.safety is Safety.ONCE


def test_a_status_endpoint_lifts_an_irreversible_action() -> None:
    (lift,) = _verdict(post(irreversible="yes", status="no")).lifts

    assert "status" in lift.change
    assert lift.safety is Safety.AFTER_STATUS


def test_what_is_left_to_a_person_is_counted_and_said() -> None:
    # Two attempts and two faults: both can be lost, and nobody can tell what became of it.
    found = _verdict(post(attempts=2), faults=2)

    assert found.whole.safety is Safety.ONCE
    assert 0 < found.whole.witness.left < found.whole.witness.schedules
    assert f"in {found.whole.witness.left} no answer gets through" in witness(
        found.whole.witness, found.world
    )
    assert any("get through before the policy's end" in line for line in assumptions(found))


def test_a_verdict_that_was_cut_short_claims_nothing_of_what_was_not_searched() -> None:
    def soon(progress: Progress) -> str:
        return "enough" if progress.size == 1 else ""

    def cut(world: World, bounds: Bounds) -> Explored:
        return explore(world, bounds, stop=Stop(soon))

    found = safety(with_mistakes(post(), server=["no-registry"]), Bounds(faults=2), cut)

    assert "was not searched" in meaning(found)
