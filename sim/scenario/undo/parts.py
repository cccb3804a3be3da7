"""Servers, clients and links as the plain data of a scenario file; defaults are left out."""

from collections.abc import Sequence

from sim.contract.body import EMPTY, Json, thaw
from sim.contract.retry import Breaker, Budget, Delay, Jitter, RetryPolicy
from sim.network.weather import Burst, Direction, Latency, Link
from sim.scenario.model import Capacity, ClientSpec, ResourceSpec, ServerSpec
from sim.scenario.units import duration_text

Keys = dict[str, Json]


def differing(keys: Keys, defaults: Keys) -> Keys:
    """Return the keys whose values are not their defaults."""
    return {key: value for key, value in keys.items() if value != defaults.get(key)}


def optional_duration(value_us: int | None) -> Json:
    """Return a duration as text; None stays None, which counts as not written."""
    return None if value_us is None else duration_text(value_us)


def server_keys(server: ServerSpec) -> Keys:
    """Return the ``server`` part."""
    resources: Json = {one.name: _resource(one) for one in server.resources}
    keys: Keys = {
        "resources": resources,
        "retention": duration_text(server.retention_us),
        "tombstone": duration_text(server.tombstone_us),
        "replay": "current" if server.replay_current else "stored",
        "in_flight": "wait" if server.in_flight_waits else "refuse",
        "status": "yes" if server.has_status else "no",
        "session_ttl": optional_duration(server.session_ttl_us),
        "capacity": _capacity(server.capacity) or None,
        "gateway": None
        if server.gateway_timeout_us is None
        else {"timeout": duration_text(server.gateway_timeout_us)},
        "mistakes": list(server.mistakes),
    }
    default = ServerSpec()
    defaults: Keys = {
        "resources": {},
        "retention": duration_text(default.retention_us),
        "tombstone": duration_text(max(default.tombstone_us, server.retention_us)),
        "replay": "stored",
        "in_flight": "refuse",
        "status": "yes",
        "mistakes": [],
    }
    return differing(keys, defaults)


def _resource(spec: ResourceSpec) -> Keys:
    keys: Keys = {
        "kind": spec.kind.value,
        "version": spec.version,
        "irreversible": "yes" if spec.irreversible else "no",
        "accepts": {name: [thaw(value) for value in values] for name, values in spec.accepts},
    }
    kept = differing(keys, {"kind": "put", "version": 1, "irreversible": "no", "accepts": {}})
    return kept | ({} if spec.body == EMPTY else {"body": thaw(spec.body)})


def _capacity(capacity: Capacity) -> Keys:
    default = Capacity()
    keys: Keys = {
        "workers": capacity.workers,
        "queue": capacity.queue,
        "time": duration_text(capacity.time_us),
        "retry_after": duration_text(capacity.retry_after_us),
    }
    return differing(
        keys,
        {
            "time": duration_text(default.time_us),
            "retry_after": duration_text(default.retry_after_us),
        },
    )


def link_keys(link: Link) -> Keys:
    """Return a ``network`` part, without the lifetime of messages."""
    keys: Keys = {"request": _direction(link.request), "ack": _direction(link.ack)}
    return differing(keys, {"request": {}, "ack": {}})


def _direction(direction: Direction) -> Keys:
    keys: Keys = {
        "loss": direction.loss,
        "latency": _latency(direction.latency),
        "duplicate": direction.duplicate,
        "corrupt": direction.corrupt,
        "burst": _burst(direction.burst) if direction.burst else None,
    }
    default: Keys = {"loss": 0.0, "duplicate": 0.0, "corrupt": 0.0}
    return differing(keys, default | {"latency": _latency(Direction().latency)})


def _latency(latency: Latency) -> Json:
    values = [duration_text(value) for value in latency.values_us]
    if latency.is_constant:
        return values[0]
    if latency.shares == (0.0, 1.0):
        return {"uniform": [*values]}
    knots: Json = [[share, value] for share, value in zip(latency.shares, values, strict=True)]
    return {"quantiles": knots}


