"""``--as-scenario`` writes a run as a scenario that replays to the same outcome by itself."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sim.cli.scripted import script
from sim.engine.world import simulate
from sim.judge.court import judge_records
from sim.scenario.load import load_path, load_text
from sim.scenario.model import Once, World
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
POISSON = LOSSY.replace("user: [", "user: [{every: {poisson: 10s}, until: 1m, save: note}, ")
STEADY, DRAWN = "500ms", "{exponential: 500ms, jitter: full}"


def _world(text: str, delay: str = STEADY) -> World:
    return load_text(text.replace("DELAY", delay), "w", "w.yaml").worlds[0]


def _told(world: World) -> Iterator[object]:
    done = simulate(world)
    verdict = judge_records(world, done.records, unmatched=done.unmatched)
    yield (verdict.broken, verdict.beliefs, verdict.unmatched)
    shown = [record for record in done.records if record.kind in ("show", "commit", "answer")]
    yield [(r.at_us, r.kind, r.data) for r in shown]


def _written(world: World) -> World:
    """Return the world of the file that a run is written to."""
    made = script(world, simulate(world).records, "t")
    assert made is not None
    return load_text(made, "w", "w.yaml").worlds[0]


@pytest.mark.parametrize("weather", WEATHERS.values(), ids=WEATHERS.keys())
@pytest.mark.parametrize("run", range(8))
def test_a_written_run_replays_without_chance(weather: str, run: int) -> None:
    world = replace(_world(weather), run=run)

    replayed = _written(world)

    assert [one.link.request.is_certain and one.link.ack.is_certain for one in replayed.clients]
    assert replayed.run == 0
    assert list(_told(replayed)) == list(_told(world))


@pytest.mark.parametrize("jitter", ["full", "equal", "decorrelated"])
@pytest.mark.parametrize("run", range(6))
def test_the_pauses_of_a_single_save_are_listed(jitter: str, run: int) -> None:
    world = replace(_world(LOSSY, DRAWN.replace("full", jitter)), run=run)

    replayed = _written(world)

    assert list(_told(replayed)) == list(_told(world))
    assert replayed.run == 0


@pytest.mark.parametrize("run", range(6))
def test_acts_of_a_poisson_process_become_acts_at_their_instants(run: int) -> None:
    world = replace(_world(POISSON), run=run)

    replayed = _written(world)

    assert all(isinstance(line.when, Once) for line in replayed.user)
    assert replayed.run == 0
    assert list(_told(replayed)) == list(_told(world))


@pytest.mark.parametrize("run", [1, 4711])
def test_a_file_names_the_run_that_draws_what_it_cannot_list(run: int) -> None:
    world = replace(_world(POISSON.replace("until: 1m", "until: 30m"), DRAWN), run=run)

    scenario = load_text(script(world, simulate(world).records, "t") or "", "w", "w.yaml")
    (replayed,) = scenario.worlds

    assert replayed.run == run
    assert f"Still drawn, from seed 1 and run {run}: " in scenario.about
    assert "the times of acts (poisson)." in scenario.about
    assert list(_told(replayed)) == list(_told(world))


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


def test_a_written_measurement_is_a_test_of_its_own(lostack: Run) -> None:
    named = ("run", "commuters-train", "--variant", "patient", "--run", "7")
    story = lostack(*named, "--as-scenario", "as7.yaml").out

    again = lostack("run", "as7.yaml", "--stories")

    assert "retries in 908.406 ms" in story
    assert "retries in 908.406 ms" in again.out
    assert "phase acknowledged · draft clean · effects 1 · attempts 4" in again.out
    assert "rates" not in Path("as7.yaml").read_text()
    assert again.status == 0


def test_a_population_replays_from_its_file_alone(lostack: Run) -> None:
    named = ("run", "retry-storm-measured", "--variant", "jitter", "--run", "4711")
    lostack(*named, "--as-scenario", "storm.yaml", "--brief")

    again = lostack("run", "storm.yaml", "--brief")

    assert again.status == 0
    assert "4 of 4" in again.out


def test_a_run_in_which_nobody_came_to_act_replays_too(lostack: Run) -> None:
    habit = "user: [{every: {poisson: 1h}, save: note}]"
    Path("rare.yaml").write_text(f"server: {{resources: {{note: {{}}}}}}\nhorizon: 10s\n{habit}\n")
    lostack("run", "rare.yaml", "--as-scenario", "again.yaml")

    assert lostack("run", "again.yaml").status == lostack("run", "rare.yaml").status == 0


def test_a_fault_that_did_not_strike_is_left_out(lostack: Run, write: Write) -> None:
    ended = lostack("run", *write("inconclusive"), "--as-scenario", "out.yaml")

    assert ended.status == 3
    assert "Faults that struck nothing in that run are left out" in load_path("out.yaml").about
    assert lostack("run", "out.yaml").status == 0


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
