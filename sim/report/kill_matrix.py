"""The kill matrix on a terminal or in a pipe: what exposes each mistake, and how little."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sim.explore.kill import Exposure, Matrix, Row
from sim.explore.suite import SUITE
from sim.trace.words import count


def kill_matrix(found: Matrix) -> RenderableType:
    """Return the matrix: the contract, then a row for each mistake, then what it says."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    table.add_column("mistake", no_wrap=True)
    table.add_column("faults", justify="right")
    table.add_column("what breaks, and the fewest faults that break it", overflow="fold")
    for row in found.rows:
        table.add_row(*_row(row))
    said = f"  each mistake alone over {count(len(SUITE), 'small situation')}"
    head = Text.assemble(("kill matrix", "bold"), said)
    return Group(head, Text(), table, Text(), *_ending(found))


def _row(row: Row) -> tuple[Text, str, str, Text]:
    if not row.exposures:
        return Text("✗", "bold red"), row.mistake, "", Text("nothing exposes it", "bold red")
    said = Text(", ").join(_cell(name, one) for name, one in row.exposures.items())
    return Text("✓", "green"), row.mistake, str(row.faults), said


def _cell(name: str, exposure: Exposure) -> Text:
    return Text.assemble(name, (f" {exposure.faults}", "dim"))


def _ending(found: Matrix) -> Iterator[RenderableType]:
    contract = found.contract
    if contract.exposures:
        yield Text("✗  the contract alone breaks:", "bold red")
        for name, one in contract.exposures.items():
            where = f"{name} in '{one.situation}': {'; '.join(one.clauses) or 'no fault at all'}"
            yield Padding(Text(where, "red"), (0, 0, 0, 3))
    else:
        many = f"{contract.schedules:,} schedules"
        if found.contract_faults is not None:
            many += f" of at most {count(found.contract_faults, 'fault')}"
        yield Text(f"✓  the contract alone breaks nothing in {many}", "green")
    caught = sum(1 for row in found.rows if row.exposures)
    style = "bold red" if found.alive else "green"
    mark = "✗" if found.alive else "✓"
    yield Text(f"{mark}  {caught} of {count(len(found.rows), 'mistake')} caught", style)
    total = contract.schedules + sum(row.schedules for row in found.rows)
    yield Text(f"{total:,} schedules in all", "dim")
