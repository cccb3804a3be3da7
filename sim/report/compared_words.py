"""Paired differences as people read them, shared by text and Markdown."""

import shlex
from collections.abc import Iterator, Sequence
from math import floor, log10

from sim.measure.compare import MEAN_CERTAINTY, Comparison, Group, GroupResult
from sim.measure.definitions import BY_NAME, Measure, Unit
from sim.measure.intervals import Sums, wilson
from sim.measure.results import Row
from sim.report import measured_words
from sim.report.measured_words import count

_DECIMALS_MAX = 6
_MINUS = "−"
_SETTLED = "operations: settled, of all"
_SECONDS = "arrivals: fullest second, mean one"
_OF_SOME = (BY_NAME["unknown_but_applied"], BY_NAME["recovery_time"], MEAN_CERTAINTY)
"""Measures of those operations or runs alone that came so far; how many do is a policy's doing."""
_ALIKE = 0.01
"""Denominators that differ by a smaller part make values no harder to compare."""


def conditions(group: Group) -> str:
    """Return what was compared: ``1,000 runs of each of 3 variants under seed 1, …``."""
    return (
        f"{count(group.runs, 'run')} of each of {len(group.worlds)} variants under seed "
        f"{group.seed}, on the same weather; compared with {group.worlds[0].variant}"
    )


def headline(result: GroupResult, place: int) -> str:
    """Return which variant is compared with which, and in how many runs they differ."""
    base, variant = result.group.worlds[0].variant, result.group.worlds[place].variant
    differing, runs = result.tally.pairs[place - 1].differing, result.tally.runs
    return f"{variant} less {base}: {differing:,} of {count(runs, 'run')} differ"


def shown(result: GroupResult, place: int, names: Sequence[str]) -> list[Comparison]:
    """Return the comparisons to show: those asked for, else those whose values differ."""
    found = result.comparisons(place)
    if names:
        return [one for one in found if one.measure.name in names]
    return [one for one in found if speaks(one)]


def speaks(one: Comparison) -> bool:
    """Return whether the two sides have another value, in some run or over all."""
    return bool(one.pair.higher or one.pair.lower) or one.base != one.value


def left_out(
    result: GroupResult, place: int, comparisons: Sequence[Comparison], names: Sequence[str]
) -> str:
    """Return what is said of the measures that are not shown; empty where there is nothing."""
    runs = result.tally.runs
    if not result.tally.pairs[place - 1].differing:
        most = measured_words.percent(wilson(0, runs).high or 0.0, 3)
        return f"with 95 % confidence, fewer than {most} % of runs do"
    left = len(result.comparisons(place)) - len(comparisons)
    return "" if names or not left else f"the other {left} measures show no difference"


def see(result: GroupResult, place: int, comparisons: Sequence[Comparison]) -> str:
    """Return the command that tells the story of the clearest run; empty where none has one."""
    runs = [run for one in comparisons for run in best(one)[:1]]
    if not runs:
        return ""
    group = result.group
    command = ["lostack", "run", group.scenario.path or group.scenario.name]
    command += ["--variant", group.worlds[place].variant]
    command += ["--cell", group.where] if group.where else []
    if group.seed not in {world.seed for world in group.scenario.worlds}:
        command += ["--seed", str(group.seed)]
    return shlex.join([*command, "--run", str(runs[0])])


def doubts(result: GroupResult) -> list[str]:
    """Return why a comparison proves less than it should: faults that never occurred."""
    return [
        f"{variant}: {measured_words.unmatched(clause)}" for variant, clause in result.never_matched
    ]


def best(one: Comparison) -> list[int]:
    """Return the runs that show the difference best: in the direction that more runs have."""
    pair = one.pair
    chosen = pair.best_higher if pair.higher >= pair.lower else pair.best_lower
    return [each.run for each in chosen]


def clearest(one: Comparison) -> str:
    """Return the runs to look at in both directions: ``↑ 14, 15 ↓ 3``."""
    parts = [
        f"{arrow} {', '.join(str(each.run) for each in found)}"
        for arrow, found in (("↑", one.pair.best_higher), ("↓", one.pair.best_lower))
        if found
    ]
    return "  ".join(parts)


def value(one: Comparison, number: float | None) -> str:
    """Return one side's value: ``27.0 %``, ``1.347``, ``2.58 s``."""
    if number is None:
        return measured_words.NO_VALUE
    match one.measure.unit:
        case Unit.SHARE:
            return f"{measured_words.percent(number, _decimals(one, 100))} %"
        case Unit.TIME:
            return measured_words.about(number)
        case _:
            return f"{number:,.{_decimals(one, 1)}f}"


