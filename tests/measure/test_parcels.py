"""What is sent to other processes arrives as it was."""

import copyreg
import pickle
from dataclasses import is_dataclass

from hypothesis import HealthCheck, given, settings

from sim.cli.perform import perform_one
from sim.measure.parcels import packed, unpacked
from sim.scenario.model import World
from tests.measure.samples import VARIANTS, scenario
from tests.properties.worlds import worlds


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(world=worlds())
def test_a_world_arrives_as_it_was_sent(world: World) -> None:
    assert unpacked(packed(world)) == world


def test_a_verdict_with_what_broke_arrives_as_it_was_sent() -> None:
    world = scenario(VARIANTS).worlds[1]
    verdict = next(found for run in range(40) if (found := perform_one(world, run)).violations)

    assert pickle.loads(pickle.dumps(verdict)) == verdict


def test_the_parts_of_a_world_are_taken_apart_into_the_calls_that_make_them() -> None:
    """Compiled, their fields cannot be filled in one by one."""
    (client,) = scenario(VARIANTS).worlds[0].clients
    parts = [client.retry, client.retry.delay, client.rules, client.link, client.link.request]

    assert all(is_dataclass(part) and type(part) in copyreg.dispatch_table for part in parts)
