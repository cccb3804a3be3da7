"""The same bytes, whoever counts."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import closing

import pytest

from sim.measure.files import files
from sim.measure.measuring import LOSSES_MAX, Progress, WorkersLostError, together
from sim.measure.plan import Plan
from sim.measure.pool import Pool
from sim.measure.running import Clock, Counted
from sim.measure.work import Work
from tests.measure.samples import CROWD, LOSSY, VARIANTS, counted, never, no_clock, plan_of

PLAN = plan_of(VARIANTS, LOSSY, runs=40)


def _bytes(progress: Progress) -> dict[str, bytes]:
    assert progress.is_whole
    return files(progress.plan, progress.results())


@pytest.fixture(scope="module")
def alone_bytes() -> dict[str, bytes]:
    return _bytes(counted(PLAN))


@pytest.mark.parametrize("size", [1, 7, 1_000])
def test_the_size_of_chunks_changes_nothing(size: int, alone_bytes: dict[str, bytes]) -> None:
    assert _bytes(counted(PLAN, runs_in_a_chunk=size)) == alone_bytes


def _with_pool(plan: Plan, many: int, stop: Callable[[], bool] = never) -> Progress:
    progress, work = Progress(plan), Work(plan, runs_in_a_chunk=5)
    with closing(Pool(many)) as pool:
        for finished in together(plan, work, pool, stop, time.perf_counter):
            progress.take(finished)
    return progress


@pytest.mark.parametrize("many", [1, 2, 7])
def test_the_number_of_workers_changes_nothing(many: int, alone_bytes: dict[str, bytes]) -> None:
    assert _bytes(_with_pool(PLAN, many)) == alone_bytes


def test_a_population_is_the_same_on_workers() -> None:
    plan = plan_of(CROWD, runs=4)

    assert _bytes(_with_pool(plan, 2)) == _bytes(counted(plan))


def test_a_killed_worker_is_replaced_and_changes_nothing(alone_bytes: dict[str, bytes]) -> None:
    progress, work, killed = Progress(PLAN), Work(PLAN, runs_in_a_chunk=5), 0
    with closing(Pool(2)) as pool:
        for finished in together(PLAN, work, pool, never, time.perf_counter):
            progress.take(finished)
            if not killed:
                killed = next(each.pid or 0 for each in multiprocessing.active_children())
                os.kill(killed, signal.SIGKILL)

    assert killed
    assert _bytes(progress) == alone_bytes


def test_closing_a_pool_leaves_no_process_behind() -> None:
    before = multiprocessing.active_children()
    stops = iter([False, True])

    _with_pool(PLAN, 2, lambda: next(stops))

    assert multiprocessing.active_children() == before


class _Dying:
    """A crew whose workers die before they finish anything."""

    many = 1

    def __init__(self) -> None:
        self.renewed = 0

    def submit(
        self, count: Callable[..., Counted], packed: bytes, first: int, stop: int, clock: Clock
    ) -> "Future[Counted]":
        if self.renewed % 2:
            raise BrokenExecutor
        future: Future[Counted] = Future()
        future.set_exception(BrokenExecutor())
        return future

    def renew(self) -> None:
        self.renewed += 1

    def close(self) -> None:
        pass


def test_workers_that_die_again_and_again_are_given_up() -> None:
    crew = _Dying()

    with pytest.raises(WorkersLostError):
        list(together(PLAN, Work(PLAN), crew, never, no_clock))

    assert crew.renewed == LOSSES_MAX


def test_a_worker_follows_the_process_that_it_works_for() -> None:
    """The process that owns the pool is killed; its workers end by themselves."""
    context = multiprocessing.get_context("spawn")
    receiving, sending = context.Pipe(duplex=False)
    owner = context.Process(target=_own_a_pool, args=(sending,))
    owner.start()
    pids = receiving.recv()
    owner.kill()
    owner.join()

    assert len(pids) == 2
    assert all(_ends(pid) for pid in pids)


def _own_a_pool(sending: "multiprocessing.connection.Connection") -> None:
    pool = Pool(2)
    chunks: Iterator[object] = iter(
        together(PLAN, Work(PLAN, runs_in_a_chunk=1), pool, never, no_clock)
    )
    next(chunks)
    sending.send([each.pid for each in multiprocessing.active_children()])
    time.sleep(60)


def _ends(pid: int) -> bool:
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False
