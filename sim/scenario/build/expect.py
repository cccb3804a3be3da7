"""Expectations, built."""

from collections.abc import Mapping

from sim.contract.body import freeze
from sim.contract.names import INVARIANT_NAMES, MEASURE_NAMES
from sim.scenario.build.context import Context
from sim.scenario.errors import use_one_of
from sim.scenario.grammar.expect import (
    AcksPart,
    ExpectedClientPart,
    ExpectedPart,
    ExpectedResourcePart,
    ExpectPart,
    RatePart,
)
from sim.scenario.locate import Loc
from sim.scenario.model import Expect, Expected, ExpectedRate, ExpectedResource


def expect(context: Context) -> Expect:
    """Return what is expected of the run."""
    part = context.document.expect
    if part is None:
        return Expect()
    clients = part.clients or {}
    return Expect(
        whole=_expected(part),
        resources=_resources(context, ("expect", "resources"), part.resources),
        of_operations=_operations(context, ("expect", "operations"), part.operations),
        of_clients=tuple(
            (name, _client(context, ("expect", "clients", name), name, clients[name]))
            for name in clients
        ),
        violates=_violates(context, part),
        rates=_rates(context, part.rates or {}),
    )


def _client(context: Context, loc: Loc, name: str, part: ExpectedClientPart) -> Expect:
    cast = context.cast
    if name in cast.parts and cast.parts[name].count is not None:
        context.refuse(
            loc, f"'{name}' is {cast.parts[name].count} clients", f"name one, as '{name}-1'", "key"
        )
    elif cast.group_of(name) is None:
        context.refuse(loc, f"unknown client '{name[:60]}'", use_one_of(name, cast.known()), "key")
    return Expect(
        whole=_expected(part),
        resources=_resources(context, (*loc, "resources"), part.resources),
        of_operations=_operations(context, (*loc, "operations"), part.operations),
    )


def _expected(part: ExpectedPart) -> Expected:
    return Expected(
        phase=part.phase,
        draft_dirty=None if part.draft is None else part.draft == "dirty",
        effects=part.effects,
        attempts=part.attempts,
        deliveries=part.deliveries,
        acks=_acks(part.acks) if part.acks else (),
        refused=part.refused,
    )


def _acks(part: AcksPart) -> tuple[tuple[str, int], ...]:
    verdicts = {
        "accepted": part.accepted,
        "stale": part.stale,
        "invalid": part.invalid,
        "repeated": part.repeated,
    }
    return tuple((verdict, count) for verdict, count in verdicts.items() if count is not None)


def _resources(
    context: Context, loc: Loc, parts: Mapping[str, ExpectedResourcePart] | None
) -> tuple[ExpectedResource, ...]:
    built = []
    for name, part in (parts or {}).items():
        if not _is_resource(context, name):
            fix = use_one_of(name, context.resources)
            context.refuse((*loc, name), f"unknown resource '{name[:60]}'", fix, "key")
        body = freeze(part.body) if "body" in part.model_fields_set else None
        built.append(ExpectedResource(name=name, version=part.version, body=body))
    return tuple(built)


def _is_resource(context: Context, name: str) -> bool:
    """Whether the server has it; a client's own is named ``markdown@phone``."""
    plain, _, client = name.partition("@")
    if plain not in context.resources:
        return False
    if plain == name:
        return True
    group = context.cast.group_of(client)
    return group is not None and context.cast.parts[group].resource == "own"


def _operations(
    context: Context, loc: Loc, parts: Mapping[str, ExpectedPart] | None
) -> tuple[tuple[int, Expected], ...]:
    built = []
    for name, part in (parts or {}).items():
        is_number = name.isascii() and name.isdigit() and len(name) <= 9 and name[0] != "0"
        if not is_number:
            context.refuse(
                (*loc, name),
                f"'{name[:60]}' is not the number of an operation",
                "count from 1",
                "key",
            )
            continue
        built.append((int(name), _expected(part)))
    return tuple(built)


def _violates(context: Context, part: ExpectPart) -> tuple[str, ...]:
    names = part.violates or []
    for number, name in enumerate(names):
        if name in names[:number]:
            loc = ("expect", "violates", number)
            context.refuse(loc, f"'{name}' is here twice", "keep one of the two")
        context.check_known(("expect", "violates", number), "invariant", name, INVARIANT_NAMES)
    return tuple(name for name in INVARIANT_NAMES if name in names)


def _rates(context: Context, parts: Mapping[str, RatePart]) -> tuple[ExpectedRate, ...]:
    for name in parts:
        if name not in MEASURE_NAMES:
            fix = use_one_of(name, MEASURE_NAMES)
            context.refuse(("expect", "rates", name), f"unknown measure '{name[:60]}'", fix, "key")
    return tuple(
        ExpectedRate(
            measure=name,
            min=None if part.min is None else float(part.min),
            max=None if part.max is None else float(part.max),
            on_interval=part.on == "interval",
        )
        for name, part in parts.items()
    )
