"""A scenario's outcome on a terminal or in a pipe."""

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from sim.contract.body import EMPTY
from sim.judge.verdict import Verdict
from sim.report.outcome import Outcome
from sim.report.summary import MARKS, beliefs, findings, total
from sim.report.timeline import Timeline
from sim.scenario.model import World
from sim.trace.words import body, plain

SIDE_BY_SIDE_WIDTH = 180
_STORY_WIDTH_MIN = 88
_GAP = 3
_WRONG = "mistake switched on"


class Beside:
    """Parts side by side where each has room for a story, else one after another."""

    def __init__(self, parts: Sequence[RenderableType]) -> None:
        self._parts = parts

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        at_once = beside(len(self._parts), options.max_width)
        if at_once == 1:
            yield Group(*self._parts)
            return
        width = (options.max_width - _GAP * (at_once - 1)) // at_once
        for start in range(0, len(self._parts), at_once):
            table = Table.grid(padding=(0, _GAP, 0, 0), pad_edge=False)
            for _ in range(at_once):
                table.add_column(width=width, vertical="top")
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
    depth = max((len(conditions(verdict.world)) for verdict in found.verdicts), default=0)
    runs = [_run(verdict, depth, full=full, story=story) for verdict in found.verdicts]
    return Group(*parts, Beside(runs))


def _run(verdict: Verdict, depth: int, *, full: bool, story: bool) -> RenderableType:
    """Return one run; its story starts ``depth`` lines down, level with those beside it."""
    world = verdict.world
    parts: list[RenderableType] = [Text()]
    if world.variant:
        title = Text.assemble(f"{world.variant}: ", (verdict.status, MARKS[verdict.status][1]))
        parts.append(Rule(title, align="left", characters="─", style="dim"))
    known = conditions(world)
    parts += [Text(line, "yellow" if line.startswith(_WRONG) else "dim") for line in known]
    parts += [Text()] * (depth - len(known))
    if story:
        parts += [Timeline(verdict, full=full), Text()]
    return Group(*parts, findings(verdict), Text())


def conditions(world: World) -> tuple[str, ...]:
    """Return what a reader must know before the story: what is stored, and what is done wrong."""
    held = ", ".join(
        f"{resource.name} v{resource.version}"
        + ("" if resource.body == EMPTY else f" {body(resource.body)}")
        for resource in world.server.resources
    )
    wrong = [f"{', '.join(world.server.mistakes)} (server)"] if world.server.mistakes else []
    seen: dict[str, tuple[str, ...]] = {
        client.group or client.name: client.mistakes for client in world.clients if client.mistakes
    }
    wrong += [f"{', '.join(mistakes)} ({name})" for name, mistakes in seen.items()]
    lines = [f"the server holds {held}"] if held else []
    if wrong:
        lines.append(f"{_WRONG}: {', '.join(wrong)}")
    return tuple(lines)


def ending(outcomes: Sequence[Outcome]) -> RenderableType:
    """Return what stands below all scenarios: belief against truth, then one line for each run."""
    verdicts = [verdict for found in outcomes for verdict in found.verdicts]
    parts: list[RenderableType] = []
    if any(verdict.beliefs for verdict in verdicts):
        parts += [beliefs(verdicts), Text()]
    return Group(Rule(style="dim", characters="─"), *parts, total(outcomes))
