"""One world, built from one checked document; what its parts promise each other is checked here."""

from collections.abc import Sequence

from sim.scenario.build.client import cast_of, clients
from sim.scenario.build.context import Cast, Context, either
from sim.scenario.build.expect import expect
from sim.scenario.build.faults import clauses
from sim.scenario.build.server import server
from sim.scenario.build.times import check_times
from sim.scenario.build.user import actions
from sim.scenario.clause_text import clause_text
from sim.scenario.errors import ScenarioError
from sim.scenario.grammar.base import RESERVED
from sim.scenario.grammar.document import Document
from sim.scenario.model import (
    DAY,
    ClientSpec,
    Do,
    Once,
    ServerSpec,
    World,
    lifetime_most_us,
)
from sim.scenario.tree import Branch, Source
from sim.scenario.units import duration_text

LIFETIME_US = 7 * DAY
CLIENTS_MAX = 200_000
"""Clients of one world."""

_DEFAULT = World(scenario="")


def build(
    source: Source, root: Branch, document: Document, name: str
) -> tuple[World | None, list[ScenarioError]]:
    """Return the world of a document without variants, or every problem that it has."""
    context = Context(source, root, document, cast_of(document))
    _check_cast(context)
    if context.problems:
        return None, context.problems
    spec = server(context)
    people = clients(context, spec)
    faults = clauses(context)
    world = World(
        scenario=name,
        seed=either(document.seed, _DEFAULT.seed),
        run=either(document.run, _DEFAULT.run),
        horizon_us=either(document.horizon, _DEFAULT.horizon_us),
        server=spec,
        clients=people,
        message_lifetime_us=_lifetime(context, spec, people),
        user=actions(context),
        faults=faults,
        fault_lines=tuple(clause_text(clause, context.cast.only) for clause in faults),
        expect=expect(context),
    )
    check_times(context, world, has_horizon=document.horizon is not None)
    _check_operations(context, world)
    return (None if context.problems else world), context.problems


def _check_cast(context: Context) -> None:
    document, cast = context.document, context.cast
    if document.client is not None and document.clients is not None:
        context.refuse(("clients",), "both 'client' and 'clients'", "keep one of the two", "key")
    if not cast.parts:
        context.refuse(("clients",), "no client at all", "name at least one", "key")
    total = 0
    for name, part in cast.parts.items():
        total += part.count or 1
        if name in RESERVED:
            context.refuse(cast.loc(name), f"'{name}' has a meaning of its own", "rename it", "key")
        group = _group_with(cast, name)
        if group is not None:
            problem = f"'{name}' is also one of the clients of '{group}'"
            context.refuse(cast.loc(name), problem, "rename it", "key")
    if total > CLIENTS_MAX:
        problem = f"{total} clients are more than {CLIENTS_MAX}"
        context.refuse(cast.root, problem, "make 'count' smaller", "key")


def _group_with(cast: Cast, name: str) -> str | None:
    """Return the group one of whose clients has the name of another entry of the file."""
    head, _, number = name.rpartition("-")
    count = cast.parts[head].count if head in cast.parts else None
    is_member = number.isascii() and number.isdigit() and str(int(number[:9])) == number
    return head if count is not None and is_member and 1 <= int(number) <= count else None


def _lifetime(context: Context, spec: ServerSpec, people: Sequence[ClientSpec]) -> int:
    most_us = lifetime_most_us(spec, people)
    part = context.document.network
    given = part.message_lifetime if part else None
    if given is None:
        return min(LIFETIME_US, most_us)
    if given > most_us:
        context.refuse(
            ("network", "message_lifetime"),
            "a message could outlive the tombstone and be executed as new",
            f"make message_lifetime at most {duration_text(most_us)}: "
            "the server's tombstone less the longest recovery_window",
        )
    return given


def _check_operations(context: Context, world: World) -> None:
    """Refuse the number of an operation that nothing in the scenario could make.

    Only where the number is certain: mistakes and repeated lines can make any number.
    """
    makers = [action for action in world.user if action.do in (Do.SAVE, Do.SEND)]
    is_certain = all(
        isinstance(action.when, Once) and action.client for action in makers
    ) and not any(client.mistakes for client in world.clients)
    if not is_certain:
        return
    most = len(makers)
    for number, line in enumerate(context.document.user or ()):
        name = getattr(line, "id", None)
        if isinstance(name, str) and name.startswith("op-") and int(name[3:]) > most:
            _refuse_operation(context, ("user", number, "id"), name, most)
    for number, part in enumerate(context.document.faults or ()):
        nth = getattr(part, "operation", None)
        if isinstance(nth, int) and nth > most:
            _refuse_operation(context, ("faults", number, "operation"), str(nth), most)
    for nth, _ in world.expect.of_operations:
        if nth > most:
            _refuse_operation(context, ("expect", "operations", str(nth)), str(nth), most)


def _refuse_operation(context: Context, loc: tuple[str | int, ...], name: str, most: int) -> None:
    there = "no operation" if most == 0 else "1 operation" if most == 1 else f"{most} operations"
    context.refuse(
        loc, f"there is no operation '{name}'", f"the saves and sends of 'user' make {there}"
    )
