"""``lostack explore``: choose, search, shrink, show, save, and say how it ended."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sim.cli.errors import say
from sim.cli.exits import Exit, worst
from sim.cli.explore_crew import Crew, crew, wanted
from sim.cli.explore_progress import Line
from sim.cli.explore_wish import Wish
from sim.cli.measure_interrupt import Interrupts
from sim.cli.output import check_folder, emit, results, write_text
from sim.explore.bounds import Bounds
from sim.explore.calm import Calmed
from sim.explore.counterexample import Counterexample
from sim.explore.result import Result, concluded
from sim.explore.search import Progress, Stop, explore
from sim.scenario.model import Scenario

if TYPE_CHECKING:
    from rich.console import Console


def explore_all(wish: Wish) -> Exit:
    """Explore what was asked for and return the exit status."""
    wish.check()
    if wish.over:
        from sim.cli.explore_over import make  # noqa: PLC0415 - made rarely

        return make(wish)
    if wish.save is not None:
        check_folder(wish.save)
    if wish.from_run is not None:
        return _from_run(wish, wish.from_run)
    bounds = wish.bounds
    worlds, status = wanted(wish)
    if not worlds:
        return status
    found: list[Result] = []
    shown = _Shown(wish)
    with Interrupts() as interrupts, crew(wish, interrupts) as workers:
        explorer = _Explorer(wish, bounds, workers)
        for scenario, calmed in worlds:
            if interrupts.asked:
                break
            found.append(explorer.explore(scenario, calmed))
            shown.one(found[-1])
    if interrupts.asked:
        say(f"interrupted: {len(found)} of {len(worlds)} searches begun; what was found is kept")
        status = worst([status, Exit.INTERRUPTED])
    shown.done(found)
    save(wish, [example for result in found for example in result.counterexamples])
    return worst([status, *map(_exit, found)])


def _from_run(wish: Wish, run: int) -> Exit:
    from sim.cli import explore_run  # noqa: PLC0415 - few runs are shrunk

    status, examples = explore_run.shrink_run(wish, run)
    explore_run.show(wish, examples)
    save(wish, examples)
    return status


def _exit(result: Result) -> Exit:
    if result.explored.undeclared:
        return Exit.FAILED
    return Exit.INCONCLUSIVE if result.doubts else Exit.OK


class _Explorer:
    def __init__(self, wish: Wish, bounds: Bounds, workers: Crew) -> None:
        self._wish, self._bounds, self._crew = wish, bounds, workers

    def explore(self, scenario: Scenario, calmed: Calmed) -> Result:
        """Search one world and shrink what it breaks."""
        line = Line(scenario.name)

        def asked(progress: Progress) -> str:
            line.show(progress)
            return self._crew.stopped()

        stop = Stop(asked, self._wish.schedules_max)
        try:
            found = explore(calmed.world, self._bounds, stop=stop, run_all=self._crew.run_all)
            line.say("looking for the smallest story")
            wish = self._wish
            return concluded(scenario, calmed, found, wish.command, every=wish.every)
        finally:
            line.clear()


class _Shown:
    """Writes results in the form that was asked for: text as they are made, JSON at the end."""

    def __init__(self, wish: Wish) -> None:
        self._console: Console | None = None
        if wish.form == "text":
            from sim.report.console import make_console  # noqa: PLC0415 - one form is wanted

            self._console = make_console(sys.stdout, colour=wish.colour, width=wish.width)

    def one(self, result: Result) -> None:
        """Show one world."""
        if self._console is not None:
            from sim.report.explored import explored  # noqa: PLC0415 - the same

            with results():
                self._console.print(explored(result))

    def done(self, found: Sequence[Result]) -> None:
        """Show what needs all of them."""
        if self._console is None:
            from sim.report.explored_json import render  # noqa: PLC0415 - the same

            emit(render(found))
            return
        from sim.report.explored import ending  # noqa: PLC0415 - the same

        with results():
            self._console.print(ending(found))


def save(wish: Wish, examples: Sequence[Counterexample]) -> None:
    """Write counterexamples as scenario files, each whole or not at all."""
    if wish.save is None:
        return
    for example in examples:
        path = str(Path(wish.save) / example.file_name)
        write_text(path, example.text)
        say(f"written: {path}")
    if not examples:
        say(f"nothing is broken that is not declared: no file is written to '{wish.save}'")
