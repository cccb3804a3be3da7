"""95 % intervals: Wilson for independent trials, runs as units where operations share one.

Quantiles of Student's t and the normal come from the standard library and a series; nothing here
draws, and nothing depends on the order in which runs were counted.
"""

from dataclasses import dataclass
from functools import cache
from math import atan, comb, cos, exp, lgamma, log, pi, sqrt
from statistics import NormalDist

from sim.measure.histogram import Histogram

Z95 = NormalDist().inv_cdf(0.975)
_EXACT_RANKS_MAX = 2_000


@dataclass(frozen=True, slots=True)
class Interval:
    """Lower and upper bound; ``high`` None: the sample is too small to bound it from above."""

    low: float
    high: float | None


def wilson(count: float, total: float, z: float = Z95) -> Interval:
    """Return the Wilson score interval of ``count`` of ``total`` (above 0), within [0, 1].

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

    A run contributes ``x`` to the numerator and ``n`` to the denominator; ``witnesses`` are the
    runs that have anything in the denominator.
    """

    runs: int = 0
    x: int = 0
    n: int = 0
    xx: int = 0
    nn: int = 0
    xn: int = 0
    witnesses: int = 0

    def add(self, x: int, n: int, times: int = 1) -> None:
        """Count one run, or so many that came out alike."""
        self.runs += times
        if n:
            self.n += n * times
            self.nn += n * n * times
            self.witnesses += times
        if x:
            self.x += x * times
            self.xx += x * x * times
            self.xn += x * n * times

    def merge(self, other: "Sums") -> None:
        """Count the runs of ``other`` too."""
        self.runs += other.runs
        self.x += other.x
        self.n += other.n
        self.xx += other.xx
        self.nn += other.nn
        self.xn += other.xn
        self.witnesses += other.witnesses

    def as_list(self) -> list[int]:
        """Return the sums in the order of the fields, for a file."""
        return [self.runs, self.x, self.n, self.xx, self.nn, self.xn, self.witnesses]

    @property
    def is_one_a_run(self) -> bool:
        """Whether each run holds at most one trial, with no or one success: they are independent.

        A whole number is its own square only if it is 0 or 1, so the sums of squares tell.
        """
        return self.nn == self.n and self.xx == self.x

    @property
    def squares(self) -> int:
        """n² times the sum of the squared residuals ``x − r·n``: an integer, exactly."""
        return self.xx * self.n * self.n - 2 * self.x * self.n * self.xn + self.x**2 * self.nn


def share(sums: Sums) -> Interval | None:
    """Return the interval of a share: Wilson's, with as many trials as there really are.

    Trials of one run are no independent witnesses. Their number is replaced by the number of
    independent ones that would vary as the runs do (never more than there are trials, nor more
    than there are runs where all runs agree), and the normal quantile by Student's t with one
    degree of freedom less than there are runs that hold a trial. Like Wilson's own, the interval
    keeps its width at 0 and 1.

    Args:
        sums: Of at least two runs that hold a trial, unless each holds one.

    Source:
        N. Dean and M. Pagano, "Evaluating Confidence Interval Methods for Binomial Proportions in
        Clustered Surveys", Journal of Survey Statistics and Methodology 3 (2015), 484-503.
    """
    if sums.n == 0:
        return None
    if sums.is_one_a_run:
        return wilson(sums.x, sums.n)
    runs = sums.witnesses
    if runs < 2:
        return None
    squares = sums.squares
    worth = float(runs)
    if squares:
        # x(n − x)/n² over the variance of the ratio, which is squares/n⁴ · runs/(runs − 1).
        effective = sums.x * (sums.n - sums.x) * sums.n**2 * (runs - 1)
        worth = min(effective / (squares * runs), float(sums.n))
    return wilson(sums.x / sums.n * worth, worth, student_t(runs - 1))


