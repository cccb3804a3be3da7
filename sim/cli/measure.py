"""``lostack measure``: what it takes."""

from typing import get_args

import click

from sim.cli.exits import Exit
from sim.cli.measure_all import measure_all
from sim.cli.measure_wish import Form, Wish
from sim.cli.options import debug, no_color, seconds_max, seed, variant, whole, width, workers

FORMATS = get_args(Form)
RUNS_MAX = 10**9

EPILOG = """\
\b
Examples:
  lostack measure my-save.yaml                    10,000 runs of each variant and cell
  lostack measure my-save.yaml --runs 1000        fewer
  lostack measure drafts/ --out results           with files: CSV, histograms, a manifest
  lostack measure drafts/ --out results --resume  go on after Ctrl-C, a kill or a full disk
  lostack run my-save.yaml --run 4711             the story of one of these runs
\b
Exit status: 0 all as expected; 1 a rate is out of its bounds or an invariant
broke; 2 bad input, or an output that cannot be written; 3 inconclusive: out of
time, a fault or a claimed violation never occurred, a rate has no value; 4 a
bug of lostack; 130 interrupted. Where several apply: 4, 130, 2, 1, 3, 0. A rate
is shown only when all its runs are made; what is finished is always kept.
"""


@click.command("measure", epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--runs",
    callback=whole(1, RUNS_MAX),
    metavar="N",
    help="Runs of each variant and sweep cell.  [default: what the file says, else 10000]",
)
@seed
@workers("count; the numbers do not depend on it.")
@click.option(
    "--cluster", metavar="tcp://HOST:PORT", help="Count on a Dask cluster (lostack[cluster])."
)
@click.option("--out", metavar="DIR", help="Write the results as files into DIR.")
@click.option(
    "--charts/--no-charts",
    default=True,
    help="Draw charts into DIR/charts when everything is measured.  [default: charts]",
)
@click.option("--resume", is_flag=True, help="Go on from what DIR holds of the same measurement.")
@click.option(
    "--replace", is_flag=True, help="Write over another measurement, or other files, in DIR."
)
@seconds_max("Stop after so long, and keep what is finished.")
@variant
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="What standard output holds.",
)
@click.option(
    "--all", "full", is_flag=True, help="Every measure, also those that say nothing here."
)
@width
@no_color
@debug
def command(
    paths: tuple[str, ...],
    runs: int | None,
    seed: int | None,
    workers: int | None,
    cluster: str | None,
    out: str | None,
    charts: bool,
    resume: bool,
    replace: bool,
    seconds_max: float | None,
    variant: str | None,
    form: Form,
    full: bool,
    width: int | None,
    no_color: bool,
) -> Exit:
    """Run each scenario many times: rates with their 95 % intervals.

    Every variant and every cell of the sweep is run with the run numbers from 0
    on; each run draws its own weather from the seed and its number. PATH is a
    scenario file, a folder (every scenario below it), or the name of a shipped
    scenario or folder.
    """
    return measure_all(
        Wish(
            paths=paths,
            runs=runs,
            seed=seed,
            workers=workers,
            cluster=cluster,
            out=out,
            charts=charts,
            resume=resume,
            replace=replace,
            seconds_max=seconds_max,
            form=form,
            variant=variant,
            full=full,
            width=width,
            colour=False if no_color else None,
        )
    )
