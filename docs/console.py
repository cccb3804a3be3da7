"""Runs the commands that a page shows and puts their real output there."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

_FENCE = re.compile(
    r"<!-- file: (?P<file>\S+) -->\n```\w*\n(?P<content>.*?)^```$"
    r"|^```console\n(?P<session>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
COLUMNS = 100
BUG = 4
ROOT = Path(__file__).resolve().parents[1]


def with_output(text: str) -> str:
    """Return ``text`` with the output of every command in its console blocks.

    A page's commands run in their order in one empty folder of their own, which the page's files
    are written to as it comes to them.
    """
    with tempfile.TemporaryDirectory() as folder:
        return _FENCE.sub(lambda block: _block(block, Path(folder)), text)


def _block(block: re.Match[str], folder: Path) -> str:
    if block["file"]:
        (folder / block["file"]).write_text(block["content"], encoding="utf-8")
        return block[0]
    commands = [line[2:] for line in block["session"].splitlines() if line.startswith("$ ")]
    shown = "".join(f"$ {command}\n{run(command, folder)}" for command in commands)
    return f"```console\n{shown}```"


def run(command: str, folder: Path) -> str:
    """Return what ``lostack …`` prints, both streams, without spaces at line ends.

    Raises:
        ValueError: It is another command than ``lostack``, or it ran into a bug of ours.
    """
    name, *arguments = shlex.split(command)
    if name != "lostack":
        raise ValueError(f"{command!r} is not a command of lostack")
    environment = {
        **os.environ,
        "NO_COLOR": "1",
        "COLUMNS": str(COLUMNS),
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
    }
    done = subprocess.run(  # noqa: S603 - our own command, from our own page
        [sys.executable, "-m", "sim", *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode == BUG:
        raise ValueError(f"{command!r} ran into a bug:\n{done.stdout}")
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    return "".join(f"{line}\n" for line in lines)