def mean(sums: Sums, least: int | None = None) -> Interval | None:
    """Return the interval of a mean x/n with the run as the independent unit.

    The variance is that of the residuals ``x - r·n`` (linearised ratio estimator), the quantile
    Student's t with one degree of freedom less than there are runs with a denominator. Where few
    runs deviate from the others such an interval is too narrow. So where a step is known, two runs
    that were not made are added to the variance, one that deviates upwards and one downwards.
    Where all runs agree, the bound is Wilson's of the runs that deviate, by one in each trial.

    Args:
        sums: Of at least two runs with a denominator; there is no interval otherwise.
        least: What each trial adds to ``x`` at the least, where ``x`` counts whole things. None:
            it measures (a time, a load), no step is known, and where all runs agree there is no
            interval.

    Source:
        W. G. Cochran, "Sampling Techniques", 3rd edition (1977), section 6.3; the added runs are
        those of D. G. Bonett and R. M. Price, "Adjusted Wald Confidence Interval for a Difference
        of Binomial Proportions Based on Paired Data", Journal of Educational and Behavioral
        Statistics 37 (2012), 479-488.
    """
    runs = sums.witnesses
    if runs < 2:
        return None
    value, t = sums.x / sums.n, student_t(runs - 1)
    if sums.squares:
        variance = sums.squares / sums.n**4 * runs / (runs - 1)
        half = t * sqrt(variance + 2 * _step(sums, least) ** 2)
    elif least is None:
        return None
    else:
        half = unseen(runs)
    # What is not launched by the end of its run is below the least: then nothing is known of it.
    bound = least if least is not None and value >= least else 0
    return Interval(max(float(bound), value - half), value + half)


def unseen(runs: int) -> float:
    """Return the bound of the share of runs that differ, where none of at least two did."""
    bound = wilson(0, runs, student_t(runs - 1)).high
    assert bound is not None
    return bound


def _step(sums: Sums, least: int | None) -> float:
    """By how much one run that deviates moves the mean; 0 where no step is known.

    If k runs go beyond the least by s each, that is s·k in all and s²·k in squares: their quotient
    is s. It is one trial's step at least.
    """
    if least is None:
        return 0.0
    squares, beyond = sums.squares / sums.n**2, sums.x - least * sums.n
    step = min(squares / beyond, sqrt(squares)) if beyond > 0 else 1.0
    return max(step, 1.0) / sums.n


@cache
def student_t(degrees: int) -> float:
    """Return the 0.975 quantile of Student's t, by bisection on its distribution function."""
    if degrees > 200:
        z = Z95
        return z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
    low, high = Z95, 13.0
    for _ in range(60):
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


def quantile(histogram: Histogram, thousandths: int) -> tuple[int, Interval] | None:
    """Return a quantile in µs and its interval from order statistics; None without values.

    The ranks are those between which the quantile of independent values lies with at least 95 %
    (binomial, 2.5 % on each side). A rank below the first is bounded by 0, as every duration is;
    one beyond the last by nothing.

    Args:
        histogram: The values.
        thousandths: Which quantile, in (0, 1000): 500 is the median.

    Source:
        H. A. David and H. N. Nagaraja, "Order Statistics", 3rd edition (2003), section 7.1.
    """
    total = histogram.total
    if total == 0:
        return None
    rank = -(-thousandths * total // 1_000)
    low, high = ranks(total, thousandths)
    bounds = Interval(
        float(histogram.at_rank(low)) if low else 0.0,
        float(histogram.at_rank(high)) if high <= total else None,
    )
    return histogram.at_rank(rank), bounds


def ranks(total: int, thousandths: int) -> tuple[int, int]:
    """Return the ranks that bound a quantile; 0 and ``total`` + 1 stand for no value at all."""
    part = thousandths / 1_000
    if total > _EXACT_RANKS_MAX:
        half = Z95 * sqrt(total * part * (1 - part))
        return max(0, int(total * part - half)), min(int(total * part + half) + 2, total + 1)
    return _binomial_rank(total, part, 0.025), _binomial_rank(total, part, 0.975) + 1


def _binomial_rank(total: int, part: float, level: float) -> int:
    """Return the smallest k with P(Binomial(total, part) <= k) >= level."""
    cumulative = 0.0
    for k in range(total):
        cumulative += exp(_log_comb(total, k) + k * log(part) + (total - k) * log(1 - part))
        if cumulative >= level:
            return k
    return total


def _log_comb(total: int, k: int) -> float:
    if total < 60:
        return log(comb(total, k))
    return lgamma(total + 1) - lgamma(k + 1) - lgamma(total - k + 1)
