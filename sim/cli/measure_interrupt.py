"""Ctrl-C while counting: heard at once, acted upon where nothing is half done."""

import signal
from threading import current_thread, main_thread
from types import FrameType
from typing import Self


class Interrupts:
    """Notes Ctrl-C instead of raising; a second one in a row is what it always was.

    Counting stops between chunks, so that no chunk is counted in part.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: object = None

    def __enter__(self) -> Self:
        if current_thread() is main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        if current_thread() is main_thread():
            signal.signal(signal.SIGINT, self._before)  # type: ignore[arg-type] # as it was handed out

    def _note(self, _: int, __: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
