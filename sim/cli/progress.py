"""How far long work has come: on a terminal, and never in a pipe."""

import sys

_AFTER = 3
"""Fewer things than that are done before anybody wonders."""
_CLEAR = "\r\x1b[2K"


class Progress:
    """One line on standard error that is written over.

    Args:
        total: How many things there are to do.
    """

    def __init__(self, total: int) -> None:
        self._total = total
        self._wanted = total > _AFTER and sys.stderr is not None and sys.stderr.isatty()

    def show(self, done: int, name: str) -> None:
        """Say what is being done."""
        if self._wanted:
            self._write(f"{_CLEAR}{done + 1} of {self._total}  {name}")

    def clear(self) -> None:
        """Take the line away."""
        if self._wanted:
            self._write(_CLEAR)

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
