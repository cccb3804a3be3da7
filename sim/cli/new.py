"""``lostack new``: a first scenario of one's own."""

import shlex
from pathlib import PurePath

import click

from sim.cli.errors import CommandError
from sim.cli.exits import Exit
from sim.cli.options import debug
from sim.cli.output import write_text
from sim.cli.paper import Paper
from sim.scenario.files import exists
from sim.scenario.find import ENDINGS
from sim.scenario.model import TITLE_MAX
from sim.scenario.template import template

EPILOG = """\
\b
Examples:
  lostack new my-save               writes my-save.yaml
  lostack new drafts/two-tabs       writes drafts/two-tabs.yaml; the folder exists
"""


@click.command("new", epilog=EPILOG)
@click.argument("name")
@click.option("--title", help="The scenario's title; without it, one is made from the name.")
@click.option("--force", is_flag=True, help="Replace a file that is there already.")
@debug
def command(name: str, title: str | None, force: bool) -> Exit:
    """Write NAME.yaml: a commented scenario that runs as it is, to change block by block."""
    path = name if name.endswith(ENDINGS) else f"{name}.yaml"
    stem = PurePath(path).stem
    if not stem.strip() or PurePath(name).name in ("", ".", ".."):
        raise CommandError(f"'{name}' is not a name for a file", "write lostack new my-save")
    if exists(path) and not force:
        raise CommandError(
            f"'{path}' is there already", "take another name, or --force to replace it"
        )
    if title is not None and len(title) > TITLE_MAX:
        raise CommandError("the title is too long", f"use at most {TITLE_MAX} characters")
    write_text(path, template(title or stem.replace("-", " ").replace("_", " ")))
    paper = Paper()
    paper.text(f"written: {path}")
    # A name that starts with a dash would be taken for an option.
    shown = f"./{path}" if path.startswith("-") else path
    paper.text(f"next:    lostack run {shlex.quote(shown)}")
    paper.print()
    return Exit.OK
