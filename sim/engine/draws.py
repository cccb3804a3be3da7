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

Block = tuple[float, float, float, float]

_M0, _M1 = 0xD2E7470EE14C6C93, 0xCA5A826395121157
_W0, _W1 = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
_MASK = (1 << 64) - 1
_TO_UNIT = 2.0**-53
_CACHE_MAX = 4096
_PURE_MAX = 2_000
"""Decisions drawn in plain Python before NumPy is imported: that import costs 10,000 of them."""


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


def philox(counter: tuple[int, int, int, int], key: int) -> tuple[int, int, int, int]:
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
        self._cache: dict[tuple[int, int, int], Block] = {}
        self._drawn = 0
        self._fast: _FastPhilox | None = None

    def block(self, purpose: Purpose, client: int, which: int) -> Block:
        """Return the four numbers in [0, 1) of one name.

        Args:
            purpose: What is decided.
            client: The client's index in the world.
            which: ``packed(intent, nth, copy)``, or another number that tells names apart.
        """
        key = (purpose, client, which)
        found = self._cache.get(key)
        if found is None:
            if len(self._cache) >= _CACHE_MAX:
                self._cache.clear()
            found = self._cache[key] = self._make(purpose, client, which)
        return found

    def _make(self, purpose: Purpose, client: int, which: int) -> Block:
        self._drawn += 1
        counter = (self._run & _MASK, which & _MASK, client & _MASK, int(purpose))
        if self._drawn > _PURE_MAX:
            if self._fast is None:
                self._fast = _FastPhilox(self.seed)
            a, b, c, d = self._fast.words(counter)
        else:
            a, b, c, d = philox(counter, self.seed)
        return (
            (a >> 11) * _TO_UNIT,
            (b >> 11) * _TO_UNIT,
            (c >> 11) * _TO_UNIT,
            (d >> 11) * _TO_UNIT,
        )


def packed(intent: int, nth: int, copy: int = 1) -> int:
    """Return one number for an intent, the how many-th message of it, and the copy."""
    return (intent << 32) | (nth << 8) | copy


class _FastPhilox:
    """The same words from NumPy's generator, twice as fast once NumPy is there."""

    def __init__(self, seed: int) -> None:
        from numpy.random import Philox  # noqa: PLC0415 - a story of a few draws must not wait for it

        self._generator = Philox(key=seed & ((1 << 128) - 1))
        self._state = self._generator.state
        self._counter = self._state["state"]["counter"]

    def words(self, counter: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
        # NumPy counts up before it computes, so the counter is set to one before ours.
        whole = counter[0] | counter[1] << 64 | counter[2] << 128 | counter[3] << 192
        before = (whole - 1) & ((1 << 256) - 1)
        held = self._counter
        held[0] = before & _MASK
        held[1] = (before >> 64) & _MASK
        held[2] = (before >> 128) & _MASK
        held[3] = before >> 192
        self._generator.state = self._state
        a, b, c, d = self._generator.random_raw(4).tolist()
        return a, b, c, d
