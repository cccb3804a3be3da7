"""``lostack schema``: what an editor needs to complete and check scenario files."""

import click

from sim.cli.errors import say
from sim.cli.exits import Exit
from sim.cli.options import debug
from sim.cli.output import STDOUT, write_text
from sim.scenario.schema import schema_text

EPILOG = """\
\b
Examples:
  lostack schema > scenario.schema.json
  lostack schema --out scenario.schema.json     whole or not at all
\b
Then let a scenario's first line name it:
  # yaml-language-server: $schema=scenario.schema.json
"""


@click.command("schema", epilog=EPILOG)
@click.option(
    "--out", metavar="FILE", default=STDOUT, help="Write it to FILE instead of standard output."
)
@debug
def command(out: str) -> Exit:
    """Print the JSON Schema of scenario files.

    It is made from the rules that check a file. What a schema cannot say (which
    names exist, which settings fit together) is checked when a file is loaded.
    """
    write_text(out, schema_text())
    if out != STDOUT:
        say(f"written: {out}")
    return Exit.OK
