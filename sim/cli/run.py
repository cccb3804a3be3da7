"""``lostack run``: what it takes."""

import click

from sim.cli.exits import Exit
from sim.cli.options import SEED_MAX, debug, no_color, seed, variant, whole, width
from sim.cli.running import run_all
from sim.cli.wish import Wish

FORMATS = ("text", "json", "junit", "markdown", "github")
DIAGRAMS = ("mermaid", "svg")

EPILOG = """\
\b
Examples:
  lostack run lost-ack                        a shipped scenario, by name
  lostack run recovery                        a shipped folder of them, briefly
  lostack run shipped                         all that are shipped
  lostack run my-save.yaml drafts/            a file, and all below a folder
  lostack run lost-ack --diagram mermaid      a sequence diagram, to paste
  lostack run lost-ack --diagram svg > a.svg  the same as a picture
  lostack run --proofs                        what the shipped scenarios prove
  lostack run . --format junit > lostack.xml  for a build server
\b
Exit status: 0 all as expected; 1 an expectation or an invariant is not; 2 bad
input, or an output that cannot be written; 3 inconclusive: a fault never
matched, a limit was reached, a claim is not shown; 4 a bug of lostack, such as
a run that does not repeat; 130 interrupted. Where several apply: 4, 130, 2, 1,
3, 0. Files that do not load are all told before anything runs, and the others
are run all the same.
"""


@click.command("run", epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="PATH...")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="What standard output holds.",
)
@click.option(
    "--brief/--stories",
    default=None,
    help="Brief: no stories, and findings only where something is not as expected. "
    "[default: brief for more than 3 scenarios]",
)
@click.option("--full", is_flag=True, help="Tell long stories whole.")
@click.option(
    "--diagram",
    type=click.Choice(DIAGRAMS),
    help="Print a sequence diagram instead: a Mermaid one (of several runs, Markdown with one "
    "each), or an SVG picture of one run.",
)
@click.option(
    "--proofs",
    is_flag=True,
    help="Print what the scenarios that are tagged for a claim prove, and what they do not. "
    "Without PATH: all shipped ones.",
)
@click.option(
    "--trace",
    metavar="FILE",
    help="Write every run's trace to FILE as JSON Lines; '-' is standard output.",
)
@click.option(
    "--as-scenario",
    metavar="FILE",
    help="Write the run (one variant) to FILE as a scripted scenario that replays to the same "
    "outcome and expects it: what was chance becomes faults addressed to single messages, acts "
    "and pauses. '-' is standard output.",
)
@click.option(
    "--twice",
    is_flag=True,
    help="Run everything a second time in a fresh process under another hash seed; "
    "a trace that differs is a bug of lostack (status 4).",
)
@click.option(
    "--fail-fast", is_flag=True, help="Stop after the first scenario that is not as expected."
)
@variant
@click.option(
    "--cell", metavar="PATH=VALUE", help="Only this cell of a sweep, as measure names it."
)
@seed
@click.option(
    "--run",
    callback=whole(0, SEED_MAX),
    metavar="N",
    help="Which run of the seed: N names the random decisions.  [default: the file's 'run', "
    "else 0]",
)
@width
@no_color
@debug
def command(
    paths: tuple[str, ...],
    form: str,
    brief: bool | None,
    full: bool,
    diagram: str | None,
    proofs: bool,
    trace: str | None,
    as_scenario: str | None,
    twice: bool,
    fail_fast: bool,
    variant: str | None,
    cell: str | None,
    seed: int | None,
    run: int | None,
    width: int | None,
    no_color: bool,
) -> Exit:
    """Run each scenario once: its story, what was expected, what was found.

    PATH is a scenario file, a folder (every scenario below it), the name of a
    shipped scenario or folder, or 'shipped' for all of these. All variants of a
    scenario are run.
    """
    return run_all(
        Wish(
            paths=paths,
            form=form,
            brief=brief,
            full=full,
            diagram=diagram,
            proofs=proofs,
            trace=trace,
            as_scenario=as_scenario,
            twice=twice,
            fail_fast=fail_fast,
            variant=variant,
            cell=cell,
            seed=seed,
            run=run,
            width=width,
            colour=False if no_color else None,
        )
    )
