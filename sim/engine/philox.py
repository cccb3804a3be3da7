"""Philox4x64-10: a counter and a key in, four random words out; nothing is ever advanced.

Source:
    J. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC11.
"""

from functools import lru_cache
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
_ONES: Final = sum(1 << 128 * lane for lane in range(BATCH))
_LOW: Final = _ONES * MASK
_LOW_53: Final = _ONES * ((1 << 53) - 1)
_STEPS: Final = sum(lane * NEXT_INTENT << 128 * lane for lane in range(BATCH))
_LANES: Final = "<" + "Q8x" * BATCH


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
    """Return the upper 53 bits of each word, for a counter and those of the next intents.

    The same word of all counters stands in one long integer, 128 bits apart: a product with a
    64-bit constant then stays in its own 128 bits, so that one multiplication serves them all.
    """
    c0, c1, c2, c3 = (word * _ONES for word in counter)
    c1 += _STEPS
    for k0, k1 in _round_keys(key):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c1 = ((p1 >> 64) & _LOW) ^ c1 ^ k0, p1 & _LOW
        c2, c3 = ((p0 >> 64) & _LOW) ^ c3 ^ k1, p0 & _LOW
    return [
        unpack(_LANES, (word >> 11 & _LOW_53).to_bytes(16 * BATCH, "little"))
        for word in (c0, c1, c2, c3)
    ]


@lru_cache(maxsize=8)
def _round_keys(key: int) -> list[tuple[int, int]]:
    """Return the keys of the ten rounds, each in every lane."""
    k0, k1 = key & MASK, (key >> 64) & MASK
    return [
        (((k0 + turn * _W0) & MASK) * _ONES, ((k1 + turn * _W1) & MASK) * _ONES)
        for turn in range(10)
    ]
