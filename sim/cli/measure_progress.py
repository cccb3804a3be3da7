"""The progress bar of a measurement: on a terminal, and never in a pipe."""

import shutil
import sys
from collections import deque
from collections.abc import Iterator

from sim.measure.running import Clock
from sim.trace.words import duration, printable

_CLEAR = "\r\x1b[2K"
_EVERY_S = 0.1
_WINDOW = 100
"""The rate is that of so many showings: recent, and still steady."""
_BAR = 20
_S = 1_000_000


class Bar:
    """One line on standard error that is written over: runs done, rate, time left.

    Before a run is finished it says for how long the first ones have been under way: a run of many
    clients takes its time.

    Args:
        total: Runs that are planned.
        done: Runs that were made before.
        clock: Seconds from wherever.
    """

    def __init__(self, total: int, done: int, clock: Clock) -> None:
        self._total, self._clock = total, clock
        self._wanted = sys.stderr is not None and sys.stderr.isatty()
        self._first = (clock(), done)
        self._seen = deque([self._first], _WINDOW)
        self._is_shown = False

    def show(self, done: int, name: str) -> None:
        """Say how far it is, unless that was said a moment ago."""
        if not self._wanted:
            return
        now = self._clock()
        if self._is_shown and now - self._seen[-1][0] < _EVERY_S:
            return
        self._is_shown = True
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
        return "  ".join([*said, *self._pace(done), name])

    def _pace(self, done: int) -> Iterator[str]:
        """Yield how fast it goes, and what that leaves."""
        now = self._seen[-1][0]
        began, before = self._first
        if done == before:
            yield f"under way for {duration(int(now - began) * _S)}"
            return
        if done > self._seen[0][1]:
            began, before = self._seen[0]
        rate = (done - before) / max(now - began, _EVERY_S)
        yield f"{rate:,.0f} runs/s" if rate >= 1 else f"{duration(round(1 / rate) * _S)} a run"
        yield f"{duration(round((self._total - done) / rate) * _S)} left"

    def _write(self, text: str) -> None:
        encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
        sys.stderr.write(text.encode(encoding, "replace").decode(encoding))
        sys.stderr.flush()
