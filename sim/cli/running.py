"""``lostack run``: choose, run, show, write, and say how it ended."""

import shlex
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from sim.cli.cells import only_cell
from sim.cli.choose import Chosen, choose, only_tagged, only_variant, rerun, seeded
from sim.cli.errors import CommandError, say
from sim.cli.exits import Exit, of_status, worst
from sim.cli.output import STDOUT, check_outputs, emit_bytes, write_text, written
from sim.cli.perform import perform, traces
from sim.cli.progress import Progress
from sim.cli.show import Presenter, Proofs, Silent, Stories, Whole
from sim.cli.wish import Wish
from sim.judge.verdict import Status
from sim.report import proofs
from sim.report.claims import CLAIMS
from sim.report.console import make_console
from sim.report.outcome import Outcome
from sim.scenario.errors import listed
from sim.scenario.find import shipped
from sim.scenario.model import Scenario
from sim.trace import jsonl
from sim.trace.words import count

if TYPE_CHECKING:
    from sim.cli.twice import Again

STORIES_MAX = 3
"""More scenarios than that are told briefly unless stories are asked for."""


def run_all(wish: Wish) -> Exit:
    """Run what was asked for and return the exit status."""
    wish.check()
    chosen = _chosen(wish)
    bad = Exit.BAD_INPUT if chosen.problems else Exit.OK
    if not chosen.scenarios:
        return bad
    presenter = _presenter(wish, len(chosen.scenarios))
    with ExitStack() as stack:
        again = stack.enter_context(_again(wish, chosen.scenarios)) if wish.twice else None
        finished, ended = _run(wish, chosen.scenarios, presenter)
        presenter.done(finished)
        _write_trace(wish, finished)
        _write_scenario(wish, finished)
        if isinstance(ended, Exception):
            raise ended
        repeats = again.compare(finished) if again and ended is Exit.OK else Exit.OK
    statuses = [of_status(outcome.status) for outcome in finished]
    if wish.proofs and not proofs.all_hold(finished):
        statuses.append(Exit.INCONCLUSIVE)
    return worst([bad, ended, repeats, *statuses])


def _again(wish: Wish, scenarios: Sequence[Scenario]) -> "Again":
    """Start the second process; most runs need none, and do without its imports."""
    from sim.cli.twice import Again  # noqa: PLC0415 - see above

    return Again(wish, scenarios)


def _chosen(wish: Wish) -> Chosen:
    """Return what can be run; everything that cannot is told before anything runs."""
    chosen = choose(wish.paths or tuple(shipped().values()))
    for problem in chosen.problems:
        say(str(problem))
    scenarios = chosen.scenarios
    if scenarios and wish.proofs:
        scenarios = only_tagged(scenarios, [claim.tag for claim in CLAIMS])
    if scenarios and wish.cell is not None:
        scenarios = only_cell(scenarios, wish.cell)
    if scenarios and wish.variant is not None:
        scenarios = only_variant(scenarios, wish.variant)
    if wish.seed is not None:
        scenarios = seeded(scenarios, wish.seed)
    if wish.run is not None:
        scenarios = rerun(scenarios, wish.run)
    _check_single(wish, scenarios)
    read = [path for scenario in scenarios for path in scenario.files]
    check_outputs([wish.trace, wish.as_scenario], read)
    return Chosen(scenarios, chosen.problems)


def _check_single(wish: Wish, scenarios: Sequence[Scenario]) -> None:
    """Refuse several runs where one fits.

    Raises:
        CommandError: There are several.
    """
    runs = sum(len(scenario.worlds) for scenario in scenarios)
    takers = {
        "--as-scenario writes": wish.as_scenario is not None,
        "--diagram svg draws": wish.diagram == "svg",
    }
    asked = [taker for taker, is_asked in takers.items() if is_asked]
    if not asked or runs <= 1:
        return
    fix = "name one scenario, and one of its variants with --variant"
    if len(scenarios) == 1:
        variants = listed([world.variant for world in scenarios[0].worlds])
        fix = f"add --variant NAME, one of: {variants}"
    raise CommandError(f"{asked[0]} one run, and {runs} are asked for", fix)


def _presenter(wish: Wish, many: int) -> Presenter:
    if wish.is_silent:
        return Silent()
    form = wish.diagram or wish.form
    if form != "text":
        render = import_module(f"sim.report.formats.as_{form}").render
        return Whole(partial(render, note=_which_run(wish)) if form == "svg" else render)
    console = make_console(sys.stdout, colour=wish.colour, width=wish.width)
    if wish.proofs:
        return Proofs(console)
    brief = wish.brief if wish.brief is not None else many > STORIES_MAX and not wish.full
    return Stories(console, brief=brief, full=wish.full, note=_which_run(wish))


def _which_run(wish: Wish) -> str:
    """Return what tells this run from the one that everybody gets without options."""
    parts = [f"run {wish.run}"] if wish.run is not None else []
    parts += [f"seed {wish.seed}"] if wish.seed is not None else []
    parts += [wish.cell] if wish.cell is not None else []
    return ", ".join(parts)


def _run(
    wish: Wish, scenarios: Sequence[Scenario], presenter: Presenter
) -> tuple[list[Outcome], Exit | Exception]:
    """Return what was finished, and how it ended early: interrupted, or by a bug of ours."""
    finished: list[Outcome] = []
    progress = Progress(len(scenarios))
    for scenario in scenarios:
        try:
            progress.show(len(finished), scenario.name)
            outcome = perform(scenario)
        except KeyboardInterrupt:
            progress.clear()
            done = f"{len(finished)} of {count(len(scenarios), 'scenario')}"
            say(f"interrupted: {done} finished; what was found is kept")
            return finished, Exit.INTERRUPTED
        except Exception as bug:  # noqa: BLE001 - what was finished is shown before it is told
            progress.clear()
            return finished, bug
        progress.clear()
        finished.append(outcome)
        presenter.one(outcome)
        left = len(scenarios) - len(finished)
        if wish.fail_fast and outcome.status is not Status.PASSED and left:
            say(f"stopped at '{scenario.name}' (--fail-fast); {count(left, 'scenario')} not run")
            break
    return finished, Exit.OK


def _write_trace(wish: Wish, finished: Sequence[Outcome]) -> None:
    if wish.trace is None:
        return
    made = [trace for outcome in finished for trace in traces(outcome)]
    if wish.trace == STDOUT:
        emit_bytes(jsonl.lines(made))
        return
    with written(wish.trace):
        jsonl.write(Path(wish.trace), made)
    say(f"written: {wish.trace} ({count(len(made), 'trace')})")


def _write_scenario(wish: Wish, finished: Sequence[Outcome]) -> None:
    if wish.as_scenario is None or not finished:
        return
    from sim.cli.scripted import script  # noqa: PLC0415 - few runs are written

    (outcome,) = finished
    (verdict,) = outcome.verdicts
    made = script(verdict.world, verdict.records, outcome.scenario.title)
    if made is None:
        raise CommandError(
            "this run cannot be written as a scenario: chance did two things to one message, "
            "and a fault clause does one",
            "take another run, or a link whose messages are not both delayed and copied (or "
            "corrupted) by chance",
        )
    write_text(wish.as_scenario, made)
    if wish.as_scenario != STDOUT:
        say(f"written: {wish.as_scenario}")
        say(f"next:    lostack run {shlex.quote(wish.as_scenario)}")
