"""What the commands that search have in common: what is searched, by whom, and how long."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from sim.cli.choose import choose, only_variant, seeded
from sim.cli.errors import say
from sim.cli.exits import Exit
from sim.cli.explore_wish import Wish
from sim.cli.explore_workers import Deadline, run_all
from sim.cli.measure_interrupt import Interrupts
from sim.cli.workers import pool
from sim.explore.calm import Calmed, NotExplorableError, calm
from sim.explore.search import RunAll
from sim.scenario.model import Scenario

INTERRUPTED = "interrupted"
_WORTH_WORKERS = 2
"""With fewer faults than that a search is over before workers are there."""


def wanted(wish: Wish) -> tuple[list[tuple[Scenario, Calmed]], Exit]:
    """Return what can be explored; everything that cannot is told before anything runs."""
    chosen = choose(wish.paths)
    status = Exit.BAD_INPUT if chosen.problems else Exit.OK
    for problem in chosen.problems:
        say(str(problem))
    scenarios = chosen.scenarios
    if scenarios and wish.variant is not None:
        scenarios = only_variant(scenarios, wish.variant)
    if wish.seed is not None:
        scenarios = seeded(scenarios, wish.seed)
    found: list[tuple[Scenario, Calmed]] = []
    for scenario in scenarios:
        for world in scenario.worlds:
            try:
                found.append((scenario, calm(world)))
            except NotExplorableError as problem:
                where = f" ({world.variant})" if world.variant else ""
                say(f"{scenario.path}{where}: {problem}")
                status = Exit.BAD_INPUT
    return found, status


@contextmanager
def crew(wish: Wish, interrupts: Interrupts) -> Iterator["Crew"]:
    """Give whoever does the tasks; small searches need no processes."""
    most = wish.workers
    if most is None and wish.faults_most + (wish.acts or 0) <= _WORTH_WORKERS:
        most = 1
    deadline = Deadline(wish.seconds_max)
    with pool(most, sys.maxsize) as workers:
        made = Crew(deadline, interrupts)
        made.run_all = run_all(workers, lambda: bool(made.stopped()))
        yield made


class Crew:
    """How tasks are done, and when to stop doing them."""

    run_all: RunAll

    def __init__(self, deadline: Deadline, interrupts: Interrupts) -> None:
        self._deadline, self._interrupts = deadline, interrupts

    def stopped(self) -> str:
        """Return why to stop; nothing: go on."""
        if self._interrupts.asked:
            return INTERRUPTED
        return "the time is over (--max-seconds)" if self._deadline.is_over else ""
