"""A world with one part less: what a counterexample is shrunk by.

Each candidate leaves out or weakens a single part: a fault, a line of ``user``, a client, a
resource, a mistake, or a setting, which goes back to its default. Nothing here knows what the
world is a counterexample of.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, NamedTuple, TypeVar

from sim.contract.mistakes import client_rules, server_rules
from sim.explore.weaker import weaker
from sim.network.faults import Cut, MessageClause, Order, ServerClause
from sim.scenario.model import ClientSpec, ResourceSpec, ServerSpec, World, lifetime_most_us

_T = TypeVar("_T")


class Candidate(NamedTuple):
    """A simpler world, and in a few words what is simpler about it."""

    what: str
    world: World


def candidates(world: World) -> Iterator[Candidate]:
    """Yield every world that is simpler by one part, the large parts first."""
    yield from _without_clients(world)
    for place in range(len(world.faults)):
        yield Candidate(f"without fault {place + 1}", _with_faults(world, place, ()))
    for line in range(len(world.user)):
        user = _without(world.user, line)
        yield Candidate(f"without line {line + 1} of user", replace(world, user=user))
    yield from _without_resources(world)
    yield from _without_mistakes(world)
    for place, clause in enumerate(world.faults):
        for other in weaker(clause, world):
            yield Candidate(f"fault {place + 1} weaker", _with_faults(world, place, (other,)))
    yield from _default_settings(world)


def _without(items: Sequence[_T], place: int) -> tuple[_T, ...]:
    return (*items[:place], *items[place + 1 :])


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
            clients=_without(world.clients, place),
            user=tuple(line for line in world.user if line.client != client.name),
            faults=faults,
            fault_lines=(),
        )
        yield Candidate(f"without client {client.name}", fewer)


def _is_about(clause: Cut | Order | MessageClause | ServerClause, client: str) -> bool:
    match clause:
        case Cut() | Order():
            return clause.client == client
        case MessageClause() | ServerClause():
            return clause.target.client == client


def _without_resources(world: World) -> Iterator[Candidate]:
    used = {line.resource: True for line in world.user}
    for place, resource in enumerate(world.server.resources):
        if resource.name not in used and len(world.server.resources) > 1:
            server = replace(world.server, resources=_without(world.server.resources, place))
            yield Candidate(f"without resource {resource.name}", replace(world, server=server))


def _without_mistakes(world: World) -> Iterator[Candidate]:
    for place, name in enumerate(world.server.mistakes):
        kept = _without(world.server.mistakes, place)
        server = replace(world.server, mistakes=kept, rules=server_rules(kept))
        yield Candidate(f"without {name}", replace(world, server=server))
    for number, client in enumerate(world.clients):
        for place, name in enumerate(client.mistakes):
            kept = _without(client.mistakes, place)
            fewer = replace(client, mistakes=kept, rules=client_rules(kept))
            yield Candidate(f"{client.name} without {name}", _with_client(world, number, fewer))


def _with_client(world: World, place: int, client: ClientSpec) -> World:
    clients = (*world.clients[:place], client, *world.clients[place + 1 :])
    return replace(world, clients=clients)


# --- settings -------------------------------------------------------------------------------------

_CLIENT_KEPT = ("name", "owner", "group", "rules", "mistakes", "recovery_window_us")
_SERVER_KEPT = ("resources", "rules", "mistakes", "tombstone_us")


def _default_settings(world: World) -> Iterator[Candidate]:
    """Yield worlds with one setting at its default; times that hang together go together."""
    for number, client in enumerate(world.clients):
        for what, simple in _defaults(client, ClientSpec(name="", owner=""), _CLIENT_KEPT):
            yield Candidate(f"{client.name}: {what}", _with_client(world, number, simple))
    for what, server in _defaults(world.server, ServerSpec(), _SERVER_KEPT):
        yield Candidate(f"server: {what}", _fitting(replace(world, server=server)))
    tombstone = replace(world.server, tombstone_us=ServerSpec().tombstone_us)
    yield Candidate("server: tombstone", _fitting(replace(world, server=tombstone)))
    for number, client in enumerate(world.clients):
        window = replace(client, recovery_window_us=_window_us(world.server))
        yield Candidate(f"{client.name}: recovery window", _with_client(world, number, window))
    for place, resource in enumerate(world.server.resources):
        default = ResourceSpec(name=resource.name)
        for what, simpler in _defaults(resource, default, ("name",)):
            held = world.server.resources
            resources = (*held[:place], simpler, *held[place + 1 :])
            server = replace(world.server, resources=resources)
            yield Candidate(f"{resource.name}: {what}", replace(world, server=server))
    yield Candidate("seed", replace(world, seed=World(scenario="").seed))
    yield Candidate("horizon", replace(world, horizon_us=World(scenario="").horizon_us))
    yield Candidate("message lifetime", _fitting(world))


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


def _window_us(server: ServerSpec) -> int:
    """Return the recovery window that a client has without saying so."""
    return max(1, server.retention_us * 23 // 24)


def _fitting(world: World) -> World:
    """Return the world with windows and lifetime as they are where nothing is said of them."""
    clients = tuple(
        replace(client, recovery_window_us=_window_us(world.server)) for client in world.clients
    )
    most = lifetime_most_us(world.server, clients)
    usual = min(World(scenario="").message_lifetime_us, most)
    return replace(world, clients=clients, message_lifetime_us=usual)
