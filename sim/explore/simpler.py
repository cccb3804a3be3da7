"""A world with one part less: what a counterexample is shrunk by.

Each candidate leaves out or weakens a single part: a fault, a line of ``user``, a client, a
resource, a mistake, or a setting, which goes back to its default. Nothing here knows what the
world is a counterexample of.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, NamedTuple

from sim.contract.mistakes import client_rules, server_rules
from sim.explore.smaller import smaller_lines, smaller_resources, without
from sim.explore.weaker import weaker
from sim.network.faults import Clause, Cut, HoldUntil, MessageClause, Order, ServerClause
from sim.network.weather import Link
from sim.scenario.model import ClientSpec, ResourceSpec, ServerSpec, World, lifetime_most_us


class Candidate(NamedTuple):
    """A simpler world, and in a few words what is simpler about it."""

    what: str
    world: World
    is_setting: bool = False
    """Whether it differs by a setting alone, which is at its default."""


def candidates(world: World) -> Iterator[Candidate]:
    """Yield every world that is simpler by one part, the large parts first."""
    yield from _without_clients(world)
    for place in range(len(world.faults)):
        yield Candidate(f"without fault {place + 1}", _with_faults(world, place, ()))
    for place in range(len(world.user)):
        user = without(world.user, place)
        yield Candidate(f"without line {place + 1} of user", replace(world, user=user))
    yield from _without_resources(world)
    yield from _without_mistakes(world)
    for place, clause in enumerate(world.faults):
        for other in weaker(clause, world):
            yield Candidate(f"fault {place + 1} weaker", _with_faults(world, place, (other,)))
    for place, action in enumerate(world.user):
        for what, line in smaller_lines(action):
            user = (*world.user[:place], line, *world.user[place + 1 :])
            yield Candidate(f"line {place + 1} without {what}", replace(world, user=user))
    yield from (one._replace(is_setting=True) for one in _default_settings(world))


def _with_faults(world: World, place: int, instead: tuple[Any, ...]) -> World:
    faults = (*world.faults[:place], *instead, *world.faults[place + 1 :])
    return replace(world, faults=faults, fault_lines=())


def _without_clients(world: World) -> Iterator[Candidate]:
    if len(world.clients) == 1:
        return
    for place, client in enumerate(world.clients):
        faults = tuple(clause for clause in world.faults if not _is_about(clause, client.name))
        fewer = replace(
            world,
            clients=without(world.clients, place),
            user=tuple(line for line in world.user if line.client != client.name),
            faults=faults,
            fault_lines=(),
        )
        yield Candidate(f"without client {client.name}", fewer)


def _is_about(clause: Clause, client: str) -> bool:
    match clause:
        case Cut() | Order():
            return clause.client == client
        case MessageClause() | ServerClause():
            return clause.target.client == client


def _without_resources(world: World) -> Iterator[Candidate]:
    used = {line.resource: True for line in world.user}
    for place, resource in enumerate(world.server.resources):
        if resource.name not in used and len(world.server.resources) > 1:
            server = replace(world.server, resources=without(world.server.resources, place))
            yield Candidate(f"without resource {resource.name}", replace(world, server=server))


def _without_mistakes(world: World) -> Iterator[Candidate]:
    for place, name in enumerate(world.server.mistakes):
        kept = without(world.server.mistakes, place)
        server = replace(world.server, mistakes=kept, rules=server_rules(kept))
        yield Candidate(f"without {name}", replace(world, server=server))
    for number, client in enumerate(world.clients):
        for place, name in enumerate(client.mistakes):
            kept = without(client.mistakes, place)
            fewer = replace(client, mistakes=kept, rules=client_rules(kept))
            yield Candidate(f"{client.name} without {name}", _with_client(world, number, fewer))


def _with_client(world: World, place: int, client: ClientSpec) -> World:
    clients = (*world.clients[:place], client, *world.clients[place + 1 :])
    return replace(world, clients=clients)


# --- settings -------------------------------------------------------------------------------------

_NAMELESS = "client"
"""What an only client is called where the scenario does not name it."""
_CLIENT_KEPT = ("name", "owner", "group", "rules", "mistakes", "recovery_window_us")
_SERVER_KEPT = ("resources", "rules", "mistakes", "tombstone_us")


def _default_settings(world: World) -> Iterator[Candidate]:
    """Yield worlds with one setting at its default."""
    for number, client in enumerate(world.clients):
        named = replace(client, owner=client.name)
        yield Candidate(f"{client.name}: owner", _with_client(world, number, named))
        for what, simple in _defaults(client, ClientSpec(name="", owner=""), _CLIENT_KEPT):
            yield Candidate(f"{client.name}: {what}", _with_client(world, number, simple))
    yield from _without_name(world)
    yield from _default_links(world)
    for what, server in _defaults(world.server, ServerSpec(), _SERVER_KEPT):
        yield from _with_server(world, server, what)
    tombstone = replace(world.server, tombstone_us=_tombstone_us(world.server))
    yield from _with_server(world, tombstone, "tombstone")
    for number, client in enumerate(world.clients):
        window = replace(client, recovery_window_us=_window_us(world.server))
        yield Candidate(f"{client.name}: recovery window", _with_client(world, number, window))
    yield from _smaller_resources(world)
    yield Candidate("seed", replace(world, seed=World(scenario="").seed))
    yield Candidate("run", replace(world, run=World(scenario="").run))
    yield Candidate("horizon", replace(world, horizon_us=World(scenario="").horizon_us))
    usual_us = _lifetime_us(world)
    yield Candidate("message lifetime", replace(world, message_lifetime_us=usual_us))


def _without_name(world: World) -> Iterator[Candidate]:
    """Yield the world with an only client of whom nothing is said, not even the name."""
    client = world.clients[0]
    if len(world.clients) > 1 or client.name == _NAMELESS or client.owner != client.name:
        return
    nameless = ClientSpec(
        name=_NAMELESS,
        owner=_NAMELESS,
        group=_NAMELESS,
        link=client.link,
        recovery_window_us=_window_us(world.server),
    )
    if replace(client, name=_NAMELESS, owner=_NAMELESS, group=_NAMELESS) != nameless:
        return
    user = tuple(replace(line, client=line.client and _NAMELESS) for line in world.user)
    faults = tuple(_renamed(clause) for clause in world.faults)
    fewer = replace(world, clients=(nameless,), user=user, faults=faults, fault_lines=())
    yield Candidate("without the client's name", fewer)


def _renamed(clause: Clause) -> Clause:
    """Return a fault of the only client under the name that it has without saying so."""
    if isinstance(clause, Cut | Order):
        return replace(clause, client=clause.client and _NAMELESS)
    target = replace(clause.target, client=clause.target.client and _NAMELESS)
    if isinstance(clause, MessageClause) and isinstance(clause.action, HoldUntil):
        until = clause.action.until
        until = replace(until, client=until.client and _NAMELESS)
        return replace(clause, target=target, action=replace(clause.action, until=until))
    return replace(clause, target=target)


def _default_links(world: World) -> Iterator[Candidate]:
    """Yield worlds whose clients share a link of which less is said; it is written once."""
    link = world.clients[0].link
    if len(world.clients) == 1 or any(client.link != link for client in world.clients):
        return
    for what, simpler in (("", Link()), *_defaults(link, Link())):
        clients = tuple(replace(client, link=simpler) for client in world.clients)
        yield Candidate(f"network: {what}", replace(world, clients=clients))


def _smaller_resources(world: World) -> Iterator[Candidate]:
    for place, resource in enumerate(world.server.resources):
        default = ResourceSpec(name=resource.name)
        less = (*_defaults(resource, default, ("name",)), *smaller_resources(resource))
        for what, simpler in less:
            held = world.server.resources
            resources = (*held[:place], simpler, *held[place + 1 :])
            server = replace(world.server, resources=resources)
            yield Candidate(f"{resource.name}: {what}", replace(world, server=server))


def _defaults(spec: Any, default: Any, kept: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield a dataclass of settings with one of them at its default, whole before its parts."""
    for one in fields(spec):
        value, usual = getattr(spec, one.name), getattr(default, one.name)
        if one.name in kept or value == usual:
            continue
        yield one.name, replace(spec, **{one.name: usual})
        if is_dataclass(value) and is_dataclass(usual):
            for what, part in _defaults(value, usual):
                yield f"{one.name}.{what}", replace(spec, **{one.name: part})


