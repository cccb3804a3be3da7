"""A measurement on a terminal or in a pipe: for each scenario its rates, beliefs and findings."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from sim.judge.court import BELIEFS, EFFECTS_MANY
from sim.judge.verdict import Status
from sim.measure.checks import Findings, findings
from sim.measure.definitions import BY_NAME
from sim.measure.results import CellResult, Row
from sim.report import measured_words as words
from sim.report.summary import MARKS, grid
from sim.trace.words import count, plain

_COLUMN = 34
"""Columns that one variant takes beside others."""
_FIRST = 27


def measured(results: Sequence[CellResult], *, width: int, full: bool) -> RenderableType:
    """Return every scenario's part, then one line that says how it ended.

    Args:
        results: Of all cells, in the order of the plan.
        width: Columns that there are.
        full: Whether measures that say nothing here are shown too.
    """
    parts: list[RenderableType] = []
    for _, group in groupby(results, key=lambda result: result.cell.scenario.path):
        parts.append(_scenario(list(group), width=width, full=full))
    return Group(*parts, Rule(style="dim", characters="━"), _ending(results))


def _scenario(results: Sequence[CellResult], *, width: int, full: bool) -> RenderableType:
    found = [findings(result) for result in results]
    scenario = results[0].cell.scenario
    mark, style = MARKS[_worst(each.status for each in found)]
    head = Text.assemble((f"{mark} ", style), (scenario.name, "bold"), f"  {plain(scenario.title)}")
    parts: list[RenderableType] = [Rule(style="dim", characters="━"), head]
    if scenario.about:
        parts.append(Padding(Text(plain(scenario.about), "dim"), (0, 0, 0, 2)))
    parts += [Text(line, "dim") for line in dict.fromkeys(map(_conditions, results))]
    parts += [Text(), *_rates(results, width=width, full=full)]
    parts += [_matrix(results), Text(), _findings(results, found), Text()]
    return Group(*parts)


def _conditions(result: CellResult) -> str:
    runs = count(result.cell.runs, "run")
    each = f" of {result.cell.world.variant}" if result.cell.world.variant else ""
    return f"  {runs}{each} under seed {result.cell.world.seed}; {words.one_run(result)}"


# --- rates ------------------------------------------------------------------------------------


def _rates(results: Sequence[CellResult], *, width: int, full: bool) -> Iterator[RenderableType]:
    """Yield the tables: of one cell, of variants side by side, or of each measure over a sweep."""
    shown = [name for name in BY_NAME if full or _speaks(name, results)]
    if any(result.cell.where for result in results):
        for name in shown:
            yield from _over_sweep(name, results, width)
    elif len(results) == 1:
        yield from (_of_one(results[0], shown), Text())
    else:
        at_once = max(1, (width - _FIRST) // _COLUMN)
        for start in range(0, len(results), at_once):
            yield from (_side_by_side(results[start : start + at_once], shown), Text())
    if not full:
        yield from _zeros(results)


def _speaks(name: str, results: Iterable[CellResult]) -> bool:
    return any(words.speaks(result.row(name)) for result in results)


def _of_one(result: CellResult, names: Iterable[str]) -> Table:
    table = _table("measure")
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("95 % interval", no_wrap=True)
    table.add_column("count", overflow="fold")
    for row in map(result.row, names):
        table.add_row(row.measure, _bold(row), words.interval(row), Text(words.counted(row), "dim"))
    return table


def _side_by_side(results: Sequence[CellResult], names: Iterable[str]) -> Table:
    table = _table("measure")
    for result in results:
        table.add_column(words.where(result.cell) or "all", overflow="fold")
    for name in names:
        table.add_row(name, *(_stacked(result.row(name)) for result in results))
    return table


def _over_sweep(name: str, results: Sequence[CellResult], width: int) -> Iterator[RenderableType]:
    """Yield one measure's table: a row for each cell of the sweep, a column for each variant."""
    variants = list(dict.fromkeys(result.cell.world.variant for result in results))
    cells = list(dict.fromkeys(result.cell.where for result in results))
    by_place = {(r.cell.world.variant, r.cell.where): r.row(name) for r in results}
    first = max(_FIRST, *(len(cell) + 2 for cell in cells))
    at_once = max(1, (width - first) // _COLUMN)
    for start in range(0, len(variants), at_once):
        some = variants[start : start + at_once]
        table = _table(Text(name, "bold not dim"))
        for variant in some:
            table.add_column(variant, overflow="fold")
        for cell in cells:
            table.add_row(cell, *(_stacked(by_place[variant, cell]) for variant in some))
        yield from (table, Text())


def _table(first: str | Text) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(first, no_wrap=True)
    return table


def _bold(row: Row) -> Text:
    is_wrong = BY_NAME[row.measure].is_harm and row.count > 0
    return Text(words.value(row), "bold red" if is_wrong else "bold" if row.value else "")


def _stacked(row: Row) -> Text:
    interval = words.interval(row)
    said = _bold(row) + Text(f"  {interval}" if interval else "")
    counted = words.counted(row)
    return Text.assemble(said, "\n", (counted, "dim")) if counted else said


def _zeros(results: Sequence[CellResult]) -> Iterator[RenderableType]:
    """Yield what never happened and must not: 0 of how many, and what that still leaves open."""
    rows = [
        result.row(name)
        for name, measure in BY_NAME.items()
        if measure.is_harm and not _speaks(name, results)
        for result in results
    ]
    rows = [row for row in rows if row.denominator]
    if not rows:
        return
    names = ", ".join(dict.fromkeys(row.measure for row in rows))
    least = min(rows, key=lambda row: row.denominator)
    each = "in each of them " if len(results) > 1 else ""
    open_ = f", at most {words.percent(least.high, 3)} %" if least.high is not None else ""
    said = f"0 {each}of {least.denominator:,} {BY_NAME[least.measure].over}{open_}: {names}"
    yield from (Text(said, "green"), Text())


# --- beliefs ----------------------------------------------------------------------------------


def _matrix(results: Sequence[CellResult]) -> Table:
    """Return belief x truth for each variant, all cells of its sweep together."""
    table = _table("what clients believe")
    for effects in ("0 effects", "1 effect", "2+ effects"):
        table.add_column(effects, justify="right")
    variants: dict[str, dict[tuple[str, int], int]] = {}
    for result in results:
        counts = variants.setdefault(result.cell.world.variant, {})
        for place, many in result.tally.beliefs.items():
            counts[place] = counts.get(place, 0) + many
    for variant, counts in variants.items():
        if len(variants) > 1:
            table.add_row(Text(variant, "dim"))
        for belief in BELIEFS:
            row = [counts.get((belief, effects), 0) for effects in range(EFFECTS_MANY + 1)]
            if any(row):
                cells = (_belief(belief, effects, many) for effects, many in enumerate(row))
                table.add_row(f"  {belief}" if len(variants) > 1 else belief, *cells)
    return table


_WRONG = {("acknowledged", 0), ("not saved", 1)}


def _belief(belief: str, effects: int, many: int) -> Text:
    if not many:
        return Text("·", "dim")
    is_wrong = effects == EFFECTS_MANY or (belief, effects) in _WRONG
    return Text(f"{many:,}", "bold red" if is_wrong else "green" if effects == 1 else "")


# --- findings ---------------------------------------------------------------------------------


def _findings(results: Sequence[CellResult], found: Sequence[Findings]) -> RenderableType:
    table = grid(2)
    for result, each in zip(results, found, strict=True):
        name = words.where(result.cell)
        for mark, style, said in _lines(result, each):
            table.add_row(Text(mark, style), Text(f"{name}: {said}" if name else said, style))
    if not any(each.broken for each in found):
        table.add_row(Text("✓", "green"), Text("every invariant held in every run", "green"))
    return table


def _lines(result: CellResult, found: Findings) -> Iterator[tuple[str, str, str]]:
    marks = {True: ("✓", "green"), False: ("✗", "bold red"), None: ("?", "yellow")}
    for check in found.rates:
        if found.is_whole:
            yield (*marks[check.holds], words.rate(check))
    for broken in found.broken:
        how = ("!", "yellow") if broken.is_expected else ("✗", "bold red")
        yield (*how, words.breach(broken, result))
    for doubt in words.doubts(found, result):
        yield "?", "yellow", doubt


def _worst(found: Iterable[Status]) -> Status:
    seen = list(found)
    return next((s for s in (Status.FAILED, Status.INCONCLUSIVE) if s in seen), Status.PASSED)


def _ending(results: Sequence[CellResult]) -> Text:
    made = sum(result.tally.runs for result in results)
    planned = sum(result.cell.runs for result in results)
    operations = sum(result.tally.operations for result in results)
    runs = f"{made:,} runs" if made == planned else f"{made:,} of {planned:,} planned runs"
    what = f"{count(len(results), 'cell')}, {runs}, {operations:,} operations: "
    text = Text(what, "bold")
    found = [findings(result).status for result in results]
    for number, status in enumerate(Status):
        many = found.count(status)
        if many or status is Status.PASSED:
            text.append(f"{', ' if number else ''}{many} {status}", MARKS[status][1])
    return text
