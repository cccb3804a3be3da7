"""The contract holds: no random world without mistakes breaks an invariant."""

from hypothesis import HealthCheck, given, settings

from sim.engine.world import simulate
from sim.judge.judge import Judge
from sim.scenario.model import World
from tests.properties.worlds import worlds


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(world=worlds())
def test_no_world_without_mistakes_breaks_an_invariant(world: World) -> None:
    judge = Judge(world)

    simulate(world, keep=False, listeners=(judge.feed,), records_max=20_000)

    assert judge.violations == ()
