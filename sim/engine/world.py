"""One run: the parts of a world, wired, and run to its end.

The only way in is ``simulate``. Whoever measures or explores hands it a world and gets records,
or listens to them as they are made; nothing comes back from a judge into the engine.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple

from sim.contract.body import Json
from sim.contract.client.state import ClientConfig, first_state
from sim.contract.messages import Resource, TransportError
from sim.contract.server.server import Server
from sim.contract.server.state import ResourceRules, ServerConfig
from sim.engine.actor import ClientActor
from sim.engine.clock import Clock
from sim.engine.draws import Ahead, Draws
from sim.engine.host import Host
from sim.engine.link import Ends, Network
from sim.engine.mail import Exchange, Message
from sim.engine.outbox import Form
from sim.engine.people import People, resource_of
from sim.engine.probe import Parts
from sim.engine.routes import Route
from sim.engine.strikes import Strikes
from sim.engine.surrogates import LimitReachedError, Surrogates
from sim.network.faults import MessageKind
from sim.network.matching import Faults
from sim.scenario.model import AckRule, ClientSpec, ResourceSpec, ServerSpec, World
from sim.trace.listener import Listener, tell_record
from sim.trace.records import Rec, Record
from sim.trace.writer import Writer

RECORDS_MAX: Final = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """What one run came to.

    ``unmatched`` are the places (from 0) of fault clauses that never matched, ``still_held``
    those whose message was never let go; ``ended`` is ``quiet``, ``horizon`` or ``limit``;
    ``busy_until_us`` is when something last happened, recorded or not.
    """

    world: World
    run: int
    records: tuple[Record, ...]
    unmatched: tuple[int, ...]
    still_held: tuple[int, ...]
    ended: str
    busy_until_us: int


def simulate(
    world: World,
    *,
    run: int | None = None,
    seed: int | None = None,
    keep: bool = True,
    listeners: tuple[Callable[[Record], None], ...] = (),
    live: Listener | None = None,
    records_max: int = RECORDS_MAX,
    probe: Callable[[Parts], None] | None = None,
    ahead: Ahead | None = None,
) -> Simulated:
    """Run one world once.

    Args:
        world: One variant of a scenario.
        run: The number of the run, from 0; it names the run's random decisions. In place of
            the world's own.
        seed: In place of the world's own seed.
        keep: Whether to keep every record; without it none is made where nobody needs it.
        listeners: Called with each record, in order.
        live: Hears the run while it is made, without records where nobody else needs them: a
            judge, for one.
        records_max: After so many records the run is given up as inconclusive.
        probe: Called with the parts as they are when the horizon is reached or nothing is left.
        ahead: Holds what is drawn for this run and the next ones together.
    """
    records: list[Record] = []
    heard = (records.append, *listeners) if keep else listeners
    notes = _notes(heard, live)
    # What the run needed is gone, and freed, before the collector looks for cycles again.
    number = world.run if run is None else run
    with collector_paused():
        draws = Draws(world.seed if seed is None else seed, number, ahead)
        done = _run(world, number, draws, notes, records_max, probe)
    return Simulated(
        world=world,
        run=number,
        records=tuple(records),
        unmatched=done.unmatched,
        still_held=done.still_held,
        ended=done.ended,
        busy_until_us=done.busy_until_us,
    )


class _Done(NamedTuple):
    unmatched: tuple[int, ...]
    still_held: tuple[int, ...]
    ended: str
    busy_until_us: int


def _run(
    world: World,
    run: int,
    draws: Draws,
    notes: Listener,
    records_max: int,
    probe: Callable[[Parts], None] | None,
) -> _Done:
    faults = Faults(world.faults)

    def look() -> None:
        if notes.seq > records_max:
            raise LimitReachedError(records_max)

    clock = Clock(faults.orders, faults.use, look)
    surrogates = Surrogates()
    network = Network(clock, draws, notes, faults, world.message_lifetime_us)
    server = _server(world)
    strikes = Strikes(faults, notes)
    host = Host(world.server, server, clock, network, surrogates, notes, strikes)
    run_name = f"{draws.seed}/{run}"
    actors = []
    for index, spec in enumerate(world.clients):
        route = Route(spec.name, index, spec.link, draws)
        parts = (clock, draws, network, surrogates, notes)
        actors.append(ClientActor(spec, route, run_name, *parts))
    network.ends = _Ends(host, actors)
    _open_pages(world, server, actors, notes)
    people = People(actors, server, world.server, clock, draws, surrogates, notes, world.horizon_us)
    people.start(world.user)
    try:
        ended = "horizon" if clock.run(world.horizon_us) else "quiet"
        look()
        if probe is not None:
            held = (clock, faults, network, server, host, tuple(actors), people, surrogates)
            probe(Parts(*held))
    except LimitReachedError:
        ended = "limit"
    if ended != "limit":
        end_us = world.horizon_us if ended == "horizon" else clock.last_us
        end: dict[str, Json] = {"why": ended}
        tell_record(notes, end_us, Rec.END, "", "", 0, 0, "", end)
    _let_go(network, clock)
    return _Done(faults.unmatched, network.still_held, ended, clock.busy_until_us)


def _let_go(network: Network, clock: Clock) -> None:
    """Cut what makes the parts of a run hold each other: all of it is then freed at once.

    Else the collector would have to find it, run after run: a sixth of the time of a measurement.
    """
    network.ends = Ends()
    clock.forget()


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the search for cycles: a run makes none, and what it holds it holds to the end."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _notes(heard: tuple[Callable[[Record], None], ...], live: Listener | None) -> Listener:
    """Return who hears the run; records are made only where somebody wants them."""
    if live is not None and not heard:
        return live

    def listen(record: Record) -> None:
        for each in heard:
            each(record)

    return Writer(heard[0] if len(heard) == 1 else listen, live)


def resources_of(world: World) -> dict[str, ResourceSpec]:
    """Return every resource of the server by its full name, clients' own ones included."""
    found: dict[str, ResourceSpec] = {}
    for spec in world.server.resources:
        owners = [client for client in world.clients if client.own_resources]
        if len(owners) < len(world.clients):
            found[spec.name] = spec
        for client in owners:
            found[resource_of(client, spec.name)] = spec
    return found


