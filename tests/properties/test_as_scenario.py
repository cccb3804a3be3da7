"""A written run tells the same from its file alone, and the file expects what it shows."""

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from sim.cli.scripted import script
from sim.engine.world import Simulated, simulate
from sim.judge.court import judge_records
from sim.judge.verdict import Verdict
from sim.network.weather import Latency, Link
from sim.scenario.dump import dump_world
from sim.scenario.errors import ScenarioError
from sim.scenario.load import load_text
from sim.scenario.model import Action, Do, Repeatedly, World
from sim.trace.records import Rec
from tests.properties.worlds import NAME, S, among, worlds

thorough = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


@st.composite
def chancy(draw: st.DrawFn) -> World:
    """Return a run of a world with weather, jitter and, at times, people who act by chance."""
    world = draw(worlds())
    tail = draw(among(None, Latency((0.0, 0.9, 1.0), (20_000, 90_000, 3 * S))))
    clients = tuple(
        one if tail is None else replace(one, link=_slow(one.link, tail)) for one in world.clients
    )
    habit = Action(
        when=Repeatedly(every_us=draw(among(1 * S, 5 * S)), poisson=True, until_us=20 * S),
        do=draw(among(Do.SAVE, Do.EDIT)),
        client=draw(among("", "one")),
        resource=NAME,
    )
    user = (habit, *world.user) if draw(among(True, False)) else world.user
    return _loaded(replace(world, run=draw(st.integers(0, 10**6)), clients=clients, user=user))


def _loaded(world: World) -> World:
    """Return the world as a file says it; worlds that no file may say are not looked at."""
    try:
        return load_text(dump_world(world, "t", ""), "w", "w.yaml").worlds[0]
    except ScenarioError:
        reject()


def _slow(link: Link, tail: Latency) -> Link:
    return Link(
        request=replace(link.request, latency=tail, duplicate=0.0, corrupt=0.0),
        ack=replace(link.ack, latency=tail, duplicate=0.0, corrupt=0.0),
    )


def _told(done: Simulated) -> Iterator[object]:
    """Yield what a trace tells, without the names and numbers of what caused it."""
    for record in done.records:
        if record.kind not in (Rec.FAULT, Rec.HELD):
            data = {key: value for key, value in record.data.items() if key != "why"}
            yield (*record[1:-1], data)


def _judged(done: Simulated) -> Verdict:
    return judge_records(done.world, done.records, unmatched=done.unmatched, ended=done.ended)


@thorough
@given(world=chancy())
def test_a_written_run_tells_the_same_from_its_file_alone(world: World) -> None:
    done = simulate(world)
    text = script(world, done.records, "t")
    assume(text is not None)

    again = simulate(load_text(text or "", "w", "w.yaml").worlds[0])

    assert list(_told(again)) == list(_told(done))
    assert _judged(again).broken == _judged(done).broken
    assert _judged(again).holds
    assert not again.unmatched
