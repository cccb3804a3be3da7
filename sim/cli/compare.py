"""``lostack compare``: variants against each other on the same weather."""

import io
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import click

from sim.cli.charts import draw_compared
from sim.cli.choose import choose
from sim.cli.errors import CommandError, say
from sim.cli.exits import Exit, worst
from sim.cli.measure_interrupt import Interrupts
from sim.cli.measure_progress import Bar
from sim.cli.options import debug, no_color, seed, whole, width, workers
from sim.cli.output import STDOUT, check_folder, check_outputs, results, write_text
from sim.cli.workers import pool
from sim.measure.compare import (
    COMPARED,
    MEAN_CERTAINTY,
    CompareError,
    Group,
    GroupResult,
    compare,
    groups,
)
from sim.measure.definitions import CERTAINTY
from sim.scenario.errors import use_one_of

FORMATS = ("text", "json", "markdown")
RUNS_MAX = 10**9
_QUANTILES = ("time_to_certainty", *(measure.name for measure in CERTAINTY))

EPILOG = """\
\b
Examples:
  lostack compare my-save.yaml                      each variant less the first
  lostack compare my-save.yaml --base patient       less the variant 'patient'
  lostack compare my-save.yaml --runs 1000 --measure unresolved_rate
  lostack run my-save.yaml --variant hasty --run 17 the story of a run that differs
\b
Exit status: 0 compared; 2 bad input (a scenario without variants too), or an
output that cannot be written; 3 a fault matched in no run; 4 a bug of lostack;
130 interrupted (nothing is shown then: a difference needs all its runs).
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The options of ``lostack compare``; their help says what each one means."""

    paths: tuple[str, ...]
    runs: int | None
    seed: int | None
    workers: int | None
    base: str | None
    measures: tuple[str, ...]
    form: str
    out: str
    charts: str | None
    width: int | None
    colour: bool | None


@click.command("compare", epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--base", metavar="VARIANT", help="What is compared with.  [default: the first]")
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="Show this measure, and only those named; may be given again.  "
    "[default: those in which runs differ]",
)
@click.option(
    "--runs",
    callback=whole(2, RUNS_MAX),
    metavar="N",
    help="Runs of each variant and sweep cell.  [default: what the file says, else 10000]",
)
@seed
@workers("count; the numbers do not depend on it.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="What is written.",
)
@click.option("--out", metavar="FILE", default=STDOUT, help="Write to FILE, whole or not at all.")
@click.option("--charts", metavar="DIR", help="Draw the differences into DIR, as PNG and SVG.")
@width
@no_color
@debug
def command(
    paths: tuple[str, ...],
    base: str | None,
    measures: tuple[str, ...],
    runs: int | None,
    seed: int | None,
    workers: int | None,
    form: str,
    out: str,
    charts: str | None,
    width: int | None,
    no_color: bool,
) -> Exit:
    """Compare the variants of each scenario on the same weather: paired differences.

    Every variant is run with the same run numbers of the same seed, so that all
    of them meet the same losses and delays; each is compared with the base, per
    cell of the sweep. PATH is a scenario file, a folder (every scenario below
    it), or the name of a shipped scenario or folder.
    """
    return compare_all(
        Wish(
            paths=paths,
            runs=runs,
            seed=seed,
            workers=workers,
            base=base,
            measures=measures,
            form=form,
            out=out,
            charts=charts,
            width=width,
            colour=False if no_color else None,
        )
    )


def compare_all(wish: Wish) -> Exit:
    """Compare what was asked for and return the exit status."""
    _check_measures(wish.measures)
    wanted, status = _wanted(wish)
    if not wanted:
        return status
    _check_outputs(wish, wanted)
    with Interrupts() as interrupts:
        found = _count(wish, wanted, interrupts)
        if found is None:
            return Exit.INTERRUPTED
        _show(wish, found)
        if wish.charts is not None:
            draw_compared(found, wish.measures, wish.charts, lambda: interrupts.asked)
            if interrupts.asked:
                say("interrupted: the numbers are whole, charts may be missing")
                return Exit.INTERRUPTED
    unmatched = any(result.never_matched for result in found)
    return worst([status, Exit.INCONCLUSIVE if unmatched else Exit.OK])


def _count(
    wish: Wish, wanted: Sequence[Group], interrupts: Interrupts
) -> Sequence[GroupResult] | None:
    """Make all runs; None where somebody wants to stop before: a difference needs all of them."""
    runs = sum(group.runs for group in wanted)
    bar = Bar(runs, 0, time.perf_counter)
    done = 0

    def made(more: int) -> None:
        nonlocal done
        done += more
        bar.show(done, "")

    def stop() -> bool:
        bar.show(done, "")
        return interrupts.asked

    with pool(wish.workers, runs) as workers:
        try:
            found = compare(wanted, time.perf_counter, workers, stop=stop, made=made)
        finally:
            bar.clear()
    if done < runs:
        say(f"interrupted: {done:,} of {runs:,} runs are made; a difference needs all of them")
        return None
    return found


def _check_measures(names: Sequence[str]) -> None:
    known = [measure.name for measure in COMPARED]
    for name in names:
        if name in _QUANTILES:
            raise CommandError(
                f"'{name}' has no paired difference of its own",
                f"use {MEAN_CERTAINTY.name}: p50, p90 and p99 stand beside it",
            )
        if name not in known:
            raise CommandError(
                f"there is no paired difference of '{name[:60]}'", use_one_of(name, known)
            )


def _wanted(wish: Wish) -> tuple[list[Group], Exit]:
    """Return what can be compared; everything that cannot is told before anything runs."""
    chosen = choose(wish.paths)
    status = Exit.BAD_INPUT if chosen.problems else Exit.OK
    for problem in chosen.problems:
        say(str(problem))
    wanted: list[Group] = []
    for scenario in chosen.scenarios:
        try:
            wanted += groups(scenario, runs=wish.runs, seed=wish.seed, base=wish.base)
        except CompareError as problem:
            say(f"{scenario.path}: {problem}")
            status = Exit.BAD_INPUT
    return wanted, status


def _check_outputs(wish: Wish, wanted: Sequence[Group]) -> None:
    """Refuse outputs that will not do before thousands of runs are made for them."""
    check_outputs([wish.out], [path for group in wanted for path in group.scenario.files])
    if wish.charts is not None:
        check_folder(wish.charts)


def _show(wish: Wish, found: Sequence[GroupResult]) -> None:
    if wish.form == "text":
        _show_text(wish, found)
        return
    from sim.report import compared_formats  # noqa: PLC0415 - one form is wanted

    render = compared_formats.as_json if wish.form == "json" else compared_formats.as_markdown
    write_text(wish.out, render(found, wish.measures))
    _say_written(wish)


def _show_text(wish: Wish, found: Sequence[GroupResult]) -> None:
    from sim.report import compared as report  # noqa: PLC0415 - the same
    from sim.report.console import make_console  # noqa: PLC0415 - the same

    to_file = io.StringIO() if wish.out != STDOUT else None
    console = make_console(to_file or sys.stdout, colour=wish.colour, width=wish.width)
    with results():
        console.print(report.compared(found, wish.measures))
        console.print(report.ending(found))
    if to_file is not None:
        write_text(wish.out, to_file.getvalue())
        _say_written(wish)


def _say_written(wish: Wish) -> None:
    if wish.out != STDOUT:
        say(f"written: {wish.out}")
