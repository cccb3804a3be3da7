"""Philox4x64-10 in native arithmetic: the compiled build draws each number when it is asked for.

A 64-bit word stands in two halves, so that every product fits a machine word; whatever runs over
its upper end is masked away, so that the interpreter's long integers come to the same numbers.
Interpreted this takes a multiple of the time of :func:`sim.engine.philox.philox`; compiled, a
fraction.
"""

from __future__ import annotations  # The compiler's types have no name when this is interpreted.

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

_HALF: Final = 0xFFFFFFFF
_M0_HIGH: Final = 0xD2E7470E
_M0_LOW: Final = 0xE14C6C93
_M1_HIGH: Final = 0xCA5A8263
_M1_LOW: Final = 0x95121157
_W0_HIGH: Final = 0x9E3779B9
_W0_LOW: Final = 0x7F4A7C15
_W1_HIGH: Final = 0xBB67AE85
_W1_LOW: Final = 0x84CAA73B
_TO_UNIT: Final = 2.0**-53


def drawn(
    key: int, run: int, which: int, client: int, purpose: int
) -> tuple[float, float, float, float]:
    """Return the words at the counter ``[run, which, client, purpose]`` as numbers in [0, 1)."""
    half: i64 = _HALF
    k0: i64 = key & _HALF
    k0_high: i64 = key >> 32 & _HALF
    k1: i64 = key >> 64 & _HALF
    k1_high: i64 = key >> 96 & _HALF
    c0: i64 = run & _HALF
    c0_high: i64 = run >> 32 & _HALF
    c1: i64 = which & _HALF
    c1_high: i64 = which >> 32 & _HALF
    c2: i64 = client & _HALF
    c2_high: i64 = client >> 32 & _HALF
    c3: i64 = purpose & _HALF
    c3_high: i64 = purpose >> 32 & _HALF
    for _ in range(10):
        # The product of M0 and c0 from its four partial products: its lower and upper word.
        low: i64 = _M0_LOW * c0
        crossed: i64 = _M0_LOW * c0_high
        other: i64 = _M0_HIGH * c0
        middle: i64 = (low >> 32 & half) + (crossed & half) + (other & half)
        p0: i64 = low & half
        p0_high: i64 = middle & half
        up0: i64 = (
            _M0_HIGH * c0_high + (crossed >> 32 & half) + (other >> 32 & half) + (middle >> 32)
        )
        low = _M1_LOW * c2
        crossed = _M1_LOW * c2_high
        other = _M1_HIGH * c2
        middle = (low >> 32 & half) + (crossed & half) + (other & half)
        up1: i64 = (
            _M1_HIGH * c2_high + (crossed >> 32 & half) + (other >> 32 & half) + (middle >> 32)
        )
        c0 = (up1 & half) ^ c1 ^ k0
        c0_high = (up1 >> 32 & half) ^ c1_high ^ k0_high
        c1, c1_high = low & half, middle & half
        c2 = (up0 & half) ^ c3 ^ k1
        c2_high = (up0 >> 32 & half) ^ c3_high ^ k1_high
        c3, c3_high = p0, p0_high
        k0 = k0 + _W0_LOW
        k0_high = k0_high + _W0_HIGH + (k0 >> 32) & half
        k0 = k0 & half
        k1 = k1 + _W1_LOW
        k1_high = k1_high + _W1_HIGH + (k1 >> 32) & half
        k1 = k1 & half
    return (
        float(c0_high << 21 | c0 >> 11) * _TO_UNIT,
        float(c1_high << 21 | c1 >> 11) * _TO_UNIT,
        float(c2_high << 21 | c2 >> 11) * _TO_UNIT,
        float(c3_high << 21 | c3 >> 11) * _TO_UNIT,
    )


IS_NATIVE: Final = not hasattr(drawn, "__code__")
"""Whether this module is compiled."""
