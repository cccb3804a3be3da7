"""``lostack measure``: plan, count, keep, show, and say how it ended."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from enum import Enum

from sim.cli.charts import check_charts, draw_measured
from sim.cli.choose import Chosen, choose
from sim.cli.errors import CommandError, say
from sim.cli.exits import Exit, of_status, worst
from sim.cli.measure_folder import Folder
from sim.cli.measure_interrupt import Interrupts
from sim.cli.measure_progress import Bar
from sim.cli.measure_show import show
from sim.cli.measure_wish import Wish
from sim.cli.workers import cores
from sim.measure.checks import findings
from sim.measure.cluster import Cluster, ClusterError
from sim.measure.measuring import Crew, Finished, Progress, WorkersLostError, alone, together
from sim.measure.plan import Chunk, Plan, make_plan
from sim.measure.pool import Pool
from sim.measure.results import CellResult
from sim.measure.running import Clock
from sim.measure.work import Work
from sim.scenario.errors import use_one_of

CLOCK: Clock = time.perf_counter


class Ended(Enum):
    """Why counting ended."""

    WHOLE = Exit.OK
    INTERRUPTED = Exit.INTERRUPTED
    OUT_OF_TIME = Exit.INCONCLUSIVE
    STOPPED = Exit.BAD_INPUT
    """Something cannot be had that is needed to go on: room on a disk, a worker."""


def measure_all(wish: Wish) -> Exit:
    """Measure what was asked for and return the exit status."""
    wish.check()
    chosen = choose(wish.paths)
    for problem in chosen.problems:
        say(str(problem))
    bad = Exit.BAD_INPUT if chosen.problems else Exit.OK
    if not chosen.scenarios:
        return bad
    plan = _plan(wish, chosen)
    progress = Progress(plan)
    with ExitStack() as stack:
        interrupts = stack.enter_context(Interrupts())
        folder = None
        if wish.out is not None:
            folder = stack.enter_context(
                Folder(wish.out, plan, resume=wish.resume, replace=wish.replace)
            )
            if wish.charts:
                check_charts(wish.out)
        ended = _count(wish, progress, folder, interrupts)
        results = progress.results()
        written = _write(folder, ended, results)
        if written is Exit.OK and ended is Ended.WHOLE:
            written = _draw(wish, results, interrupts)
        show(wish, results)
    statuses = [of_status(findings(result).status) for result in results]
    return worst([bad, ended.value, written, *statuses])


def _write(folder: Folder | None, ended: Ended, results: Sequence[CellResult]) -> Exit:
    """Write the files; where that fails, the results are shown all the same."""
    if folder is None or ended is Ended.STOPPED:
        return Exit.OK
    try:
        folder.write(results)
    except CommandError as error:
        say(str(error))
        say("what is finished is kept in the journal; go on with --resume when there is room")
        return Exit.BAD_INPUT
    return Exit.OK


def _draw(wish: Wish, results: Sequence[CellResult], interrupts: Interrupts) -> Exit:
    if wish.out is None or not wish.charts:
        return Exit.OK
    try:
        draw_measured(results, wish.out, lambda: interrupts.asked)
    except CommandError as error:
        say(str(error))
        return Exit.BAD_INPUT
    if not interrupts.asked:
        return Exit.OK
    say("interrupted: the numbers are whole, charts may be missing; the same command makes them")
    return Exit.INTERRUPTED


def _plan(wish: Wish, chosen: Chosen) -> Plan:
    plan = make_plan(chosen.scenarios, runs=wish.runs, seed=wish.seed, variant=wish.variant)
    if plan.cells:
        return plan
    assert wish.variant is not None
    known = dict.fromkeys(w.variant for one in chosen.scenarios for w in one.worlds if w.variant)
    fix = use_one_of(wish.variant, list(known)) if known else "leave --variant out: there is none"
    raise CommandError(f"no scenario has a variant '{wish.variant[:60]}'", fix)


def _count(wish: Wish, progress: Progress, folder: Folder | None, interrupts: Interrupts) -> Ended:
    """Count until everything is done or somebody wants to stop, and return why it ended."""
    before: list[Chunk] = []
    for finished in folder.finished if folder else ():
        progress.take(finished)
        before.append(finished.chunk)
    work = Work(progress.plan, before)
    stop = _Stop(wish, progress, interrupts)
    ended = Ended.WHOLE
    try:
        with _counting(wish, progress.plan, work, stop) as chunks:
            for finished in chunks:
                if folder is not None:
                    folder.keep(finished)
                progress.take(finished)
                stop.name = progress.plan.cells[finished.chunk.cell].scenario.name
    except CommandError as error:
        if not progress.runs:
            raise
        say(str(error))
        ended = Ended.STOPPED
    finally:
        stop.bar.clear()
    if not progress.is_whole and ended is Ended.WHOLE:
        ended = Ended.INTERRUPTED if interrupts.asked else Ended.OUT_OF_TIME
    _say_how(ended, progress, folder)
    return ended


class _Stop:
    """Whether to stop; asked several times a second, so that it also keeps the bar moving."""

    def __init__(self, wish: Wish, progress: Progress, interrupts: Interrupts) -> None:
        self.bar = Bar(progress.plan.runs, progress.runs, CLOCK)
        self.name = progress.plan.cells[0].scenario.name
        """Of the scenario that is being measured."""
        self._progress, self._interrupts = progress, interrupts
        self._until = None if wish.seconds_max is None else CLOCK() + wish.seconds_max

    def __call__(self) -> bool:
        self.bar.show(self._progress.runs, self.name)
        if self._interrupts.asked:
            return True
        return self._until is not None and CLOCK() >= self._until


@contextmanager
def _counting(
    wish: Wish, plan: Plan, work: Work, stop: Callable[[], bool]
) -> Iterator[Iterator[Finished]]:
    """Give the chunks as they are finished by whoever is to count them."""
    crew = _crew(wish, plan)
    if crew is None:
        yield alone(plan, work, stop, CLOCK)
        return
    try:
        yield together(plan, work, crew, stop, CLOCK)
    except WorkersLostError as error:
        raise CommandError(
            f"worker processes died {error} times without finishing anything",
            "look for what ends them (too little memory?), or use fewer: --workers 1",
        ) from None
    finally:
        crew.close()


def _crew(wish: Wish, plan: Plan) -> Crew | None:
    """Return the workers; None: this process counts."""
    if wish.cluster is not None:
        try:
            return Cluster(wish.cluster)
        except ClusterError as error:
            raise CommandError(error.problem, error.fix) from None
    many = min(wish.workers or cores(), plan.runs)
    return Pool(many) if many > 1 else None


def _say_how(ended: Ended, progress: Progress, folder: Folder | None) -> None:
    if ended is Ended.WHOLE:
        return
    why = {
        Ended.INTERRUPTED: "interrupted",
        Ended.OUT_OF_TIME: "out of time (--max-seconds)",
        Ended.STOPPED: "stopped",
    }[ended]
    made = f"{why}: {progress.runs:,} of {progress.plan.runs:,} runs are made"
    if folder is not None and not progress.runs:
        say(f"{made}; there is nothing to keep yet")
    elif folder is not None:
        say(f"{made} and kept; go on with --resume")
    else:
        say(f"{made}; none is kept, because no folder is named (--out DIR)")
