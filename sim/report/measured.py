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
from sim.report.measured_words import count
from sim.report.summary import MARKS, grid
from sim.trace.words import plain

_COLUMN = 36
"""Columns that one variant takes beside others, and those of the names before them."""
_FIRST = 26
_HEADING_MAX = 16


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
    begun = [result for result in results if result.tally.runs]
    if begun:
        parts += [*_conditions(begun), Text(), *_rates(begun, width=width, full=full)]
        parts += [_matrix(begun), Text()]
    return Group(*parts, _findings(results, found), Text())


def _conditions(results: Sequence[CellResult]) -> list[RenderableType]:
    """Return under which conditions runs were made, once where they are the same for all."""
    said: dict[str, list[str]] = {}
    for result in results:
        runs = count(result.cell.runs, "run")
        line = f"{runs} under seed {result.cell.world.seed}; {words.one_run(result)}"
        said.setdefault(line, []).append(words.where(result.cell))
    if len(said) == 1:
        each = " each" if len(results) > 1 else ""
        lines = [line.replace(" under", f"{each} under", 1) for line in said]
    else:
        lines = [f"{', '.join(names)}: {line}" for line, names in said.items()]
    return [Padding(Text(line, "dim"), (0, 0, 0, 2)) for line in lines]


# --- rates ------------------------------------------------------------------------------------


def _rates(results: Sequence[CellResult], *, width: int, full: bool) -> Iterator[RenderableType]:
    """Yield the tables: of one cell, of variants side by side, or of each measure over a sweep."""
    shown = [name for name in BY_NAME if full or _speaks(name, results)]
    if any(result.cell.where for result in results):
        for name in shown:
            yield from (_over_sweep(name, results), Text())
    elif len(results) == 1:
        yield from (_of_one(results[0], shown), Text())
    else:
        at_once = max(1, (width - _FIRST) // _COLUMN)
        for start in range(0, len(results), at_once):
            yield from (_side_by_side(results[start : start + at_once], shown), Text())
    warning = words.unequally_settled(results)
    if warning:
        yield from (Text(warning, "yellow"), Text())
    if not full:
        yield from _zeros(results)


def _speaks(name: str, results: Iterable[CellResult]) -> bool:
    return any(words.speaks(result.row(name), result) for result in results)


def _of_one(result: CellResult, names: Iterable[str]) -> Table:
    table = _with_numbers(_table("measure"), "count")
    for row in map(result.row, names):
        table.add_row(row.measure, *_numbers(row, words.counted(row)))
    return table


def _side_by_side(results: Sequence[CellResult], names: Iterable[str]) -> Table:
    table = _table("measure")
    for result in results:
        table.add_column(words.where(result.cell) or "all", overflow="fold")
    for name in names:
        table.add_row(name, *(_stacked(result.row(name)) for result in results))
    return table


def _over_sweep(name: str, results: Sequence[CellResult]) -> Table:
    """Return one measure's table: a row for each cell of the sweep and each variant."""
    paths = [path for path, _ in results[0].cell.world.cell]
    has_variants = len({result.cell.world.variant for result in results}) > 1
    first, *others = [*paths, *(["variant"] if has_variants else [])]
    table = _table(_heading(first))
    for other in others:
        table.add_column(_heading(other), overflow="fold")
    _with_numbers(table, f"of {BY_NAME[name].over}")
    for result in sorted(results, key=lambda result: _place(result, results)):
        row = result.row(name)
        names = [value for _, value in result.cell.world.cell]
        names += [result.cell.world.variant] if has_variants else []
        table.add_row(*names, *_numbers(row, words.counted(row, over=False)))
    table.title, table.title_justify, table.title_style = name, "left", "bold"
    return table


def _heading(path: str) -> str:
    """Return a swept path, a long one on two lines: narrow columns would break it anywhere."""
    return ".\n".join(path.rsplit(".", 1)) if len(path) > _HEADING_MAX else path


def _place(result: CellResult, results: Sequence[CellResult]) -> int:
    """Return where a sweep's cell first stands, so that its variants stand together."""
    cells = [other.cell.where for other in results]
    return cells.index(result.cell.where)


def _table(first: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(first, no_wrap=True)
    return table


def _with_numbers(table: Table, counted: str) -> Table:
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("95 % interval", no_wrap=True)
    table.add_column(counted, overflow="fold")
    return table


def _numbers(row: Row, counted: str) -> tuple[Text, str, Text]:
    return _bold(row), words.interval(row), Text(counted, "dim")


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
    said = []
    for over in dict.fromkeys(BY_NAME[row.measure].over for row in rows if row.denominator):
        of_them = [row for row in rows if BY_NAME[row.measure].over == over and row.denominator]
        least = min(of_them, key=lambda row: row.denominator)
        are_alike = all(row.denominator == least.denominator for row in of_them)
        at_least = "" if are_alike else "at least "
        each = " in each" if len(results) > 1 else ""
        open_ = f" (at most {100 * least.high:.3g} %)" if least.high is not None else ""
        names = ", ".join(dict.fromkeys(row.measure for row in of_them))
        said.append(f"0 of {at_least}{least.denominator:,} {over}{each}{open_}: {names}")
    if said:
        yield from (Text("\n".join(said), "green"), Text())


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
    made = sum(result.tally.runs for result in results)
    if made and not any(each.broken for each in found):
        is_whole = all(each.is_whole for each in found)
        mark, style = ("✓", "green") if is_whole else ("?", "yellow")
        table.add_row(Text(mark, style), Text(words.unbroken(made, is_whole=is_whole), style))
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
    runs = count(made, "run") if made == planned else f"{made:,} of {planned:,} planned runs"
    what = f"{count(len(results), 'cell')}, {runs}, {count(operations, 'operation')}: "
    text = Text(what, "bold")
    found = [findings(result).status for result in results]
    for number, status in enumerate(Status):
        many = found.count(status)
        if many or status is Status.PASSED:
            text.append(f"{', ' if number else ''}{many} {status}", MARKS[status][1])
    return text
