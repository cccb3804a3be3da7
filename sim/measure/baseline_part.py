"""Parts of a baseline's file, read strictly: each is what it must be, or it is said where it fails.

JSON lets through what no baseline holds: keys twice, numbers without end, NaN. They are read as
values that no part may have, so that the complaint about them can name their place.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, TypeAlias

from sim.trace.words import plain

Place: TypeAlias = tuple[str | int, ...]
"""The keys and indices that lead from the whole file to a part of it."""

_DIGITS_MAX = 30
_SHOWN_MAX = 40
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_SPACE = re.compile(r"[ \t\n\r]*")
_IN_FULL_MAX = 10**15
"""Limits above this are told in powers of ten."""


class DamagedError(Exception):
    """A part of the file is not what it must be.

    All arguments go to ``super().__init__`` in order, so that pickle can rebuild the exception.
    """

    def __init__(self, at: Place, problem: str) -> None:
        super().__init__(at, problem)
        self.at, self.problem = at, problem

    def __str__(self) -> str:
        return f"{name_of(self.at)}: {self.problem}" if self.at else self.problem


@dataclass(frozen=True, slots=True)
class Unfit:
    """A number that no part of a baseline may have, as it stands in the file."""

    text: str


class Keys(dict[str, Any]):
    """The keys of one object of the file; ``twice`` are those that stand there again."""

    def __init__(self, pairs: Iterable[tuple[str, Any]]) -> None:
        listed = list(pairs)
        super().__init__(listed)
        self.twice = () if len(self) == len(listed) else _twice([key for key, _ in listed])


def _twice(keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(key for number, key in enumerate(keys) if key in keys[:number])


def _whole(digits: str) -> int | Unfit:
    # Python takes long over thousands of digits, and refuses still more.
    return int(digits) if len(digits) <= _DIGITS_MAX else Unfit(digits)


def _fraction(text: str) -> float | Unfit:
    value = float(text)
    return value if isfinite(value) else Unfit(text)


_DECODER = json.JSONDecoder(
    object_pairs_hook=Keys, parse_int=_whole, parse_float=_fraction, parse_constant=Unfit
)


def load(text: str) -> Any:
    """Return what a JSON text holds.

    Raises:
        json.JSONDecodeError: It is no JSON.
        RecursionError: It is nested too deeply.
    """
    return _DECODER.decode(text)


@dataclass(frozen=True, slots=True)
class Part:
    """One value of the file, and its place there.

    Every method raises ``DamagedError`` where the value is not what is asked for.
    """

    value: Any
    at: Place = ()

    def fields(self, needed: Sequence[str], allowed: Sequence[str] = ()) -> dict[str, "Part"]:
        """Return the values of an object by their keys: all that are needed, and no other."""
        found = dict(self.entries())
        for key in needed:
            if key not in found:
                raise self.damaged(f"'{key}' is missing")
        for key, part in found.items():
            if key not in needed and key not in allowed:
                known = ", ".join((*needed, *allowed))
                raise part.damaged(f"unknown key '{_short(key)}'; there may be: {known}")
        return found

    def entries(self) -> list[tuple[str, "Part"]]:
        """Return the keys of an object, which may be any, with their values, in their order."""
        if not isinstance(self.value, Keys):
            raise self.damaged(f"'{self.shown}' is no object in braces")
        for key in self.value.twice:
            raise Part(None, (*self.at, key)).damaged(f"the key '{_short(key)}' stands there twice")
        return [(key, Part(value, (*self.at, key))) for key, value in self.value.items()]

    def items(self) -> list["Part"]:
        """Return the items of a list."""
        if not isinstance(self.value, list):
            raise self.damaged(f"'{self.shown}' is no list in brackets")
        return [Part(value, (*self.at, number)) for number, value in enumerate(self.value)]

    def text(self) -> str:
        """Return a text."""
        if not isinstance(self.value, str):
            raise self.damaged(f"'{self.shown}' is no text in quotes")
        return self.value

    def texts(self) -> tuple[str, ...]:
        """Return a list of texts."""
        return tuple(each.text() for each in self.items())

    def named(self) -> tuple[tuple[str, str], ...]:
        """Return an object of texts, in its order."""
        return tuple((key, each.text()) for key, each in self.entries())

    def hexadecimal(self, digits: int) -> str:
        """Return so many hexadecimal digits."""
        text = self.text()
        if not re.fullmatch(f"[0-9a-f]{{{digits}}}", text):
            raise self.damaged(f"'{self.shown}' is not {digits} hexadecimal digits")
        return text

    def whole(self, least: int, most: int) -> int:
        """Return a whole number in [least, most]."""
        is_whole = isinstance(self.value, int) and not isinstance(self.value, bool)
        if not (is_whole and least <= self.value <= most):
            raise self.damaged(f"'{self.shown}' is no whole number {_range(least, most)}")
        return int(self.value)

    def number(self, least: float, most: float) -> float:
        """Return a number in [least, most]."""
        is_number = isinstance(self.value, int | float) and not isinstance(self.value, bool)
        if not (is_number and least <= self.value <= most):
            raise self.damaged(f"'{self.shown}' is no number {_range(least, most)}")
        return float(self.value)

    @property
    def shown(self) -> str:
        """The value as it stands in the file, in so few characters that a line can hold it."""
        if isinstance(self.value, Unfit):
            return _short(self.value.text)
        return _short(json.dumps(self.value, ensure_ascii=False, default=lambda odd: odd.text))

    def damaged(self, problem: str) -> DamagedError:
        """Return the error that something is wrong here."""
        return DamagedError(self.at, problem)


def _short(text: str) -> str:
    said = plain(text)
    return said if len(said) <= _SHOWN_MAX else f"{said[:_SHOWN_MAX]}…"


def _range(least: float, most: float) -> str:
    limits = (f"{each:,}" if each < _IN_FULL_MAX else f"{float(each):g}" for each in (least, most))
    return f"from {' to '.join(limits)}"


def name_of(at: Place) -> str:
    """Return a place as people read it: ``cells[0].counts["refused_rate.invalid"].of``."""
    said = ""
    for step in at:
        if isinstance(step, str) and _PLAIN_KEY.fullmatch(step):
            said += f".{step}"
        else:
            said += f"[{step}]" if isinstance(step, int) else f'["{_short(step)}"]'
    return said.removeprefix(".")


def position(text: str, at: Place) -> tuple[int, int]:
    """Return line and column (from 1) of a part of a JSON text.

    Args:
        text: JSON.
        at: A place that it has.
    """
    here = _skip(text, 0)
    for step in at:
        here = _key(text, here, step) if isinstance(step, str) else _item(text, here, step)
    return text.count("\n", 0, here) + 1, here - (text.rfind("\n", 0, here) + 1) + 1


def _skip(text: str, here: int) -> int:
    """Return where the white space that begins at ``here`` ends."""
    found = _SPACE.match(text, here)
    return found.end() if found is not None else here


def _key(text: str, here: int, key: str) -> int:
    """Return where the value of a key begins, in the object that begins at ``here``."""
    while True:
        found, end = _DECODER.raw_decode(text, _skip(text, here + 1))
        value = _skip(text, _skip(text, end) + 1)
        if found == key:
            return value
        here = _after(text, value)


def _item(text: str, here: int, number: int) -> int:
    """Return where an item begins, in the list that begins at ``here``."""
    here = _skip(text, here + 1)
    for _ in range(number):
        here = _skip(text, _after(text, here) + 1)
    return here


def _after(text: str, here: int) -> int:
    """Return where the comma or the bracket after the value at ``here`` stands."""
    return _skip(text, _DECODER.raw_decode(text, here)[1])
