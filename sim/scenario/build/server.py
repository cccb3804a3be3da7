"""The server's part, built."""

from collections.abc import Sequence

from sim.contract.body import freeze
from sim.contract.messages import Kind
from sim.contract.mistakes import Side, server_rules
from sim.scenario.build.context import Context, either
from sim.scenario.errors import use_one_of
from sim.scenario.grammar.names import NAMES
from sim.scenario.grammar.server import ResourcePart, ServerPart
from sim.scenario.locate import Loc
from sim.scenario.model import Capacity, ResourceSpec, ServerSpec

_DEFAULT = ServerSpec()


def server(context: Context) -> ServerSpec:
    """Return the server with every default filled in."""
    part = context.document.server or ServerPart()
    mistakes = known_mistakes(context, ("server", "mistakes"), part.mistakes or (), Side.SERVER)
    retention = either(part.retention, _DEFAULT.retention_us)
    tombstone = either(part.tombstone, max(_DEFAULT.tombstone_us, retention))
    if tombstone < retention:
        key = "tombstone" if part.tombstone is not None else "retention"
        context.refuse(
            ("server", key),
            "the tombstone ends before the result does",
            "make tombstone at least the retention",
        )
    return ServerSpec(
        resources=tuple(resource(name, one) for name, one in (part.resources or {}).items()),
        retention_us=retention,
        tombstone_us=tombstone,
        replay_current=part.replay == "current",
        in_flight_waits=part.in_flight == "wait",
        has_status=either(part.status, _DEFAULT.has_status),
        session_ttl_us=part.session_ttl,
        capacity=_capacity(part),
        gateway_timeout_us=part.gateway.timeout if part.gateway else None,
        rules=server_rules(mistakes),
        mistakes=mistakes,
    )


def resource(name: str, part: ResourcePart) -> ResourceSpec:
    """Return one resource with every default filled in."""
    accepts = part.accepts or {}
    return ResourceSpec(
        name=name,
        kind=Kind(part.kind or Kind.PUT),
        version=either(part.version, 1),
        body=freeze(part.body),
        irreversible=bool(part.irreversible),
        accepts=tuple((key, tuple(freeze(value) for value in accepts[key])) for key in accepts),
    )


def _capacity(part: ServerPart) -> Capacity:
    given = part.capacity
    if given is None:
        return _DEFAULT.capacity
    return Capacity(
        workers=given.workers,
        queue=given.queue,
        time_us=either(given.time, _DEFAULT.capacity.time_us),
        retry_after_us=either(given.retry_after, _DEFAULT.capacity.retry_after_us),
    )


def known_mistakes(context: Context, loc: Loc, names: Sequence[str], side: Side) -> tuple[str, ...]:
    """Return the mistakes that are known and of this side, in the order of the table."""
    other = Side.SERVER if side is Side.CLIENT else Side.CLIENT
    mine, others = NAMES[side], NAMES[other]
    for number, name in enumerate(names):
        if name in others:
            context.refuse(
                (*loc, number),
                f"'{name}' is a mistake of the {other}",
                f"put it under {other}: mistakes",
            )
        elif name not in mine:
            context.refuse((*loc, number), f"unknown mistake '{name[:60]}'", use_one_of(name, mine))
        elif name in names[:number]:
            context.refuse((*loc, number), f"'{name}' is here twice", "keep one of the two")
    return tuple(name for name in mine if name in names)
