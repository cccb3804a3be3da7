"""What a file leaves out has the default that the contract, the model and the schema state."""

from typing import Any

import pytest

from sim.contract.messages import Kind
from sim.contract.retry import OnUnknown, RetryPolicy
from sim.contract.rules import ClientRules, ServerRules
from sim.network.weather import Link
from sim.scenario.load import load_text
from sim.scenario.model import DAY, HOUR, SECOND, AckRule, World
from sim.scenario.schema import json_schema


def world(text: str) -> World:
    (one,) = load_text(text, "case", "case.yaml").worlds
    return one


def test_an_almost_empty_file_is_a_world_with_one_client_that_keeps_the_contract() -> None:
    one = world("title: x\n")

    (client,) = one.clients
    assert (client.name, client.owner, client.group) == ("client", "client", "client")
    assert (client.rules, one.server.rules) == (ClientRules(), ServerRules())
    assert client.link == Link()


def test_the_defaults_of_a_client() -> None:
    (client,) = world("title: x\n").clients

    assert client.timeout_us == 2 * SECOND
    assert client.retry == RetryPolicy()
    assert (client.status_max, client.status_delay_us) == (3, SECOND)
    assert (client.on_unknown, client.ack_rule) == (OnUnknown.RETRY, AckRule.ATTEMPT)
    assert client.recovery_window_us == 23 * HOUR
    assert (client.detailed, client.has_ids, client.own_resources) == (False, True, False)


def test_the_defaults_of_a_server_and_a_run() -> None:
    one = world("server: {resources: {m: {}}}\n")

    assert (one.seed, one.horizon_us, one.message_lifetime_us) == (1, 60 * DAY, 7 * DAY)
    assert (one.server.retention_us, one.server.tombstone_us) == (24 * HOUR, 30 * DAY)
    (resource,) = one.server.resources
    assert (resource.kind, resource.version, resource.body) == (Kind.PUT, 1, "null")


def test_the_recovery_window_follows_the_retention() -> None:
    (client,) = world("server: {retention: 24m}\n").clients

    assert client.recovery_window_us == 23 * 60 * SECOND


def test_a_message_and_the_recovery_window_fit_into_a_short_tombstone() -> None:
    assert (
        world("server: {retention: 1h, tombstone: 2h}\n").message_lifetime_us
        == 2 * HOUR - 23 * HOUR // 24
    )


def test_a_long_retention_takes_its_tombstone_along() -> None:
    assert world("server: {retention: 90d}\n").server.tombstone_us == 90 * DAY


def test_null_counts_as_not_written() -> None:
    assert world("client: {timeout: ~}\nfaults:\n") == world("title: x\n")


PLACES = {
    "ServerPart": "server: {{{}}}",
    "CapacityPart": "server: {{capacity: {{{}}}}}",
    "ResourcePart": "server: {{resources: {{m: {{{}}}}}}}",
    "ClientPart": "client: {{{}}}",
    "RetryPart": "client: {{retry: {{{}}}}}",
    "BudgetPart": "client: {{retry: {{budget: {{tokens: 1, {}}}}}}}",
    "DelayPart": "client: {{retry: {{delay: {{exponential: 1s, {}}}}}}}",
    "StatusPart": "client: {{status: {{{}}}}}",
    "DirectionPart": "network: {{ack: {{{}}}}}",
    "BurstPart": "network: {{ack: {{burst: {{mean_good: 9s, mean_bad: 1s, {}}}}}}}",
    "SaveLine": "server: {{resources: {{m: {{}}}}}}\nuser: [{{at: 0s, save: m, {}}}]",
    "DropPart": "faults: [{{drop: ack, attempt: 2, {}}}]",
    "HoldPart": "faults: [{{hold: ack, until: {{event: sent}}, {}}}]",
    "UntilPart": "faults: [{{hold: ack, until: {{event: sent, {}}}}}]",
    "DuplicatePart": "faults: [{{duplicate: ack, {}}}]",
    "ResendPart": "faults: [{{resend: request, {}}}]",
    "CrashPart": "faults: [{{crash: server, at: between, {}}}]",
    "ErrorPart": "faults: [{{error: 500, {}}}]",
    "CutPart": "faults: [{{cut: both, to: 9s, {}}}]",
    "RatePart": "expect: {{rates: {{refused_rate: {{max: 1, {}}}}}}}",
}
DEPENDS = ("operation", "attempt", "from")
"""Keys whose default needs something else beside it to be written at all."""


def _stated() -> list[tuple[str, str, Any]]:
    definitions = json_schema()["$defs"]
    return [
        (part, key, field["default"])
        for part in PLACES
        for key, field in definitions[part]["properties"].items()
        if "default" in field and key not in DEPENDS
    ]


def test_most_defaults_are_stated() -> None:
    assert len(_stated()) > 50


@pytest.mark.parametrize(("part", "key", "default"), _stated())
def test_a_default_that_the_schema_states_is_the_one_that_is_filled_in(part, key, default) -> None:
    written = PLACES[part].format(f"{key}: {default}")
    left_out = PLACES[part].format("").replace(", }", "}")

    assert world(written) == world(left_out)
