"""How much room a text takes, and texts in lines of a given width.

Letters are drawn in a font in which all are equally wide, so that their number is their width.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from sim.report.story import GLUE, Span
from sim.trace.words import printable

FONT: Final = 14
"""Height of a letter in pixels: half of it can still be read."""

LINE: Final = 18
"""Distance of two lines."""

_TENTHS: Final = FONT * 6
"""Tenths of a pixel for one letter: 0.6 of its height."""

ELLIPSIS: Final = "…"

Line: TypeAlias = tuple[Span, ...]
_Word: TypeAlias = list[Span]


def columns(text: str) -> int:
    """Return how many letters wide a text is: wide ones of East Asia are two, accents none."""
    if text.isascii():
        return len(text)
    return sum(_letter(char) for char in text)


def _letter(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def width(text: str) -> int:
    """Return the pixels that a text takes, rounded up."""
    return -(-columns(text) * _TENTHS // 10)


def line_columns(line: Iterable[Span]) -> int:
    """Return how many letters wide a line is."""
    return sum(columns(span.text) for span in line)


def line_width(line: Iterable[Span]) -> int:
    """Return the pixels that a line takes, rounded up."""
    return -(-line_columns(line) * _TENTHS // 10)


def widest(lines: Iterable[Line]) -> int:
    """Return the pixels that the widest of the lines takes; 0: there is none."""
    return max(map(line_width, lines), default=0)


def cut(text: str, most: int) -> str:
    """Return a text of at most ``most`` columns in one line; what is cut ends in an ellipsis."""
    text = printable(text.replace(GLUE, " "))
    if columns(text) <= most:
        return text
    kept = ""
    for char in text:
        if columns(kept) + _letter(char) > most - 1:
            break
        kept += char
    return kept + ELLIPSIS


def wrap(spans: Sequence[Span], most: int, lines_max: int) -> tuple[Line, ...]:
    """Return spans in lines of at most ``most`` columns, cut with an ellipsis after the last.

    A line is broken at spaces that are not glued; a word that is wider than a line is cut. A name
    and its short value (``attempt: 1``), a word and its number stay together.
    """
    lines: list[_Word] = []
    used = most + 1
    for word in _paired(_words(spans), most // 2):
        shown = _cut(word, most)
        needed = line_columns(shown)
        if lines and used + 1 + needed <= most:
            lines[-1] += [Span(" ", shown[0].tone), *shown]
            used += 1 + needed
        else:
            lines.append(list(shown))
            used = needed
    if len(lines) > lines_max:
        last = [*lines[lines_max - 1], Span(f" {ELLIPSIS}", lines[lines_max - 1][-1].tone)]
        lines = [*lines[: lines_max - 1], _cut(last, most)]
    return tuple(_joined(line) for line in lines)


def _words(spans: Iterable[Span]) -> list[_Word]:
    """Return the words of a text; one may consist of several spans."""
    words: list[_Word] = [[]]
    for span in spans:
        first, *others = span.text.split(" ")
        if first:
            words[-1].append(Span(first, span.tone))
        words += [[Span(other, span.tone)] if other else [] for other in others]
    return [[_plain(span) for span in word] for word in words if word]


def _paired(words: Iterable[_Word], most: int) -> list[_Word]:
    """Return the words, those together that belong together and are not wider than ``most``."""
    paired: list[_Word] = []
    for word in words:
        if paired:
            last = paired[-1]
            belongs = last[-1].text.endswith(":") or word[0].text[:1].isdigit()
            if belongs and line_columns(last) + 1 + line_columns(word) <= most:
                paired[-1] = [*last, Span(" ", word[0].tone), *word]
                continue
        paired.append(word)
    return paired


def _plain(span: Span) -> Span:
    return Span(printable(span.text.replace(GLUE, " ")), span.tone)


def _cut(word: _Word, most: int) -> _Word:
    """Return a word of at most ``most`` columns."""
    if line_columns(word) <= most:
        return word
    kept: _Word = []
    left = most
    for span in word:
        if columns(span.text) >= left:
            return [*kept, Span(cut(span.text + ELLIPSIS, left), span.tone)]
        kept.append(span)
        left -= columns(span.text)
    return kept


def _joined(line: Iterable[Span]) -> Line:
    """Return a line in which neighbours of one tone are one span."""
    joined: list[Span] = []
    for span in line:
        if joined and joined[-1].tone is span.tone:
            joined[-1] = Span(joined[-1].text + span.text, span.tone)
        else:
            joined.append(span)
    return tuple(joined)
