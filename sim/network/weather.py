"""What a link does by chance: loss, latency, copies, corruption, bursts.

A distribution is a **quantile table**: knots (share, microseconds), straight lines between. Plain
arithmetic, so the same draw gives the same microsecond in Python, in NumPy and on every processor.
"""

from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Latency:
    """A latency distribution as its quantile table.

    ``shares`` rise from 0.0 to 1.0, ``values_us`` never fall; a constant has one value.
    """

    shares: tuple[float, ...]
    values_us: tuple[int, ...]

    @classmethod
    def constant(cls, value_us: int) -> "Latency":
        """Return the distribution that is always ``value_us``."""
        return cls((0.0,), (value_us,))

    @property
    def is_constant(self) -> bool:
        """Whether no draw is needed."""
        return len(self.values_us) == 1

    def at(self, share: float) -> int:
        """Return the latency at ``share`` (in [0, 1)), in whole microseconds."""
        values = self.values_us
        if len(values) == 1:
            return values[0]
        right = min(bisect_right(self.shares, share), len(values) - 1)
        left = right - 1
        low, high = values[left], values[right]
        part = (share - self.shares[left]) / (self.shares[right] - self.shares[left])
        return low + int(part * (high - low) + 0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Burst:
    """Gilbert–Elliott loss: two states, each with its loss; mean stays in microseconds.

    The state is decided once a ``slot_us``; it starts from the stationary distribution.
    """

    loss_good: float
    loss_bad: float
    mean_good_us: int
    mean_bad_us: int
    slot_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """One direction of a link. Shares are probabilities for each message."""

    latency: Latency = Latency.constant(40_000)
    loss: float = 0.0
    duplicate: float = 0.0
    corrupt: float = 0.0
    burst: Burst | None = None

    @property
    def is_certain(self) -> bool:
        """Whether this direction needs no draw at all."""
        return (
            self.latency.is_constant
            and not (self.loss or self.duplicate or self.corrupt)
            and self.burst is None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Both directions of one client's link; they are never alike by assumption."""

    request: Direction = Direction()
    ack: Direction = Direction()
