"""The one place where a terminal is told from a pipe."""

import os
from collections.abc import Mapping
from typing import IO, cast

from rich.console import Console

PIPE_WIDTH = 100
WIDTH_MIN = 60
WIDTH_MAX = 240

_ASCII = str.maketrans(
    {
        "─": "-",
        "╌": ".",
        "┄": ":",
        "━": "=",
        "│": "|",
        "├": "|",
        "┤": "|",
        "┼": "+",
        "▶": ">",
        "◀": "<",
        "→": ">",
        "✗": "x",
        "✓": "v",
        "●": "*",
        "·": "-",
        "…": ".",
        "“": '"',
        "”": '"',
        "×": "x",
        "µ": "u",
        "≥": ">",
    }
)


class _PlainFile:
    """A text file for an encoding without box drawing: draws with ASCII, never fails to encode."""

    def __init__(self, file: IO[str], encoding: str) -> None:
        self._file, self.encoding = file, encoding

    def write(self, text: str) -> int:
        known = text.translate(_ASCII).encode(self.encoding, "replace").decode(self.encoding)
        return self._file.write(known)

    def flush(self) -> None:
        self._file.flush()

    def isatty(self) -> bool:
        return self._file.isatty()


def _drawable(file: IO[str]) -> IO[str]:
    encoding = getattr(file, "encoding", None) or "utf-8"
    try:
        "".join(map(chr, _ASCII)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return cast("IO[str]", _PlainFile(file, "ascii"))
    return file


def make_console(
    file: IO[str],
    *,
    colour: bool | None = None,
    width: int | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Console:
    """Return a console for ``file``.

    Args:
        file: Where to write.
        colour: False for ``--no-color``; None: colour on a terminal that wants it (``NO_COLOR``
            and ``TERM=dumb`` say no), none in a pipe. True: colour in any case.
        width: Columns, in [60, 240]; None: the terminal's, or 100 in a pipe so that piped output
            does not depend on who looks.
        environ: The environment.
    """
    on_terminal = file.isatty()
    if colour is None:
        colour = on_terminal and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
    if width is None and not on_terminal:
        width = PIPE_WIDTH
    console = Console(
        file=_drawable(file),
        color_system=("auto" if on_terminal else "standard") if colour else None,
        force_terminal=colour,
        force_jupyter=False,
        force_interactive=on_terminal,
        legacy_windows=False,
        width=width,
        highlight=False,
        markup=False,
        emoji=False,
    )
    console.width = min(max(console.width, WIDTH_MIN), WIDTH_MAX)
    return console
