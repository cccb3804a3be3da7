"""Pairs of mistakes that are harmless alone and harmful together, on a terminal or in a pipe."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from sim.explore.pairs import Harm, Pairs
from sim.explore.suite import SUITE
from sim.trace.words import count


def mistake_pairs(found: Pairs) -> RenderableType:
    """Return each harmful pair where it takes the fewest faults, then how many there are."""
    head = Text.assemble(("pairs of mistakes", "bold"), "  harmless alone, harmful together")
    most = f"at most {count(found.faults, 'fault')}"
    where = f"{found.many} pairs in {count(len(SUITE), 'small situation')}, {most} besides its own"
    parts: list[RenderableType] = [head, Text(f"  {where}", "dim")]
    for client, server in found.names:
        parts += [Text(), *_pair(client, server, found.of(client, server))]
    return Group(*parts, Text(), *_ending(found))


def _pair(client: str, server: str, harms: tuple[Harm, ...]) -> Iterator[RenderableType]:
    first, more = harms[0], len(harms) - 1
    yield Text.assemble((client, "bold"), " and ", (server, "bold"))
    others = f", and {count(more, 'more situation')}" if more else ""
    yield _line(f"in {first.situation}, {_faults(first)}{others}")
    yield _line(f"together: {', '.join(first.harms)}")
    alone = f"alone: {_breaks(first.client_breaks)} (client), {_breaks(first.server_breaks)}"
    yield _line(f"{alone} (server)", "dim")


def _line(text: str, style: str = "") -> RenderableType:
    return Padding(Text(text, style), (0, 0, 0, 2))


def _faults(one: Harm) -> str:
    clauses = next(iter(one.harms.values()))
    said = "no fault" if not one.faults else count(one.faults, "fault")
    return f"{said} ({'; '.join(clauses)})" if clauses else said


def _breaks(names: tuple[str, ...]) -> str:
    return " and ".join(names) or "nothing breaks"


def _ending(found: Pairs) -> Iterator[RenderableType]:
    harmful = len(found.names)
    yield Text(
        f"{harmful} of {found.many} pairs; {found.schedules:,} schedules over "
        f"{found.tried:,} pairs in situations"
    )
    for situation, client, server in found.cut:
        said = f"{client} and {server} never come to rest in {situation}: tried without faults"
        yield Text(said, "dim")
