"""A scenario's outcome on a terminal or in a pipe."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from sim.contract.body import EMPTY
from sim.judge.verdict import Verdict
from sim.report.beside import Beside, Part
from sim.report.outcome import Outcome
from sim.report.summary import MARKS, beliefs, findings
from sim.report.timeline import Timeline
from sim.report.total import total
from sim.scenario.model import World
from sim.trace.words import body, plain


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
    parts: list[RenderableType] = [Rule(style="dim", characters="━"), head]
    if scenario.about:
        parts.append(Padding(Text(plain(scenario.about), "dim"), (0, 0, 0, 2)))
    depth = max((len(conditions(verdict.world)) for verdict in found.verdicts), default=0)
    runs = [_part(verdict, depth, full=full, story=story) for verdict in found.verdicts]
    return Group(*parts, Text(), Beside(runs))


def _part(verdict: Verdict, depth: int, *, full: bool, story: bool) -> Part:
    """Return what makes one run; beside others its story begins ``depth`` lines down."""

    def make(level: bool) -> RenderableType:
        world = verdict.world
        parts: list[RenderableType] = []
        if world.variant:
            title = Text.assemble(f"{world.variant}: ", (verdict.status, MARKS[verdict.status][1]))
            parts.append(Rule(title, align="left", characters="─", style="dim"))
        known = conditions(world)
        parts += [Text(line, "yellow" if line.startswith(_WRONG) else "dim") for line in known]
        parts += [Text()] * (depth - len(known) if level else 0)
        if story:
            parts += [Timeline(verdict, full=full), Text()]
        return Group(*parts, findings(verdict), Text())

    return make


_WRONG = "switched on:"


def conditions(world: World) -> tuple[str, ...]:
    """Return what a reader must know before the story: what is stored, and what is done wrong."""
    held = ", ".join(
        f"{resource.name} v{resource.version}"
        + ("" if resource.body == EMPTY else f" {body(resource.body)}")
        for resource in world.server.resources
    )
    lines = [f"the server holds {held}"] if held else []
    wrong: dict[str, list[str]] = {mistake: ["server"] for mistake in world.server.mistakes}
    for client in world.clients:
        for mistake in client.mistakes:
            who = wrong.setdefault(mistake, [])
            if (client.group or client.name) not in who:
                who.append(client.group or client.name)
    if wrong:
        said = ", ".join(f"{mistake} ({', '.join(who)})" for mistake, who in wrong.items())
        lines.append(f"{_WRONG} {said}")
    return tuple(lines)


def ending(outcomes: Sequence[Outcome]) -> RenderableType:
    """Return what stands below all scenarios: belief against truth, then one line for each run."""
    verdicts = [verdict for found in outcomes for verdict in found.verdicts]
    parts: list[RenderableType] = [Rule(style="dim", characters="━")]
    if any(verdict.beliefs for verdict in verdicts):
        parts += [beliefs(verdicts), Text()]
    return Group(*parts, total(outcomes))
