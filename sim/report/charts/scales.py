"""Axes in people's units: durations, shares, and the values of a sweep."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, log10

from sim.scenario.units import UnitError, duration_us

_LADDER_US = (
    [step * 10**power for power in range(6) for step in (1, 2, 5)]
    + [
        step * 1_000_000
        for step in (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 18_000, 43_200)
    ]
    + [86_400_000_000 * days for days in (1, 2, 5, 10, 30, 60, 365)]
)
_MEDIUM_US = [step * 10**power for power in range(6) for step in (1, 3)] + [
    step * 1_000_000
    for step in (1, 3, 10, 30, 60, 180, 600, 1_800, 3_600, 10_800, 43_200, 86_400, 259_200, 864_000)
]
_COARSE_US = [10**power for power in range(7)] + [
    1_000_000 * step for step in (10, 60, 600, 3_600, 43_200, 864_000, 8_640_000)
]
_UNITS = (
    ("d", 86_400e6, 86_400e6),
    ("h", 3_600e6, 3_600e6),
    ("min", 60e6, 120e6),
    ("s", 1e6, 1e6),
    ("ms", 1e3, 1e3),
)
"""Unit, its microseconds, and from where on it reads better than the smaller one."""
_TICKS_MAX = 8
_SPAN = 7
"""Neighbours on the finest ladder are at most a factor of 2.5 apart: such an axis has two."""
_APART = 0.075
"""Two ticks nearer than this part of the axis would write over each other."""


def time_text(value_us: float) -> str:
    """Return a duration as a tick or a label says it: ``250 ms``, ``1.5 s``, ``2 min``."""
    for unit, us, least in _UNITS:
        if value_us >= least * 0.9995:
            return f"{value_us / us:.3g} {unit}"
    return f"{value_us:.0f} µs"


def time_ticks(low_us: float, high_us: float, most: int = _TICKS_MAX) -> list[int]:
    """Return at most ``most`` round durations in [low_us, high_us], rising, for a log axis.

    Where a coarse ladder leaves the beginning of the axis bare, one finer tick stands there.
    """
    found: list[int] = []
    for ladder in (_LADDER_US, _MEDIUM_US, _COARSE_US):
        found = [tick for tick in ladder if low_us <= tick <= high_us]
        if len(found) <= most:
            break
    else:
        found = found[:: -(-len(found) // most)]
    return _from_the_beginning(found, low_us, high_us, most)


def _from_the_beginning(ticks: list[int], low_us: float, high_us: float, most: int) -> list[int]:
    """Return the ticks with one before them where the axis begins with a long part without one."""
    finest = next((tick for tick in _LADDER_US if low_us <= tick <= high_us), None)
    if not ticks or finest is None or log10(ticks[0] / finest) < log10(high_us / low_us) / most:
        return ticks
    return [finest, *(ticks if len(ticks) < most else ticks[1:])]


def time_limits(low_us: float, high_us: float) -> tuple[float, float]:
    """Return limits of a logarithmic axis around a range, wide enough to hold two ticks."""
    lacking = _SPAN * low_us / high_us
    widen = lacking**0.5 if lacking > 1 else 1.0
    return low_us / widen, high_us * widen


def share_text(share: float) -> str:
    """Return a share as a percentage: two digits that say something, ``0 %`` for nothing.

    ``100 %`` is all, and never what is nearly all.
    """
    percent = share * 100
    if 99.5 <= percent < 100:
        return f"{floor(percent * 10) / 10:.1f} %"
    if percent == 0 or percent >= 9.95:
        return f"{percent:.0f} %"
    return f"{percent:.1f} %" if percent >= 0.1 else f"{percent:.2g} %"


def share_tick(share: float, _: object = None) -> str:
    """Return a share as the label of a tick, which is a round number."""
    return f"{share * 100:.4g} %"


@dataclass(frozen=True, slots=True)
class Swept:
    """The values of one sweep path, in the file's order, and where each stands on an axis."""

    path: str
    values: tuple[str, ...]
    places: tuple[float, ...]
    is_log: bool
    is_even: bool
    """The values are no numbers, or too near to each other: they stand evenly spaced."""


def swept(path: str, values: Sequence[str]) -> Swept:
    """Return where the values of a sweep stand: by their size where that can be drawn."""
    numbers = [_number(value) for value in values]
    known = [number for number in numbers if number is not None]
    if len(known) == len(values) and len(set(known)) == len(known):
        if min(known) > 0 and max(known) >= 8 * min(known) and _are_apart([*map(log10, known)]):
            return Swept(path, tuple(values), tuple(known), is_log=True, is_even=False)
        if _are_apart(known):
            return Swept(path, tuple(values), tuple(known), is_log=False, is_even=False)
    even = tuple(float(place) for place in range(len(values)))
    return Swept(path, tuple(values), even, is_log=False, is_even=True)


def _are_apart(numbers: Sequence[float]) -> bool:
    ordered = sorted(numbers)
    span = ordered[-1] - ordered[0]
    return all(b - a >= _APART * span for a, b in pairwise(ordered))


def _number(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        pass
    try:
        return float(duration_us(value))
    except UnitError:
        return None
