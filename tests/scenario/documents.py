"""Hypothesis strategies for whole scenario documents, valid by construction."""

from typing import Any

from hypothesis import strategies as st

from sim.contract.names import INVARIANT_NAMES, MEASURE_NAMES
from sim.presets import CONTRACTS, POLICIES
from sim.scenario.grammar.names import NAMES
from sim.scenario.model import DAY, HOUR
from sim.scenario.units import duration_text

from sim.contract.mistakes import Side  # isort: skip

RESOURCES = ("m", "note")
MESSAGES = ("request", "ack", "status", "status_answer", "read", "read_answer")

durations = st.integers(0, DAY // 2).map(duration_text)
longer = st.integers(1, DAY // 2).map(duration_text)
shares = st.floats(0, 1)
texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=20)
bodies = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | texts
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)


def some(required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return maps with all required and some of the optional keys."""
    return st.fixed_dictionaries(required, optional=optional)


latencies = st.one_of(
    durations,
    st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)).map(
        lambda ends: {"uniform": [duration_text(end) for end in sorted(ends)]}
    ),
    longer.map(lambda mean: {"exponential": {"mean": mean}}),
    st.integers(1, 10**6).map(
        lambda median: {
            "lognormal": {"median": duration_text(median), "p99": duration_text(9 * median)}
        }
    ),
    some({"scale": longer, "shape": st.floats(0.5, 9)}, {}).map(lambda p: {"pareto": p}),
    st.just({"quantiles": [[0, "1ms"], [0.5, "2ms"], [1, "9ms"]]}),
)
bursts = some(
    {"mean_good": st.just("30s"), "mean_bad": st.just("2s")},
    {"loss_good": shares, "loss_bad": shares, "slot": st.just("10ms")},
)
directions = some(
    {},
    {"loss": shares, "latency": latencies, "duplicate": shares, "corrupt": shares, "burst": bursts},
)
links = some({}, {"request": directions, "ack": directions})
spreads = {"cap": durations, "jitter": st.sampled_from(("none", "full", "equal", "decorrelated"))}
delays = (
    durations
    | some({"exponential": durations}, spreads)
    | some({"listed": st.lists(durations, min_size=1, max_size=3)}, spreads)
)
retries = some(
    {},
    {
        "max_attempts": st.integers(1, 9),
        "delay": delays,
        "deadline": longer,
        "retry_after": st.sampled_from(("yes", "no")),
        "budget": some(
            {"tokens": st.integers(0, 99)}, {"cost": st.just(1.5), "refund": st.just(0.1)}
        ),
        "breaker": some({"failures": st.integers(1, 9), "open": longer}, {}),
        "confirm": st.booleans(),
    },
)
clients = some(
    {},
    {
        "policy": st.sampled_from([one.name for one in POLICIES if "mistakes" not in one.keys]),
        "owner": st.sampled_from(("anna", "ben")),
        "count": st.integers(1, 3),
        "resource": st.sampled_from(("shared", "own")),
        "timeout": longer,
        "retry": retries,
        "on_unknown": st.sampled_from(("retry", "status", "person")),
        "status": some({}, {"max": st.integers(0, 9), "delay": durations}),
        "ack_rule": st.sampled_from(("attempt", "operation")),
        "sees": st.sampled_from(("opaque", "detailed")),
        "ids": st.sampled_from(("secure", "none")),
        "network": links,
        "mistakes": st.lists(st.sampled_from(NAMES[Side.CLIENT]), max_size=3, unique=True),
    },
)
resources = some(
    {},
    {
        "kind": st.sampled_from(("put", "post")),
        "version": st.integers(0, 9),
        "body": bodies,
        "irreversible": st.sampled_from(("yes", "no")),
        "accepts": st.dictionaries(texts, st.lists(bodies, max_size=2), max_size=2),
    },
)
servers = some(
    {"resources": st.fixed_dictionaries(dict.fromkeys(RESOURCES, resources))},
    {
        "contract": st.sampled_from([one.name for one in CONTRACTS]),
        "retention": st.sampled_from(("1h", "24h", "40d")),
        "replay": st.sampled_from(("stored", "current")),
        "in_flight": st.sampled_from(("refuse", "wait")),
        "status": st.sampled_from(("yes", "no")),
        "session_ttl": longer,
        "capacity": some(
            {},
            {"workers": st.integers(1, 9), "queue": st.integers(0, 9), "time": durations},
        ),
        "gateway": some({"timeout": longer}, {}),
        "mistakes": st.lists(st.sampled_from(NAMES[Side.SERVER]), max_size=3, unique=True),
    },
)

_moments = st.one_of(
    st.integers(0, HOUR).map(lambda at: {"at": duration_text(at)}),
    st.sampled_from(("10/s", "3/m", "250ms")).map(
        lambda rate: {"every": {"poisson": rate}, "from": "1s", "until": "9s"}
    ),
    st.just({"every": {"fixed": "7/s"}}),
)
_names = st.sampled_from(RESOURCES)
_acts = st.one_of(
    some({"edit": _names}, {"body": bodies}),
    some({"save": _names}, {"intent": st.just("new"), "id": st.just("op-1")}),
    some(
        {"send": _names},
        {"id": st.just("op-1"), "body": bodies, "expected_version": st.integers(0, 9)},
    ),
    some({"merge": _names}, {"body": bodies}),
    st.sampled_from(("retry", "check", "discard")).flatmap(lambda verb: some({verb: _names}, {})),
    st.sampled_from(("reload", "close", "open", "sign_out", "stop_worker", "start_worker")).map(
        lambda verb: {verb: None}
    ),
    st.sampled_from(({"sign_in": "carla"}, {"hint": "offline"}, {"hint": "online"})),
)
lines = st.tuples(_moments, _acts).map(lambda pair: {**pair[0], **pair[1]})

_addresses = some(
    {},
    {
        "attempt": st.integers(0, 5) | st.just("any"),
        "copy": st.integers(1, 3) | st.just("any"),
        "times": st.integers(1, 3) | st.just("all"),
        "client": st.just("any"),
    },
)
_messages = st.sampled_from(MESSAGES)
_sent = st.sampled_from(("request", "status", "read"))
_untils = some(
    {"event": st.sampled_from(("sent", "delivered", "committed", "answered", "settled"))},
    {"operation": st.just("any"), "attempt": st.integers(1, 3), "client": st.just("any")},
)
_actions = st.one_of(
    some({"drop": _messages}, {}),
    some({"reset": _messages}, {}),
    some({"delay": _messages, "by": longer}, {}),
    some({"hold": _messages, "until": _untils}, {"then": durations}),
    some({"duplicate": _messages}, {"after": durations}),
    some({"resend": _sent}, {"after": durations}),
    some({"fail": _sent, "as": st.sampled_from(("dns", "refused", "offline"))}, {}),
    some(
        {
            "corrupt": st.sampled_from(("ack", "status_answer")),
            "set": some(
                {"accepted_version": st.integers(0, 9)},
                {
                    "body": bodies,
                    "attempt_id": st.just("attempt-07"),
                    "operation_id": st.just("x: y"),
                },
            ),
        },
        {},
    ),
    some(
        {"crash": st.just("server"), "at": st.sampled_from(("before_claim", "between"))},
        {"restart": durations},
    ),
    some({"error": st.sampled_from((429, 500, 503))}, {}),
    some({"slow": st.just("server"), "by": longer}, {}),
)
faults = st.one_of(
    st.tuples(_addresses, _actions).map(lambda pair: {**pair[0], **pair[1]}),
    st.sampled_from(
        (
            {"cut": "both", "from": "1s", "to": "2s", "client": "any"},
            {"cut": "dns", "to": "2s"},
            {"order": ["timer", "delivery"]},
        )
    ),
)

_scopes: dict[str, Any] = {
    "phase": st.sampled_from(("acknowledged", "recovery-required")),
    "draft": st.sampled_from(("clean", "dirty")),
    "effects": st.integers(0, 3),
    "acks": some({}, {"accepted": st.integers(0, 3), "stale": st.integers(0, 3)}),
    "refused": st.sampled_from(("in-flight", "conflict")),
}
expects = some(
    {},
    {
        **_scopes,
        "resources": st.dictionaries(
            _names, some({}, {"version": st.integers(0, 9), "body": bodies})
        ),
        "violates": st.lists(st.sampled_from(INVARIANT_NAMES), max_size=3, unique=True),
        "rates": st.dictionaries(
            st.sampled_from(MEASURE_NAMES),
            some({"max": shares}, {"on": st.just("interval")}),
            max_size=2,
        ),
    },
)

documents = some(
    {"server": servers, "horizon": st.just("1h")},
    {
        "title": texts,
        "about": texts,
        "source": texts,
        "tags": st.lists(texts, max_size=2),
        "seed": st.integers(0, 2**63 - 1),
        "run": st.integers(0, 2**63 - 1),
        "runs": st.integers(1, 99),
        "client": clients,
        "network": links,
        "user": st.lists(lines, max_size=4),
        "faults": st.lists(
            faults.filter(lambda fault: "client" in fault or "cut" in fault), max_size=4
        ),
        "expect": expects,
        "variants": st.dictionaries(
            st.sampled_from(("a", "b")),
            some({}, {"client": clients, "expect": expects}),
            max_size=2,
        ),
        "sweep": st.just({"network.ack.loss": [0, 0.1], "client.timeout": ["1s"]}),
    },
)
"""Documents that load."""
