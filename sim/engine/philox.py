"""Philox4x64-10: a counter and a key in, four random words out; nothing is ever advanced.

Source:
    J. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC11.
"""

from functools import cache, lru_cache
from struct import unpack
from typing import Final

Words = tuple[int, int, int, int]

MASK: Final = (1 << 64) - 1
_M0: Final = 0xD2E7470EE14C6C93
_M1: Final = 0xCA5A826395121157
_W0: Final = 0x9E3779B97F4A7C15
_W1: Final = 0xBB67AE8584CAA73B

NEXT_INTENT: Final = 1 << 32
BATCH: Final = 64
"""So many counters at once at most."""
_LANE: Final = 128
"""Bits from one counter's word to the next one's: what a product of two words needs."""


def philox(counter: Words, key: int) -> Words:
    """Return the four 64-bit words of Philox4x64-10 for a counter and a 128-bit key."""
    c0, c1, c2, c3 = counter
    k0, k1 = key & MASK, (key >> 64) & MASK
    for _ in range(10):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c1, c2, c3 = (p1 >> 64) ^ c1 ^ k0, p1 & MASK, (p0 >> 64) ^ c3 ^ k1, p0 & MASK
        k0, k1 = (k0 + _W0) & MASK, (k1 + _W1) & MASK
    return c0, c1, c2, c3


def philox_lanes(counter: Words, key: int) -> list[tuple[int, ...]]:
    """Return the upper 53 bits of each word, for a counter and those of the next intents."""
    c0, c1, c2, c3 = counter
    step = _spread(BATCH, NEXT_INTENT)
    ones = _spread(BATCH, 0)
    return _words(c0 * ones, c1 * ones + step, c2 * ones, c3 * ones, key, BATCH)


def philox_runs(counter: Words, key: int, many: int) -> list[tuple[int, ...]]:
    """Return the same for a counter and those of the next runs, ``many`` (up to BATCH) in all."""
    c0, c1, c2, c3 = counter
    ones = _spread(many, 0)
    return _words(c0 * ones + _spread(many, 1), c1 * ones, c2 * ones, c3 * ones, key, many)


def _words(c0: int, c1: int, c2: int, c3: int, key: int, many: int) -> list[tuple[int, ...]]:
    """Return the upper 53 bits of each word of many counters.

    The same word of all counters stands in one long integer, 128 bits apart: a product with a
    64-bit constant then stays in its own 128 bits, so that one multiplication serves them all.
    """
    low, low_53 = _spread(many, 0) * MASK, _spread(many, 0) * ((1 << 53) - 1)
    for k0, k1 in _round_keys(key, many):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c1 = ((p1 >> 64) & low) ^ c1 ^ k0, p1 & low
        c2, c3 = ((p0 >> 64) & low) ^ c3 ^ k1, p0 & low
    layout, size = "<" + "Q8x" * many, many * _LANE // 8
    return [
        unpack(layout, (word >> 11 & low_53).to_bytes(size, "little")) for word in (c0, c1, c2, c3)
    ]


@cache
def _spread(many: int, step: int) -> int:
    """Return 0, ``step``, 2 ``step`` … in so many lanes; a one in each of them for ``step`` 0."""
    return sum((lane * step if step else 1) << _LANE * lane for lane in range(many))


@lru_cache(maxsize=256)
def _round_keys(key: int, many: int) -> list[tuple[int, int]]:
    """Return the keys of the ten rounds, each in every lane."""
    k0, k1 = key & MASK, (key >> 64) & MASK
    ones = _spread(many, 0)
    return [
        (((k0 + turn * _W0) & MASK) * ones, ((k1 + turn * _W1) & MASK) * ones) for turn in range(10)
    ]
