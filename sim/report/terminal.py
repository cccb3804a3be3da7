"""A scenario's outcome on a terminal or in a pipe."""

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from sim.judge.verdict import Belief, Verdict
from sim.report.outcome import Outcome
from sim.report.summary import MARKS, beliefs, findings, total
from sim.report.timeline import Timeline
from sim.scenario.model import World
from sim.trace.words import body, plain

SIDE_BY_SIDE_WIDTH = 180
_STORY_WIDTH_MIN = 88


class Beside:
    """Parts side by side where each has room for a story, else one after another."""

    def __init__(self, parts: Sequence[RenderableType]) -> None:
        self._parts = parts

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        at_once = beside(len(self._parts), options.max_width)
        if at_once == 1:
            yield Group(*self._parts)
            return
        for start in range(0, len(self._parts), at_once):
            table = Table.grid(padding=(0, 2, 0, 0), expand=True)
            for _ in range(at_once):
                table.add_column(ratio=1, vertical="top")
            table.add_row(*self._parts[start : start + at_once])
            yield table


def beside(parts: int, width: int) -> int:
    """Return how many of ``parts`` fit beside one another in ``width`` columns."""
    if parts < 2 or width < SIDE_BY_SIDE_WIDTH:
        return 1
    return min(parts, width // _STORY_WIDTH_MIN)


def outcome(found: Outcome, *, full: bool = False, story: bool = True) -> RenderableType:
    """Return one scenario: its title, then the story and the findings of each variant.

    Args:
        found: The scenario and its verdicts.
        full: Whether long stories are told whole.
        story: False: findings only.
    """
    scenario = found.scenario
    mark, style = MARKS[found.status]
    head = Text.assemble((f"{mark} ", style), (scenario.name, "bold"), f"  {plain(scenario.title)}")
    parts: list[RenderableType] = [head]
    if scenario.about:
        parts.append(Padding(Text(plain(scenario.about), "dim"), (0, 0, 0, 2)))
    runs = [_run(verdict, full=full, story=story) for verdict in found.verdicts]
    return Group(*parts, Beside(runs), Text())


def _run(verdict: Verdict, *, full: bool, story: bool) -> RenderableType:
    _, style = MARKS[verdict.status]
    world = verdict.world
    title = Text.assemble(f"{world.variant} " if world.variant else "", (verdict.status, style))
    parts: list[RenderableType] = [Rule(title, align="left", characters="─", style="dim")]
    parts += [Text(line, "dim") for line in conditions(world)]
    if story:
        parts += [Timeline(verdict, full=full), Text()]
    return Group(*parts, findings(verdict))


def conditions(world: World) -> tuple[str, ...]:
    """Return what a reader must know before the story: what is stored, and what is done wrong."""
    held = ", ".join(
        f"{resource.name} v{resource.version} {body(resource.body)}"
        for resource in world.server.resources
    )
    wrong = [f"server: {', '.join(world.server.mistakes)}"] if world.server.mistakes else []
    seen: dict[str, tuple[str, ...]] = {
        client.group or client.name: client.mistakes for client in world.clients if client.mistakes
    }
    wrong += [f"{name}: {', '.join(mistakes)}" for name, mistakes in seen.items()]
    lines = [f"the server holds {held}"] if held else []
    if wrong:
        lines.append(f"mistakes switched on  {' · '.join(wrong)}")
    return tuple(lines)


def ending(outcomes: Sequence[Outcome]) -> RenderableType:
    """Return what stands below all scenarios: belief against truth, then one line for each run."""
    cells: list[Belief] = [
        cell for found in outcomes for verdict in found.verdicts for cell in verdict.beliefs
    ]
    parts: list[RenderableType] = []
    if cells:
        parts += [beliefs(cells), Text()]
    return Group(Rule(style="dim", characters="─"), *parts, total(outcomes))
