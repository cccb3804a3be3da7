"""The command itself: finds its parts late, and turns whatever happens into an exit status."""

import os
import sys
import traceback
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from sim.cli.errors import CommandError, bug_report, say, usage_problem
from sim.cli.exits import Exit
from sim.cli.output import ReaderGoneError, results, stdout_unwritable

COMMANDS = {
    "run": ("sim.cli.run", "Run scenarios: the story, what was expected, what was found."),
    "measure": ("sim.cli.measure", "Run scenarios many times: rates with their intervals."),
    "compare": ("sim.cli.compare", "Compare variants on the same weather: paired differences."),
    "baseline": ("sim.cli.baseline", "Compare scenarios with their baselines, or renew these."),
    "weather": ("sim.cli.weather", "Turn a browser's HAR file into a file of latencies."),
    "explore": ("sim.cli.explore", "Try every schedule of faults; show the smallest that breaks."),
    "verdict": ("sim.cli.verdict", "Say whether it is safe to retry what a scenario does."),
    "explain": ("sim.cli.explain", "Explain what a name in a story or a report means."),
    "list": ("sim.cli.listing", "List the shipped scenarios, and every name that can be used."),
    "new": ("sim.cli.new", "Write a commented scenario that runs, to start from."),
    "schema": ("sim.cli.schema", "Print the JSON Schema of scenario files, for editors."),
}
"""Name -> module (its command is called ``command``) and what ``--help`` says, so that help
imports no command."""

DEBUG = "LOSTACK_DEBUG"


class LostackGroup(click.Group):
    """Commands that are imported when they are used, under one guard."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - Click's
        """Return the commands in the order in which people meet them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - Click's
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        found = import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments start with, or say which one was meant."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = get_close_matches(args[0], COMMANDS, n=1)
            meant = f"did you mean 'lostack {near[0]}'? " if near else ""
            known = ", ".join(COMMANDS)
            raise CommandError(f"unknown command '{args[0][:60]}'", f"{meant}(one of: {known})")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Do what was asked for; Click would greet Ctrl-C with an empty line before it is told."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.Abort from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - Click's
        """Write the commands' section of the help without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, said) for name, (_, said) in COMMANDS.items()])

    def main(  # type: ignore[override] # Click's overloads say only what they return
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> Exit:
        """Run the command; exit with its status, or return it unless ``standalone_mode``."""
        standalone = extra.pop("standalone_mode", True)
        words = list(sys.argv[1:] if args is None else args)
        run = super().main
        status = guarded(
            lambda: run(words, prog_name, standalone_mode=False, **extra),
            debug=_wants_debug(words),
        )
        if standalone:
            sys.exit(int(status))
        return status


def _wants_debug(words: Sequence[str]) -> bool:
    options = words[: words.index("--")] if "--" in words else words
    return "--debug" in options or os.environ.get(DEBUG, "") not in ("", "0")


def guarded(action: Callable[[], Any], *, debug: bool) -> Exit:
    """Do ``action`` and return its status, whatever happens; people never see a traceback.

    Args:
        action: Returns its exit status.
        debug: Show the traceback of our own bug after all.
    """
    problem = _surroundings()
    if problem is not None:
        say(str(problem))
        return Exit.BAD_INPUT
    try:
        status = Exit(action() or Exit.OK)
        with results():
            return status
    except CommandError as error:
        return _said(str(error), Exit.BAD_INPUT)
    except click.ClickException as error:
        return _said(str(usage_problem(error)), Exit.BAD_INPUT)
    except (KeyboardInterrupt, click.Abort):
        return _said("interrupted", Exit.INTERRUPTED)
    except (ReaderGoneError, BrokenPipeError, SystemExit):
        # Click itself exits when help cannot be written because nobody reads it.
        _give_up_stdout()
        return Exit.READER_GONE
    except OSError as error:
        if error.filename is None:  # Help and version are written by Click, in no guard of ours.
            return _said(str(stdout_unwritable(error)), Exit.BAD_INPUT)
        return _our_bug(error, debug=debug)
    except Exception as error:  # noqa: BLE001 - whatever else is raised is our own bug
        return _our_bug(error, debug=debug)


def _our_bug(error: Exception, *, debug: bool) -> Exit:
    if debug:
        say("".join(traceback.format_exception(error)).rstrip())
    return _said(bug_report(error), Exit.OUR_BUG)


def _said(text: str, status: Exit) -> Exit:
    say(text)
    try:
        with results():
            return status
    except (CommandError, ReaderGoneError):
        _give_up_stdout()
        return status


def _give_up_stdout() -> None:
    """Let the interpreter's own last flush succeed, so that it has nothing to complain about."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        return


def _surroundings() -> CommandError | None:
    """Return why nothing can run here at all."""
    if sys.flags.optimize:
        return CommandError(
            "lostack relies on assertions, and Python was told to leave them out (-O)",
            "run it without -O and without PYTHONOPTIMIZE",
        )
    if sys.stdout is None:
        return CommandError("standard output is closed", "send it to a file, or to /dev/null")
    return None
