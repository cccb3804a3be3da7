"""Ctrl-C, or a polite end, while counting: heard at once, done where nothing is half done."""

import signal
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, Self

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Of Ctrl-C; of ``timeout``, containers and CI; of a terminal that is closed."""


class Interrupts:
    """Notes signals to stop instead of raising; a second one in a row ends at once.

    Counting stops between chunks, so that no chunk is counted in part.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        if current_thread() is main_thread():
            for each in _SIGNALS:
                before = signal.getsignal(each)
                # What nohup or a shell's background job does not hear stays unheard.
                if before is not signal.SIG_IGN:
                    signal.signal(each, self._note)
                    self._before[each] = before
        return self

    def __exit__(self, *_: object) -> None:
        if current_thread() is main_thread():
            for each, before in self._before.items():
                signal.signal(each, before)

    def _note(self, _: int, __: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
