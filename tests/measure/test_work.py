"""Chunks cover every run once, and grow until they take a third of a second."""

from hypothesis import given, settings
from hypothesis import strategies as st

from sim.measure.plan import Chunk
from sim.measure.work import CHUNK_S, Work
from tests.measure.samples import LOSSY, SWEPT, plan_of

PLAN = plan_of(LOSSY, SWEPT, runs=100)


def _all(work: Work) -> list[Chunk]:
    found = []
    while (chunk := work.take()) is not None:
        found.append(chunk)
    return found


def _runs(chunks: list[Chunk]) -> list[tuple[int, int]]:
    return sorted((c.cell, run) for c in chunks for run in range(c.first, c.stop))


EVERY = [(cell, run) for cell in range(5) for run in range(100)]


@settings(max_examples=20)
@given(st.integers(1, 250))
def test_every_run_is_handed_out_once_whatever_the_size(size: int) -> None:
    assert _runs(_all(Work(PLAN, runs_in_a_chunk=size))) == EVERY


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 99), st.integers(1, 100))))
def test_what_is_done_is_not_handed_out_again(ranges: list[tuple[int, int, int]]) -> None:
    done = [Chunk(cell, a, min(a + n, 100)) for cell, a, n in ranges]

    left = _runs(_all(Work(PLAN, done, runs_in_a_chunk=7)))

    assert left == [place for place in EVERY if place not in _runs(done)]


def test_a_chunk_that_comes_back_is_handed_out_again() -> None:
    work = Work(PLAN, runs_in_a_chunk=60)
    first = work.take()
    assert first is not None

    work.give_back(first)

    assert work.take() == first


def test_chunks_grow_to_the_work_that_is_wanted() -> None:
    work, sizes = Work(plan_of(LOSSY, runs=10_000)), []
    while (chunk := work.take()) is not None:
        sizes.append(chunk.stop - chunk.first)
        work.took(chunk, 0.001 * sizes[-1])

    assert sizes[:4] == [1, 8, 64, round(CHUNK_S / 0.001)]


def test_a_run_that_takes_long_is_a_chunk_of_its_own() -> None:
    work = Work(plan_of(LOSSY, runs=10))
    chunk = work.take()
    assert chunk is not None

    work.took(chunk, 60.0)

    assert work.take() == Chunk(0, 1, 2)
