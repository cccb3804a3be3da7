"""What a suite of scenarios comes to, on a terminal or in a pipe: each item, and what is missed."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sim.explore.reach import MistakeReached, Reach, Reached
from sim.explore.reach_items import Item, Set
from sim.trace.words import count


def reached(found: Reach) -> RenderableType:
    """Return every item with how often and where it is reached, then what is not."""
    said = f"  {count(found.scenarios, 'scenario')}, {count(found.runs, 'run')}"
    head = Text.assemble(("what the scenarios come to", "bold"), said)
    return Group(head, *(_set(found, one) for one in Set), *_mistakes(found), *_ending(found))


def _table() -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    table.add_column("", no_wrap=True, min_width=35)
    table.add_column("times", justify="right")
    table.add_column("scenarios", justify="right")
    table.add_column("first in", overflow="fold")
    return table


def _set(found: Reach, which: Set) -> RenderableType:
    items = found.of(which)
    come_to = sum(1 for one in items if one.times)
    table = _table()
    for one in items:
        table.add_row(*_row(one))
    title = Text.assemble((which.value, "bold"), f"  {come_to} of {len(items)}")
    return Group(Text(), title, table)


def _row(one: Reached) -> tuple[Text, str, str, str, Text]:
    if not one.times:
        missed = Text("no scenario comes to it", "bold red")
        return Text("✗", "bold red"), one.item.name, "", "", missed
    times, scenarios = f"{one.times:,}", f"{one.scenarios:,}"
    return Text("✓", "green"), one.item.name, times, scenarios, Text(one.first)


def _mistakes(found: Reach) -> Iterator[RenderableType]:
    """Yield what the contract never comes to: why, and which mistakes do."""
    yield Text()
    yield Text("by a mistake alone", "bold")
    for one in found.by_mistake:
        yield Text(f"   {one.item.name}: {one.declared.why}", "dim")
        for name in one.declared.mistakes:
            yield _made(one, name)


def _made(one: MistakeReached, name: str) -> Text:
    first = one.made.get(name)
    if first is None:
        return Text(f"✗    {name}: in no scenario", "bold red")
    return Text.assemble(("✓", "green"), f"    {name}: first in {first}")


def _ending(found: Reach) -> Iterator[RenderableType]:
    yield Text()
    for item in found.unreached:
        yield Text(f"✗  no scenario comes to {_named(item)}", "bold red")
    for item, name in found.unmade:
        yield Text(f"✗  no scenario with {name} comes to {_named(item)}", "bold red")
    for item, name in found.undeclared:
        who = name or "the contract"
        yield Text(f"✗  {who} comes to {_named(item)}, which is not declared", "bold red")
    if found.is_whole:
        many = len(found.contract) + len(found.by_mistake)
        yield Text(f"✓  all {many} are reached, each by whom it is declared to be", "green")


def _named(item: Item) -> str:
    return f"'{item.name}' ({item.of.value})"
