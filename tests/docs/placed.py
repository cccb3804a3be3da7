"""Scenarios around one example of the format page: the example stands where its field does."""

import json
from copy import deepcopy
from typing import Any

from docs.schema_tables import clauses, line_example, lines
from docs.tables import clause_example
from sim.scenario.tree import Source, parse, plain

Map = dict[str, Any]

_SERVER: Map = {"resources": {"markdown": {}}}
_HOLD: Map = {"hold": "ack", "until": {"event": "committed"}}
_ALONE: Map = {
    "horizon": "3h",
    "server": _SERVER,
    "client": {"owner": "ann"},
    "user": [{"at": "0s", "edit": "markdown"}, {"at": "0s", "save": "markdown"}],
}
_TOGETHER: Map = {
    "horizon": "3h",
    "server": _SERVER,
    "clients": {"left": {"owner": "ann"}, "right": {"owner": "ann"}},
    "user": [{"at": "0s", "client": "left", "edit": "markdown"}],
}
_PLACES: dict[str, tuple[str, Map]] = {
    "Document": ("", {}),
    "ServerPart": ("server", _SERVER),
    "ResourcePart": ("server resources markdown", {}),
    "CapacityPart": ("server capacity", {}),
    "GatewayPart": ("server gateway", {}),
    "ClientPart": ("client", {}),
    "RetryPart": ("client retry", {}),
    "DelayPart": ("client retry delay", {}),
    "BudgetPart": ("client retry budget", {"tokens": 10}),
    "BreakerPart": ("client retry breaker", {"failures": 5, "open": "30s"}),
    "StatusPart": ("client status", {}),
    "LinkPart": ("client network", {}),
    "NetworkPart": ("network", {}),
    "DirectionPart": ("network ack", {}),
    "BurstPart": ("network ack burst", {"mean_good": "30s", "mean_bad": "2s"}),
    "LatencyPart": ("network ack latency", {}),
    "ExponentialPart": ("network ack latency exponential", {}),
    "LognormalPart": ("network ack latency lognormal", {"median": "40ms", "p99": "900ms"}),
    "ParetoPart": ("network ack latency pareto", {"scale": "20ms", "shape": 1.5}),
    "ExpectPart": ("expect", {}),
    "ExpectedClientPart": ("expect", {}),
    "ExpectedPart": ("expect operations 1", {}),
    "ExpectedResourcePart": ("expect resources markdown", {}),
    "AcksPart": ("expect acks", {}),
    "RatePart": ("expect rates duplicate_effect_rate", {}),
}
"""Where each map stands, and what else it needs there."""

_GROWTH: Map = {"exponential": "500ms"}
_AGAIN: Map = {"every": {"fixed": "10s"}}
_NEEDS = {"cap": _GROWTH, "jitter": _GROWTH, "from": _AGAIN, "until": _AGAIN, "on": {"max": 1}}


def read(cell: str) -> Map:
    """Return the map that an example cell shows, read as a scenario file is."""
    text = cell.strip("`")
    held = plain(parse(Source("an example", text), text))
    assert isinstance(held, dict)
    return held


def with_field(definition: str, cell: str) -> str:
    """Return a scenario in which one field has the example of its cell."""
    shown = read(cell)
    (key,) = shown
    if definition in lines():
        return with_line(_timed(read(line_example(definition)) | shown, key))
    if definition in clauses():
        return with_clause(read(clause_example(definition)) | shown)
    if definition == "EveryPart":
        return with_line({"save": "markdown", "every": shown})
    if definition == "UntilPart":
        return with_clause(_HOLD | {"until": {"event": "committed"} | shown})
    return _placed(definition, _NEEDS.get(key, {}) | shown, several=key == "clients")


def with_line(line: Map) -> str:
    """Return a scenario with that line of ``user`` after an edit."""
    world = _world("client" in line)
    world["user"].append(line)
    return json.dumps(world)


def with_clause(clause: Map) -> str:
    """Return a scenario with that clause of ``faults``."""
    several = "client" in clause or "client" in clause.get("until", {})
    whose = {"client": "left"} if several else {}
    return json.dumps(_world(several) | {"faults": [whose | clause]})


def _timed(line: Map, key: str) -> Map:
    """A line happens at a time or again and again, never both."""
    timed = line | _NEEDS.get(key, {})
    return {k: v for k, v in timed.items() if k != "at"} if "every" in timed else timed


def _world(several: bool) -> Map:
    return deepcopy(_TOGETHER if several else _ALONE)


def _placed(definition: str, shown: Map, *, several: bool) -> str:
    path, beside = _PLACES[definition]
    world = _world(several)
    held = world
    for name in path.split():
        held = held.setdefault(name, {})
    held |= deepcopy(beside) | shown
    return json.dumps(world)
