"""What is said on standard error, and the errors that end a command."""

import sys

import click

from sim.scenario.errors import printable


class CommandError(Exception):
    """The command cannot do what it was asked for; bad input, bad usage, or a bad place to write.

    All arguments go to ``super().__init__`` in order, so that pickle can rebuild the exception.
    """

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem, fix)
        self.problem, self.fix = problem, fix

    def __str__(self) -> str:
        return f"{self.problem}\n  fix: {self.fix}"


def say(text: str) -> None:
    """Write lines for people to standard error; where there is none, nobody listens.

    Control characters become dots: what a file or an argument says must not steer a terminal.
    """
    if sys.stderr is None:
        return
    text = "\n".join(map(printable, text.split("\n")))
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        return


def usage_problem(error: click.ClickException) -> CommandError:
    """Return a mistake in the command line in our words."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "lostack"
    said = error.format_message().rstrip(".")
    first, *rest = said.splitlines()
    lowered = first[:1].lower() + first[1:]
    problem = "\n".join([f"{command}: {lowered}", *rest])
    return CommandError(problem, f"'{command} --help' shows what it takes")


def bug_report(error: BaseException) -> str:
    """Return what is said when lostack itself is at fault: short, and how to report it."""
    text = " ".join(str(error).split())
    what = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return (
        f"lostack: internal error: {what[:300]}\n"
        "  this is a bug of lostack, not of your scenario\n"
        "  fix: run the command again with --debug, and report the command, the scenario and the\n"
        "       traceback that it then shows, with the output of 'lostack --version'"
    )
