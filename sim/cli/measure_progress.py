"""The progress bar of a measurement: on a terminal, and never in a pipe."""

import shutil
import sys
from collections import deque

from sim.measure.running import Clock
from sim.trace.words import duration, printable

_CLEAR = "\r\x1b[2K"
_EVERY_S = 0.1
_WINDOW = 100
"""The rate is that of so many showings: recent, and still steady."""
_BAR = 20


class Bar:
    """One line on standard error that is written over: runs done, rate, time left.

    Args:
        total: Runs that are planned.
        done: Runs that were made before.
        clock: Seconds from wherever.
    """

    def __init__(self, total: int, done: int, clock: Clock) -> None:
        self._total, self._clock = total, clock
        self._wanted = sys.stderr is not None and sys.stderr.isatty()
        self._seen = deque([(clock(), done)], _WINDOW)

    def show(self, done: int, name: str) -> None:
        """Say how far it is, unless that was said a moment ago."""
        if not self._wanted:
            return
        now = self._clock()
        if now - self._seen[-1][0] < _EVERY_S:
            return
        self._seen.append((now, done))
        columns = shutil.get_terminal_size().columns
        self._write(_CLEAR + printable(self._line(done, name))[: max(columns - 1, 20)])

    def clear(self) -> None:
        """Take the line away."""
        if self._wanted:
            self._write(_CLEAR)

    def _line(self, done: int, name: str) -> str:
        full = _BAR * done // self._total
        said = [
            f"{'█' * full}{'░' * (_BAR - full)} {100 * done // self._total:3} %",
            f"{done:,} of {self._total:,} runs",
        ]
        (began, before), (now, _) = self._seen[0], self._seen[-1]
        rate = (done - before) / (now - began) if now > began else 0.0
        if rate > 0:
            left = round((self._total - done) / rate)
            said += [f"{rate:,.0f} runs/s", f"{duration(left * 1_000_000)} left"]
        return "  ".join([*said, name])

    def _write(self, text: str) -> None:
        encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
        sys.stderr.write(text.encode(encoding, "replace").decode(encoding))
        sys.stderr.flush()
