"""Retry policies: how often, how long apart, and when to stop.

Pure arithmetic in integer microseconds. A policy never draws: ``delay`` gives the range that a
delay is drawn from, and whoever drives the client draws in it.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MS: Final = 1_000
SECOND: Final = 1_000_000


class Growth(StrEnum):
    """How the delay grows from retry to retry."""

    FIXED = "fixed"
    EXPONENTIAL = "exponential"


class Jitter(StrEnum):
    """How a delay is spread, so that clients do not come back in step."""

    NONE = "none"
    FULL = "full"
    EQUAL = "equal"
    DECORRELATED = "decorrelated"


class OnUnknown(StrEnum):
    """What a client does first about an unknown outcome."""

    RETRY = "retry"
    STATUS = "status"
    PERSON = "person"


class Wait:
    """A delay to draw: uniform in [low_us, high_us], cut to cap_us, then raised to least_us."""

    __slots__ = ("cap_us", "high_us", "least_us", "low_us")

    def __init__(self, low_us: int, high_us: int, cap_us: int, least_us: int = 0) -> None:
        self.low_us: Final = low_us
        self.high_us: Final = high_us
        self.cap_us: Final = cap_us
        self.least_us: Final = least_us

    def at(self, share: float) -> int:
        """Return the delay at ``share`` (in [0, 1)) of the range, in microseconds."""
        drawn = self.low_us + int(share * (self.high_us - self.low_us + 1))
        return max(min(drawn, self.cap_us), self.least_us)

    @property
    def is_drawn(self) -> bool:
        """Whether the delay depends on a draw at all."""
        return self.high_us > self.low_us


@dataclass(frozen=True, slots=True, kw_only=True)
class Delay:
    """The pause before a retry."""

    growth: Growth = Growth.FIXED
    base_us: int = 500 * MS
    cap_us: int = 86_400 * SECOND
    jitter: Jitter = Jitter.NONE
    pauses_us: tuple[int, ...] = ()
    """Where there are any: the pause before each retry in turn, in place of growth; the last one
    goes on. ``base_us`` is the first of them."""

    def wait(self, retry: int, previous_us: int, least_us: int = 0) -> Wait:
        """Return the range of the pause before the ``retry``-th retry.

        Args:
            retry: 1 for the first retry.
            previous_us: The pause drawn before the retry before this one, or 0.
            least_us: What the server asked for (``retry_after``), or 0.

        Source:
            Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015:
            full = U(0, b); equal = b/2 + U(0, b/2); decorrelated = min(cap, U(base, 3 · previous)).
        """
        if self.jitter is Jitter.DECORRELATED:
            top = 3 * max(previous_us, self.base_us)
            return Wait(self.base_us, max(top, self.base_us), self.cap_us, least_us)
        # Past 2**40 every delay is far above any cap: bounding the exponent bounds the integer.
        whole = self.base_us
        if self.pauses_us:
            whole = self.pauses_us[min(retry, len(self.pauses_us)) - 1]
        elif self.growth is Growth.EXPONENTIAL:
            whole <<= min(retry - 1, 40)
        whole = min(whole, self.cap_us)
        low = whole
        if self.jitter is not Jitter.NONE:
            low = 0 if self.jitter is Jitter.FULL else whole // 2
        return Wait(low, whole, self.cap_us, least_us)


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """A token bucket in thousandths of a token: a retry costs, an acknowledgement refunds."""

    tokens: int
    cost: int = 1_000
    refund: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Breaker:
    """Opens after ``failures`` in a row; while it is open, retries wait (saves never do)."""

    failures: int
    open_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How one kind of operation is tried again. No policy is unbounded."""

    max_attempts: int = 2
    delay: Delay = Delay()
    deadline_us: int | None = None
    """No retry starts later than this after the first send."""
    retry_after: bool = True
    """Whether the server's ``retry_after`` is the least pause."""
    budget: Budget | None = None
    breaker: Breaker | None = None
    confirm: bool = False
    """Whether a person must agree to each retry."""
