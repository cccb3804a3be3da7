"""The search is tested by counting: every schedule within the bounds, each exactly once."""

from dataclasses import replace
from itertools import combinations
from math import comb

import pytest

from sim.engine.world import simulate
from sim.explore.bounds import Bounds
from sim.explore.choice import FAULTS, Kind, Schedule, applied
from sim.explore.search import explore
from sim.network.faults import Clause
from sim.scenario.model import World
from tests.explore.worlds import independent, load, one_save, schedules


def test_five_messages_with_two_faults_each_and_at_most_two_faults_are_51_schedules() -> None:
    """An exchange can lose its request or its answer, not both: one message with two faults."""
    bounds = Bounds(faults=2, kinds=(Kind.LOST,))

    explored = explore(independent(5), bounds)

    assert explored.tally.tried == {0: 1, 1: 10, 2: 40}
    assert explored.tally.redundant == {}


@pytest.mark.parametrize(("many", "faults"), [(1, 3), (2, 2), (3, 3), (4, 2)])
def test_m_exchanges_and_at_most_k_losses_are_as_many_as_the_binomial_says(
    many: int, faults: int
) -> None:
    explored = explore(independent(many), Bounds(faults=faults, kinds=(Kind.LOST,)))

    expected = [2**size * len(list(combinations(range(many), size))) for size in range(faults + 1)]
    assert [explored.tally.tried.get(size, 0) for size in range(faults + 1)] == expected


def test_no_schedule_is_made_twice_in_any_order() -> None:
    world = one_save()

    made = [frozenset(_clauses(world, one)) for one in schedules(world, Bounds(faults=2))]

    assert len(made) == len(set(made))


def _clauses(world: World, schedule: Schedule) -> tuple[Clause, ...]:
    return applied(world, schedule).faults


def test_what_is_planned_is_what_is_run() -> None:
    explored = explore(one_save(), Bounds(faults=2))

    assert sum(explored.planned) == explored.tally.runs


def test_merging_spares_runs_and_counts_every_schedule_all_the_same() -> None:
    explored = explore(one_save(), Bounds(faults=2)).tally

    made = len(schedules(one_save(), Bounds(faults=2))) + 1
    assert explored.schedules + sum(explored.redundant.values()) == made
    assert explored.runs + explored.spared == made


def test_of_all_pairs_of_clauses_those_that_both_strike_are_the_schedules_of_two() -> None:
    """Brute force over every clause that was ever offered; lateness depends on what came before."""
    world = one_save()
    kinds = tuple(kind for kind in FAULTS if kind not in (Kind.ORDER, Kind.LATE))
    made = [_clauses(world, one) for one in schedules(world, Bounds(faults=2, kinds=kinds))]
    offered = list(dict.fromkeys(faults[-1] for faults in made))

    both_strike = [
        frozenset(pair)
        for pair in combinations(offered, 2)
        if not simulate(replace(world, faults=pair)).unmatched
    ]

    assert set(both_strike) == {frozenset(faults) for faults in made if len(faults) == 2}


def _ties(many: int) -> World:
    """One client that saves ``many`` times; each answer comes just as the client gives it up."""
    lines = [
        f"  - {{at: {10 * nth}s, {act}}}\n"
        for nth in range(many)
        for act in (f"edit: note, body: {nth + 1}", "save: note")
    ]
    head = "title: Ties\nserver: {resources: {note: {version: 1}}}\nclient: {timeout: 80ms}\n"
    return load(head + "user:\n" + "".join(lines))


@pytest.mark.parametrize(("many", "faults"), [(1, 2), (3, 1), (3, 3), (4, 2)])
def test_of_n_ties_any_k_can_be_turned_the_later_ones_alone_too(many: int, faults: int) -> None:
    explored = explore(_ties(many), Bounds(faults=faults, kinds=(Kind.ORDER,)))

    sizes = range(min(many, faults) + 1)
    assert explored.tally.tried == {size: comb(many, size) for size in sizes}
    assert explored.tally.redundant == {}
