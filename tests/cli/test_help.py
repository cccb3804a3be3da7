"""Help says what is there, and nothing is there that help does not say."""

import re
from importlib import import_module

import click
import pytest

from sim import __version__
from sim.cli.group import COMMANDS
from tests.cli.samples import Run


def _command(name: str) -> click.Command:
    found = import_module(COMMANDS[name][0]).command
    assert isinstance(found, click.Command)
    return found


def test_version_is_told(lostack: Run) -> None:
    ended = lostack("--version")

    assert ended.status == 0
    assert ended.out.startswith(f"lostack {__version__} ")


def test_help_lists_every_command_and_every_exit_status(lostack: Run) -> None:
    ended = lostack("--help")

    assert ended.status == 0
    assert [name for name in COMMANDS if f"\n  {name} " not in ended.out] == []
    assert re.search(r"4, 130, 2, 1, 3, 0", ended.out)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_called_what_help_calls_it(name: str) -> None:
    assert _command(name).name == name


@pytest.mark.parametrize("name", COMMANDS)
def test_no_number_is_read_in_the_words_of_click(name: str) -> None:
    """A default that is a number gives an option a type of its own, with words of its own."""
    numbers = (click.types.IntParamType, click.types.FloatParamType)

    assert [each.name for each in _command(name).params if isinstance(each.type, numbers)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_explains_itself_with_examples(lostack: Run, name: str) -> None:
    ended = lostack(name, "--help")

    assert ended.status == 0
    assert "Examples:" in ended.out
    assert f"  lostack {name} " in ended.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_does(name: str) -> None:
    options = [one for one in _command(name).params if isinstance(one, click.Option)]

    assert "--debug" in [option.opts[0] for option in options]
    assert [option.opts[0] for option in options if not option.help] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_of_help_use_options_that_exist(name: str) -> None:
    command = _command(name)
    known = {opt for one in command.params for opt in (*one.opts, *one.secondary_opts)}
    examples = [line for line in (command.epilog or "").splitlines() if f"lostack {name} " in line]

    used = {word for line in examples for word in re.findall(r"(?<= )--[a-z-]+", line)}

    assert examples
    assert used <= known
