"""``lostack new`` writes what runs, ``lostack schema`` what editors read."""

import json
from pathlib import Path

import pytest

from sim.scenario.load import load_path
from sim.scenario.schema import schema_text
from tests.cli.samples import Run


def test_what_new_writes_runs_with_the_command_that_it_names(lostack: Run) -> None:
    written = lostack("new", "my-save")
    command = written.out.splitlines()[-1].split("next:")[1].split()

    assert written.status == 0
    assert command == ["lostack", "run", "my-save.yaml"]
    assert lostack(*command[1:]).status == 0


def test_the_command_that_new_names_works_for_a_name_with_a_dash(lostack: Run) -> None:
    command = lostack("new", "--", "-x").out.splitlines()[-1].split("next:")[1].split()

    assert command == ["lostack", "run", "./-x.yaml"]
    assert lostack(*command[1:]).status == 0


def test_what_new_writes_says_how_to_get_the_schema_and_names_none(lostack: Run) -> None:
    lostack("new", "my-save")

    head = Path("my-save.yaml").read_text().splitlines()[:2]
    assert "lostack schema --out scenario.schema.json" in head[0]
    assert not head[1].startswith("# yaml-language-server")


def test_a_title_that_no_scenario_may_have_is_refused(lostack: Run) -> None:
    ended = lostack("new", "long", "--title", "x" * 201)

    assert (ended.status, Path("long.yaml").exists()) == (2, False)
    assert "at most 200 characters" in ended.err


def test_new_refuses_to_overwrite_unless_forced(lostack: Run) -> None:
    Path("mine.yaml").write_text("precious")

    refused = lostack("new", "mine")
    kept = Path("mine.yaml").read_text()
    forced = lostack("new", "mine", "--force")

    assert (refused.status, kept) == (2, "precious")
    assert "--force" in refused.err
    assert forced.status == 0
    assert load_path("mine.yaml").title == "mine"


@pytest.mark.parametrize("title", ["Two tabs: one resource", "{x}", "'", "# no", "yes", "1:30"])
def test_a_title_is_kept_as_it_is_written(lostack: Run, title: str) -> None:
    lostack("new", "titled", "--title", title)

    assert load_path("titled.yaml").title == title


@pytest.mark.parametrize("name", ["", "..", ".", "no/such/folder/x", "a\x00b", "x" * 400])
def test_a_name_that_no_file_can_have_is_told(lostack: Run, name: str) -> None:
    ended = lostack("new", name)

    assert ended.status == 2
    assert "fix: " in ended.err
    assert list(Path().iterdir()) == []


def test_a_name_with_an_ending_keeps_it(lostack: Run) -> None:
    lostack("new", "short.yml")

    assert Path("short.yml").exists()


def test_the_schema_goes_to_standard_output_or_to_a_file(lostack: Run) -> None:
    printed = lostack("schema").out
    lostack("schema", "--out", "schema.json")

    assert printed == Path("schema.json").read_text("utf-8") == schema_text()
    assert json.loads(printed)["$schema"].startswith("https://json-schema.org/")
