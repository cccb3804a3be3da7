"""``lostack verdict``: is it safe to retry this?"""

import click

from sim.cli.exits import Exit
from sim.cli.options import debug, no_color, seconds_max, variant, whole, width, workers

EPILOG = """\
\b
The verdicts, the strongest first:
  effectively-once           however often it is sent again, it happens once
  safe after a status check  a status query settles it before anything is sent again
  at-most-once               never twice, but it can stay unconfirmed
  at-least-once              it can happen twice
  unsafe                     somebody is told what is not true, or work is lost
\b
Examples:
  lostack verdict lost-ack
  lostack verdict my-save.yaml --faults 3
\b
Exit status: 0 a verdict; 1 it is 'at-least-once' or 'unsafe'; 2 bad input;
3 inconclusive: a bound was reached; 4 a bug of lostack; 130 interrupted.
"""


@click.command("verdict", epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--faults",
    callback=whole(1, 9),
    metavar="K",
    help="Most faults in one schedule; the scenario's own are left out.  [default: 2]",
)
@variant
@seconds_max("Stop after so long: inconclusive.")
@workers("search; the verdict does not depend on it.")
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
    variant: str | None,
    seconds_max: float | None,
    workers: int | None,
    form: str,
    width: int | None,
    no_color: bool,
) -> Exit:
    """Say whether it is safe to retry what a scenario does, and what that rests on.

    Every schedule of up to K faults is searched, by kind of fault and with all
    kinds together. The verdict is never stronger than what was searched. PATH is
    a scenario file, a folder (every scenario below it), or a shipped name.
    """
    from sim.cli.explore_wish import Wish  # noqa: PLC0415 - help must not wait for it
    from sim.cli.verdict_all import verdict_all  # noqa: PLC0415 - the same

    return verdict_all(
        Wish(
            paths=paths,
            faults=faults,
            variant=variant,
            seconds_max=seconds_max,
            workers=workers,
            form="json" if form == "json" else "text",
            width=width,
            colour=False if no_color else None,
        )
    )
