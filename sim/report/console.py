"""The one place where a terminal is told from a pipe."""

import os
import re
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


_TRAILING = re.compile(r" +(?=\n)")


class _Piped:
    """A text file without spaces at the ends of lines, which a table is padded with.

    Where the file's encoding has no box drawing, lines are drawn with ASCII; whatever else the
    encoding lacks becomes a question mark, so that writing never fails.
    """

    def __init__(self, file: IO[str], *, trims: bool) -> None:
        self._file, self._trims = file, trims
        self.encoding = getattr(file, "encoding", None) or "utf-8"
        self._draws = _can_draw(self.encoding)
        if not self._draws:
            self.encoding = "ascii"

    def write(self, text: str) -> int:
        if self._trims:
            text = _TRAILING.sub("", text)
        if not self._draws:
            text = text.translate(_ASCII).encode("ascii", "replace").decode("ascii")
        return self._file.write(text)

    def flush(self) -> None:
        self._file.flush()

    def isatty(self) -> bool:
        return self._file.isatty()


def _can_draw(encoding: str) -> bool:
    try:
        "".join(map(chr, _ASCII)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


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
        file=cast("IO[str]", _Piped(file, trims=not on_terminal)),
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
