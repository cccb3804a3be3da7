"""Named random decisions.

A decision's value depends on the seed, its name and the run's number, and on nothing else: not on
the order of events, the policy, or whether another decision was drawn. The generator is
Philox4x64-10, counter-based: the seed is the key, the counter *is* the name, and nothing is ever
advanced. The counter's words are ``[run, intent and nth and copy, client, purpose]``; the run
comes first, so that NumPy can read a block of consecutive runs at once.

Source:
    J. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC11.
"""

from enum import IntEnum
from functools import lru_cache
from struct import unpack

Block = tuple[float, float, float, float]
Words = tuple[int, int, int, int]

_M0, _M1 = 0xD2E7470EE14C6C93, 0xCA5A826395121157
_W0, _W1 = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
_MASK = (1 << 64) - 1
_TO_UNIT = 2.0**-53
_CACHE_MAX = 4096

_NEXT_INTENT = 1 << 32
_MANY = 8 * _NEXT_INTENT
"""From a client's eighth intent on, decisions are drawn for several intents at once."""
_BATCH = 64
_FIRST = 1 << 8 | 1
"""The first message of an intent, its first copy: what every intent needs, unlike the others."""
_INTENTS = range(0, _BATCH * _NEXT_INTENT, _NEXT_INTENT)
_ONES = sum(1 << 128 * lane for lane in range(_BATCH))
_LOW = _ONES * _MASK
_STEPS = sum(lane * _NEXT_INTENT << 128 * lane for lane in range(_BATCH))
_LANES = "<" + "Q8x" * _BATCH


class Purpose(IntEnum):
    """What a decision is about. A purpose added later moves none of the others."""

    WRITE = 1
    WRITE_COPY = 2
    STATUS = 3
    STATUS_COPY = 4
    READ = 5
    READ_COPY = 6
    JITTER = 7
    ARRIVAL = 8
    BURST_REQUEST = 9
    BURST_ACK = 10


def philox(counter: Words, key: int) -> Words:
    """Return the four 64-bit words of Philox4x64-10 for a counter and a 128-bit key."""
    c0, c1, c2, c3 = counter
    k0, k1 = key & _MASK, (key >> 64) & _MASK
    for _ in range(10):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c1, c2, c3 = (p1 >> 64) ^ c1 ^ k0, p1 & _MASK, (p0 >> 64) ^ c3 ^ k1, p0 & _MASK
        k0, k1 = (k0 + _W0) & _MASK, (k1 + _W1) & _MASK
    return c0, c1, c2, c3


class Draws:
    """The random decisions of one run.

    Args:
        seed: The key; runs of one seed share their weather, whatever is being compared.
        run: The number of the run, from 0.
    """

    def __init__(self, seed: int, run: int) -> None:
        self.seed = seed
        self._run = run
        self._young: dict[tuple[int, int, int], Block] = {}
        self._old: dict[tuple[int, int, int], Block] = {}

    def block(self, purpose: Purpose, client: int, which: int) -> Block:
        """Return the four numbers in [0, 1) of one name.

        Args:
            purpose: What is decided.
            client: The client's index in the world.
            which: ``packed(intent, nth, copy)``, or another number that tells names apart.
        """
        key = (purpose, client, which)
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is None:
                found = self._make(purpose, client, which)
        return found

    def _make(self, purpose: Purpose, client: int, which: int) -> Block:
        if len(self._young) >= _CACHE_MAX:
            self._old, self._young = self._young, {}
        made = self._young
        counter = (self._run & _MASK, which & _MASK, client & _MASK, int(purpose))
        if which < _MANY or which & 0xFFFFFFFF != _FIRST:
            a, b, c, d = philox(counter, self.seed)
            made[purpose, client, which] = found = (
                (a >> 11) * _TO_UNIT,
                (b >> 11) * _TO_UNIT,
                (c >> 11) * _TO_UNIT,
                (d >> 11) * _TO_UNIT,
            )
            return found
        # Whoever has wanted much will want more: the same decision of the next intents.
        names = [(purpose, client, which + step) for step in _INTENTS]
        lanes = [
            [(word >> 11) * _TO_UNIT for word in lane] for lane in philox_lanes(counter, self.seed)
        ]
        made.update(zip(names, zip(*lanes, strict=True), strict=True))
        return made[purpose, client, which]


def packed(intent: int, nth: int, copy: int = 1) -> int:
    """Return one number for an intent, the how many-th message of it, and the copy."""
    return (intent << 32) | (nth << 8) | copy


def philox_lanes(counter: Words, key: int) -> list[tuple[int, ...]]:
    """Return each word that ``philox`` returns, for a counter and those of the next intents.

    The same word of all counters stands in one long integer, 128 bits apart: a product with a
    64-bit constant then stays in its own 128 bits, so that one multiplication serves them all.
    """
    c0, c1, c2, c3 = (word * _ONES for word in counter)
    c1 += _STEPS
    for k0, k1 in _round_keys(key):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c1 = ((p1 >> 64) & _LOW) ^ c1 ^ k0, p1 & _LOW
        c2, c3 = ((p0 >> 64) & _LOW) ^ c3 ^ k1, p0 & _LOW
    return [unpack(_LANES, word.to_bytes(16 * _BATCH, "little")) for word in (c0, c1, c2, c3)]


@lru_cache(maxsize=8)
def _round_keys(key: int) -> list[tuple[int, int]]:
    """Return the keys of the ten rounds, each in every lane."""
    k0, k1 = key & _MASK, (key >> 64) & _MASK
    return [
        (((k0 + turn * _W0) & _MASK) * _ONES, ((k1 + turn * _W1) & _MASK) * _ONES)
        for turn in range(10)
    ]
