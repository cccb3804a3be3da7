"""A burst is decided once a slot; absurdly many slots in one run are refused."""

import pytest

from sim.scenario.errors import ScenarioError
from sim.scenario.load import load_text

BURST = "network: {ack: {burst: {mean_good: 30s, mean_bad: 2s%s}}}\n"


def load(text: str) -> None:
    load_text(text, "case", "case.yaml")


def test_ten_million_slots_are_taken_and_one_more_is_not() -> None:
    load("horizon: 10s\n" + BURST % ", slot: 1us")

    with pytest.raises(ScenarioError) as caught:
        load("horizon: 10000001us\n" + BURST % ", slot: 1us")
    assert "makes 10000001 slots, more than 10000000" in caught.value.problem
    assert caught.value.fix == "make 'slot' at least 2us, or 'horizon' at most 10s"
    assert str(caught.value.where) == "case.yaml:2:61"


def test_a_run_without_a_horizon_counts_as_a_day() -> None:
    load(BURST % "")
    load(BURST % ", slot: 8640us")

    with pytest.raises(ScenarioError, match="in a run of 24h"):
        load(BURST % ", slot: 8639us")


def test_a_run_without_a_horizon_lasts_to_its_last_line_at_least() -> None:
    late = "server: {resources: {note: {}}}\nuser: [{at: 30d, save: note}]\n"
    load(late + BURST % ", slot: 1s")

    with pytest.raises(ScenarioError, match="in a run of 30d"):
        load(late + BURST % "")


def test_a_client_s_own_link_is_looked_at_and_a_shared_one_is_told_once() -> None:
    clients = "clients: {a: {network: {ack: {burst: {mean_good: 1s, mean_bad: 1s}}}}, b: {}}\n"
    with pytest.raises(ScenarioError) as own:
        load("horizon: 60d\n" + clients)
    with pytest.raises(ScenarioError) as shared:
        load("horizon: 60d\nclients: {a: {network: {request: {loss: 0.1}}}, b: {}}\n" + BURST % "")

    assert (own.value.where.line, own.value.others) == (2, ())
    assert (shared.value.where.line, shared.value.others) == (3, ())
