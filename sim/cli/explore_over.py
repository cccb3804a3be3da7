"""What ``lostack explore`` makes over a suite of its own."""

from sim.cli.exits import Exit
from sim.cli.explore_kill import kill_matrix
from sim.cli.explore_pairs import mistake_pairs
from sim.cli.explore_reach import reach_all
from sim.cli.explore_suite import prove_suite
from sim.cli.explore_wish import KILL_MATRIX, PAIRS, REACH, SUITE, Wish

_MAKERS = {
    KILL_MATRIX: kill_matrix,
    SUITE: prove_suite,
    PAIRS: mistake_pairs,
    REACH: reach_all,
}


def make(wish: Wish) -> Exit:
    """Make what was asked for, show it, and return the exit status."""
    return _MAKERS[wish.over[0]](wish)