def change(one: Comparison) -> str:
    """Return the difference: ``+2.1 pp`` (percentage points), ``-0.120``, ``+310 ms``."""
    if one.difference is None:
        return measured_words.NO_VALUE
    unit = " pp" if one.measure.unit is Unit.SHARE else ""
    return _signed(one, one.difference.value) + unit


def interval(one: Comparison) -> str:
    """Return the interval of the difference; where there is none, that."""
    found = one.difference
    if found is None:
        return ""
    if found.low is None or found.high is None:
        return "none"
    return f"{_signed(one, found.low)} to {_signed(one, found.high)}"


def narrower(one: Comparison) -> str:
    """Return how much narrower pairing makes the interval: ``62 % narrower``."""
    part = None if one.difference is None else one.difference.narrower
    if part is None:
        return ""
    return f"{abs(100 * part):.0f} % {'narrower' if part >= 0 else 'wider'}"


def beside(
    result: GroupResult, place: int, comparisons: Sequence[Comparison]
) -> list[tuple[Row, Row]]:
    """Return quantiles that differ, of the base and of the variant, where their mean is shown."""
    if all(one.measure is not MEAN_CERTAINTY for one in comparisons):
        return []
    return [(base, other) for base, other in result.beside(place) if base.value != other.value]


def counted(
    result: GroupResult, place: int, comparisons: Sequence[Comparison]
) -> Iterator[tuple[str, str, str, str]]:
    """Yield what stands behind the values: name, the base's and the variant's counts, of what."""
    base, other = result.side(0), result.side(place)
    for one in comparisons:
        name, pair = one.measure.name, one.pair
        if one.measure is MEAN_CERTAINTY:
            yield name, f"mean of {pair.a.n:,}", f"mean of {pair.b.n:,}", one.measure.over
        elif name == "peak_load":
            yield name, _peak(one.measure, pair.a), _peak(one.measure, pair.b), _SECONDS
        else:
            yield name, counts(base.row(name)), counts(other.row(name)), one.measure.over
    for row, theirs in beside(result, place, comparisons):
        yield row.measure, counts(row), counts(theirs), _SETTLED


def unlike(result: GroupResult, place: int, comparisons: Sequence[Comparison]) -> str:
    """Return a warning where values are of unlike numbers of operations or runs.

    Who gives up early has short times of the few operations that it settled. Empty where the
    numbers are alike, and where no such value is shown.
    """
    names = {one.measure.name for one in comparisons}
    parts = []
    here, there = (result.group.worlds[at].variant for at in (0, place))
    for measure in _OF_SOME:
        pair = result.comparison(place, measure).pair
        base, other = pair.a.n, pair.b.n
        if measure.name in names and abs(base - other) >= _ALIKE * max(base, other, 1):
            name = measure.name.removesuffix(".mean")
            of = f"{base:,} ({here}) against {other:,} ({there})"
            parts.append(f"{name} is of {of} {measure.over}")
    if not parts:
        return ""
    why = "what is left out may be what went wrong, so do not compare these values alone"
    return f"{'; '.join(parts)}: {why}"


def _peak(measure: Measure, sums: Sums) -> str:
    most, mean = (part / measure.scale / sums.runs for part in (sums.x, sums.n))
    return f"{measured_words.requests(most)} over {measured_words.requests(mean)}"


def counts(row: Row) -> str:
    """Return count and denominator alone: ``810 of 3,000``."""
    return measured_words.counted(row, over=False)


def _signed(one: Comparison, number: float) -> str:
    """Return a difference with its sign; nothing at all has none."""
    match one.measure.unit:
        case Unit.SHARE:
            text = f"{100 * abs(number):.{_decimals(one, 100)}f}"
        case Unit.TIME:
            text = measured_words.about(abs(number))
        case _:
            text = f"{abs(number):,.{_decimals(one, 1)}f}"
    return text if number == 0 else f"{'+' if number > 0 else _MINUS}{text}"


def _decimals(one: Comparison, scale: int) -> int:
    """Return as many decimals as show the interval's half width with two digits."""
    half = None if one.difference is None else one.difference.half
    if not half:
        return 2
    return min(max(1 - floor(log10(half * scale)), 0), _DECIMALS_MAX)
