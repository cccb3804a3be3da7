"""Work in many parts over a fixed suite: here or by workers, with progress, and all or nothing."""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from sim.cli.errors import say
from sim.cli.exits import Exit
from sim.cli.explore_progress import Line
from sim.cli.explore_wish import Wish
from sim.cli.explore_workers import Deadline, in_order
from sim.cli.measure_interrupt import Interrupts
from sim.cli.output import emit, results
from sim.cli.workers import pool

if TYPE_CHECKING:
    from rich.console import RenderableType

Given = TypeVar("Given")
Made = TypeVar("Made")


def do_all(
    wish: Wish,
    what: str,
    do: Callable[[Given], Made],
    tasks: Sequence[Given],
    told: Callable[[Given], str],
) -> list[Made] | Exit:
    """Return what came of every task, in their order; else how the command ends without it.

    Args:
        wish: Says how many workers there are and how long they may work.
        what: What is made, for messages: ``kill matrix``.
        do: Does one task; a function that workers can import.
        tasks: What is to be done.
        told: Names a task in the line of progress.
    """
    deadline = Deadline(wish.seconds_max)
    found: list[Made] = []
    line = Line(what)
    with Interrupts() as interrupts, pool(wish.workers, len(tasks)) as workers:

        def stopped() -> bool:
            return interrupts.asked or deadline.is_over

        done = map(do, tasks) if workers is None else in_order(workers, do, tasks, stopped)
        try:
            for task, made in zip(tasks, done, strict=False):
                found.append(made)
                line.say(f"{len(found)} of {len(tasks)}, {told(task)}")
                if stopped():
                    break
        finally:
            line.clear()
        interrupted = interrupts.asked
    if len(found) == len(tasks):
        return found
    why = "interrupted" if interrupted else "the time is over"
    say(f"{why}: {len(found)} of {len(tasks)} parts are done; the {what} needs all of them")
    return Exit.INTERRUPTED if interrupted else Exit.INCONCLUSIVE


def show(wish: Wish, as_json: Callable[[], str], as_text: Callable[[], "RenderableType"]) -> None:
    """Write a result in the form that was asked for; only that form is made."""
    if wish.form == "json":
        emit(as_json())
        return
    from sim.report.console import make_console  # noqa: PLC0415 - one form is wanted

    console = make_console(sys.stdout, colour=wish.colour, width=wish.width)
    with results():
        console.print(as_text())
