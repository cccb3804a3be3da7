"""What the shipped scenarios come to is everything; what is missed, or made up, is told."""

import json

import pytest

from sim.contract.client.rows import Row
from sim.explore.reach import Reach, Visit, reach, visit
from sim.explore.reach_items import BY_MISTAKE, ITEMS, Item, Set, fault_item
from sim.judge.catalog_faults import FAULTS
from sim.judge.entry import Entry
from sim.report import reached_json
from sim.scenario.load import load_text
from sim.scenario.model import Scenario
from tests.shipped import scenarios

TIMEOUT = Item(Set.ROW, Row.TIMED_OUT.value)
SAVE = """
server: {resources: {note: {}}}
user: [{at: 0s, edit: note, body: {text: new}}, {at: 0s, save: note}]
"""
THROWN_AWAY = Item(Set.ROW, Row.ACK_THROWN_AWAY.value)


@pytest.fixture(scope="module")
def shipped() -> Reach:
    """Every shipped scenario, run once for the tests of this file."""
    return reach([visit(world) for scenario in scenarios() for world in scenario.worlds])


def _scenario(text: str) -> Scenario:
    return load_text(f"title: One\n{text}\n", "one", "one.yaml")


def _visit(variant: str, item: Item, *mistakes: str, scenario: str = "a") -> Visit:
    return Visit(scenario, variant, mistakes, {item: 2})


def test_every_rule_phase_judgement_and_fault_is_reached_by_a_shipped_scenario(
    shipped: Reach,
) -> None:
    assert shipped.unreached == ()


def test_what_is_declared_to_be_a_mistakes_alone_is_exactly_that(shipped: Reach) -> None:
    made = {one.item: sorted(one.made) for one in shipped.by_mistake}

    assert made == {item: sorted(why.mistakes) for item, why in BY_MISTAKE.items()}


def test_every_item_has_one_place() -> None:
    assert len(ITEMS) == len(set(ITEMS))
    assert set(BY_MISTAKE) <= set(ITEMS)


def test_every_action_of_a_fault_is_an_item() -> None:
    actions = dict.fromkeys(item.name.split()[0] for item in ITEMS if item.of is Set.FAULT)

    assert sorted(actions) == sorted(entry.name for entry in FAULTS)


@pytest.mark.parametrize("entry", FAULTS, ids=[entry.name for entry in FAULTS])
def test_the_example_of_a_fault_shows_that_fault(entry: Entry) -> None:
    world = _scenario(f"faults: [{entry.example}]").worlds[0]

    item = fault_item(world.faults[0])

    assert item in ITEMS
    assert item.name.split()[0] == entry.name


def test_one_calm_save_comes_to_few_rules_and_to_no_fault() -> None:
    found = reach([visit(_scenario(SAVE).worlds[0])])

    assert not found.is_whole
    assert all(one.times == 0 for one in found.of(Set.FAULT))


def test_a_variant_counts_what_its_run_comes_to() -> None:
    seen = visit(_scenario(SAVE).worlds[0]).times

    assert seen[Item(Set.ROW, Row.SAVE_LAUNCHED.value)] == 1
    assert seen[Item(Set.ROW, Row.RULE_5_ACCEPTED.value)] == 1
    assert TIMEOUT not in seen


def test_the_first_variant_is_named_and_a_scenario_counts_once() -> None:
    visits = [_visit("x", TIMEOUT), _visit("y", TIMEOUT), _visit("", TIMEOUT, scenario="b")]

    found = reach(visits)

    (one,) = [one for one in found.contract if one.item == TIMEOUT]
    assert (one.times, one.scenarios, one.first) == (6, 2, "a/x")


def test_what_only_a_mistake_shows_does_not_count_for_the_contract() -> None:
    found = reach([_visit("x", TIMEOUT, "no-registry")])

    assert TIMEOUT in found.unreached


@pytest.mark.parametrize("mistakes", [(), ("no-registry",)])
def test_an_item_of_mistakes_that_something_else_comes_to_is_told(
    mistakes: tuple[str, ...],
) -> None:
    found = reach([_visit("x", THROWN_AWAY, *mistakes)])

    assert found.undeclared == ((THROWN_AWAY, "".join(mistakes)),)


def test_two_mistakes_at_once_show_nothing_of_either() -> None:
    found = reach([_visit("x", THROWN_AWAY, "ack-ignored-when-edited", "no-registry")])

    assert (THROWN_AWAY, "ack-ignored-when-edited") in found.unmade
    assert found.undeclared == ()


def test_the_json_names_what_is_missed() -> None:
    told = json.loads(reached_json.render(reach([_visit("x", TIMEOUT)])))

    assert told["whole"] is False
    assert {"of": "phases on the screen", "name": "idle"} in told["unreached"]
    assert {"of": "the client's table", "name": TIMEOUT.name} not in told["unreached"]
