"""The difference of two ratios that were measured on the same weather, run by run.

Both sides of a pair live through the same run numbers of one seed, so that what they have in
common cancels. Everything is kept as integer sums, the same in whatever order runs are added.

With ``x_i / n_i`` of one run and ``r = X / N`` of all of them, the difference ``rb - ra`` of the
sides a and b has the linearised residuals ``e_i = (xb_i - rb nb_i) / Nb - (xa_i - ra na_i) / Na``,
and its variance is ``runs / (runs - 1)`` times the sum of their squares, where runs count that
have something in the denominator.

Where few runs differ, an interval made from that variance alone is too narrow: of 100 runs none
differs, and it says that none ever will. So two runs that were not made are added to the variance,
one that differs upwards and one downwards, each by as much as a run that differs does.

Source:
    W. G. Cochran, "Sampling Techniques", 3rd edition (1977), section 6.3 (the variance of a ratio)
    and 2.9 (of a difference in paired samples).
    D. G. Bonett and R. M. Price, "Adjusted Wald Confidence Interval for a Difference of Binomial
    Proportions Based on Paired Data", Journal of Educational and Behavioral Statistics 37 (2012),
    479-488 (the added runs).
"""

from dataclasses import dataclass, field
from math import sqrt

from sim.measure.definitions import Measure, Unit
from sim.measure.intervals import Sums, student_t, unseen

SHOWN_RUNS = 3
"""So many runs of each direction are kept to be looked at."""


@dataclass(frozen=True, slots=True, order=True)
class Shown:
    """A run that shows a difference; the largest comes first, among equals the lowest number."""

    minus_size: float
    run: int


@dataclass(slots=True)
class PairSums:
    """One measure of two sides, a (the base) and b, over the same runs."""

    a: Sums = field(default_factory=Sums)
    b: Sums = field(default_factory=Sums)
    xx: int = 0
    nn: int = 0
    xa_nb: int = 0
    na_xb: int = 0
    higher: int = 0
    """Runs in which b's ratio is above a's."""
    lower: int = 0
    otherwise: int = 0
    """Runs that differ, but in no direction: one side has no ratio, or both have the same."""
    best_higher: list[Shown] = field(default_factory=list)
    best_lower: list[Shown] = field(default_factory=list)

    @property
    def differing(self) -> int:
        """How many runs differ."""
        return self.higher + self.lower + self.otherwise

    def add(self, run: int, a: tuple[int, int], b: tuple[int, int]) -> None:
        """Count one run: numerator and denominator of each side."""
        (xa, na), (xb, nb) = a, b
        self.a.add(xa, na)
        self.b.add(xb, nb)
        self.xx += xa * xb
        self.nn += na * nb
        self.xa_nb += xa * nb
        self.na_xb += na * xb
        if a != b:
            self._compare(run, a, b)

    def _compare(self, run: int, a: tuple[int, int], b: tuple[int, int]) -> None:
        (xa, na), (xb, nb) = a, b
        cross = xb * na - xa * nb
        if not cross or not na or not nb:
            self.otherwise += 1
            return
        shown = Shown(-abs(cross / (na * nb)), run)
        if cross > 0:
            self.higher += 1
            self.best_higher = _best([*self.best_higher, shown])
        else:
            self.lower += 1
            self.best_lower = _best([*self.best_lower, shown])

    def merge(self, other: "PairSums") -> None:
        """Count the runs of ``other`` too."""
        self.a.merge(other.a)
        self.b.merge(other.b)
        self.xx += other.xx
        self.nn += other.nn
        self.xa_nb += other.xa_nb
        self.na_xb += other.na_xb
        self.higher += other.higher
        self.lower += other.lower
        self.otherwise += other.otherwise
        self.best_higher = _best([*self.best_higher, *other.best_higher])
        self.best_lower = _best([*self.best_lower, *other.best_lower])

    @property
    def squares(self) -> int:
        """(Na Nb)^4 times the sum of the squared residuals ``e_i``: an integer, exactly."""
        a, b = self.a, self.b
        apart = a.squares * b.n**4 + b.squares * a.n**4
        return apart - 2 * self._together * a.n**2 * b.n**2

    @property
    def squares_apart(self) -> int:
        """The same as if each side had had runs of its own: without what they have in common."""
        a, b = self.a, self.b
        return a.squares * b.n**4 + b.squares * a.n**4

    @property
    def _together(self) -> int:
        """Na Nb times the sum of the products of both sides' own residuals ``x - r n``."""
        a, b = self.a, self.b
        kept = a.n * b.n * self.xx + a.x * b.x * self.nn
        return kept - a.n * b.x * self.xa_nb - a.x * b.n * self.na_xb


def _best(found: list[Shown]) -> list[Shown]:
    return sorted(found)[:SHOWN_RUNS]


@dataclass(frozen=True, slots=True)
class Difference:
    """``value`` = b - a, and half the width of its 95 % interval.

    ``half_apart`` is half the width that it would have if each side had been measured in as many
    runs of its own; None where nothing varies on either side. Both are None where there is no
    interval. No difference is beyond ``most`` in either direction; None: there is no such bound.
    """

    value: float
    half: float | None
    half_apart: float | None
    most: float | None = None

    @property
    def low(self) -> float | None:
        """The lower bound."""
        return self._bound(self.half, -1)

    @property
    def high(self) -> float | None:
        """The upper bound."""
        return self._bound(self.half, 1)

    @property
    def low_apart(self) -> float | None:
        """The lower bound, were the runs not paired."""
        return self._bound(self.half_apart, -1)

    @property
    def high_apart(self) -> float | None:
        """The upper bound, were the runs not paired."""
        return self._bound(self.half_apart, 1)

    def _bound(self, half: float | None, sign: int) -> float | None:
        if half is None:
            return None
        bound = self.value + sign * half
        return bound if self.most is None else min(max(bound, -self.most), self.most)

    @property
    def narrower(self) -> float | None:
        """By which part the paired interval is narrower than the unpaired one; below 0: wider."""
        if self.half is None or not self.half_apart:
            return None
        return 1 - self.half / self.half_apart

    @property
    def is_clear(self) -> bool:
        """Whether the interval lies on one side of 0."""
        return self.half is not None and abs(self.value) > self.half


def difference(pair: PairSums, measure: Measure) -> Difference | None:
    """Return the difference of b's ratio and a's; None where one of them has no value.

    It has an interval where each side has at least two runs with something in the denominator,
    and something varies or ``measure`` counts whole things: of times on which all runs agree
    nobody knows by how much another run would differ.
    """
    a, b, runs = pair.a, pair.b, min(pair.a.witnesses, pair.b.witnesses)
    if not a.n or not b.n:
        return None
    value = (b.x * a.n - a.x * b.n) / (a.n * b.n)
    most = 1.0 if measure.unit is Unit.SHARE else None
    counts = measure.unit in (Unit.SHARE, Unit.MEAN) and measure.scale == 1
    if runs < 2 or not (counts or pair.squares):
        return Difference(value, None, None, most)
    scale, t = (a.n * b.n) ** 4 * (runs - 1), student_t(runs - 1)
    variance, apart = pair.squares * runs / scale, pair.squares_apart * runs / scale
    if variance:
        trial = 1 / min(a.n, b.n) if counts else 0.0
        step = max(sqrt(variance / pair.differing), trial)
        half = t * sqrt(variance + 2 * step**2)
    else:
        # A run that is unlike all others may be one trial on the other side of 0.
        step, half = 1 / runs, unseen(runs) * (1 + abs(value))
    half_apart = t * sqrt(apart + 2 * step**2) if apart else None
    return Difference(value, half, half_apart, most)
