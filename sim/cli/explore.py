"""``lostack explore``: what it takes."""

import click

from sim.cli.exits import Exit
from sim.cli.options import debug, no_color, seconds_max, seed, variant, whole, width, workers

FAULTS_MAX = 9
ACTS_MAX = 9
SCHEDULES_MAX = 10**9
RUN_MAX = 10**9

EPILOG = """\
\b
Kinds of fault: lost, late (until after the client's timer, until after the next
attempt, until after everything), duplicated, crash (at each point), error (503
before the commit, 500 after it), slow, gateway (504 while the work goes on),
order (of what falls on one instant).
\b
Examples:
  lostack explore lost-ack                        every schedule of at most 2 faults
  lostack explore my-save.yaml --faults 3         of at most 3
  lostack explore my-save.yaml --also edit,save,reload   and one such act, anywhere
  lostack explore my-save.yaml --save found/      counterexamples as scenario files
  lostack explore my-save.yaml --from-run 4711    the smallest part of that run
  lostack explore --kill-matrix                   every mistake, and what exposes it
  lostack explore --suite --faults 2              no mistake, and nothing breaks
  lostack explore --pairs                         two mistakes that need each other
  lostack explore --reach                         every rule, and which story uses it
\b
Exit status: 0 every invariant holds in every schedule (or is declared to break);
1 one breaks; 2 bad input, a population too; 3 inconclusive: a bound was reached;
4 a bug of lostack; 130 interrupted. Where several apply: 4, 130, 2, 1, 3, 0.
"""


def _names(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(part.strip().replace("-", "_") for part in value.split(",") if part.strip())


def _asked(**flags: bool) -> tuple[str, ...]:
    """Return the names of the flags that are set, as they are written."""
    return tuple(name.replace("_", "-") for name, is_set in flags.items() if is_set)


@click.command("explore", epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="PATH...")
@click.option(
    "--faults",
    callback=whole(0, FAULTS_MAX),
    metavar="K",
    help="Most faults in one schedule, besides the scenario's own.  [default: 2]",
)
@click.option("--kinds", callback=_names, metavar="LIST", help="Only these kinds.  [default: all]")
@click.option(
    "--also",
    callback=_names,
    metavar="LIST",
    help="Let people act at every point, too: edit, save, reload, close, sign_in …",
)
@click.option(
    "--acts",
    callback=whole(1, ACTS_MAX),
    metavar="N",
    help="Most such acts in one schedule.  [default: 1]",
)
@variant
@click.option(
    "--max-schedules",
    "schedules_max",
    callback=whole(1, SCHEDULES_MAX),
    metavar="N",
    help="Stop after so many runs: inconclusive.",
)
@seconds_max("Stop after so long: inconclusive.")
@workers("search; the report does not depend on it.")
@click.option("--save", metavar="DIR", help="Write each counterexample into DIR, as a scenario.")
@click.option(
    "--from-run",
    callback=whole(0, RUN_MAX),
    metavar="N",
    help="No search: shrink run N of the measurement, which breaks an invariant.",
)
@click.option(
    "--kill-matrix",
    is_flag=True,
    help="Every mistake, alone, over a suite of small situations; --faults bounds the contract.",
)
@click.option(
    "--suite",
    is_flag=True,
    help="No mistake, over the same suite, at most K (3) faults: it must break nothing.",
)
@click.option(
    "--pairs",
    is_flag=True,
    help="A client's and a server's mistake over the suite: harmless alone, harmful together.",
)
@click.option(
    "--reach",
    is_flag=True,
    help="What the shipped scenarios (or PATHs) come to; exit 1 if a rule is never used.",
)
@seed
@click.option(
    "--all", "every", is_flag=True, help="Counterexamples of what is declared to break, too."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json")),
    default="text",
    show_default=True,
    help="What standard output holds.",
)
@width
@no_color
@debug
def command(
    paths: tuple[str, ...],
    faults: int | None,
    kinds: tuple[str, ...],
    also: tuple[str, ...],
    acts: int | None,
    variant: str | None,
    schedules_max: int | None,
    seconds_max: float | None,
    workers: int | None,
    save: str | None,
    from_run: int | None,
    kill_matrix: bool,
    suite: bool,
    pairs: bool,
    reach: bool,
    seed: int | None,
    every: bool,
    form: str,
    width: int | None,
    no_color: bool,
) -> Exit:
    """Try every schedule of up to K faults; show the smallest that breaks an invariant.

    The people, the client and the server are the scenario's, its own faults
    too. Every message can be lost, late or duplicated, every execution crash,
    fail or be slow, every tie go either way. PATH is a scenario file, a folder
    (every scenario below it), or the name of a shipped scenario or folder.
    """
    from sim.cli.explore_all import explore_all  # noqa: PLC0415 - help must not wait for it
    from sim.cli.explore_wish import Wish  # noqa: PLC0415 - the same

    return explore_all(
        Wish(
            paths=paths,
            faults=faults,
            kinds=kinds,
            also=also,
            acts=acts,
            variant=variant,
            schedules_max=schedules_max,
            seconds_max=seconds_max,
            workers=workers,
            save=save,
            from_run=from_run,
            over=_asked(kill_matrix=kill_matrix, suite=suite, pairs=pairs, reach=reach),
            seed=seed,
            every=every,
            form="json" if form == "json" else "text",
            width=width,
            colour=False if no_color else None,
        )
    )
