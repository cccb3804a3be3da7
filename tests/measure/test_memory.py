"""Memory does not grow with the number of runs."""

import gc

import pytest

from tests.measure.samples import CROWD, LOSSY, counted, plan_of

STEADY = LOSSY.replace("{uniform: [10ms, 90ms]}", "40ms")
"""No chance but losses: after a few runs no new duration is seen, and no bucket is added."""


def _left_by(text: str, runs: int) -> int:
    """Return how many objects are there when so many runs were made, and not swept for cycles."""
    gc.collect()
    gc.disable()
    try:
        progress = counted(plan_of(text, runs=runs), runs_in_a_chunk=7)
        assert progress.is_whole
        return len(gc.get_objects())
    finally:
        gc.enable()


@pytest.mark.parametrize(("text", "few", "many"), [(STEADY, 35, 350), (CROWD, 2, 14)])
def test_many_runs_leave_no_more_behind_than_few(text: str, few: int, many: int) -> None:
    _left_by(text, few)
    gc.freeze()  # What is made once and kept is not counted, nor looked through again.

    assert _left_by(text, many) < _left_by(text, few) + 100
