"""Schedules that come to one state are gone on from once, and nothing is lost by it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings

from sim.explore import states
from sim.explore.bounds import Bounds
from sim.explore.calm import calm
from sim.explore.choice import Choice, Kind
from sim.explore.found import Tally
from sim.explore.nodes import Node, State, merged
from sim.explore.search import Task, explore, extend
from sim.explore.suite import cases
from sim.network.faults import MessageClause, ServerClause
from sim.scenario.model import Do, World
from tests.explore.worlds import first_node, found, independent, one_save, shipped
from tests.properties.worlds import worlds

FEW = (Kind.LOST, Kind.CRASH, Kind.ERROR)


def _situation(name: str, mistake: str = "") -> World:
    return next(case.world for case in cases(mistake) if case.situation == name)


SMALL: Mapping[str, tuple[Callable[[], World], Bounds]] = {
    "lost-ack": (lambda: shipped("lost-ack"), Bounds()),
    "three-faults": (lambda: shipped("lost-ack"), Bounds(faults=3, kinds=FEW)),
    "a-fault-that-strikes-twice": (
        lambda: shipped("ack-lost-twice", "no-status-endpoint"),
        Bounds(),
    ),
    "asks": (lambda: shipped("settled-by-status", "contract"), Bounds(kinds=FEW)),
    "no-registry": (lambda: _situation("one-post", "no-registry"), Bounds()),
    "raw-sends": (lambda: _situation("known-id"), Bounds(kinds=FEW)),
    "two-tabs": (lambda: _situation("two-tabs"), Bounds(kinds=FEW)),
    "long-work": (lambda: _situation("busy-server", "check-then-act"), Bounds()),
    "reloads": (lambda: _situation("reloads", "pending-in-memory"), Bounds(kinds=FEW)),
    "acts": (one_save, Bounds(acts=1, also=(Do.RELOAD, Do.EDIT), kinds=(Kind.LOST,))),
}
small = pytest.mark.parametrize("name", SMALL)


@cache
def _explored(name: str, *, plain: bool = False) -> Tally:
    world, bounds = SMALL[name]
    return explore(world(), replace(bounds, plain=plain)).tally


def _without_merging(world: World, bounds: Bounds) -> Tally:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(states, "are_told", lambda _: False)
        return explore(world, bounds).tally


@small
def test_merging_changes_no_count_and_no_counterexample(name: str) -> None:
    """Not which invariants break alone, but in how many schedules, and the smallest of each."""
    world, bounds = SMALL[name]

    with_it, without = _explored(name), _without_merging(world(), bounds)

    assert found(with_it) == found(without)
    assert with_it.runs + with_it.spared == without.runs


@small
def test_the_plain_search_breaks_the_same_and_ends_the_same_with_more_runs(name: str) -> None:
    merging, plain = _explored(name), _explored(name, plain=True)

    assert plain.merged == 0
    assert merging.runs < plain.runs
    assert {one: found.example.size for one, found in merging.broken.items()} == {
        one: found.example.size for one, found in plain.broken.items()
    }
    assert sorted(merging.endings) == sorted(plain.endings)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(worlds())
def test_merging_changes_nothing_in_random_worlds(world: World) -> None:
    few = calm(replace(world, user=world.user[:3], faults=world.faults[:1])).world
    bounds = Bounds(kinds=(Kind.LOST, Kind.CRASH, Kind.DUPLICATED))

    assert found(explore(few, bounds).tally) == found(_without_merging(few, bounds))


def _is(choice: Choice) -> str:
    clause = choice.clause
    assert isinstance(clause, MessageClause | ServerClause)
    what = getattr(clause.action, "at", clause.target.message).value
    return f"{choice.kind.value} {what} {clause.target.attempt}"


def test_a_lost_request_and_a_crash_before_the_commit_come_to_one_state() -> None:
    """And a lost answer comes to that of a crash after the commit."""
    world = one_save()
    nodes = extend(Task(world, Bounds(), first_node(world, Bounds()))).nodes
    alike: dict[State, list[str]] = {}
    for node in nodes:
        if node.state is not None:
            state = node.state._replace(records=0, at_us=0)
            alike.setdefault(state, []).append(_is(node.schedule[-1]))

    assert [names for names in alike.values() if len(names) > 1] == [
        ["lost request 1", "crash before_claim 1", "crash after_claim 1"],
        ["crash after_commit 1", "lost ack 1"],
    ]


def test_what_leads_to_states_of_their_own_is_not_merged() -> None:
    """Each of five messages, lost on its way or back, leaves something else behind."""
    found = explore(independent(5), Bounds(kinds=(Kind.LOST,))).tally

    assert (found.merged, found.spared) == (0, 0)


def test_nothing_is_merged_where_chance_has_a_say() -> None:
    world = one_save()
    [client] = world.clients
    ack = replace(client.link.ack, loss=0.5)
    stormy = replace(world, clients=(replace(client, link=replace(client.link, ack=ack)),))

    assert explore(stormy, Bounds()).tally.merged == 0


def _node(name: str, digest: bytes, records: int, faults: int = 1, weight: int = 1) -> Node:
    choice = Choice(kind=Kind.LOST, place=1)
    mark = Choice(kind=Kind.LATE, place=int(name))
    return Node((choice,) * faults, (mark,), weight, State(digest, records, 0))


def test_of_one_state_the_shortest_story_goes_on_at_its_own_place_and_for_all() -> None:
    nodes = [
        _node("1", b"a", 9, weight=2),
        _node("2", b"b", 5),
        _node("3", b"a", 7, weight=3),
        _node("4", b"a", 7),
    ]

    kept = merged(nodes)

    assert [(node.choices[0].place, node.weight) for node in kept] == [(2, 1), (3, 6)]


def test_what_has_another_number_of_faults_left_is_another_state() -> None:
    nodes = [_node("1", b"a", 9, faults=1), _node("2", b"a", 5, faults=2)]

    assert [node.choices for node in merged(nodes)] == [node.choices for node in nodes]


def test_a_schedule_without_a_state_goes_on_for_itself() -> None:
    nodes = [_node("1", b"a", 9)._replace(state=None) for _ in range(2)]

    assert merged(nodes) == nodes
