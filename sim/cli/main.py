"""``lostack``: the entry point."""

import platform

import click

from sim import __version__
from sim.cli.exits import Exit
from sim.cli.group import LostackGroup


def _version(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        click.echo(f"lostack {__version__} (Python {platform.python_version()})")
        context.exit()


EPILOG = """\
\b
Start here:
  lostack run lost-ack                  a shipped scenario, by name
  lostack list                          all of them, and every name that can be used
  lostack explain unknown-outcome       what a word means
  lostack new my-save                   a scenario of your own

\b
Exit status: 0 all as expected, 1 an expectation or invariant is not as expected,
2 bad input or usage or an output that cannot be written, 3 inconclusive (a fault
never matched, a limit was reached), 4 a bug of lostack, 130 interrupted.
Where several apply: 4, 130, 2, 1, 3, 0. Where nobody reads the output any more
('| head'): 141, as of any tool. Every command takes --debug (or the variable
LOSTACK_DEBUG=1), which shows the traceback of a bug of lostack.
"""


@click.group(
    cls=LostackGroup,
    name="lostack",
    invoke_without_command=True,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of a bug.")
@click.pass_context
def cli(context: click.Context) -> Exit:
    """Simulate what a bad network does to a save.

    A person saves; the request is lost, or its answer, or the answer is late.
    lostack plays such stories exactly and repeatably, compares what the person
    is shown with what the server holds, and says which rule was broken and how
    to put it right. It proves the rules, not a product: that a given browser,
    proxy or service behaves so takes a run against the real thing.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        return Exit.BAD_INPUT
    return Exit.OK


def main() -> int:
    """Run ``lostack`` with the process's arguments and return its exit status."""
    status = cli.main(prog_name="lostack", standalone_mode=False)
    return int(status)
