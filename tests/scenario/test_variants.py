"""Variants lay themselves over their base; sweeps cross values with each other and with them."""

import pytest

from sim.contract.retry import Growth
from sim.scenario.errors import ScenarioError
from sim.scenario.load import load_text
from sim.scenario.model import SECOND, Scenario

BASE = """
server: {resources: {m: {version: 4, body: {a: 1, b: 2}}}}
client: {timeout: 2s, retry: {max_attempts: 3, delay: 1s}}
user: [{at: 0s, edit: m, body: {a: 2}}, {at: 0s, save: m}]
faults: [{drop: ack, attempt: 1}, {drop: ack, attempt: 2}]
expect: {phase: acknowledged, effects: 1}
"""


def load(more: str) -> Scenario:
    return load_text(BASE + more, "case", "case.yaml")


def test_without_variants_there_is_one_world_without_a_name() -> None:
    scenario = load("")

    assert [world.variant for world in scenario.worlds] == [""]
    assert scenario.swept == scenario.worlds


def test_there_is_one_world_for_each_variant_in_the_order_of_the_file() -> None:
    worlds = load("variants: {b: {}, a: ~, c: {client: {timeout: 9s}}}\n").worlds

    assert [world.variant for world in worlds] == ["b", "a", "c"]
    assert [world.clients[0].timeout_us for world in worlds] == [2 * SECOND, 2 * SECOND, 9 * SECOND]


def test_maps_merge_and_lists_replace() -> None:
    (world,) = load("variants: {v: {client: {retry: {max_attempts: 1}}, faults: []}}\n").worlds

    assert world.clients[0].retry.max_attempts == 1
    assert world.clients[0].retry.delay.base_us == SECOND
    assert world.faults == ()


def test_a_body_is_a_map_and_merges_too() -> None:
    (world,) = load("variants: {v: {server: {resources: {m: {body: {b: 3}}}}}}\n").worlds

    assert world.server.resources[0].body == '{"a":1,"b":3}'


def test_an_expectation_of_the_base_holds_unless_the_variant_has_its_own() -> None:
    same, other = load("variants: {same: {}, other: {expect: {effects: 2}}}\n").worlds

    assert (same.expect.whole.effects, same.expect.whole.phase) == (1, "acknowledged")
    assert (other.expect.whole.effects, other.expect.whole.phase) == (2, "acknowledged")


def test_null_takes_a_setting_of_the_base_back() -> None:
    (world,) = load("variants: {v: {client: {timeout: ~}, expect: {effects: ~}}}\n").worlds

    assert world.clients[0].timeout_us == 2 * SECOND
    assert world.expect.whole.effects is None


def test_a_choice_replaces_the_base_s_choice() -> None:
    base = "network: {ack: {latency: {uniform: [1s, 2s]}}}\n"
    over = "variants: {v: {network: {ack: {latency: {exponential: {mean: 1s}}}}}}\n"

    (world,) = load(base + over).worlds

    assert len(world.clients[0].link.ack.latency.values_us) > 100


def test_a_delay_of_another_kind_replaces_the_base_s() -> None:
    (world,) = load("variants: {v: {client: {retry: {delay: {exponential: 3s}}}}}\n").worlds

    assert world.clients[0].retry.delay.growth is Growth.EXPONENTIAL


def test_several_clients_can_replace_the_only_one() -> None:
    overlay = "{client: ~, clients: {a: {}, b: {}}, user: [], faults: [], expect: ~}"
    (world,) = load(f"variants: {{v: {overlay}}}\n").worlds

    assert [client.name for client in world.clients] == ["a", "b"]


def test_an_error_in_an_overlay_points_into_the_overlay() -> None:
    with pytest.raises(ScenarioError) as caught:
        load("variants:\n  v:\n    client: {retry: {max_atempts: 2}}\n")

    assert (caught.value.where.line, caught.value.where.column) == (9, 22)


def test_an_error_of_the_base_is_told_once_for_all_variants() -> None:
    with pytest.raises(ScenarioError) as caught:
        load_text("client: {timeot: 1s}\nvariants: {a: {}, b: {}}\n", "case", "case.yaml")

    assert caught.value.others == ()


def test_a_sweep_crosses_its_paths_with_each_other_and_with_the_variants() -> None:
    scenario = load(
        "sweep: {client.timeout: [1s, 5s], network.ack.loss: [0, 0.1, 0.2]}\n"
        "variants: {a: {}, b: {}}\n"
    )

    assert len(scenario.worlds) == 2
    assert len(scenario.swept) == 12
    assert scenario.swept[4].cell == (("client.timeout", "5s"), ("network.ack.loss", "0.1"))
    assert scenario.swept[4].clients[0].link.ack.loss == 0.1
    assert [world.variant for world in scenario.swept] == ["a"] * 6 + ["b"] * 6


def test_the_worlds_themselves_are_not_swept() -> None:
    scenario = load("sweep: {client.timeout: [1s]}\n")

    assert scenario.worlds[0].clients[0].timeout_us == 2 * SECOND
    assert scenario.worlds[0].cell == ()


def test_a_sweep_can_set_what_the_file_leaves_out() -> None:
    scenario = load("sweep: {client.retry.budget.tokens: [3]}\n")

    assert scenario.swept[0].clients[0].retry.budget.tokens == 3_000


def test_a_sweep_can_reach_the_n_th_item_of_a_list() -> None:
    scenario = load("sweep: {faults.2.drop: [request]}\n")

    assert [clause.target.message for clause in scenario.swept[0].faults] == ["ack", "request"]


def test_a_swept_map_is_named_as_it_is_written() -> None:
    scenario = load("sweep: {client.retry: [{max_attempts: 1}, {max_attempts: 2,  delay: 3s}]}\n")

    assert scenario.swept[1].cell == (("client.retry", "{max_attempts: 2, delay: 3s}"),)


def test_a_sweep_over_policies_uses_each_preset() -> None:
    scenario = load_text("sweep: {client.policy: [no-retry, polly]}\n", "case", "case.yaml")

    assert [world.clients[0].retry.max_attempts for world in scenario.swept] == [1, 4]


def test_too_many_cells_are_refused_before_they_are_made() -> None:
    values = ", ".join(f"{n}s" for n in range(1, 200))
    with pytest.raises(ScenarioError, match="too many"):
        load(f"sweep: {{client.timeout: [{values}], client.status.delay: [{values}]}}\n")


def test_a_problem_that_only_a_variant_has_names_it_where_it_stands_elsewhere() -> None:
    text = (
        "server: {resources: {note: {}}}\nuser: [{at: 0s, save: note}]\n"
        "variants:\n  a: {server: {resources: null}}\n  b: {}\n"
    )

    with pytest.raises(ScenarioError) as caught:
        load_text(text, "case", "case.yaml")
    assert caught.value.problem == "unknown resource 'note' (in variant 'a')"
    assert caught.value.where.line == 2


def test_a_variant_s_line_and_that_of_expect_are_known() -> None:
    text = "expect: {}\nvariants:\n  a: {}\n  b:\n    expect: {effects: 0}\n"

    loaded = load_text(text, "case", "case.yaml")
    assert [loaded.line_of(name) for name in ("a", "b", "")] == [3, 4, 1]
