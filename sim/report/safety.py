"""The answer to "is it safe to retry this?" on a terminal or in a pipe."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from sim.explore.safety import NOTHING_SAVED, Judged, Safety, SafetyVerdict, Witness
from sim.report.summary import grid
from sim.report.terminal import conditions
from sim.scenario.clause_text import clause_text
from sim.scenario.model import Scenario, World
from sim.trace.words import count, duration, plain

STYLES = {
    Safety.UNSAFE: "bold red",
    Safety.AT_LEAST_ONCE: "red",
    Safety.AT_MOST_ONCE: "yellow",
    Safety.AFTER_STATUS: "cyan",
    Safety.ONCE: "green",
    Safety.NOT_SHOWN: "yellow",
}
MEANS = {
    Safety.UNSAFE: "somebody is told what is not true, or work is lost or overwritten",
    Safety.AT_LEAST_ONCE: "it can happen twice, and nobody is told anything wrong",
    Safety.AT_MOST_ONCE: "never twice, but it can stay unconfirmed until a person acts",
    Safety.AFTER_STATUS: (
        "it is not sent again by itself; a status query that gets through says what became of it"
    ),
    Safety.ONCE: (
        "never twice, however often it is sent again, and an attempt that gets through confirms it"
    ),
    Safety.NOT_SHOWN: "the search was cut short before it could say anything",
}


_THROUGH = {
    Safety.AFTER_STATUS: ("a status query gets through before the client has no query left",),
    Safety.ONCE: (
        "an attempt and its answer get through before the policy's end; else a person decides",
    ),
}
"""What the verdict promises only then."""


def safety_verdict(scenario: Scenario, found: SafetyVerdict) -> RenderableType:
    """Return the verdict on one world: in a word, by kind of fault, with what it rests on."""
    world = found.world
    name = f"{scenario.name}/{world.variant}" if world.variant else scenario.name
    whole = found.whole.safety
    parts: list[RenderableType] = [
        Rule(style="dim", characters="━"),
        Text.assemble((name, "bold"), f"  {plain(scenario.title)}"),
        *(Text(f"  {line}", "dim") for line in conditions(world)),
        Text(),
        Text.assemble("is it safe to retry?  ", (whole.value, STYLES[whole])),
        Text(f"  {meaning(found)}", "dim"),
        Text(),
        _table(found),
    ]
    parts += [Text(f"?  inconclusive: {doubt}", "yellow") for doubt in found.doubts]
    return Group(*parts, Text(), *_foot(found), Text())


def meaning(found: SafetyVerdict) -> str:
    """Return what the verdict says, as far as the search went."""
    whole = found.whole.safety
    if whole is Safety.AT_LEAST_ONCE and not found.whole.witness.conclusive:
        return "it can happen twice; whether somebody is told anything wrong was not searched"
    if whole is Safety.NOT_SHOWN and found.whole.witness.conclusive:
        return NOTHING_SAVED
    return MEANS[whole]


def _table(found: SafetyVerdict) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("what goes wrong", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("witness", overflow="fold")
    for judged in found.by_kind:
        table.add_row(judged.kinds[0].value, *_cells(judged, found.world))
    table.add_row(Text("all of these", "bold"), *_cells(found.whole, found.world))
    return table


def _cells(judged: Judged, world: World) -> tuple[Text, Text]:
    if len(judged.kinds) == 1 and judged.witness.schedules <= 1 and not judged.witness.invariant:
        return Text("·", "dim"), Text("nothing of this kind can happen here", "dim")
    said = Text(judged.safety.value, STYLES[judged.safety])
    return said, Text(witness(judged.witness, world))


def witness(found: Witness, world: World) -> str:
    """Return what a verdict rests on, in a line."""
    if not found.invariant:
        schedules = count(found.schedules, "schedule")
        if not found.conclusive:
            return f"{schedules}, and then the search was cut short"
        said = f"{schedules}, and none shows less"
        if found.left:
            said += f"; in {found.left:,} no answer gets through, and a person decides"
        return said if found.resent else f"{said}; nothing is sent again"
    only = world.clients[0].name if len(world.clients) == 1 else None
    faults = "; ".join(clause_text(clause, only) for clause in found.faults) or "no fault at all"
    return f"{found.what} ({faults})"


def _foot(found: SafetyVerdict) -> Iterator[RenderableType]:
    table = grid(2)
    for number, line in enumerate(assumptions(found)):
        table.add_row(Text("assumes" if not number else "", "dim"), line)
    for number, note in enumerate(found.notes):
        table.add_row(Text("note" if not number else "", "dim"), Text(note))
    for number, lift in enumerate(found.lifts):
        said = Text.assemble(f"{lift.change} → ", (lift.safety.value, STYLES[lift.safety]))
        table.add_row(Text("would lift it" if not number else "", "dim"), said)
    if not found.lifts and found.candidates:
        table.add_row(Text("look at", "dim"), ", ".join(found.candidates))
    yield Padding(table, (0, 0, 0, 2))


def assumptions(found: SafetyVerdict) -> tuple[str, ...]:
    """Return what the verdict rests on besides the schedules, as sentences without full stops."""
    world, bounds = found.world, found.bounds
    windows = [client.recovery_window_us for client in world.clients]
    kept, key_kept = duration(world.server.retention_us), duration(world.server.tombstone_us)
    faults = count(bounds.faults, "fault")
    lines = [
        f"at most {faults} in one story, and people who do what the scenario says",
        *_THROUGH.get(found.whole.safety, ()),
        f"a result is kept for {kept}, its key for {key_kept}",
        f"no retry leaves later than {duration(max(windows))} after the first send",
        f"no message lives longer than {duration(world.message_lifetime_us)}",
        "client and server keep the rules of this scenario: a model, not your service",
    ]
    return tuple(lines)
