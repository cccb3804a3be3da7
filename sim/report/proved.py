"""The contract over the suite, on a terminal or in a pipe: each situation, then what that shows."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sim.explore.choice import FAULTS
from sim.explore.proved import Proof, Proved
from sim.judge.catalog_invariants import INVARIANTS
from sim.trace.words import count


def proved(found: Proof) -> RenderableType:
    """Return the situations with their schedules, and whether every invariant holds in all."""
    said = f"  without a mistake, over {count(len(found.situations), 'small situation')}"
    head = Text.assemble(("the contract", "bold"), said)
    most = count(found.faults, "fault")
    kinds = ", ".join(kind.value for kind in FAULTS)
    bounds = Text(f"every schedule of at most {most} besides the situation's own: {kinds}", "dim")
    return Group(head, Padding(bounds, (0, 0, 0, 2)), Text(), _table(found), Text(), *_end(found))


def _table(found: Proof) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    table.add_column("situation", no_wrap=True)
    table.add_column("own faults", justify="right")
    for size in range(found.faults + 1):
        table.add_column(f"of {size}", justify="right")
    table.add_column("schedules", justify="right")
    for one in found.situations:
        sizes = [f"{many:,}" for many in one.sizes]
        sizes += [""] * (found.faults + 1 - len(sizes))
        table.add_row(_mark(one), one.situation, str(one.own), *sizes, f"{one.schedules:,}")
    return table


def _mark(one: Proved) -> Text:
    if one.exposures:
        return Text("✗", "bold red")
    return Text("?", "bold yellow") if one.doubts else Text("✓", "green")


def _end(found: Proof) -> Iterator[RenderableType]:
    for one in found.broken:
        for name, shown in one.exposures.items():
            clauses = "; ".join(shown.clauses) or "no fault at all"
            yield Text(f"✗  {name} breaks in '{one.situation}': {clauses}", "bold red")
    for one in found.doubtful:
        for doubt in one.doubts:
            yield Text(f"?  '{one.situation}' is inconclusive: {doubt}", "bold yellow")
    many = f"{found.schedules:,} schedules"
    where = f"{count(len(found.situations), 'situation')}, at most {count(found.faults, 'fault')}"
    if not found.broken and not found.doubtful:
        held = f"every invariant holds in all: {len(INVARIANTS)} invariants"
        yield Text(f"✓  {held}, {many} in {where}", "green")
    else:
        yield Text(f"{many} in {where}", "dim")
