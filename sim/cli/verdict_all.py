"""``lostack verdict``: search by kind of fault, judge, show, and say how it ended."""

import sys
from collections.abc import Sequence

from sim.cli.errors import say
from sim.cli.exits import Exit, worst
from sim.cli.explore_crew import Crew, crew, wanted
from sim.cli.explore_progress import Line
from sim.cli.explore_wish import Wish
from sim.cli.measure_interrupt import Interrupts
from sim.cli.output import emit, results
from sim.explore.bounds import Bounds
from sim.explore.found import Explored
from sim.explore.safety import Safety, SafetyVerdict, safety
from sim.explore.search import Progress, Stop, explore
from sim.scenario.model import Scenario, World

_BAD = (Safety.UNSAFE, Safety.AT_LEAST_ONCE)


def verdict_all(wish: Wish) -> Exit:
    """Judge what was asked for and return the exit status."""
    bounds = wish.bounds
    worlds, status = wanted(wish)
    if not worlds:
        return status
    found: list[tuple[Scenario, SafetyVerdict]] = []
    with Interrupts() as interrupts, crew(wish, interrupts) as workers:
        for scenario, calmed in worlds:
            if interrupts.asked:
                break
            search = _Search(scenario.name, workers)
            found.append((scenario, safety(calmed.world, bounds, search, calmed.notes)))
    if interrupts.asked:
        say(f"interrupted: {len(found)} of {len(worlds)} searches begun; what was found is kept")
        status = worst([status, Exit.INTERRUPTED])
    _show(wish, found)
    return worst([status, *(_exit(one) for _, one in found)])


def _exit(found: SafetyVerdict) -> Exit:
    if found.whole.safety in _BAD:
        return Exit.FAILED
    return Exit.INCONCLUSIVE if found.doubts else Exit.OK


class _Search:
    """Searches with the workers there are, and says how far it is."""

    def __init__(self, name: str, workers: Crew) -> None:
        self._name, self._workers = name, workers

    def __call__(self, world: World, bounds: Bounds) -> Explored:
        line = Line(self._name)

        def asked(progress: Progress) -> str:
            line.show(progress)
            return self._workers.stopped()

        try:
            return explore(world, bounds, stop=Stop(asked), run_all=self._workers.run_all)
        finally:
            line.clear()


def _show(wish: Wish, found: Sequence[tuple[Scenario, SafetyVerdict]]) -> None:
    if wish.form == "json":
        from sim.report.safety_json import render  # noqa: PLC0415 - one form is wanted

        emit(render(found))
        return
    from sim.report.console import make_console  # noqa: PLC0415 - the same
    from sim.report.safety import safety_verdict  # noqa: PLC0415 - the same

    console = make_console(sys.stdout, colour=wish.colour, width=wish.width)
    with results():
        for scenario, verdict in found:
            console.print(safety_verdict(scenario, verdict))
