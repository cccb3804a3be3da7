"""Latency distributions as quantile tables, the same on every processor.

Logarithms and exponentials are taken in decimal arithmetic, whose results are defined to the last
digit, and every value is rounded to a whole microsecond. About 200 knots, dense in the tails:
eight for each factor of ten down to one in ten million. A distribution without an upper end
ends there; nothing exceeds 100 years.

Between knots the table runs straight, so a curved distribution is met within a fraction of a
percent of its mean; the tests say how close.
"""

import math
from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from itertools import pairwise
from typing import Final

from sim.network.weather import Latency

TAIL: Final = 7
"""The tails are resolved to one in 10 to this power."""
PER_DECADE: Final = 8
VALUE_MAX_US: Final = 36_525 * 86_400 * 1_000_000

_MATH: Final = Context(prec=28)
_Z99: Final = Decimal("2.3263478740408408")
"""The standard normal quantile of 0.99."""


def _tail_shares() -> list[Decimal]:
    """Return shares from 1e-7 up to (not including) 0.1, evenly spaced in their logarithm."""
    steps = range(-TAIL * PER_DECADE, -PER_DECADE)
    ten = Decimal(10)
    return [
        _MATH.power(ten, Decimal(step) / PER_DECADE).quantize(Decimal("1e-12")) for step in steps
    ]


def _shares() -> list[Decimal]:
    tail = _tail_shares()
    middle = [Decimal(n) / 100 for n in range(10, 91)]
    return [*tail, *middle, *(1 - share for share in reversed(tail))]


def _whole(value: Decimal) -> int:
    return int(min(value, Decimal(VALUE_MAX_US)).to_integral_value())


def _table(quantile: Callable[[Decimal], Decimal], least_us: int) -> Latency:
    """Return the table of an unbounded distribution that starts at ``least_us``."""
    shares = _shares()
    values = [_whole(quantile(share)) for share in shares]
    return Latency((0.0, *(float(share) for share in shares), 1.0), (least_us, *values, values[-1]))


def uniform(low_us: int, high_us: int) -> Latency:
    """Return the uniform distribution on [low_us, high_us]."""
    return Latency((0.0, 1.0), (low_us, high_us)) if low_us < high_us else constant(low_us)


def constant(value_us: int) -> Latency:
    """Return what is always ``value_us``."""
    return Latency.constant(value_us)


def exponential(mean_us: int) -> Latency:
    """Return the exponential distribution with a mean: quantile −mean · ln(1 − p)."""
    return _table(lambda p: -mean_us * _MATH.ln(1 - p), 0)


def pareto(scale_us: int, shape: float) -> Latency:
    """Return the Pareto distribution: quantile scale · (1 − p)^(−1/shape).

    Args:
        scale_us: The least value.
        shape: The tail index; at 1 and below there is no mean.
    """
    index = Decimal(repr(float(shape)))
    return _table(lambda p: scale_us * _MATH.exp(-_MATH.ln(1 - p) / index), scale_us)


def lognormal(median_us: int, p99_us: int) -> Latency:
    """Return the log-normal distribution with a median and a 99th percentile.

    The knots are even steps of the normal quantile z from -5.2 to 5.2, which are dense in both
    tails by themselves; their shares are rounded to twelve decimals, so that no library's last
    bit matters.
    """
    if p99_us == median_us:
        return constant(median_us)
    spread = _MATH.ln(Decimal(p99_us) / median_us) / _Z99
    steps = [Decimal(n) / 20 for n in range(-104, 105)]
    shares = [round(math.erfc(-float(z) / math.sqrt(2)) / 2, 12) for z in steps]
    values = [_whole(median_us * _MATH.exp(spread * z)) for z in steps]
    return Latency((0.0, *shares[1:-1], 1.0), tuple(values))


def empirical(values_us: Sequence[int]) -> Latency:
    """Return the distribution of measured values, at least one, in any order.

    Up to 400 values are all kept; of more, the quantiles at the usual knots are, the smallest
    and the largest included.
    """
    ordered = sorted(values_us)
    if ordered[0] == ordered[-1]:
        return constant(ordered[0])
    last = len(ordered) - 1
    if len(ordered) <= 400:
        return Latency(tuple(n / last for n in range(last + 1)), tuple(ordered))
    shares = [0.0, *(float(share) for share in _shares()), 1.0]
    return Latency(tuple(shares), tuple(_measured(ordered, share) for share in shares))


def _measured(ordered: Sequence[int], share: float) -> int:
    place = share * (len(ordered) - 1)
    left = min(int(place), len(ordered) - 2)
    low, high = ordered[left], ordered[left + 1]
    return low + int((place - left) * (high - low) + 0.5)


def quantiles(knots: Sequence[tuple[float, int]]) -> Latency:
    """Return the distribution of a table of (share, microseconds).

    Raises:
        ValueError: Shares do not rise from 0 to 1, or values fall.
    """
    shares, values = tuple(share for share, _ in knots), tuple(value for _, value in knots)
    if len(knots) < 2 or shares[0] != 0 or shares[-1] != 1:
        raise ValueError("the shares of 'quantiles' do not go from 0 to 1")
    if any(a >= b for a, b in pairwise(shares)):
        raise ValueError("the shares of 'quantiles' do not rise")
    if any(a > b for a, b in pairwise(values)):
        raise ValueError("the durations of 'quantiles' fall")
    return Latency(shares, values)
