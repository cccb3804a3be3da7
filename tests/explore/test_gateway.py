"""The gateway's 504: the client is told, and the work goes on."""

import pytest

from sim.explore.bounds import Bounds
from sim.explore.choice import Kind
from sim.explore.menu import at_claim, gateway_us
from sim.explore.run import run_schedule
from sim.network.faults import ServerAction, Slow
from sim.scenario.model import World
from sim.trace.records import Rec
from tests.explore.worlds import load, one_save, schedules


def _behind(gateway: str) -> World:
    return load(
        f"title: Behind a gateway\nserver: {{resources: {{note: {{}}}}, gateway: {gateway}}}\n"
        "client: {timeout: 2s, retry: {max_attempts: 2, delay: 500ms}}\n"
        "user: [{at: 0s, edit: note, body: 1}, {at: 0s, save: note}]\n"
    )


def _offered(world: World) -> dict[Kind, ServerAction]:
    return dict(at_claim(world, world.clients[0], 1))


@pytest.mark.parametrize("world", [one_save(), _behind("{timeout: 700ms}")], ids=["none", "own"])
def test_the_client_is_told_504_and_meets_the_request_running(world: World) -> None:
    made = schedules(world, Bounds(faults=1, kinds=(Kind.GATEWAY,)))

    records = run_schedule(world, made[0]).records

    decided = [(r.at_us, r.data["decision"]) for r in records if r.kind is Rec.DECIDED]
    assert [what for _, what in decided][:3] == ["claimed", "504", "in-flight"]
    (commit,) = [r.at_us for r in records if r.kind is Rec.COMMIT]
    assert commit > decided[2][0]


def test_a_gateway_that_the_server_lacks_gives_up_before_the_client() -> None:
    world = one_save()

    action = _offered(world)[Kind.GATEWAY]

    assert isinstance(action, Slow)
    assert action.gateway_us == gateway_us(world, world.clients[0]) == 1_000_000
    assert action.by_us > action.gateway_us


def test_where_the_server_has_a_gateway_no_other_one_is_made_up() -> None:
    action = _offered(_behind("{timeout: 700ms}"))[Kind.GATEWAY]

    assert isinstance(action, Slow)
    assert action.gateway_us is None
    assert action.by_us > 700_000


@pytest.mark.parametrize(
    ("gateway", "slow"), [("{timeout: 700ms}", False), ("{timeout: 9s}", True)]
)
def test_slow_work_is_a_fault_of_its_own_unless_a_gateway_answers_first(
    gateway: str, slow: bool
) -> None:
    assert (Kind.SLOW in _offered(_behind(gateway))) is slow