def _server(world: World) -> Server:
    spec = world.server
    resources = resources_of(world)
    config = ServerConfig(
        resources={
            name: ResourceRules(kind=held.kind, accepts=held.accepts)
            for name, held in resources.items()
        },
        retention_us=spec.retention_us,
        tombstone_us=spec.tombstone_us,
        replay_current=spec.replay_current,
        in_flight_waits=spec.in_flight_waits,
        rules=spec.rules,
    )
    held = {name: Resource(item.version, item.body) for name, item in resources.items()}
    server = Server(config, held)
    for client in world.clients:
        server.sign_in(f"{client.name}/1", client.owner, spec.session_ttl_us)
    return server


class _Ends(Ends):
    """The host and the actors of one run."""

    def __init__(self, host: Host, actors: list[ClientActor]) -> None:
        self._host = host
        self._actors = {actor.name: actor for actor in actors}

    def to_server(self, message: Message, now_us: int) -> None:
        """Hand it to the host."""
        self._host.receive(message, now_us)

    def to_client(self, message: Message, now_us: int) -> None:
        """Hand it to the client that asked."""
        self._actors[message.exchange.client].receive(message, now_us)

    def to_client_broken(
        self, exchange: Exchange, kind: MessageKind, error: TransportError, now_us: int
    ) -> None:
        """Tell the client that asked."""
        self._actors[exchange.client].broken(exchange, kind, error, now_us)


def _open_pages(world: World, server: Server, actors: list[ClientActor], notes: Listener) -> None:
    """Every page is open from the start and shows each resource that its person will touch."""
    for actor in actors:
        for name in _touched(world, actor.spec):
            spec = resources_of_name(world, name)
            full_name = resource_of(actor.spec, name)
            config = _form_config(actor.spec, world.server, spec, full_name)
            resource = server.resources[full_name]
            actor.forms[full_name] = Form(config, first_state(config, actor.spec.owner, resource))
            state = actor.forms[full_name].state
            opens: dict[str, Json] = {
                "version": resource.version,
                "holds": resource.body,
                "body": state.draft.body,
                "owner": actor.spec.owner,
                "kind": spec.kind.value,
            }
            tell_record(notes, 0, Rec.START, actor.name, full_name, 0, 0, "", opens)


def resources_of_name(world: World, name: str) -> ResourceSpec:
    """Return the specification of a resource by its name in the file."""
    return next(spec for spec in world.server.resources if spec.name == name)


def _touched(world: World, spec: ClientSpec) -> list[str]:
    named = [
        action.resource
        for action in world.user
        if action.resource and action.client in ("", spec.name)
    ]
    if named:
        return list(dict.fromkeys(named))
    return [resource.name for resource in world.server.resources[:1]]


def _form_config(
    spec: ClientSpec, server: ServerSpec, resource: ResourceSpec, full_name: str
) -> ClientConfig:
    return ClientConfig(
        resource=full_name,
        kind=resource.kind,
        irreversible=resource.irreversible,
        timeout_us=spec.timeout_us,
        retry=spec.retry,
        on_unknown=spec.on_unknown,
        status_max=spec.status_max,
        status_delay_us=spec.status_delay_us,
        has_status=server.has_status,
        recovery_window_us=spec.recovery_window_us,
        ack_of_any_attempt=spec.ack_rule is AckRule.OPERATION,
        rules=spec.rules,
    )
