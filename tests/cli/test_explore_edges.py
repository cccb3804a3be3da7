"""``lostack explore`` and ``verdict``: what they say of what they left out, and odd input."""

import json
from pathlib import Path

import pytest

from sim.explore.counterexample import EASED
from sim.explore.safety import NOTHING_SAVED, OWN_FAULTS
from sim.judge.court import NOBODY_ACTS
from tests.cli.samples import Run

POST = """\
title: A post without a record
server: {resources: {note: {kind: post}}, mistakes: [no-registry]}
user:
  - {at: 0s, edit: note}
  - {at: 0s, save: note}
"""
SLOW = POST + "client: {timeout: 900ms}\n"
WEATHER = POST + "network: {ack: {loss: 0.6}}\n"
EDITED = POST.replace("  - {at: 0s, save: note}\n", "")
LEFT_OUT = "the links' weather is left out: nothing is lost by chance"


def _write(text: str) -> str:
    Path("it.yaml").write_text(text, encoding="utf-8")
    return "it.yaml"


@pytest.mark.parametrize("command", ["explore", "verdict", "measure"])
@pytest.mark.parametrize("typed", ["nan", "inf", "-inf", "-1", "-0.5", "1e9"])
def test_no_command_takes_a_time_that_is_none(lostack: Run, command: str, typed: str) -> None:
    ended = lostack(command, _write(POST), "--max-seconds", typed)

    assert ended.status == 2
    assert f"'{typed}' is not in the range 0 to 10000000" in ended.err


@pytest.mark.parametrize("command", ["explore", "verdict", "measure"])
def test_a_time_that_is_no_number_is_refused_as_it_was_typed(lostack: Run, command: str) -> None:
    ended = lostack(command, _write(POST), "--max-seconds", "soon")

    assert ended.status == 2
    assert "'soon' is not a number of seconds" in ended.err


def test_settings_that_were_put_back_are_said_in_the_text_and_in_the_file(lostack: Run) -> None:
    ended = lostack("explore", _write(SLOW), "--faults", "1", "--save", "found")

    (saved,) = Path("found").iterdir()
    in_file = " ".join(saved.read_text(encoding="utf-8").split())
    assert EASED in ended.out
    assert f"{EASED[0].upper()}{EASED[1:]}." in in_file


def test_nothing_is_said_of_settings_where_all_were_at_their_defaults(lostack: Run) -> None:
    ended = lostack("explore", _write(POST), "--faults", "1", "--save", "found")

    (saved,) = Path("found").iterdir()
    assert EASED not in ended.out
    assert "at their defaults" not in " ".join(saved.read_text(encoding="utf-8").split())


@pytest.mark.parametrize(
    ("text", "note"), [(WEATHER, LEFT_OUT), (f"{POST}faults: [{{drop: ack}}]\n", OWN_FAULTS)]
)
def test_a_verdict_says_what_of_the_scenario_it_left_out(
    lostack: Run, text: str, note: str
) -> None:
    shown = lostack("verdict", _write(text), "--faults", "1").out
    value = json.loads(lostack("verdict", "it.yaml", "--faults", "1", "--format", "json").out)

    assert note in " ".join(shown.split())
    assert any(one.startswith(note) for one in value["worlds"][0]["notes"])


def test_a_verdict_on_a_whole_scenario_has_no_such_note(lostack: Run) -> None:
    assert "left out" not in lostack("verdict", _write(POST), "--faults", "1").out


@pytest.mark.parametrize("command", ["run", "explore", "verdict"])
def test_a_scenario_in_which_nobody_acts_proves_nothing(lostack: Run, command: str) -> None:
    ended = lostack(command, _write("title: Nothing\n"))

    assert ended.status == 3
    assert NOBODY_ACTS in " ".join(ended.out.split())
    assert "✓ it" not in ended.out
    assert "effectively-once" not in ended.out


def test_a_verdict_where_nothing_is_saved_is_not_shown(lostack: Run) -> None:
    ended = lostack("verdict", _write(EDITED), "--faults", "1")

    assert ended.status == 3
    assert "is it safe to retry?  not shown" in ended.out
    assert f"inconclusive: {NOTHING_SAVED}" in ended.out


def test_one_world_has_one_schedule(lostack: Run) -> None:
    ended = lostack("explore", _write(POST), "--faults", "0")

    assert "1 world, 1 schedule: nothing unexpected" in ended.out
