"""Presets load, say where they come from, and give way to what the file says."""

import pytest

from sim.contract.retry import Delay, Growth, Jitter
from sim.presets import CONTRACTS, POLICIES, Preset
from sim.scenario.load import load_text
from sim.scenario.model import ClientSpec, ServerSpec


def server(text: str) -> ServerSpec:
    return load_text(f"server: {{{text}}}\n", "case", "case.yaml").worlds[0].server


def client(text: str) -> ClientSpec:
    return load_text(f"horizon: 1h\nclient: {{{text}}}\n", "case", "case.yaml").worlds[0].clients[0]


@pytest.mark.parametrize("preset", POLICIES, ids=lambda preset: preset.name)
def test_a_policy_changes_what_a_client_does(preset: Preset) -> None:
    assert client(f"policy: {preset.name}") != client("")


@pytest.mark.parametrize("preset", CONTRACTS, ids=lambda preset: preset.name)
def test_a_contract_changes_what_a_server_promises(preset: Preset) -> None:
    assert server(f"contract: {preset.name}") != server("")


@pytest.mark.parametrize("preset", [*POLICIES, *CONTRACTS], ids=lambda preset: preset.name)
def test_a_preset_names_its_source_and_what_it_cannot_say(preset: Preset) -> None:
    assert preset.title
    assert preset.source
    assert preset.not_said
    assert "memory" not in preset.source


def test_names_are_unique() -> None:
    names = [preset.name for preset in (*POLICIES, *CONTRACTS)]

    assert len(set(names)) == len(names)


def test_the_file_s_own_keys_win_over_the_preset_s() -> None:
    mine = client("policy: stripe-python, timeout: 5s, retry: {max_attempts: 9}")

    assert (mine.timeout_us, mine.retry.max_attempts) == (5_000_000, 9)
    assert mine.retry.delay == Delay(
        growth=Growth.EXPONENTIAL, base_us=500_000, cap_us=5_000_000, jitter=Jitter.EQUAL
    )


def test_another_kind_of_delay_replaces_the_preset_s() -> None:
    mine = client("policy: stripe-python, retry: {delay: {fixed: 1s}}")

    assert (mine.retry.delay.growth, mine.retry.delay.base_us) == (Growth.FIXED, 1_000_000)


def test_a_preset_s_mistakes_can_be_taken_back() -> None:
    assert server("contract: qonto").mistakes == ("snapshot-not-compared", "expired-executes")
    assert server("contract: qonto, mistakes: []").mistakes == ()


def test_a_variant_can_choose_another_preset() -> None:
    text = "variants: {a: {client: {policy: ky}}, b: {client: {policy: polly}}}\n"

    worlds = load_text(text, "case", "case.yaml").worlds
    assert [world.clients[0].retry.max_attempts for world in worlds] == [3, 4]


@pytest.mark.parametrize("back", ["retry: ~", "retry: {max_attempts: ~}"])
def test_null_in_a_variant_gives_the_preset_its_setting_back(back: str) -> None:
    text = (
        "client: {policy: stripe-python, retry: {max_attempts: 9}}\n"
        f"variants: {{mine: {{}}, back: {{client: {{{back}}}}}}}\n"
    )

    worlds = load_text(text, "case", "case.yaml").worlds
    assert [world.clients[0].retry.max_attempts for world in worlds] == [9, 3]


@pytest.mark.parametrize("key", ["timeout", "retry", "on_unknown", "mistakes"])
def test_null_beside_a_policy_counts_as_not_written(key: str) -> None:
    assert client(f"policy: boto-standard, {key}: ~") == client("policy: boto-standard")


def test_null_beside_a_contract_counts_as_not_written() -> None:
    assert server("contract: qonto, mistakes: ~, retention: ~") == server("contract: qonto")


def test_null_does_not_bring_back_a_delay_that_another_kind_replaces() -> None:
    mine = client("policy: stripe-python, retry: {delay: {fixed: 1s, exponential: ~}}")

    assert mine.retry.delay.growth is Growth.FIXED


def test_null_in_a_client_s_own_network_counts_as_not_written() -> None:
    shared = "network: {ack: {loss: 0.5}}\n"
    plain = load_text(shared, "case", "case.yaml").worlds[0].clients[0]

    text = f"{shared}client: {{network: {{ack: ~, request: {{loss: ~}}}}}}\n"
    assert load_text(text, "case", "case.yaml").worlds[0].clients[0].link == plain.link
