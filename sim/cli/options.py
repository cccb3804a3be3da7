"""Options that several commands share, and how they read their values."""

from collections.abc import Callable
from typing import TypeVar

import click

_Made = TypeVar("_Made", bound=Callable[..., object])

SEED_MAX = 10**12
"""As in scenario files."""
WORKERS_MAX = 1_024
SECONDS_MAX = 10**7


def whole(least: int, most: int) -> Callable[..., int | None]:
    """Return an option's callback that reads a whole number in [least, most]; None stays None."""

    def read(_: click.Context, __: click.Parameter, value: str | int | None) -> int | None:
        if value is None:
            return None
        text = str(value).strip()
        digits = text.removeprefix("-")
        # A number of thousands of digits is refused before Python is asked to read it.
        if not (digits.isascii() and digits.isdigit() and len(digits) < 30):
            raise click.BadParameter(f"'{text[:40]}' is not a whole number")
        number = int(text)
        if not least <= number <= most:
            raise click.BadParameter(f"'{text[:40]}' is not in the range {least} to {most}")
        return number

    return read


def _seconds(_: click.Context, __: click.Parameter, value: str | None) -> float | None:
    """Read a number of seconds as it was typed; what is no number is not in the range either."""
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        raise click.BadParameter(f"'{value[:40]}' is not a number of seconds") from None
    if not 0 <= seconds <= SECONDS_MAX:
        raise click.BadParameter(f"'{value[:40]}' is not in the range 0 to {SECONDS_MAX}")
    return seconds


def seconds_max(said: str) -> Callable[[_Made], _Made]:
    """Add ``--max-seconds``, with what its help says."""
    return click.option("--max-seconds", "seconds_max", callback=_seconds, metavar="S", help=said)


def workers(said: str) -> Callable[[_Made], _Made]:
    """Add ``--workers``, with what its help says of them."""
    return click.option(
        "--workers",
        callback=whole(1, WORKERS_MAX),
        metavar="N",
        help=f"Processes that {said}  [default: the processors]",
    )


def seed(command: _Made) -> _Made:
    """Add ``--seed``."""
    return click.option(
        "--seed",
        callback=whole(0, SEED_MAX),
        metavar="N",
        help="In place of the scenarios' own seed.",
    )(command)


def variant(command: _Made) -> _Made:
    """Add ``--variant``."""
    return click.option(
        "--variant", metavar="NAME", help="Only this variant; scenarios without it rest."
    )(command)


def width(command: _Made) -> _Made:
    """Add ``--width``."""
    return click.option(
        "--width",
        callback=whole(60, 240),
        metavar="COLUMNS",
        help="60 to 240.  [default: the terminal's; 100 in a pipe]",
    )(command)


def debug(command: _Made) -> _Made:
    """Add ``--debug``; the guard around all commands reads it."""
    return click.option(
        "--debug", is_flag=True, expose_value=False, help="Show the traceback of a lostack bug."
    )(command)


def no_color(command: _Made) -> _Made:
    """Add ``--no-color``."""
    return click.option(
        "--no-color", is_flag=True, help="No colour; the variable NO_COLOR says the same."
    )(command)
