"""``lostack explore``: what it takes, what it says, what it writes, how it ends."""

import json
from pathlib import Path

import pytest

from sim.cli import explore_all
from sim.cli.measure_interrupt import Interrupts
from sim.explore.suite import SUITE
from tests.cli.samples import Run, Write

POST = """\
title: A post without a record
server: {resources: {note: {kind: post}}, mistakes: [no-registry]}
user:
  - {at: 0s, edit: note, body: {text: new}}
  - {at: 0s, save: note}
"""
DECLARED = POST + "expect: {violates: [one-effect-per-intent]}\n"
CROWD = "title: Crowd\nserver: {resources: {note: {}}}\nclients: {tab: {count: 3}}\n"
WEATHER = POST + "network: {ack: {loss: 0.6}}\n"


def _write(name: str, text: str) -> str:
    Path(f"{name}.yaml").write_text(text, encoding="utf-8")
    return f"{name}.yaml"


def test_a_world_in_which_everything_holds_ends_with_0(lostack: Run, write: Write) -> None:
    ended = lostack("explore", *write("passing"), "--faults", "1")

    assert ended.status == 0
    assert "every schedule of at most 1 fault: lost, late, " in ended.out
    assert "every invariant holds in all of them" in ended.out


def test_a_broken_invariant_ends_with_1_and_is_told_as_a_story(lostack: Run) -> None:
    ended = lostack("explore", _write("post", POST), "--faults", "1")

    assert ended.status == 1
    assert "one-effect-per-intent  broken in " in ended.out
    assert "goes wrong: " in ended.out
    assert "✗ one-effect-per-intent breaks" in ended.out
    assert "→ remedy" in ended.out


def test_what_the_scenario_declares_to_break_is_no_failure(lostack: Run) -> None:
    ended = lostack("explore", _write("declared", DECLARED), "--faults", "1")

    assert ended.status == 0
    assert "(declared)" in ended.out


def test_a_bound_that_is_reached_is_inconclusive(lostack: Run, write: Write) -> None:
    ended = lostack("explore", *write("passing"), "--max-schedules", "20")

    assert ended.status == 3
    assert "inconclusive: the limit of 20 runs is reached" in ended.out
    assert "holds in all" not in ended.out


def test_no_time_at_all_is_inconclusive(lostack: Run, write: Write) -> None:
    ended = lostack("explore", *write("passing"), "--max-seconds", "0")

    assert ended.status == 3
    assert "the time is over" in ended.out


def test_what_is_broken_outweighs_what_is_inconclusive(lostack: Run) -> None:
    ended = lostack("explore", _write("post", POST), "--max-schedules", "20")

    assert ended.status == 1


def test_a_population_is_refused(lostack: Run) -> None:
    ended = lostack("explore", _write("crowd", CROWD))

    assert ended.status == 2
    assert "crowd.yaml: 'tab' stands for a population (count)" in ended.err
    assert "fix: " in ended.err
    assert ended.out == ""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--kinds", "lots"], "did you mean 'lost'"),
        (["--also", "edits"], "did you mean 'edit'"),
        (["--acts", "2"], "--also edit,save"),
        (["--kill-matrix"], "takes no scenarios"),
        (["--kill-matrix", "--reach"], "--kill-matrix and --reach are two things"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    lostack: Run, write: Write, options: list[str], said: str
) -> None:
    ended = lostack("explore", *write("passing"), *options)

    assert ended.status == 2
    assert said in ended.err


def test_rules_that_no_scenario_comes_to_are_listed_and_end_with_1(
    lostack: Run, write: Write
) -> None:
    ended = lostack("explore", "--reach", *write("passing"))

    assert ended.status == 1
    assert "phases on the screen  3 of 7" in ended.out
    assert "no scenario comes to 'client.expired' (the client's table)" in ended.out


def test_the_contract_is_proved_over_the_suite_within_a_bound(lostack: Run) -> None:
    ended = lostack("explore", "--suite", "--faults", "0", "--workers", "1")

    assert ended.status == 0
    assert "every schedule of at most 0 faults besides the situation's own: lost" in ended.out
    assert "every invariant holds in all" in ended.out


def test_a_suite_that_is_not_searched_to_its_end_proves_nothing(lostack: Run) -> None:
    ended = lostack("explore", "--suite", "--faults", "0", "--workers", "1", "--max-seconds", "0")

    assert ended.status == 3
    assert ended.out == ""
    assert "the time is over: 1 of 16 parts are done" in ended.err


def test_pairs_of_mistakes_are_listed_where_they_do_harm(
    lostack: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim.explore.pairs.SUITE", SUITE[1:2])

    ended = lostack("explore", "--pairs", "--faults", "0", "--workers", "1")

    assert ended.status == 0
    assert "two-id-sources and no-registry" in ended.out
    assert "together: one-effect-per-intent" in ended.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--kill-matrix", "--save", "found"], "--kill-matrix takes no --save"),
        (["--pairs", "--kinds", "lost"], "--pairs takes no --kinds"),
        (["--reach", "--faults", "2"], "--reach takes no --faults"),
    ],
)
def test_options_that_mean_nothing_over_a_suite_are_refused(
    lostack: Run, options: list[str], said: str
) -> None:
    ended = lostack("explore", *options)

    assert ended.status == 2
    assert said in ended.err


