"""Measured numbers and findings as people read them, shared by text and Markdown."""

from collections.abc import Iterator, Sequence
from math import floor, log10

from sim.judge.court import NOBODY_ACTS
from sim.measure.checks import Broken, Findings, RateCheck
from sim.measure.definitions import BY_NAME, Measure, Unit
from sim.measure.plan import Cell
from sim.measure.results import CellResult, Row
from sim.trace.words import duration, plain

NO_VALUE = "—"
_DECIMALS_MAX = 6
_SECOND_US = 1_000_000
_ALIKE = 0.01
"""Shares of settled operations that differ by less make times no harder to compare."""
_POPULATION = 10
"""From so many clients on, their load together is a question."""


def value(row: Row) -> str:
    """Return the value, as precise as it is known: ``27.0 %``, ``1.347``, ``2.58 s``."""
    if row.value is None:
        return NO_VALUE
    return _with_unit(BY_NAME[row.measure], _number(row, row.value))


def interval(row: Row) -> str:
    """Return the 95 % interval: ``25.4 – 28.6 %``; empty where there is none."""
    if row.value is None or row.low is None:
        return ""
    measure, low = BY_NAME[row.measure], _number(row, row.low)
    if row.high is None:
        return f"≥ {_with_unit(measure, low)}"
    high = _number(row, row.high)
    if measure.unit is Unit.TIME:
        return f"{low} – {high}"
    return _with_unit(measure, f"{low} – {high}")


def counted(row: Row, *, over: bool = True) -> str:
    """Return count and denominator: ``810 of 3,000 operations``; empty for a maximum.

    Args:
        row: The measure.
        over: Whether to say what the denominator counts.
    """
    measure = BY_NAME[row.measure]
    if measure.unit is Unit.COUNT:
        return ""
    if measure.name == "peak_load":
        most, each = (part / measure.scale / row.runs for part in (row.count, row.denominator))
        return f"{requests(most)} in the fullest second, {requests(each)} in the mean one"
    first = "mean of" if measure.name == "recovery_time" else f"{row.count:,} of"
    return f"{first} {row.denominator:,}" + (f" {measure.over}" if over else "")


def requests(number: float) -> str:
    """Return requests in a second, with at least two digits that tell something."""
    return f"{number:,.1f}" if number >= 1 or not number else f"{number:.2g}"


def speaks(row: Row, result: CellResult) -> bool:
    """Return whether a measure says something here that nobody would take for granted."""
    measure = BY_NAME[row.measure]
    if row.measure == "recovery_time":
        # That an outage was over at once is news, and so is that it never was.
        return result.row("never_recovered_rate").denominator > 0
    if row.denominator == 0 or measure.is_detail:
        return False
    match row.measure:
        case "attempts_per_operation" | "deliveries_per_effect":
            return row.count != row.denominator
        case "peak_load":
            return len(result.cell.world.clients) >= _POPULATION
        case "recovery_required_rate":
            return row.count != result.row("unresolved_rate").count
        case _:
            return row.count > 0


def count(number: int, one: str) -> str:
    """Return ``1 run`` or ``10,000 runs``."""
    return f"{number:,} {one if number == 1 else one + 's'}"


def about(us: float) -> str:
    """Return a duration to three digits: ``80 ms``, ``2.58 s``, ``1 min 23.4 s``."""
    whole = round(us)
    digits = len(str(abs(whole)))
    return duration(whole if digits <= 3 else round(whole, 3 - digits))


def percent(part: float, decimals: int = 2) -> str:
    """Return a share in per cent without its sign."""
    return f"{100 * part:.{decimals}f}" if part not in (0, 1) else f"{100 * part:.0f}"


def one_run(result: CellResult) -> str:
    """Return what one run holds, which is what the intervals are made of."""
    tally, clients = result.tally, count(len(result.cell.world.clients), "client")
    if not tally.runs:
        return f"one run: {clients}"
    if tally.is_independent:
        return f"one run: {clients}, {count(tally.operations_in_a_run_max, 'operation')}"
    each = tally.operations / tally.runs
    said = f"{each:,.0f}" if each == round(each) else f"{each:,.1f}"
    return f"one run: {clients}, {said} operations (intervals are made from runs)"


def where(cell: Cell) -> str:
    """Return variant and sweep cell; empty where a scenario has neither."""
    return ", ".join(part for part in (cell.world.variant, cell.where) if part)


def bounds(check: RateCheck) -> str:
    """Return what is asked of a rate: ``at most 5 %, on the interval``."""
    asked, measure = check.asked, check.measure
    parts = [
        f"{word} {_bound(measure, bound)}"
        for word, bound in (("at least", asked.min), ("at most", asked.max))
        if bound is not None
    ]
    return " and ".join(parts) + (", on the interval" if asked.on_interval else "")


