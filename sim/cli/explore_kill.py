"""``lostack explore --kill-matrix``: every mistake, alone, over the suite."""

from sim.cli.exits import Exit
from sim.cli.explore_tasks import do_all, show
from sim.cli.explore_wish import Wish
from sim.explore.kill import all_cases, kill, matrix


def kill_matrix(wish: Wish) -> Exit:
    """Make the matrix, show it, and return the exit status."""
    from sim.report import kill_matrix as text  # noqa: PLC0415 - shown when it is made
    from sim.report import kill_matrix_json  # noqa: PLC0415 - the same

    cases = all_cases(wish.faults)
    found = do_all(wish, "kill matrix", kill, cases, lambda one: one.mistake or "the contract")
    if isinstance(found, Exit):
        return found
    made = matrix(found, wish.faults)
    show(wish, lambda: kill_matrix_json.render(made), lambda: text.kill_matrix(made))
    return Exit.OK if made.is_clean else Exit.FAILED
