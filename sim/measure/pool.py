"""Worker processes on this machine.

They are forked from a server process that has imported the engine and nothing else, was never
interrupted and runs no threads: as quick as a fork of this process, and safe whatever this process
has done. Where there is no such server (Windows) they are spawned.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from threading import Thread, current_thread, main_thread
from typing import TypeVar

from sim.measure.running import Clock, Counted

Task = TypeVar("Task")
Done = TypeVar("Done")

_GONE_S = 5.0
_PRELOADED = ["sim.measure.running"]
_SAFE_PATH = "PYTHONSAFEPATH"


class Pool:
    """A pool of processes that can be replaced when one of them was killed.

    Args:
        many: How many processes.
    """

    def __init__(self, many: int) -> None:
        self.many = many
        self._others = multiprocessing.active_children()
        self._executor = self._make()

    def submit(
        self, count: Callable[..., Counted], packed: bytes, first: int, stop: int, clock: Clock
    ) -> "Future[Counted]":
        """Hand over one chunk."""
        return self._executor.submit(count, packed, first, stop, clock)

    def call(self, do: Callable[[Task], Done], task: Task) -> "Future[Done]":
        """Hand over one task of any kind."""
        return self._executor.submit(do, task)

    def renew(self) -> None:
        """Start a new pool in place of the broken one."""
        self.close()
        self._executor = self._make()

    def close(self) -> None:
        """End the processes at once; a chunk that one of them is counting is forgotten."""
        mine = self._mine()
        self._executor.shutdown(wait=False, cancel_futures=True)
        for process in mine:
            process.kill()
        for process in mine:
            process.join(_GONE_S)

    def _mine(self) -> list[BaseProcess]:
        return [each for each in multiprocessing.active_children() if each not in self._others]

    def _make(self) -> ProcessPoolExecutor:
        if "forkserver" not in multiprocessing.get_all_start_methods():
            context = multiprocessing.get_context("spawn")
            return ProcessPoolExecutor(self.many, context, initializer=_begin)
        forking = multiprocessing.get_context("forkserver")
        forking.set_forkserver_preload(_PRELOADED)
        with _deaf(), _without_the_folder():
            from multiprocessing.forkserver import ensure_running  # noqa: PLC0415 - not on Windows

            ensure_running()
        return ProcessPoolExecutor(self.many, forking, initializer=_begin)


@contextmanager
def _without_the_folder() -> Iterator[None]:
    """Start Python so that it imports nothing from the folder that somebody happens to be in.

    What workers are forked from imports before it is told this process's path: a folder ``sim``
    of somebody else's would be taken for ours.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before


@contextmanager
def _deaf() -> Iterator[None]:
    """Ignore Ctrl-C while the server is started: its children inherit that.

    A terminal sends Ctrl-C to all processes; without this it could end a worker before that can
    say for itself that it does not listen.
    """
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _begin() -> None:
    """Prepare a worker: deaf to Ctrl-C, and gone when the process that it works for is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
