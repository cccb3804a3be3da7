"""A command or an option that a page names in passing exists, and does what it is named for."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from sim.cli.errors import CommandError
from sim.cli.main import cli
from tests.architecture.sources import ROOT
from tests.docs.inline import (
    commands,
    has_placeholder,
    known_options,
    options,
    pages,
    parse,
    spelled_out,
)

NAMED = sorted({command for page in pages() for command in commands(page)})
ELSEWHERE = (
    "lostack measure ", "lostack compare ", "lostack weather ", "lostack explore --kill-matrix",
    "lostack explore --pairs", "lostack explore --suite", "lostack explore --reach",
    "lostack list", "lostack run --proofs", "lostack run --twice", "lostack run shipped",
    "lostack run train.yaml",
)  # fmt: skip
"""These take long or want a file of the page's own; other tests run them."""
ALONE = ("lostack schema",)
"""Commands that do something without an argument."""


def _runs(command: str) -> bool:
    complete = len(command.split()) > 2 or command in ALONE
    return complete and not has_placeholder(command) and not command.startswith(ELSEWHERE)


@pytest.mark.parametrize("command", NAMED)
def test_a_command_that_a_page_names_can_be_read(command: str) -> None:
    for words in spelled_out(command):
        parse(words)


@pytest.mark.parametrize("command", [command for command in NAMED if _runs(command)])
def test_a_command_that_a_page_names_runs(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ((_, *arguments),) = spelled_out(command)

    done = CliRunner().invoke(cli, arguments)

    assert done.exit_code == 0, done.stderr


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_an_option_that_a_page_names_exists(page: Path) -> None:
    named = [one.split()[0] for one in options(page)]

    assert [one for one in named if one not in known_options()] == []


def test_the_readme_and_every_command_are_looked_at() -> None:
    assert "lostack run rough-weather --run 17" in NAMED
    assert len([command for command in NAMED if _runs(command)]) >= 5


@pytest.mark.parametrize(
    "wrong",
    ["lostack rnu lost-ack", "lostack run --no-such-option", "lostack run --format pdf lost-ack",
     "lostack baseline renew", "lostack run --format"],
)  # fmt: skip
def test_a_command_that_does_not_exist_would_be_noticed(wrong: str) -> None:
    with pytest.raises((click.ClickException, CommandError)):
        parse(spelled_out(wrong)[0])


def test_alternatives_and_placeholders_are_spelled_out() -> None:
    assert spelled_out("lostack baseline check|update --dir DIR") == [
        ["lostack", "baseline", "check", "--dir", "out"],
        ["lostack", "baseline", "update", "--dir", "out"],
    ]