def _with_server(world: World, server: ServerSpec, what: str) -> Iterator[Candidate]:
    """Yield the world with another server: the times that hang on it usual, then as they are."""
    changed = replace(world, server=server)
    usual = tuple(
        replace(client, recovery_window_us=_window_us(server)) for client in world.clients
    )
    yield Candidate(f"server: {what}", _living_as_usual(replace(changed, clients=usual)))
    is_usual_us = _window_us(world.server)
    kept = tuple(
        simple if client.recovery_window_us == is_usual_us else client
        for client, simple in zip(world.clients, usual, strict=True)
    )
    changed = replace(changed, clients=kept)
    if world.message_lifetime_us == _lifetime_us(world):
        changed = _living_as_usual(changed)
    yield Candidate(f"server: {what} alone", changed)


def _window_us(server: ServerSpec) -> int:
    """Return the recovery window that a client has without saying so."""
    return max(1, server.retention_us * 23 // 24)


def _tombstone_us(server: ServerSpec) -> int:
    """Return how long a server knows used ids without saying so."""
    return max(ServerSpec().tombstone_us, server.retention_us)


def _lifetime_us(world: World) -> int:
    """Return how long messages live where nothing is said of it."""
    most = lifetime_most_us(world.server, world.clients)
    return min(World(scenario="").message_lifetime_us, most)


def _living_as_usual(world: World) -> World:
    return replace(world, message_lifetime_us=_lifetime_us(world))
