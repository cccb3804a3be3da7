"""Instants, durations and bodies as people read them."""

import json
import re
from typing import Final

from sim.contract.body import Json

_SECOND: Final = 1_000_000
_MINUTE: Final = 60 * _SECOND
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR


def duration(us: int) -> str:
    """Return an exact duration: ``0 s``, ``40 ms``, ``2.04 s``, ``24 h 1 µs``.

    Nothing is rounded, so that two instants one microsecond apart never read the same.
    """
    if us < 0:
        return f"-{duration(-us)}"
    if us == 0:
        return "0 s"
    parts = []
    if us >= 2 * _DAY:
        days, us = divmod(us, _DAY)
        parts.append(f"{days} d")
    for size, unit in ((_HOUR, "h"), (_MINUTE, "min")):
        count, us = divmod(us, size)
        if count:
            parts.append(f"{count} {unit}")
    if us:
        parts.append(_short(us))
    return " ".join(parts)


def _short(us: int) -> str:
    """Return a duration under a minute in one unit."""
    if us < 1_000:
        return f"{us} µs"
    size, unit = (_SECOND, "s") if us >= _SECOND else (1_000, "ms")
    whole, rest = divmod(us, size)
    digits = f"{rest:0{len(str(size)) - 1}}".rstrip("0")
    return f"{whole}.{digits} {unit}" if digits else f"{whole} {unit}"


def body(value: Json, limit: int = 60) -> str:
    """Return a body in one line, like ``{sessions_per_week: 3}``, cut at ``limit`` characters.

    Args:
        value: A JSON value, or the canonical text of one.
        limit: Most characters; a cut ends in ``…``.
    """
    text = printable(_flow(_value(value)))
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _value(value: Json) -> Json:
    if not isinstance(value, str):
        return value
    try:
        parsed: Json = json.loads(value)
    except ValueError:
        return value
    return parsed


_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def _flow(value: Json) -> str:
    match value:
        case None:
            return "null"
        case str():
            return json.dumps(value, ensure_ascii=False)
        case dict():
            return "{" + ", ".join(f"{_key(key)}: {_flow(value[key])}" for key in value) + "}"
        case list():
            return "[" + ", ".join(_flow(item) for item in value) + "]"
        case _:
            return json.dumps(value)


def _key(key: str) -> str:
    return key if _PLAIN.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def plain(text: str) -> str:
    """Return ``text`` in one line and without control characters."""
    return printable(" ".join(text.split()))


def printable(text: str) -> str:
    """Return ``text`` with dots for control characters: a scenario must not steer a terminal."""
    return "".join(char if char.isprintable() else "·" for char in text)


def count(number: int, one: str, many: str = "") -> str:
    """Return ``1 effect``, ``2 effects`` or ``1,000 effects``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
