"""Every shipped scenario comes out as its file says, and only mistakes break anything."""

import re
from pathlib import Path

from sim.judge.verdict import Status, Verdict
from sim.scenario.model import Expect, Scenario, World

SCENARIOS = Path(__file__).parents[2] / "scenarios"
SCHEMA_LINE = "# yaml-language-server: $schema=../scenario.schema.json"

Judged = tuple[Scenario, tuple[Verdict, ...]]


def mistakes_of(world: World) -> frozenset[str]:
    of_clients = [name for client in world.clients for name in client.mistakes]
    return frozenset((*of_clients, *world.server.mistakes))


def test_every_scenario_passes(file: str, judged: Judged) -> None:
    told = {
        verdict.world.variant: (
            verdict.status,
            verdict.broken,
            [f"{c.what}: {c.expected} != {c.found}" for c in verdict.checks if not c.holds],
            verdict.unmatched,
            verdict.inconclusive,
        )
        for verdict in judged[1]
        if verdict.status is not Status.PASSED
    }

    assert told == {}, file


def test_without_a_mistake_no_invariant_breaks(judged: Judged) -> None:
    broken = {
        verdict.world.variant: verdict.violations
        for verdict in judged[1]
        if not mistakes_of(verdict.world) and verdict.violations
    }

    assert broken == {}


def test_a_mistake_is_never_shown_without_the_contract_beside_it(judged: Judged) -> None:
    made = [mistakes_of(verdict.world) for verdict in judged[1]]

    assert not any(made) or frozenset() in made


def test_a_combination_of_mistakes_is_compared_with_a_run_that_lacks_one(judged: Judged) -> None:
    made = [mistakes_of(verdict.world) for verdict in judged[1]]

    assert all(any(other < mistakes for other in made) for mistakes in made if mistakes)


def test_every_variant_states_how_its_story_ends(judged: Judged) -> None:
    silent = [v.world.variant for v in judged[1] if v.world.expect == Expect()]

    assert silent == []


def test_every_scenario_says_what_it_is_about(judged: Judged) -> None:
    scenario = judged[0]

    assert scenario.title
    assert scenario.about
    assert scenario.tags


def test_every_file_names_the_schema_and_lies_one_folder_deep(file: str) -> None:
    lines = (SCENARIOS / file).read_text("utf-8").splitlines()

    assert lines[0] == SCHEMA_LINE
    assert re.fullmatch(r"[a-z-]+/[a-z0-9-]+\.yaml", file)


def test_no_two_scenarios_share_a_name(shipped: list[Judged]) -> None:
    names = [scenario.name for scenario, _ in shipped]

    assert len(names) == len(set(names))
