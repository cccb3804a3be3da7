"""Durations, rates and shares as they are written in scenario files.

A duration is a number with a unit: ``250us``, ``40ms``, ``2s``, ``5m``, ``24h``, ``30d``; a
fraction is allowed where it is a whole number of microseconds (``1.5s``); a bare ``0`` needs no
unit. A rate is a number of times a second, minute, hour or day: ``10/s``, ``3/m``.
"""

import re
from fractions import Fraction

UNITS_US = {
    "us": 1,
    "ms": 1_000,
    "s": 1_000_000,
    "m": 60_000_000,
    "h": 3_600_000_000,
    "d": 86_400_000_000,
}
DURATION_MAX_US = 36_525 * UNITS_US["d"]
"""A hundred years: longer is a slip of the pen."""
DURATION_PATTERN = r"^[0-9]+(\.[0-9]+)?(us|ms|s|m|h|d)$"
RATE_PATTERN = r"^[0-9]+(\.[0-9]+)?/(s|m|h|d)$"

_DURATION = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,18})?)(us|ms|s|m|h|d)", re.ASCII)
_RATE = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,18})?)/(s|m|h|d)", re.ASCII)
_ENDLESS = re.compile(r"[0-9]{19,}(?:\.[0-9]+)?(us|ms|s|m|h|d)", re.ASCII)
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?", re.ASCII)


class UnitError(ValueError):
    """A text is no duration or rate; carries what is wrong with it and how to write it."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem, fix)
        self.problem, self.fix = problem, fix


def duration_us(text: str) -> int:
    """Return a duration in microseconds.

    Raises:
        UnitError: It has no unit, an unknown one, a part of a microsecond, or exceeds 100 years.
    """
    if text in ("0", "0.0"):
        return 0
    match = _DURATION.fullmatch(text)
    if match is None:
        if _NUMBER.fullmatch(text):
            raise UnitError(
                f"the duration '{text[:40]}' has no unit",
                f"write '{text[:40]}s' or '{text[:40]}ms'",
            )
        if _ENDLESS.fullmatch(text):
            raise _too_long(text)
        raise UnitError(
            f"'{text[:40]}' is not a duration", "write a number and a unit, as 40ms, 2s, 5m, 24h"
        )
    exact = Fraction(match[1]) * UNITS_US[match[2]]
    if exact.denominator != 1:
        raise UnitError(
            f"'{text}' is not a whole number of microseconds", "round it, or use a smaller unit"
        )
    if exact > DURATION_MAX_US:
        raise _too_long(text)
    return int(exact)


def _too_long(text: str) -> UnitError:
    return UnitError(f"'{text[:40]}' is longer than 100 years", "use at most 36525d")


def pause_us(text: str) -> int:
    """Return the (mean) pause in microseconds of a rate (``10/s``) or of a duration (``100ms``).

    Raises:
        UnitError: It is neither, is zero, or is more than a million a second.
    """
    match = _RATE.fullmatch(text)
    if match is None:
        pause = duration_us(text)
    else:
        rate = Fraction(match[1])
        if rate == 0:
            raise UnitError(f"the rate '{text}' never happens", "use a rate above zero")
        pause = round(UNITS_US[match[2]] / rate)
    if not 1 <= pause <= DURATION_MAX_US:
        raise UnitError(
            f"'{text}' is not a pause of at least a microsecond", "write a rate, as 10/s or 3/m"
        )
    return pause


def duration_text(value_us: int) -> str:
    """Return a duration with the unit that reads best: ``1.5s`` rather than ``1500ms``.

    Whole numbers win, of the largest unit; then at most two decimals of a larger unit where the
    whole number would have five digits or more.
    """
    if value_us == 0:
        return "0s"
    if value_us == UNITS_US["d"]:
        return "24h"
    whole = next(u for u in reversed(UNITS_US) if value_us % UNITS_US[u] == 0)
    number = value_us // UNITS_US[whole]
    if number < 10_000 and not (whole == "ms" and number > 1_000 and number % 100 == 0):
        return f"{number}{whole}"
    for unit in ("s", "ms"):
        hundredths = value_us * 100
        if (
            value_us >= UNITS_US[unit]
            and hundredths % UNITS_US[unit] == 0
            and whole in ("ms", "us")
        ):
            cents = hundredths // UNITS_US[unit]
            return f"{cents // 100}.{cents % 100:02}".rstrip("0").rstrip(".") + unit
    return f"{number}{whole}"
