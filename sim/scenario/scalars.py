"""Plain scalars by the core schema of YAML 1.2: ``no`` and ``1:30`` are text, ``0777`` is 777.

Source:
    YAML 1.2.2, chapter 10.3 (core schema), https://yaml.org/spec/1.2.2/
"""

import re
from typing import TypeAlias

Plain: TypeAlias = "None | bool | int | float | str"

_NULLS = frozenset({"", "null", "Null", "NULL", "~"})
_TRUE = frozenset({"true", "True", "TRUE"})
_FALSE = frozenset({"false", "False", "FALSE"})
_INT = re.compile(r"[-+]?[0-9]+", re.ASCII)
_OCTAL = re.compile(r"0o[0-7]+", re.ASCII)
_HEX = re.compile(r"0x[0-9a-fA-F]+", re.ASCII)
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", re.ASCII)
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")

INT_MAX = 2**63 - 1
_DIGITS_MAX = 40
"""Longer numbers are refused unread: turning text into a number is not free."""


def resolve(text: str) -> Plain:
    """Return what a plain scalar stands for.

    Raises:
        ValueError: It is a number that is not finite or does not fit into 64 bits.
    """
    if text in _NULLS:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    for pattern, base in ((_INT, 10), (_OCTAL, 8), (_HEX, 16)):
        if pattern.fullmatch(text):
            return _whole(text, base)
    if _FLOAT.fullmatch(text):
        return _fraction(text)
    if _NOT_FINITE.fullmatch(text):
        raise ValueError(f"'{text}' is not a finite number")
    return text


def _whole(text: str, base: int) -> int:
    if len(text) > _DIGITS_MAX:
        raise ValueError(f"'{text[:20]}…' is too large a number")
    value = int(text if base == 10 else text[2:], base)
    if abs(value) > INT_MAX:
        raise ValueError(f"'{text}' is too large a number")
    return value


def _fraction(text: str) -> float:
    if len(text) > 2 * _DIGITS_MAX:
        raise ValueError(f"'{text[:20]}…' has too many digits")
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"'{text}' is too large a number")
    return value


def is_plain_text(text: str) -> bool:
    """Whether ``text``, written without quotes, would be read as this very text."""
    try:
        return resolve(text) == text and isinstance(resolve(text), str)
    except ValueError:
        return False
