"""The commands that the pages name in passing: in backticks, or in a block of shell commands."""

import re
import shlex
import subprocess
from itertools import product
from pathlib import Path

import click

from sim.cli.group import COMMANDS
from sim.cli.main import cli
from tests.architecture.sources import ROOT

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"`([^`\n]+)`")
PLACEHOLDERS = {
    "PATH…": "lost-ack",
    "NAME": "my-save",
    "VARIANT": "patient",
    "FILE": "out.csv",
    "FILE.har": "train.har",
    "FILE.csv": "train.csv",
    "DIR": "out",
    "HOST:PORT": "localhost:8786",
    "N": "3",
    "…": "x",
}
"""What the pages write for a word of the reader's own -> such a word."""
_PLACEHOLDER = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in PLACEHOLDERS))


def pages() -> list[Path]:
    """Return every Markdown page that git keeps, or, outside a checkout, that lies here."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if listed.returncode == 0 and listed.stdout:
        return sorted(ROOT / name for name in listed.stdout.split("\0") if name)
    return sorted([*ROOT.glob("*.md"), *ROOT.glob("[!.]*/**/*.md")])


def said(page: Path) -> list[str]:
    """Return what a page says in backticks, and the lines of its shell blocks."""
    text = page.read_text(encoding="utf-8")
    shell = [body.splitlines() for language, body in _FENCE.findall(text) if language == "sh"]
    return [*_INLINE.findall(_FENCE.sub("", text)), *(line for block in shell for line in block)]


def commands(page: Path) -> list[str]:
    """Return the commands ``lostack …`` that a page names, each once."""
    return list(dict.fromkeys(one for one in said(page) if one.split(" ")[0] == "lostack"))


def options(page: Path) -> list[str]:
    """Return the options that a page names by themselves, each once."""
    return list(dict.fromkeys(one for one in said(page) if one.startswith("--")))


def has_placeholder(command: str) -> bool:
    """Whether a command holds a word that readers replace, or alternatives to choose from."""
    return "|" in command or bool(_PLACEHOLDER.search(command))


def spelled_out(command: str) -> list[list[str]]:
    """Return the words of every command that a text stands for.

    ``a|b`` stands for both, and a placeholder for a word of the reader's own. Where the output
    goes is the shell's to know.
    """
    command = command.split(" > ", maxsplit=1)[0]
    words = [word.split("|") for word in shlex.split(command, comments=True)]
    filled = [[_PLACEHOLDER.sub(lambda m: PLACEHOLDERS[m[0]], one) for one in w] for w in words]
    return [list(choice) for choice in product(*filled)]


def parse(words: list[str]) -> None:
    """Let Click read the words of a command without running it.

    A word that is missing at the end is no error: pages name commands without their arguments.

    Raises:
        ClickException: An option or an option's value does not exist.
        CommandError: The command does not exist.
    """
    command: click.Command = cli
    context = click.Context(cli, info_name="lostack")
    rest = words[1:]
    while isinstance(command, click.Group) and rest:
        _, found, rest = command.resolve_command(context, rest)
        assert found is not None
        command, context = found, click.Context(found, parent=context, info_name=found.name)
    values, _, _ = command.make_parser(context).parse_args(list(rest))
    for parameter in command.params:
        value = values.get(parameter.name or "")
        if value and isinstance(value, str | tuple | list):
            parameter.type_cast_value(context, value)


def known_options() -> set[str]:
    """Return every option of every command."""
    context = click.Context(cli, info_name="lostack")
    found: list[click.Command] = [cli]
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        found += [command, *(command.commands.values() if isinstance(command, click.Group) else [])]
    return {name for command in found for one in command.params for name in _names(one)}


def _names(parameter: click.Parameter) -> list[str]:
    return [*parameter.opts, *parameter.secondary_opts]
