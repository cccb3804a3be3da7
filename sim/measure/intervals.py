"""95 % intervals: Wilson for independent operations, runs as units where operations share one.

Quantiles of Student's t and the normal come from the standard library and a series; nothing here
draws, and nothing depends on the order in which runs were counted.
"""

from dataclasses import dataclass
from math import atan, comb, cos, exp, lgamma, log, pi, sqrt
from statistics import NormalDist

from sim.measure.histogram import Histogram

Z95 = NormalDist().inv_cdf(0.975)
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """Lower and upper bound."""

    low: float
    high: float


def wilson(count: int, total: int, z: float = Z95) -> Interval:
    """Return the Wilson score interval of ``count`` of ``total`` (at least 1), within [0, 1].

    Source:
        E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference",
        JASA 22 (1927), 209-212.
    """
    share = count / total
    z2 = z * z
    centre = (share + z2 / (2 * total)) / (1 + z2 / total)
    half = z * sqrt(share * (1 - share) / total + z2 / (4 * total * total)) / (1 + z2 / total)
    low = 0.0 if count == 0 else max(0.0, centre - half)
    high = 1.0 if count == total else min(1.0, centre + half)
    return Interval(low, high)


@dataclass(slots=True)
class Sums:
    """What a ratio over runs needs: integer sums, the same in whatever order runs are added.

    A run contributes ``x`` to the numerator and ``n`` to the denominator.
    """

    runs: int = 0
    x: int = 0
    n: int = 0
    xx: int = 0
    nn: int = 0
    xn: int = 0

    def add(self, x: int, n: int) -> None:
        """Count one run."""
        self.runs += 1
        self.x += x
        self.n += n
        self.xx += x * x
        self.nn += n * n
        self.xn += x * n

    def merge(self, other: "Sums") -> None:
        """Count the runs of ``other`` too."""
        self.runs += other.runs
        self.x += other.x
        self.n += other.n
        self.xx += other.xx
        self.nn += other.nn
        self.xn += other.xn

    def as_list(self) -> list[int]:
        """Return the sums in the order of the fields, for a file."""
        return [self.runs, self.x, self.n, self.xx, self.nn, self.xn]


def ratio(sums: Sums, upper: float | None = None) -> Interval | None:
    """Return the interval of x/n with the run as the independent unit; None where there is none.

    The variance is that of the residuals ``x − r·n`` (linearised ratio estimator), the quantile
    Student's t with runs − 1 degrees of freedom. The residuals' sum of squares is an integer
    before it is divided, so no precision is lost.

    Args:
        sums: Of at least two runs.
        upper: Where given, the interval is cut to [0, upper].

    Source:
        W. G. Cochran, "Sampling Techniques", 3rd edition (1977), section 6.3.
    """
    if sums.runs < 2 or sums.n == 0:
        return None
    x, n, runs = sums.x, sums.n, sums.runs
    squares = sums.xx * n * n - 2 * x * n * sums.xn + x * x * sums.nn
    variance = squares / (n * n) * runs / (runs - 1) / (n * n)
    half = student_t(runs - 1) * sqrt(max(variance, 0.0))
    value = x / n
    low, high = max(0.0, value - half), value + half
    if upper is not None:
        if variance == 0.0:
            # Every run agrees: what the runs cannot show, the number of runs still bounds.
            bound = wilson(0, runs)
            low, high = value - bound.high, value + bound.high
        low, high = max(0.0, low), min(upper, high)
    return Interval(low, high)


def student_t(degrees: int) -> float:
    """Return the 0.975 quantile of Student's t, by bisection on its distribution function."""
    if degrees > 200:
        z = Z95
        return z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
    low, high = Z95, 700.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _t_cdf(middle, degrees) < 0.975 else (low, middle)
    return (low + high) / 2


def _t_cdf(t: float, degrees: int) -> float:
    """The distribution function of Student's t for t > 0: Simpson's rule on its density."""
    constant = exp(lgamma((degrees + 1) / 2) - lgamma(degrees / 2)) / sqrt(degrees * pi)
    # Substituting t = sqrt(degrees) · tan(angle) makes the integrand a power of a cosine.
    top = atan(t / sqrt(degrees))
    steps = 400
    width = top / steps
    total = 0.0
    for step in range(steps + 1):
        weight = 1 if step in (0, steps) else 4 if step % 2 else 2
        total += weight * cos(step * width) ** (degrees - 1)
    return 0.5 + constant * sqrt(degrees) * total * width / 3


def quantile(histogram: Histogram, share: float) -> tuple[int, Interval] | None:
    """Return a quantile in µs and its interval from order statistics; None without values.

    The ranks are those between which the quantile lies with at least 95 % (binomial, two-sided).

    Source:
        H. A. David and H. N. Nagaraja, "Order Statistics", 3rd edition (2003), section 7.1.
    """
    total = histogram.total
    if total == 0:
        return None
    rank = min(total, max(1, -(-int(share * total * 1_000_000) // 1_000_000)))
    low, high = _ranks(total, share)
    return histogram.at_rank(rank), Interval(histogram.at_rank(low), histogram.at_rank(high))


def _ranks(total: int, share: float) -> tuple[int, int]:
    if total > 2_000:
        half = Z95 * sqrt(total * share * (1 - share))
        low, high = int(total * share - half), int(total * share + half) + 2
    else:
        low, high = _binomial_rank(total, share, 0.025), _binomial_rank(total, share, 0.975) + 1
    return min(max(1, low), total), min(max(1, high), total)


def _binomial_rank(total: int, share: float, level: float) -> int:
    """Return the smallest k with P(Binomial(total, share) <= k) >= level."""
    cumulative = 0.0
    for k in range(total + 1):
        cumulative += exp(_log_comb(total, k) + k * log(share) + (total - k) * log(1 - share))
        if cumulative >= level:
            return k
    return total


def _log_comb(total: int, k: int) -> float:
    if total < 60:
        return log(comb(total, k))
    return lgamma(total + 1) - lgamma(k + 1) - lgamma(total - k + 1)
