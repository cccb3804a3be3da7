"""A measurement as Markdown: a table for each cell, then what was found, for a comment."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from sim.judge.verdict import Status
from sim.measure.checks import findings
from sim.measure.results import CellResult, rows
from sim.report import measured_words as words
from sim.report.formats.as_markdown import escaped

_MARKS = {Status.PASSED: "✅", Status.FAILED: "❌", Status.INCONCLUSIVE: "❔"}


def render(results: Sequence[CellResult], *, full: bool = False) -> str:
    """Return the results as GitHub-flavoured Markdown.

    Args:
        results: Of all cells, in the order of the plan.
        full: Whether measures that say nothing here are shown too.
    """
    made = sum(result.tally.runs for result in results)
    planned = sum(result.cell.runs for result in results)
    of = "" if made == planned else f" of {planned:,} planned"
    lines = [f"**lostack**: {words.count(len(results), 'cell')}, {made:,}{of} runs"]
    for result in results:
        lines += _cell(result, full=full)
    for _, group in groupby(results, key=lambda result: result.cell.scenario.path):
        warning = words.unequally_settled(list(group))
        lines += ["", escaped(warning)] if warning else []
    return "\n".join(lines) + "\n"


def _cell(result: CellResult, *, full: bool) -> Iterator[str]:
    found = findings(result)
    name = ", ".join(part for part in (result.cell.scenario.name, words.where(result.cell)) if part)
    yield ""
    yield f"### {_MARKS[found.status]} {escaped(name)}"
    yield ""
    runs = words.count(result.cell.runs, "run")
    yield f"{runs} under seed {result.cell.world.seed}; {words.one_run(result)}"
    yield ""
    yield "| measure | value | 95 % interval | count |"
    yield "|---|---:|---|---|"
    for row in rows(result):
        if full or words.speaks(row, result):
            cells = (row.measure, words.value(row), words.interval(row), words.counted(row))
            yield f"| {' | '.join(map(escaped, cells))} |"
    yield ""
    for check in found.rates:
        mark = {True: "✅", False: "❌", None: "❔"}[check.holds]
        yield f"- {mark} {escaped(words.rate(check))}"
    for broken in found.broken:
        yield f"- {'❗' if broken.is_expected else '❌'} {escaped(words.breach(broken, result))}"
    for doubt in words.doubts(found, result):
        yield f"- ❔ {escaped(doubt)}"
    if result.tally.runs and not found.broken:
        mark = "✅" if found.is_whole else "❔"
        yield f"- {mark} {words.unbroken(result.tally.runs, is_whole=found.is_whole)}"
