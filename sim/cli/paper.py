"""Plain text for people, wrapped to the width there is; without Rich, which imports slowly."""

import os
import shutil
import sys
import textwrap

import click

from sim.cli.output import results

WIDTH_MAX = 100
WIDTH_MIN = 60
_INDENT = 2


class Paper:
    """Collects lines and prints them at once.

    Args:
        colour: False for ``--no-color``; None: colour on a terminal that wants it.
    """

    def __init__(self, colour: bool | None = None) -> None:
        on_terminal = sys.stdout.isatty()
        if colour is None:
            colour = on_terminal and not os.environ.get("NO_COLOR")
            colour = colour and os.environ.get("TERM") != "dumb"
        self._colour = colour
        columns = shutil.get_terminal_size((WIDTH_MAX, 24)).columns if on_terminal else WIDTH_MAX
        self._width = min(max(columns, WIDTH_MIN), WIDTH_MAX)
        self._lines: list[str] = []

    def title(self, name: str, kind: str = "") -> None:
        """Add a line in bold, with a word beside it."""
        self._lines.append(self._style(name, bold=True) + (f"  {kind}" if kind else ""))

    def part(self, label: str, text: str) -> None:
        """Add a labelled paragraph, after an empty line; nothing where there is no text."""
        if text:
            self._lines += ["", self._style(label, dim=True), *self._wrapped(text, " " * _INDENT)]

    def text(self, text: str, indent: int = 0, dim: bool = False) -> None:
        """Add a paragraph."""
        wrapped = self._wrapped(text, " " * indent)
        self._lines += [self._style(line, dim=True) if dim else line for line in wrapped]

    def row(self, name: str, text: str, *, indent: int, column: int, bold: bool = False) -> None:
        """Add a name with a text beside it, which starts at ``column`` and hangs there."""
        head = " " * indent + name
        gap = " " * max(column - len(head), 2)
        wrapped = self._wrapped(text, " " * column) or [""]
        first = wrapped[0].strip()
        if len(head) + 2 > column and first:
            self._lines += [self._style(head, bold=bold), *wrapped]
            return
        shown = self._style(head, bold=bold) + (gap + first if first else "")
        self._lines += [shown, *wrapped[1:]]

    def gap(self) -> None:
        """Add an empty line."""
        self._lines.append("")

    def print(self) -> None:
        """Write everything to standard output; what its encoding lacks becomes a question mark."""
        text = "".join(f"{line}\n" for line in self._lines)
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        with results():
            sys.stdout.write(text.encode(encoding, "replace").decode(encoding))

    def _wrapped(self, text: str, indent: str) -> list[str]:
        return textwrap.wrap(
            text,
            self._width,
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )

    def _style(self, text: str, *, bold: bool = False, dim: bool = False) -> str:
        if not self._colour or not (bold or dim):
            return text
        # None, and not False: Click writes a code for False too, which would undo the other one.
        return click.style(text, bold=bold or None, dim=dim or None)
