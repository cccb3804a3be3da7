"""``--as-scenario`` writes a run as a scenario that replays to the same outcome, without chance."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sim.cli.scripted import script
from sim.engine.world import simulate
from sim.judge.court import judge_records
from sim.scenario.load import load_path, load_text
from sim.scenario.model import World
from tests.cli.samples import Run, Write

BASE = """\
server: {resources: {note: {version: 4, body: {text: old}}}}
client: {retry: {max_attempts: 4, delay: DELAY}}
network: {request: {REQUEST}, ack: {ACK}}
user: [{at: 0s, edit: note, body: {text: new}}, {at: 0s, save: note}]
"""
LOSSY = BASE.replace("REQUEST", "loss: 0.4").replace("ACK", "loss: 0.4")
WEATHERS = {
    "loss": LOSSY,
    "latency": BASE.replace("REQUEST", "latency: {uniform: [10ms, 3s]}").replace(
        "ACK", "latency: {exponential: {mean: 900ms}}, loss: 0.2"
    ),
    "copies": BASE.replace("REQUEST", "duplicate: 0.7").replace("ACK", "duplicate: 0.5"),
    "corruption": BASE.replace("REQUEST", "loss: 0.2").replace("ACK", "corrupt: 0.6"),
    "bursts": BASE.replace(
        "REQUEST", "burst: {loss_good: 0.1, loss_bad: 1, mean_good: 1s, mean_bad: 3s, slot: 1s}"
    ).replace("ACK", "loss: 0"),
}
STEADY, DRAWN = "500ms", "{exponential: 500ms, jitter: full}"


def _world(text: str, delay: str = STEADY) -> World:
    return load_text(text.replace("DELAY", delay), "w", "w.yaml").worlds[0]


def _told(world: World, run: int) -> Iterator[object]:
    done = simulate(world, run=run)
    verdict = judge_records(world, done.records, unmatched=done.unmatched)
    yield (verdict.broken, verdict.beliefs, verdict.unmatched)
    shown = [record for record in done.records if record.kind in ("show", "commit", "answer")]
    yield [(r.at_us, r.kind, r.data) for r in shown]


@pytest.mark.parametrize("weather", WEATHERS.values(), ids=WEATHERS.keys())
@pytest.mark.parametrize("run", range(8))
def test_a_written_run_replays_without_chance(weather: str, run: int) -> None:
    world = _world(weather)

    made = script(world, run, simulate(world, run=run).records, "t")

    assert made is not None
    replayed = load_text(made.text, "w", "w.yaml").worlds[0]
    assert [one.link.request.is_certain and one.link.ack.is_certain for one in replayed.clients]
    assert list(_told(replayed, 0)) == list(_told(world, run))


def test_drawn_delays_replay_under_the_run_that_drew_them() -> None:
    world = _world(LOSSY, DRAWN)
    scripts = [script(world, run, simulate(world, run=run).records, "t") for run in range(6)]

    assert [one.run for one in scripts if one is not None] != [0] * 6
    for run, one in enumerate(scripts):
        assert one is not None
        assert one.run in (0, run)


def test_what_one_clause_cannot_say_is_not_written(lostack: Run) -> None:
    both = "duplicate: 1, latency: {uniform: [10ms, 90ms]}"
    text = BASE.replace("REQUEST", both).replace("ACK", "loss: 0").replace("DELAY", STEADY)
    Path("both.yaml").write_text(text)

    ended = lostack("run", "both.yaml", "--as-scenario", "out.yaml")

    assert ended.status == 2
    assert "chance did two things to one message" in ended.err
    assert not Path("out.yaml").exists()


def test_the_command_that_it_names_replays_the_file(lostack: Run, write: Write) -> None:
    ended = lostack("run", *write("weather"), "--run", "3", "--as-scenario", "out.yaml")
    command = ended.err.splitlines()[-1].split("next:")[1].split()

    assert "written: out.yaml" in ended.err
    assert lostack(*command[1:]).status == ended.status == 0
    assert load_path("out.yaml").title == "A save that works"


def test_a_scenario_on_standard_output_is_alone_there(lostack: Run, write: Write) -> None:
    ended = lostack("run", *write("weather"), "--as-scenario", "-")

    assert load_text(ended.out, "w", "w.yaml").worlds[0].clients


def test_it_is_one_run_that_is_written(lostack: Run, write: Write) -> None:
    (file,) = write("variants")

    several = lostack("run", file, "--as-scenario", "out.yaml")
    one = lostack("run", file, "--variant", "two", "--as-scenario", "out.yaml")

    assert several.status == 2
    assert "--as-scenario writes one run, and 2 are asked for" in several.err
    assert one.status == 0
