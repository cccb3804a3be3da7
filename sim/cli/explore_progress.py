"""How far a search has come: on a terminal, and never in a pipe."""

import shutil
import sys
import time

from sim.explore.search import Progress
from sim.trace.words import count

_CLEAR = "\r\x1b[2K"
_EVERY_S = 0.1


class Line:
    """One line on standard error that is written over.

    Args:
        name: What is explored.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._wanted = sys.stderr is not None and sys.stderr.isatty()
        self._told = 0.0

    def show(self, progress: Progress) -> None:
        """Say how far it is, unless that was said a moment ago."""
        if not self._wanted or time.monotonic() - self._told < _EVERY_S:
            return
        self._told = time.monotonic()
        broken = f", {count(progress.broken, 'invariant')} broken" if progress.broken else ""
        self.say(
            f"{progress.done:,} of {progress.known:,} schedules of size {progress.size}{broken}"
        )

    def say(self, what: str) -> None:
        """Show what is being done."""
        if self._wanted:
            columns = shutil.get_terminal_size().columns
            self._write(_CLEAR + f"{self._name}  {what}"[: max(columns - 1, 20)])

    def clear(self) -> None:
        """Take the line away."""
        if self._wanted:
            self._write(_CLEAR)

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
