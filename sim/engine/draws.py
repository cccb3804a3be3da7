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
from typing import Final

from sim.engine.philox import BATCH, MASK, NEXT_INTENT, philox, philox_lanes, philox_runs
from sim.engine.philox_native import IS_NATIVE, drawn

Block = tuple[float, float, float, float]
Name = tuple[int, int, int]
"""Purpose, client, and what tells names apart within them."""

_TO_UNIT: Final = 2.0**-53
_CACHE_MAX: Final = 4096
_AHEAD_MAX: Final = 16 * 1024
"""So many blocks are drawn ahead at most, a few megabytes, before most of them are wanted."""

_MANY: Final = 8 * NEXT_INTENT
"""From a client's eighth intent on, decisions are drawn for several intents at once."""
_COMMON: Final = (1 << 8 | 1, 2 << 8 | 1)
"""The first copy of an intent's first and second message: what many intents need."""
_INTENTS: Final = range(0, BATCH * NEXT_INTENT, NEXT_INTENT)


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


class Draws:
    """The random decisions of one run.

    Args:
        seed: The key; runs of one seed share their weather, whatever is being compared.
        run: The number of the run, from 0.
        ahead: Of the same seed, where the next runs are to be made too.
    """

    def __init__(self, seed: int, run: int, ahead: "Ahead | None" = None) -> None:
        self.seed = seed
        self._run = run
        self._ahead = ahead
        self._young: dict[Name, Block] = {} if ahead is None else ahead.take(run)
        self._old: dict[Name, Block] = {}

    def block(self, purpose: Purpose, client: int, which: int) -> Block:
        """Return the four numbers in [0, 1) of one name.

        Args:
            purpose: What is decided.
            client: The client's index in the world.
            which: ``packed(intent, nth, copy)``, or another number that tells names apart.
        """
        if IS_NATIVE:  # Drawing takes no longer than looking up what was drawn.
            return drawn(self.seed, self._run, which, client, purpose)
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
        ahead = self._ahead
        if ahead is not None and which & 0xFFFFFFFF in _COMMON and ahead.has_room:
            made[purpose, client, which] = found = ahead.draw(self._run, purpose, client, which)
            return found
        counter = (self._run & MASK, which & MASK, client & MASK, int(purpose))
        if which < _MANY or which & 0xFFFFFFFF not in _COMMON:
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
        lanes = [[bits * _TO_UNIT for bits in lane] for lane in philox_lanes(counter, self.seed)]
        made.update(zip(names, zip(*lanes, strict=True), strict=True))
        return made[purpose, client, which]


class Ahead:
    """The commonest decisions of several consecutive runs, drawn together.

    What one run asks for, the next ones most often ask for too; all at once they cost a fraction.
    The runs take what is theirs in turn, from the first on.

    Args:
        seed: Of all these runs.
        first: The first of them.
        many: How many there are, at most ``BATCH``.
    """

    def __init__(self, seed: int, first: int, many: int) -> None:
        self._seed = seed
        self._first = first
        self._runs: list[dict[Name, Block]] = [{} for _ in range(many)]
        self._taken = 0
        self._drawn = 0

    @property
    def has_room(self) -> bool:
        """Whether more may be drawn ahead."""
        return self._drawn < _AHEAD_MAX

    def take(self, run: int) -> dict[Name, Block]:
        """Return what is drawn for a run; it is the run's from now on."""
        at = run - self._first
        taken = self._runs[at]
        while self._taken <= at:
            self._drawn -= len(self._runs[self._taken])
            self._runs[self._taken] = {}
            self._taken += 1
        return taken

    def draw(self, run: int, purpose: Purpose, client: int, which: int) -> Block:
        """Return the numbers of one name in a run, and keep those of the runs after it."""
        after = self._runs[run - self._first + 1 :]
        name = (purpose, client, which)
        counter = (run & MASK, which & MASK, client & MASK, int(purpose))
        lanes = [
            [bits * _TO_UNIT for bits in lane]
            for lane in philox_runs(counter, self._seed, len(after) + 1)
        ]
        first, *others = zip(*lanes, strict=True)
        for held, block in zip(after, others, strict=True):
            held[name] = block
        self._drawn += len(others)
        return first


def packed(intent: int, nth: int, copy: int = 1) -> int:
    """Return one number for an intent, the how many-th message of it, and the copy."""
    return (intent << 32) | (nth << 8) | copy
