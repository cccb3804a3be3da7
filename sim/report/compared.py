"""A comparison on a terminal or in a pipe: paired differences, and the runs that show them."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from sim.measure.compare import Comparison, GroupResult
from sim.report import compared_words as words
from sim.report import measured_words
from sim.report.measured_words import count
from sim.report.summary import grid
from sim.trace.words import plain


def compared(results: Sequence[GroupResult], names: Sequence[str] = ()) -> RenderableType:
    """Return every scenario's part.

    Args:
        results: Of all groups, in their order.
        names: The measures to show, whatever they say; empty: those in which runs differ.
    """
    parts: list[RenderableType] = []
    for _, found in groupby(results, key=lambda result: result.group.scenario.path):
        parts.append(_scenario(list(found), names))
    return Group(*parts)


def _scenario(results: Sequence[GroupResult], names: Sequence[str]) -> RenderableType:
    group = results[0].group
    head = Text.assemble((group.scenario.name, "bold"), f"  {plain(group.scenario.title)}")
    parts: list[RenderableType] = [Rule(style="dim", characters="━"), head]
    if group.scenario.about:
        parts.append(Padding(Text(plain(group.scenario.about), "dim"), (0, 0, 0, 2)))
    parts += [Text(f"  {words.conditions(group)}", "dim"), Text()]
    for result in results:
        if result.group.where:
            title = Text(plain(result.group.where), "bold")
            parts.append(Rule(title, align="left", characters="─", style="dim"))
        for place in range(1, len(result.group.worlds)):
            parts += [*_pair(result, place, names), Text()]
        parts += _doubts(result)
    return Group(*parts)


def _doubts(result: GroupResult) -> Iterator[RenderableType]:
    said = words.doubts(result)
    if not said:
        return
    table = grid(2)
    for doubt in said:
        table.add_row(Text("?", "yellow"), Text(doubt, "yellow"))
    yield from (table, Text())


def _pair(result: GroupResult, place: int, names: Sequence[str]) -> Iterator[RenderableType]:
    """Yield what is said of one variant beside the base."""
    yield Text(words.headline(result, place), "bold")
    shown = words.shown(result, place, names)
    if shown:
        yield _differences(result, place, shown)
        yield Text()
        yield _counted(result, place, shown)
        warning = words.unlike(result, place, shown)
        if warning:
            yield Text(warning, "yellow")
        yield Text()
        yield _runs(shown)
    left = words.left_out(result, place, shown, names)
    if left:
        yield Text(left, "dim")
    see = words.see(result, place, shown)
    if see:
        yield Text(f"see one: {see}", "dim")


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(first, no_wrap=True)
    for name in others:
        table.add_column(name, justify="right", overflow="fold")
    return table


def _differences(result: GroupResult, place: int, shown: Sequence[Comparison]) -> Table:
    group = result.group
    base, variant = group.worlds[0].variant, group.worlds[place].variant
    table = _table("measure", base, variant, "difference", "95 % interval", "paired")
    for one in shown:
        is_clear = one.difference is not None and one.difference.is_clear
        table.add_row(
            one.measure.name,
            words.value(one, one.base),
            words.value(one, one.value),
            Text(words.change(one), "bold" if is_clear else ""),
            words.interval(one),
            Text(words.narrower(one), "dim"),
        )
    for before, after in words.beside(result, place, shown):
        row = (before.measure, measured_words.value(before), measured_words.value(after))
        table.add_row(*row, "", "", "")
    return table


def _counted(result: GroupResult, place: int, shown: Sequence[Comparison]) -> Table:
    """What stands behind the values: two rates of different things are no difference."""
    group = result.group
    table = _table("counted", group.worlds[0].variant, group.worlds[place].variant)
    table.add_column("of", overflow="fold")
    for row in words.counted(result, place, shown):
        table.add_row(*row)
    return table


def _runs(shown: Sequence[Comparison]) -> Table:
    table = _table("runs that differ", "higher", "lower", "otherwise")
    table.add_column("the clearest", overflow="fold")
    for one in shown:
        pair = one.pair
        counts = (
            f"{many:,}" if many else "·" for many in (pair.higher, pair.lower, pair.otherwise)
        )
        table.add_row(one.measure.name, *counts, words.clearest(one))
    return table


def ending(results: Sequence[GroupResult]) -> RenderableType:
    """Return the last line: what was compared, and how the columns are to be read."""
    scenarios = count(len({result.group.scenario.path for result in results}), "scenario")
    runs = sum(result.tally.runs * len(result.group.worlds) for result in results)
    said = (
        f"{scenarios}, {runs:,} runs. 'paired': how much narrower the interval is than one from as "
        "many runs that do not share their weather. Each interval is for itself: of twenty "
        "differences that are none, about one is outside its own."
    )
    return Group(Rule(style="dim", characters="━"), Text(said, "dim"))
