"""Clients, built: policies, senses, and ``count``."""

from dataclasses import replace

from sim.contract.mistakes import Side, client_rules
from sim.contract.retry import Breaker, Budget, Delay, Growth, Jitter, OnUnknown, RetryPolicy
from sim.scenario.build.context import Cast, Context, either
from sim.scenario.build.network import link
from sim.scenario.build.server import known_mistakes
from sim.scenario.grammar.client import ClientPart, DelayPart, RetryPart, StatusPart
from sim.scenario.grammar.document import WorldPart
from sim.scenario.locate import Loc
from sim.scenario.model import AckRule, ClientSpec, ServerSpec

_DEFAULT = ClientSpec(name="client", owner="client")


def cast_of(document: WorldPart) -> Cast:
    """Return who takes part; without a word about clients, one client named ``client``."""
    if document.clients is not None:
        return Cast(document.clients, ("clients",))
    return Cast({"client": document.client or ClientPart()}, ("client",))


def clients(context: Context, server: ServerSpec) -> tuple[ClientSpec, ...]:
    """Return every client, groups of ``count`` written out."""
    built: list[ClientSpec] = []
    for name, part in context.cast.parts.items():
        one = _client(context, name, part, server)
        if part.count is None:
            built.append(one)
            continue
        built.extend(
            replace(one, name=member, owner=either(part.owner, member))
            for member in context.cast.members(name)
        )
    return tuple(built)


def _client(context: Context, name: str, part: ClientPart, server: ServerSpec) -> ClientSpec:
    loc = context.cast.loc(name)
    mistakes = known_mistakes(context, (*loc, "mistakes"), part.mistakes or (), Side.CLIENT)
    status = part.status or StatusPart()
    own_link = part.network
    return ClientSpec(
        name=name,
        owner=either(part.owner, name),
        own_resources=part.resource == "own",
        timeout_us=either(part.timeout, _DEFAULT.timeout_us),
        retry=_retry(part.retry),
        on_unknown=OnUnknown(part.on_unknown or _DEFAULT.on_unknown),
        status_max=either(status.max, _DEFAULT.status_max),
        status_delay_us=either(status.delay, _DEFAULT.status_delay_us),
        recovery_window_us=_window(context, loc, part, server),
        ack_rule=AckRule(part.ack_rule or _DEFAULT.ack_rule),
        detailed=part.sees == "detailed",
        has_ids=part.ids != "none",
        link=link(context, (*loc, "network"), own_link)
        if own_link
        else link(context, ("network",), context.document.network),
        rules=client_rules(mistakes),
        mistakes=mistakes,
        group=name,
    )


def _window(context: Context, loc: Loc, part: ClientPart, server: ServerSpec) -> int:
    """Return the recovery window: 23/24 of the retention unless the file says otherwise."""
    if part.recovery_window is None:
        return max(1, server.retention_us * 23 // 24)
    if part.recovery_window >= server.retention_us and server.rules.retention_outlasts_recovery:
        context.refuse(
            (*loc, "recovery_window"),
            "the recovery window is not shorter than the server's retention",
            "shorten it, or give the server the mistake retention-too-short",
        )
    return part.recovery_window


def _retry(part: RetryPart | None) -> RetryPolicy:
    default = _DEFAULT.retry
    if part is None:
        return default
    budget, breaker = part.budget, part.breaker
    return RetryPolicy(
        max_attempts=either(part.max_attempts, default.max_attempts),
        delay=_delay(part.delay),
        deadline_us=part.deadline,
        retry_after=either(part.retry_after, default.retry_after),
        budget=Budget(
            tokens=budget.tokens,
            cost=either(budget.cost, 1_000),
            refund=either(budget.refund, 100),
        )
        if budget
        else None,
        breaker=Breaker(failures=breaker.failures, open_us=breaker.open) if breaker else None,
        confirm=bool(part.confirm),
    )


def _delay(part: "int | DelayPart | None") -> Delay:
    if part is None:
        return Delay()
    if isinstance(part, int):
        return Delay(base_us=part)
    pauses = tuple(part.listed or ())
    base = pauses[0] if pauses else either(part.exponential, part.fixed)
    assert base is not None
    return Delay(
        growth=Growth.FIXED if part.exponential is None else Growth.EXPONENTIAL,
        base_us=base,
        pauses_us=pauses,
        cap_us=either(part.cap, Delay().cap_us),
        jitter=Jitter(part.jitter or Jitter.NONE),
    )
