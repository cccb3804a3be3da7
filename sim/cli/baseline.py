"""``lostack baseline``: what its two parts take."""

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TypeVar

import click

from sim.cli.baseline_run import Wish, check_all, update_all
from sim.cli.exits import Exit
from sim.cli.options import debug, no_color, whole, width, workers
from sim.measure.baseline import RUNS_MAX
from sim.measure.baseline_diff import By, Exactly, Tolerance, Within

FORMATS = ("text", "json", "markdown", "github")
FOLDER = "reports/baselines"
_REASON_MAX = 400
_DECIMALS_MAX = 12

EPILOG = """\
\b
Examples:
  lostack baseline check scenarios
  lostack baseline update scenarios
\b
Each of the two has a help of its own, with its options and exit statuses.
"""

CHECK_EPILOG = """\
\b
Examples:
  lostack baseline check scenarios            everything, exactly
  lostack baseline check scenarios --tolerance interval
  lostack baseline check . --format github    annotations, for a build server
\b
Exit status: 0 as the baselines; 1 something moved, or a baseline is missing,
stale or orphaned; 2 bad input; 4 a bug of lostack; 130 interrupted.
"""

UPDATE_EPILOG = """\
\b
Examples:
  lostack baseline update scenarios           first baselines need no reason
  lostack baseline update scenarios --reason "the registry is asked first now"
\b
Exit status: 0 written, or nothing to write; 2 bad input, no reason, or an
output that cannot be written; 4 a bug of lostack; 130 interrupted (nothing is
written then).
"""

_Made = TypeVar("_Made", bound=Callable[..., object])


def _tolerance(_: click.Context, __: click.Parameter, value: str | None) -> Tolerance:
    if value is None:
        return Exactly()
    if value == "interval":
        return Within()
    try:
        amount = Decimal(value)
    except InvalidOperation:
        raise click.BadParameter(f"'{value[:40]}' is neither a number nor 'interval'") from None
    if not (amount.is_finite() and 0 <= amount <= 1):
        raise click.BadParameter(f"'{value[:40]}' is not in the range 0 to 1")
    # A fraction of a billion digits is refused before Python is asked to make it.
    if amount and amount.adjusted() < -_DECIMALS_MAX:
        raise click.BadParameter(f"'{value[:40]}' is neither 0 nor at least 1e-{_DECIMALS_MAX}")
    return By(Fraction(amount)) if amount else Exactly()


def _reason(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    said = " ".join(value.split())
    if not said or len(said) > _REASON_MAX:
        raise click.BadParameter(f"a reason has 1 to {_REASON_MAX} characters")
    return said


def _shared(command: _Made) -> _Made:
    """Add what both parts take."""
    options = (
        click.argument("paths", nargs=-1, required=True, metavar="PATH..."),
        click.option(
            "--dir",
            "folder",
            metavar="DIR",
            default=FOLDER,
            show_default=True,
            help="Where the baselines are.",
        ),
        workers("run scenarios."),
        width,
        no_color,
        debug,
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.group("baseline", epilog=EPILOG, invoke_without_command=True)
@debug
@click.pass_context
def command(context: click.Context) -> Exit:
    """Compare what scenarios do now with what they did when it was said to be right.

    There is one readable JSON file for each scenario: the traces of scripted
    scenarios, and the counts of measured ones (those that name runs or have a
    sweep). lostack is deterministic, so nothing moves by itself.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        return Exit.BAD_INPUT
    return Exit.OK


@command.command("check", epilog=CHECK_EPILOG)
@_shared
@click.option(
    "--tolerance",
    callback=_tolerance,
    metavar="AMOUNT|interval",
    help="Let rates move by so much (0.01: a share by one percentage point, a mean or a time by "
    "1 %), or within the baseline's 95 % interval; maxima may move then.  [default: 0: nothing "
    "moves, nor any count]",
)
@click.option(
    "--only-new",
    is_flag=True,
    help="Only expectations and invariants that fail now and did not in the baseline count; "
    "missing, stale and orphaned baselines do too.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="What standard output holds.",
)
def check(
    paths: tuple[str, ...],
    folder: str,
    workers: int | None,
    width: int | None,
    no_color: bool,
    tolerance: Tolerance,
    only_new: bool,
    form: str,
) -> Exit:
    """Say what has moved.

    Old, new and difference of each number; of a story the first record that
    differs. PATH is a scenario file, a folder (every scenario below it), or the
    name of a shipped scenario or folder.
    """
    return check_all(
        Wish(
            paths=paths,
            folder=folder,
            workers=workers,
            width=width,
            colour=False if no_color else None,
            tolerance=tolerance,
            only_new=only_new,
            form=form,
        )
    )


@command.command("update", epilog=UPDATE_EPILOG)
@_shared
@click.option(
    "--reason",
    callback=_reason,
    metavar="TEXT",
    help="Why it is right that something moved; kept in the baseline. Needed where a baseline "
    "that there is changes.",
)
@click.option(
    "--runs",
    callback=whole(2, RUNS_MAX),
    metavar="N",
    help="Runs of each cell of measured scenarios.  [default: the baseline's own, else what the "
    "file says, 50 at most]",
)
@click.option("--prune", is_flag=True, help="Delete the baselines of scenarios that are gone.")
def update(
    paths: tuple[str, ...],
    folder: str,
    workers: int | None,
    width: int | None,
    no_color: bool,
    reason: str | None,
    runs: int | None,
    prune: bool,
) -> Exit:
    """Show what has moved, then write it.

    What has not moved is left as it is. PATH is a scenario file, a folder
    (every scenario below it), or the name of a shipped scenario or folder.
    """
    return update_all(
        Wish(
            paths=paths,
            folder=folder,
            workers=workers,
            width=width,
            colour=False if no_color else None,
            reason=reason,
            runs=runs,
            prune=prune,
        )
    )