def _burst(burst: Burst) -> Keys:
    return {
        "loss_good": burst.loss_good,
        "loss_bad": burst.loss_bad,
        "mean_good": duration_text(burst.mean_good_us),
        "mean_bad": duration_text(burst.mean_bad_us),
        "slot": duration_text(burst.slot_us),
    }


def client_keys(client: ClientSpec, server: ServerSpec, owner: str, shared: Link | None) -> Keys:
    """Return a client's part.

    Args:
        client: The client.
        server: Its retention gives the default of the recovery window.
        owner: The owner that the client has without saying so.
        shared: The link that the scenario's ``network`` gives to all; None if it gives none.
    """
    default = ClientSpec(name="", owner="")
    window = max(1, server.retention_us * 23 // 24)
    status: Keys = {"max": client.status_max, "delay": duration_text(client.status_delay_us)}
    keys: Keys = {
        "owner": client.owner,
        "resource": "own" if client.own_resources else "shared",
        "timeout": duration_text(client.timeout_us),
        "retry": _retry(client.retry),
        "on_unknown": client.on_unknown.value,
        "status": differing(
            status,
            {"max": default.status_max, "delay": duration_text(default.status_delay_us)},
        ),
        "recovery_window": duration_text(client.recovery_window_us),
        "ack_rule": client.ack_rule.value,
        "sees": "detailed" if client.detailed else "opaque",
        "ids": "secure" if client.has_ids else "none",
        "network": {} if shared is not None else link_keys(client.link),
        "mistakes": list(client.mistakes),
    }
    defaults: Keys = {
        "owner": owner,
        "resource": "shared",
        "timeout": duration_text(default.timeout_us),
        "retry": {},
        "on_unknown": default.on_unknown.value,
        "status": {},
        "recovery_window": duration_text(window),
        "ack_rule": default.ack_rule.value,
        "sees": "opaque",
        "ids": "secure",
        "network": {},
        "mistakes": [],
    }
    return differing(keys, defaults)


def _retry(policy: RetryPolicy) -> Keys:
    default = RetryPolicy()
    keys: Keys = {
        "max_attempts": policy.max_attempts,
        "delay": _delay(policy.delay),
        "deadline": optional_duration(policy.deadline_us),
        "retry_after": "yes" if policy.retry_after else "no",
        "budget": _budget(policy.budget) if policy.budget else None,
        "breaker": _breaker(policy.breaker) if policy.breaker else None,
        "confirm": "yes" if policy.confirm else "no",
    }
    defaults: Keys = {
        "max_attempts": default.max_attempts,
        "delay": _delay(default.delay),
        "retry_after": "yes",
        "confirm": "no",
    }
    return differing(keys, defaults)


def _delay(delay: Delay) -> Json:
    base = duration_text(delay.base_us)
    keys: Keys = {delay.growth.value: base}
    if delay.pauses_us:
        keys = {"listed": [duration_text(pause_us) for pause_us in delay.pauses_us]}
    if delay.cap_us != Delay().cap_us:
        keys["cap"] = duration_text(delay.cap_us)
    if delay.jitter is not Jitter.NONE:
        keys["jitter"] = delay.jitter.value
    return base if list(keys) == ["fixed"] else keys


def _thousandths(value: int) -> Json:
    return value // 1000 if value % 1000 == 0 else value / 1000


def _budget(budget: Budget) -> Keys:
    keys: Keys = {"cost": _thousandths(budget.cost), "refund": _thousandths(budget.refund)}
    return {"tokens": _thousandths(budget.tokens), **differing(keys, {"cost": 1, "refund": 0.1})}


def _breaker(breaker: Breaker) -> Keys:
    return {"failures": breaker.failures, "open": duration_text(breaker.open_us)}


def shared_link(clients: Sequence[ClientSpec]) -> Link | None:
    """Return the link that all clients have, or None if they differ."""
    first = clients[0].link
    return first if all(client.link == first for client in clients) else None
