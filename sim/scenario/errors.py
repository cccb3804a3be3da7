"""What is wrong with a scenario file: where, what, and how to put it right."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import NamedTuple

_WINDOW = 100
"""How much of a long line is shown around the caret."""
_SHOWN = 20
"""How many problems of one file are spelled out."""
_LISTED = 24
"""How many known names a suggestion lists."""


class Span(NamedTuple):
    """A place in a file, as editors count it: from line 1, column 1; line 0 is the file."""

    path: str
    line: int
    column: int
    width: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}" if self.line else self.path


class ScenarioError(Exception):
    """A scenario file says something that the simulator cannot run.

    All arguments go to ``super().__init__`` in order: pickle (and SimPy) rebuild an exception as
    ``type(e)(*e.args)``. ``others`` are further problems of the same file, each with its place.
    """

    def __init__(
        self, where: Span, problem: str, fix: str, others: "tuple[ScenarioError, ...]" = ()
    ) -> None:
        super().__init__(where, problem, fix, others)
        self.where, self.problem, self.fix, self.others = where, problem, fix, others

    def __str__(self) -> str:
        shown = [self, *self.others][:_SHOWN]
        left = 1 + len(self.others) - len(shown)
        texts = [error.one() for error in shown]
        return "\n".join([*texts, *([f"and {left} more problems"] if left else [])])

    def one(self) -> str:
        """Return this problem alone: place, line, caret, fix."""
        head = printable(f"{self.where}: {self.problem}")
        fix = printable(f"  fix: {self.fix}")
        if not self.where.line:
            return f"{head}\n{fix}"
        text, column = _window(self.where.text, self.where.column)
        text = printable(text)
        gutter = f"{self.where.line:>4} | "
        width = max(1, min(self.where.width, len(text) - column + 1))
        caret = " " * (len(gutter) + column - 1) + "^" * width
        return f"{head}\n{gutter}{text}\n{caret}\n{fix}"


def printable(text: str) -> str:
    """Return ``text`` with dots for control characters: a file must not steer a terminal."""
    return "".join(char if char.isprintable() else "·" for char in text)


def _window(text: str, column: int) -> tuple[str, int]:
    """Return the part of a long line around ``column``, and the column in it."""
    text = text.replace("\t", " ")
    start = max(0, column - _WINDOW // 2) if len(text) > _WINDOW else 0
    return text[start : start + _WINDOW], column - start


def gathered(problems: Iterable[ScenarioError]) -> ScenarioError | None:
    """Return one error for all problems of a file, in its order; None if there are none."""
    unique: dict[tuple[Span, str], ScenarioError] = {}
    for problem in problems:
        unique.setdefault((problem.where, problem.problem), problem)
    ordered = sorted(unique.values(), key=lambda e: (e.where.line, e.where.column))
    if not ordered:
        return None
    first, *others = ordered
    return ScenarioError(first.where, first.problem, first.fix, tuple(others))


def listed(names: Sequence[str]) -> str:
    """Return names as a list for people, cut where it grows too long."""
    if not names:
        return "none is known here"
    shown = ", ".join(names[:_LISTED])
    left = len(names) - _LISTED
    return f"{shown} and {left} more" if left > 0 else shown


def nearest(name: str, known: Sequence[str]) -> str | None:
    """Return the known name that ``name`` was probably meant to be."""
    close = get_close_matches(name[:80], known, n=1, cutoff=0.6)
    return close[0] if close else None


def use_one_of(name: str, known: Sequence[str]) -> str:
    """Return the advice for an unknown name: the nearest known one, and all that are known."""
    meant = nearest(name, known)
    if meant is None:
        return f"use one of: {listed(known)}"
    return f"did you mean '{meant}'? (one of: {listed(known)})"
