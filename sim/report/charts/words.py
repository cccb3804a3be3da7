"""The words on charts: what a measure is called, what it is a rate of, what numbers are worth."""

import re
from collections.abc import Sequence

from sim.measure.definitions import BY_NAME, CERTAINTY, Measure, Unit
from sim.measure.results import CellResult, Row
from sim.report.charts.scales import share_text, time_text

_ONE_IN_A_RUN = ("operations", "intents")
"""What a run of one operation holds one of."""
_OF_SETTLED = tuple(measure.name for measure in CERTAINTY)


def called(measure: Measure) -> str:
    """Return a measure's name as people say it: ``time to certainty (p90)``."""
    base, _, kind = measure.name.partition(".")
    words = base.replace("_", " ")
    return f"{words} ({kind})" if kind else words


def axis_words(measure: Measure) -> str:
    """Return the label of an axis: the measure, and its unit with what it is a part of."""
    return f"{called(measure)}\n({unit_words(measure)})"


def unit_words(measure: Measure) -> str:
    """Return the unit of a measure, with what it is a part of or a mean over."""
    match measure.unit:
        case Unit.SHARE:
            return f"% of {measure.over}"
        case Unit.TIME if measure.name.startswith("time_to_certainty"):
            return "first send to settled, logarithmic"
        case Unit.TIME:
            return f"logarithmic; mean over {measure.over}"
        case Unit.MEAN if measure.name == "peak_load":
            return "fullest second over the mean second"
        case Unit.MEAN:
            return f"mean over {measure.over}"
        case Unit.COUNT:
            return "the most of any one"


def value_words(measure: Measure, value: float) -> str:
    """Return a value with its unit."""
    match measure.unit:
        case Unit.SHARE:
            return share_text(value)
        case Unit.TIME:
            return time_text(value)
        case Unit.MEAN | Unit.COUNT:
            return f"{value:.3g}"


def denominator_words(results: Sequence[CellResult], names: Sequence[str]) -> str:
    """Return what the measures are rates of, with how many there are in each cell.

    Quantiles of the time to certainty are no rates: they are of the settled operations alone.
    """
    quantiles = [name for name in names if name in _OF_SETTLED]
    said: dict[str, None] = {}
    for name in names:
        over = BY_NAME[name].over
        many = [result.row(name).denominator for result in results]
        if name != "peak_load" and name not in quantiles:
            said.setdefault(f"{counted(many)} {over}", None)
    parts = [f"denominator: {', '.join(said)}"] if said else []
    if "peak_load" in names:
        parts.append(f"peak load: over {counted([each.tally.runs for each in results])} runs")
    if quantiles:
        rows = [result.row(quantiles[0]) for result in results]
        parts.append(f"{'times ' if said else ''}of the settled operations, {_settled(rows)}")
    return f"{'; '.join(parts)}{_in_each(results)}" if parts else ""


def _settled(rows: Sequence[Row]) -> str:
    """Return ``398 to 496 of 500``; where all of differing numbers were settled, that."""
    many = counted([row.count for row in rows])
    all_ = counted([row.denominator for row in rows])
    is_all = all(row.count == row.denominator for row in rows)
    return f"all {all_}" if is_all and " " in all_ else f"{many} of {all_}"


def runs_words(results: Sequence[CellResult]) -> str:
    """Return the scenario's file name, seed and runs."""
    seeds = list(dict.fromkeys(result.cell.world.seed for result in results))
    runs = [result.tally.runs for result in results]
    seed = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {', '.join(map(str, seeds[:4]))}"
    many = "1 run" if max(runs) == 1 else f"{counted(runs)} runs"
    of_each = f" of each {_each(results)}" if _each(results) else ""
    return f"{results[0].cell.scenario.name} · {seed} · {many}{of_each}"


def interval_words(results: Sequence[CellResult], names: Sequence[str]) -> str:
    """Return how the intervals of some measures are made.

    A run of one operation may still have several acks or effects, or none.
    """
    if not all(result.tally.is_independent for result in results):
        return "95 % intervals made from runs: operations of one run are not independent"
    overs = dict.fromkeys(BY_NAME[name].over for name in names)
    others = [over for over in overs if over not in _ONE_IN_A_RUN]
    if not others:
        return "95 % intervals; each run is one operation"
    of = " and ".join(others)
    if len(others) == len(overs):
        return f"95 % intervals made from runs: {of} of one run are not independent"
    return f"95 % intervals; each run is one operation; of {of}, they are made from runs"


def arrow_words(rows: Sequence[Row]) -> str:
    """Return what an arrow says; empty where every interval has both its ends."""
    is_open = any(row.low is not None and row.high is None for row in rows)
    return "; an arrow: it has no upper bound" if is_open else ""


def counted(numbers: Sequence[int]) -> str:
    """Return ``1,000``, or ``812 to 1,040`` where the numbers differ."""
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def broken(text: str, most: int) -> str:
    """Return a name in lines of at most ``most`` letters, broken within words only at need."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and len(lines[-1]) + 1 + len(word) <= most:
            lines[-1] += f" {word}"
            continue
        lines.append("")
        for piece in re.findall(r"[^_-]*[_-]+|[^_-]+", word):
            if lines[-1] and len(lines[-1]) + len(piece) > most:
                lines.append("")
            lines[-1] += piece
            while len(lines[-1]) > most:
                lines[-1:] = [lines[-1][:most], lines[-1][most:]]
    return "\n".join(lines)


def _in_each(results: Sequence[CellResult]) -> str:
    return f" in each {_each(results)}" if _each(results) else ""


def _each(results: Sequence[CellResult]) -> str:
    """Return what there are several of; empty where there is one alone."""
    if len(results) == 1:
        return ""
    if any(result.cell.world.cell for result in results):
        return "cell"
    return "variant" if any(result.cell.world.variant for result in results) else "scenario"
