"""``lostack list``: the shipped scenarios, and every name that can be used or explained."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import PurePath

import click

from sim.cli import options
from sim.cli.exits import Exit
from sim.cli.paper import Paper
from sim.judge.catalog import Entry, EntryKind, entries
from sim.scenario.find import shipped
from sim.scenario.load import load_path
from sim.scenario.model import Expected, Scenario, World
from sim.trace.words import count

_COLUMN = 30
_VARIANT_COLUMN = 32
_KINDS = {f"{kind.value}s": kind for kind in EntryKind}
_NAMED = "scenarios"

EPILOG = """\
\b
Examples:
  lostack list                  scenarios, then every name in short
  lostack list mistakes         each mistake and what it does
  lostack list scenarios --tags
"""


@click.command("list", epilog=EPILOG)
@click.argument("kind", required=False, type=click.Choice((_NAMED, *_KINDS)), metavar="[KIND]")
@click.option("--tags", is_flag=True, help="Show each scenario's tags, and all tags at the end.")
@options.no_color
@options.debug
def command(kind: str | None, tags: bool, no_color: bool) -> Exit:
    """List the shipped scenarios by theme, and the names that scenarios can use.

    With a KIND only that: scenarios, mistakes, invariants, measures, faults,
    phases, answers, reasons, presets, terms or rules. 'lostack explain NAME' tells more about
    each name.
    """
    paper = Paper(False if no_color else None)
    if kind in (None, _NAMED):
        _scenarios(paper, [(path, load_path(path)) for path in shipped().values()], tags=tags)
    if kind is None:
        _names(paper)
    elif kind in _KINDS:
        _entries(paper, [entry for entry in entries() if entry.kind is _KINDS[kind]])
    paper.print()
    return Exit.OK


def _scenarios(paper: Paper, found: Sequence[tuple[str, Scenario]], *, tags: bool) -> None:
    """Add the scenarios, theme by theme; the folder is the theme."""
    for theme, group in groupby(found, key=lambda one: PurePath(one[0]).parent.name):
        paper.title(theme)
        for _, scenario in group:
            paper.row(scenario.name, scenario.title, indent=2, column=_COLUMN, bold=True)
            if tags and scenario.tags:
                paper.text(f"tags: {', '.join(scenario.tags)}", indent=_COLUMN, dim=True)
            for world in scenario.worlds:
                shown = "; ".join(_shows(world))
                if not world.variant and not shown:
                    continue
                paper.row(world.variant, shown, indent=4, column=_VARIANT_COLUMN)
        paper.gap()
    if tags:
        known = dict.fromkeys(tag for _, scenario in found for tag in scenario.tags)
        paper.title("tags")
        paper.text(", ".join(sorted(known)), indent=2)
        paper.gap()
    runs = sum(len(scenario.worlds) for _, scenario in found)
    said = f"{count(len(found), 'scenario')}, {count(runs, 'run')}"
    paper.text(f"{said}: 'lostack run' takes a name, a theme, or 'shipped' for all of them")


def _shows(world: World) -> Iterator[str]:
    """Yield what a run is there to show: how it ends, its mistakes, what they break."""
    ends = list(_ends(world.expect.whole))
    if ends:
        yield ", ".join(ends)
    mistakes = dict.fromkeys(world.server.mistakes)
    mistakes.update(dict.fromkeys(name for one in world.clients for name in one.mistakes))
    others = [name for name in mistakes if name != world.variant]
    if others:
        yield f"with {', '.join(others)}"
    if world.expect.violates:
        yield f"breaks {', '.join(world.expect.violates)}"


def _ends(expected: Expected) -> Iterator[str]:
    if expected.phase is not None:
        yield expected.phase
    if expected.refused is not None:
        yield f"refused: {expected.refused}"
    if expected.effects is not None:
        yield count(expected.effects, "effect")


def _names(paper: Paper) -> None:
    """Add every name but the rules, kind by kind."""
    for kind in EntryKind:
        names = [entry.name for entry in entries() if entry.kind is kind]
        paper.gap()
        paper.title(f"{kind.value}s", str(len(names)))
        is_long = kind is EntryKind.RULE
        paper.text(f"'lostack list {kind.value}s'" if is_long else ", ".join(names), indent=2)


def _entries(paper: Paper, found: Sequence[Entry]) -> None:
    for entry in found:
        paper.row(entry.name, entry.what, indent=0, column=_COLUMN, bold=True)
