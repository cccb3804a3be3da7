"""Options that several commands share, and how they read their values."""

from collections.abc import Callable
from typing import TypeVar

import click

_Made = TypeVar("_Made", bound=Callable[..., object])

SEED_MAX = 10**12
"""As in scenario files."""


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