def test_nothing_named_is_refused(lostack: Run) -> None:
    assert lostack("explore").status == 2


def test_a_saved_counterexample_replays_to_the_same_violation(lostack: Run) -> None:
    path = _write("post", POST)

    saved = lostack("explore", path, "--faults", "1", "--save", "found")

    assert "written: found/post-one-effect-per-intent.yaml" in saved.err
    again = lostack("run", "found/post-one-effect-per-intent.yaml")
    assert again.status == 0
    assert "one-effect-per-intent" in again.out


def test_json_holds_the_counts_and_the_counterexample(lostack: Run) -> None:
    ended = lostack("explore", _write("post", POST), "--faults", "1", "--format", "json")

    (world,) = json.loads(ended.out)["worlds"]
    assert world["status"] == "failed"
    assert sum(world["by_size"]) == world["schedules"]
    (broken,) = world["broken"]
    assert (broken["invariant"], broken["faults"]) == ("one-effect-per-intent", 1)
    (example,) = world["counterexamples"]
    assert len(example["faults"]) == 1
    assert example["yaml"].startswith("# one-effect-per-intent breaks at ")


def test_the_report_does_not_depend_on_the_number_of_workers(lostack: Run) -> None:
    path = _write("post", POST)

    one, two = (lostack("explore", path, "--workers", many) for many in ("1", "2"))

    assert one.out == two.out
    assert one.status == two.status == 1


def test_people_act_too_where_that_is_asked_for(lostack: Run, write: Write) -> None:
    ended = lostack(
        "explore", *write("passing"), "--faults", "0", "--also", "reload,expire-session"
    )

    assert ended.status == 0
    assert "at most 1 act of people (reload, expire_session)" in ended.out


def test_an_interrupted_search_shows_what_is_finished(
    lostack: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Interrupts.__init__
    asked: list[Interrupts] = []

    def noted(self: Interrupts) -> None:
        real(self)
        asked.append(self)

    monkeypatch.setattr(Interrupts, "__init__", noted)
    monkeypatch.setattr(explore_all, "Line", _interrupting(asked))

    ended = lostack("explore", *write("passing"))

    assert ended.status == 130
    assert "inconclusive: interrupted" in ended.out
    assert "what was found is kept" in ended.err


def _interrupting(asked: list[Interrupts]) -> type:
    class Line:
        def __init__(self, _: str) -> None:
            pass

        def show(self, _: object) -> None:
            asked[0].asked = True

        def say(self, _: str) -> None:
            pass

        def clear(self) -> None:
            pass

    return Line


def test_a_failing_run_of_a_measurement_is_shrunk(lostack: Run) -> None:
    path = _write("weather", WEATHER)
    failing = next(run for run in range(20) if _breaks(lostack, path, run))

    ended = lostack("explore", path, "--from-run", str(failing), "--save", "found")

    assert ended.status == 1
    text = Path("found/weather-one-effect-per-intent.yaml").read_text(encoding="utf-8")
    assert "loss" not in text
    assert "  - {drop: ack, attempt: 1}" in text


def test_what_is_shrunk_of_a_run_with_jitter_replays_from_its_file_alone(lostack: Run) -> None:
    jitter = "delay: {exponential: 1s, jitter: full}"
    path = _write("jitter", WEATHER.replace("retry: {", f"retry: {{{jitter}, "))
    failing = next(run for run in range(1, 30) if _breaks(lostack, path, run))

    lostack("explore", path, "--from-run", str(failing), "--save", "found")

    found = Path("found/jitter-one-effect-per-intent.yaml")
    assert "# Replay it: 'lostack run FILE'." in found.read_text(encoding="utf-8")
    assert lostack("run", str(found)).status == 0


def _breaks(lostack: Run, path: str, run: int) -> bool:
    return "one-effect-per-intent" in lostack("run", path, "--run", str(run), "--brief").out


def test_a_run_that_breaks_nothing_needs_no_shrinking(lostack: Run, write: Write) -> None:
    ended = lostack("explore", *write("passing"), "--from-run", "0")

    assert ended.status == 0
    assert "breaks no invariant" in ended.err


def test_a_verdict_names_its_witness_and_what_it_assumes(lostack: Run) -> None:
    ended = lostack("verdict", _write("post", POST), "--faults", "1")

    assert ended.status == 1
    assert "is it safe to retry?  at-least-once" in ended.out
    assert "a result is kept for 24 h" in ended.out
    assert "would lift it" in ended.out


def test_a_verdict_as_json(lostack: Run, write: Write) -> None:
    ended = lostack("verdict", *write("passing"), "--faults", "1", "--format", "json")

    (world,) = json.loads(ended.out)["worlds"]
    assert world["verdict"] == "effectively-once"
    assert ended.status == 0
