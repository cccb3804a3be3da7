"""Scenario files, written: a document's plain data, or any world, as text that loads again."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from sim.contract.body import Json
from sim.network.weather import Link
from sim.scenario.clause_text import clause_keys
from sim.scenario.model import ClientSpec, Repeatedly, ServerSpec, World, lifetime_most_us
from sim.scenario.tree import Source, parse, plain
from sim.scenario.undo.parts import Keys, client_keys, link_keys, server_keys, shared_link
from sim.scenario.undo.script import expect_keys, line_keys
from sim.scenario.units import duration_text
from sim.scenario.yaml_text import document_text

SCHEMA_LINE = (
    "# For help from an editor: lostack schema --out scenario.schema.json, and one '#' less here:\n"
    "## yaml-language-server: $schema=scenario.schema.json\n"
)
"""The head of a written file. It names no schema yet: nobody knows whether there is one beside it,
and an editor complains about one that is not there."""


def dump(document: Mapping[str, Json]) -> str:
    """Return a document's plain data as the text of a scenario file.

    Loading the text gives the same scenario: equal worlds, equal digest.

    Args:
        document: What a scenario file holds, as maps, lists and scalars; durations as text.
    """
    return SCHEMA_LINE + document_text(document)


def read_document(text: str, path: str) -> dict[str, Json]:
    """Return the plain data of a scenario file, as it is written, without checking its grammar.

    Raises:
        ScenarioError: The text is not one YAML document that holds a map.
    """
    text = text.removeprefix("\ufeff")
    document = plain(parse(Source(path, text), text))
    assert isinstance(document, dict)
    return document


def dump_world(world: World, title: str, about: str) -> str:
    """Return a world as the text of a scenario file, with defaults left out.

    Loaded again it is the same world, but for the scenario's name and for the cell of a sweep,
    whose values are written where they apply. Groups of clients stay groups while they are whole.
    """
    return dump(world_document(world, title, about))


def world_document(world: World, title: str, about: str) -> dict[str, Json]:
    """Return a world as the plain data of a scenario file."""
    default = World(scenario="")
    document: Keys = {"title": title}
    if about:
        document["about"] = about
    if world.seed != default.seed:
        document["seed"] = world.seed
    if world.run != default.run:
        document["run"] = world.run
    if world.horizon_us != default.horizon_us or _needs_horizon(world):
        document["horizon"] = duration_text(world.horizon_us)
    only = world.clients[0].name if len(world.clients) == 1 else None
    shared = shared_link(world.clients)
    parts: Keys = {
        "server": server_keys(world.server),
        **_people(world.clients, world.server, shared is not None),
        "network": _network(world, shared is not None),
        "user": [line_keys(action, only) for action in world.user],
        "faults": [clause_keys(clause, only) for clause in world.faults],
        "expect": expect_keys(world.expect),
        "variants": {world.variant: {}} if world.variant else {},
    }
    return document | {key: value for key, value in parts.items() if value}


def _needs_horizon(world: World) -> bool:
    return any("unbounded-retry" in client.mistakes for client in world.clients) or any(
        isinstance(action.when, Repeatedly) and action.when.until_us is None
        for action in world.user
    )


def _network(world: World, is_shared: bool) -> Keys:
    keys = link_keys(world.clients[0].link) if is_shared else {}
    if world.message_lifetime_us != min(
        World(scenario="").message_lifetime_us, lifetime_most_us(world.server, world.clients)
    ):
        keys["message_lifetime"] = duration_text(world.message_lifetime_us)
    return keys


def _people(clients: Sequence[ClientSpec], server: ServerSpec, is_shared: bool) -> Keys:
    """Return ``client`` or ``clients``."""
    shared = clients[0].link if is_shared else None
    if len(clients) == 1 and clients[0].name == clients[0].group == "client":
        return {"client": client_keys(clients[0], server, "client", shared)}
    people: Keys = {}
    for group, found in groupby(clients, key=lambda client: client.group):
        members = list(found)
        people.update(_group(group, members, server, shared))
    if list(people) == ["client"]:
        return {"client": people["client"]}
    return {"clients": people}


def _group(
    group: str, members: Sequence[ClientSpec], server: ServerSpec, shared: Link | None
) -> Keys:
    """Return the clients of one group: as a group if it is whole, else one by one."""
    keys = [client_keys(one, server, one.name, shared) for one in members]
    names = [f"{group}-{number}" for number in range(1, len(members) + 1)]
    if [one.name for one in members] == names and all(one == keys[0] for one in keys):
        return {group: {"count": len(members), **keys[0]}}
    return {one.name: part for one, part in zip(members, keys, strict=True)}
