"""Small worlds to explore."""

from collections.abc import Iterable
from dataclasses import replace

from sim.contract.mistakes import client_rules, server_rules
from sim.explore.bounds import Bounds
from sim.explore.calm import calm
from sim.explore.choice import Schedule
from sim.explore.found import Tally
from sim.explore.nodes import Node
from sim.explore.run import run_schedule
from sim.explore.search import Task, extend, offered
from sim.scenario.find import find
from sim.scenario.load import load_path, load_text
from sim.scenario.model import World

BARE = """
title: One save
server: {{resources: {{note: {{version: 4, body: {{text: old}}}}}}, status: "{status}"}}
client: {{timeout: 2s, retry: {{max_attempts: {attempts}, delay: 500ms}}, on_unknown: {on_unknown}}}
user:
  - {{at: 0s, edit: note, body: {{text: new}}}}
  - {{at: 0s, save: note}}
"""


def load(text: str) -> World:
    return load_text(text, "tried", "tried.yaml").worlds[0]


def shipped(name: str, variant: str = "") -> World:
    """A shipped scenario's world, as it is explored."""
    scenario = load_path(find([name])[0])
    return calm(next(world for world in scenario.worlds if world.variant == variant)).world


def found(tally: Tally) -> list[object]:
    """Everything that is counted or found, but for how it was come by."""
    of_merging = ("runs", "states", "merged")
    return [getattr(tally, name) for name in Tally.__slots__ if name not in of_merging]


def one_save(*, attempts: int = 2, on_unknown: str = "retry", status: str = "yes") -> World:
    return load(BARE.format(attempts=attempts, on_unknown=on_unknown, status=status))


def with_mistakes(world: World, *, client: Iterable[str] = (), server: Iterable[str] = ()) -> World:
    clients = tuple(
        replace(one, rules=client_rules(client), mistakes=tuple(client)) for one in world.clients
    )
    held = replace(world.server, rules=server_rules(server), mistakes=tuple(server))
    return replace(world, clients=clients, server=held)


def independent(many: int) -> World:
    """``many`` clients who each save once and ask nobody what became of it."""
    names = [f"c{number}" for number in range(1, many + 1)]
    resources = ", ".join(f"{name}: {{version: 1}}" for name in names)
    clients = ", ".join(
        f"{name}: {{retry: {{max_attempts: 1, delay: 500ms}}, on_unknown: person}}"
        for name in names
    )
    lines = [
        line
        for name in names
        for line in (
            f"  - {{at: 0s, client: {name}, edit: {name}, body: {{by: {name}}}}}",
            f"  - {{at: 0s, client: {name}, save: {name}}}",
        )
    ]
    text = f"title: Independent\nserver: {{resources: {{{resources}}}}}\nclients: {{{clients}}}\n"
    return load(text + "user:\n" + "\n".join(lines) + "\n")


def schedules(world: World, bounds: Bounds) -> list[Schedule]:
    """Every schedule that the search makes, by its own steps."""
    found: list[Schedule] = []
    nodes = [first_node(world, bounds)]
    while nodes:
        batches = [extend(Task(world, bounds, node)) for node in nodes if node.choices]
        found += [(*node.schedule, choice) for node in nodes for choice in node.choices]
        nodes = [node for batch in batches for node in batch.nodes]
    return found


def first_node(world: World, bounds: Bounds) -> Node:
    """What can be added to a run in which nothing goes wrong."""
    ran = run_schedule(world, ())
    return Node((), offered(world, len(world.faults), ran.records, 0, bounds).choices)
