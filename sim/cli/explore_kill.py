"""``lostack explore --kill-matrix``: every mistake, alone, over the suite."""

import sys
from collections.abc import Callable, Iterator

from sim.cli.errors import say
from sim.cli.exits import Exit
from sim.cli.explore_progress import Line
from sim.cli.explore_wish import Wish
from sim.cli.explore_workers import Deadline, in_order
from sim.cli.measure_interrupt import Interrupts
from sim.cli.output import emit, results
from sim.cli.workers import pool
from sim.explore.kill import Killed, Matrix, all_cases, kill, matrix
from sim.explore.suite import Case


def kill_matrix(wish: Wish) -> Exit:
    """Make the matrix, show it, and return the exit status."""
    cases = all_cases(wish.faults)
    deadline = Deadline(wish.seconds_max)
    with Interrupts() as interrupts, pool(wish.workers, len(cases)) as workers:

        def stopped() -> bool:
            return interrupts.asked or deadline.is_over

        done = map(kill, cases) if workers is None else in_order(workers, kill, cases, stopped)
        found = list(_watched(done, cases, stopped))
        interrupted = interrupts.asked
    if len(found) < len(cases):
        why = "interrupted" if interrupted else "the time is over"
        say(f"{why}: {len(found)} of {len(cases)} cases are searched; a matrix needs all of them")
        return Exit.INTERRUPTED if interrupted else Exit.INCONCLUSIVE
    made = matrix(found, wish.faults)
    _show(wish, made)
    return Exit.OK if made.is_clean else Exit.FAILED


def _watched(
    done: Iterator[Killed], cases: list[Case], stopped: Callable[[], bool]
) -> Iterator[Killed]:
    """Yield what is done, say how far it is, and stop where that is asked for."""
    line = Line("kill matrix")
    try:
        for number, killed in enumerate(done, 1):
            line.say(f"{number} of {len(cases)} cases, {killed.mistake or 'the contract'}")
            yield killed
            if stopped():
                return
    finally:
        line.clear()


def _show(wish: Wish, made: Matrix) -> None:
    if wish.form == "json":
        from sim.report.kill_matrix_json import render  # noqa: PLC0415 - one form is wanted

        emit(render(made))
        return
    from sim.report.console import make_console  # noqa: PLC0415 - the same
    from sim.report.kill_matrix import kill_matrix as report  # noqa: PLC0415 - the same

    console = make_console(sys.stdout, colour=wish.colour, width=wish.width)
    with results():
        console.print(report(made))