def rate(check: RateCheck) -> str:
    """Return one line about an expected rate."""
    row = check.row
    found = ", ".join(part for part in (value(row), interval(row), counted(row)) if part)
    if row.denominator == 0:
        found = f"no value: {_nothing_to_count(check.measure)}"
    return f"{row.measure} {bounds(check)}: {found}"


def _nothing_to_count(measure: Measure) -> str:
    if measure.name == "peak_load":
        return "load is counted where there are several clients, or an outage"
    return f"there are no {measure.over}"


def breach(broken: Broken, result: CellResult) -> str:
    """Return one line about an invariant that broke, and how to see it."""
    expected = ", as expected" if broken.is_expected else ""
    runs = f"{broken.runs:,} of {count(result.tally.runs, 'run')}"
    return f"{broken.invariant} broke in {runs}{expected}; see one: {look(broken, result)}"


def unbroken(made: int, *, is_whole: bool) -> str:
    """Return what no broken invariant means: of runs that were not made nothing is known.

    Args:
        made: Runs that were made.
        is_whole: Whether these are all that were planned.
    """
    if is_whole:
        return "every invariant held in every run"
    return f"no invariant broke in the {count(made, 'run')} that {_were(made)} made"


def look(broken: Broken, result: CellResult) -> str:
    """Return the command that tells the story of a run in which an invariant broke."""
    cell = result.cell
    named = [f"lostack run {_quoted(cell.scenario.path or cell.scenario.name)}"]
    if cell.world.variant:
        named.append(f"--variant {_quoted(cell.world.variant)}")
    if cell.where:
        named.append(f"--cell {_quoted(cell.where)}")
    if cell.world.seed not in {world.seed for world in cell.scenario.swept}:
        named.append(f"--seed {cell.world.seed}")
    return " ".join([*named, f"--run {broken.run}"])


def unequally_settled(results: Sequence[CellResult]) -> str:
    """Return a warning where times to certainty are of unlike shares of the operations.

    A client that gives up early has short times of the few operations that it settled. Empty
    where the shares are alike.
    """
    rows = [(result.row("time_to_certainty.p50"), where(result.cell)) for result in results]
    shares = [(row.count / row.denominator, name) for row, name in rows if row.denominator]
    if not shares:
        return ""
    least, fewest = min(shares, key=lambda share: share[0])
    most, others = max(shares, key=lambda share: share[0])
    if most - least < _ALIKE:
        return ""
    return (
        f"time_to_certainty is of operations that settled: {percent(least, 1)} % of them "
        f"({fewest}) to {percent(most, 1)} % ({others}); what never settled has no time, so do not "
        "compare the times alone"
    )


def doubts(found: Findings, result: CellResult) -> Iterator[str]:
    """Yield why a cell proves less than it should."""
    if not found.is_whole:
        made, planned = result.tally.runs, count(result.cell.runs, "run")
        yield f"cut short: {made:,} of {planned} made; counts only, a rate needs all its runs"
    for clause in found.never_matched:
        yield unmatched(clause)
    for name in found.never_broke:
        yield f"{name} was expected to break and did in no run"
    if found.is_idle:
        yield NOBODY_ACTS
    if found.given_up:
        yield f"{count(found.given_up, 'run')} given up after too many records"


def unmatched(clause: str) -> str:
    """Return what is said of a fault that never occurred."""
    return f"this fault matched in no run: {plain(clause)}"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _bound(measure: Measure, bound: float) -> str:
    if measure.unit is Unit.SHARE:
        return f"{100 * bound:.6g} %"
    if measure.unit is Unit.TIME:
        return duration(round(bound * _SECOND_US))
    return f"{bound:.6g}"


def _number(row: Row, number: float) -> str:
    match BY_NAME[row.measure].unit:
        case Unit.SHARE:
            return percent(number, _decimals(row, 100))
        case Unit.MEAN:
            return f"{number:,.{_decimals(row, 1)}f}"
        case Unit.TIME:
            return about(number)
        case Unit.COUNT:
            return f"{number:,.0f}"


def _decimals(row: Row, scale: int) -> int:
    """Return as many decimals as show the interval's half width with two digits."""
    if row.low is None or row.high is None or row.high == row.low:
        return 2
    half = scale * (row.high - row.low) / 2
    return min(max(1 - floor(log10(half)), 0), _DECIMALS_MAX)


def _with_unit(measure: Measure, number: str) -> str:
    return f"{number} %" if measure.unit is Unit.SHARE else number


def _quoted(text: str) -> str:
    safe = text and all(char.isalnum() or char in "-_./@:+," for char in text)
    return text if safe else "'" + text.replace("'", "'\\''") + "'"
