"""What has come to the same at another time goes on alike, and the search makes use of it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.engine import probe
from sim.engine.probe import Parts, Span, seen
from sim.engine.world import simulate
from sim.explore import books
from sim.explore.bounds import Bounds
from sim.explore.choice import Choice, Kind
from sim.explore.nodes import Node, State, merged
from sim.explore.search import FREE, Progress, Stop, _Search, explore, here, never
from sim.explore.states import HELD_FOR
from sim.judge.judge import Judge
from sim.network.faults import (
    Drop,
    Happening,
    HappeningKind,
    HoldUntil,
    MessageAction,
    MessageClause,
    MessageKind,
    Target,
)
from sim.scenario.model import Action, Do, Once, World
from tests.explore.worlds import found, load, one_save, shipped, with_mistakes

SECOND_US = 1_000_000
HOUR_US = 3_600 * SECOND_US


def _moved(world: World, by_us: int) -> World:
    """The same world in which people do everything so much later."""

    def later(action: Action) -> Action:
        assert isinstance(action.when, Once)
        return replace(action, when=replace(action.when, at_us=action.when.at_us + by_us))

    return replace(world, user=tuple(later(action) for action in world.user))


def _state(world: World, now_us: int) -> str:
    """What the world and the judge hold before an instant, written out."""
    found: list[str] = []
    judge = Judge(world)

    def probed(parts: Parts) -> None:
        span = Span(now_us, world.horizon_us)
        state, numbers, instants = seen(parts, len(world.faults), HELD_FOR, span)
        found.append(repr((state, books.told(judge.ledger, numbers, instants))))

    simulate(replace(world, horizon_us=now_us - 1), keep=False, live=judge, probe=probed)
    return found[0]


def _with(action: MessageAction, world: World | None = None) -> World:
    world = one_save() if world is None else world
    target = Target(message=MessageKind.ACK, attempt=1)
    return replace(world, faults=(MessageClause(target=target, action=action),))


@given(st.integers(1, 40 * SECOND_US), st.integers(1, HOUR_US))
def test_who_does_all_of_it_later_comes_to_the_same_state_so_much_later(
    now_us: int, by_us: int
) -> None:
    world = _with(Drop())

    assert _state(_moved(world, by_us), now_us + by_us) == _state(world, now_us)


def _still_to_act(world: World) -> World:
    edit = next(action for action in world.user if action.do is Do.EDIT)
    later = replace(edit, when=Once(at_us=10 * HOUR_US))
    return replace(world, user=(*world.user, later))


EXACT = {
    "people are still to act": _with(Drop(), _still_to_act(one_save())),
    "ids are made from the clock": _with(
        Drop(), with_mistakes(one_save(), client=("weak-operation-id",))
    ),
    "something waits for the end of a retention": _with(
        HoldUntil(Happening(event=HappeningKind.EXPIRED, attempt=1))
    ),
}


@pytest.mark.parametrize("world", EXACT.values(), ids=EXACT)
def test_the_time_itself_counts_where(world: World) -> None:
    now_us = 3 * SECOND_US

    assert _state(_moved(world, HOUR_US), now_us + HOUR_US) != _state(world, now_us)


BOUNDS = Bounds(faults=3, kinds=(Kind.LATE, Kind.GATEWAY))


def test_merging_what_came_to_one_state_at_other_times_spares_runs_and_loses_nothing() -> None:
    """And of what breaks, the smallest counterexample is the earliest, as it was."""
    world = shipped("lost-ack")

    exact = _Search(world, BOUNDS, FREE, here, made=1).result().tally
    merging = explore(world, BOUNDS).tally

    assert found(merging) == found(exact)
    assert (exact.runs - merging.runs, merging.overran) == (9, 0)


def test_a_search_in_which_something_goes_on_for_too_long_is_made_again_exactly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = shipped("lost-ack")
    exact = _Search(world, BOUNDS, FREE, here, made=1).result()

    monkeypatch.setattr(probe, "FAR_US", SECOND_US)

    assert _Search(world, BOUNDS, FREE, here).result().tally.overran
    assert explore(world, BOUNDS) == exact


def test_a_limit_counts_the_runs_of_both_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "FAR_US", SECOND_US)
    first = _Search(shipped("lost-ack"), BOUNDS, FREE, here).result().tally

    found = explore(shipped("lost-ack"), BOUNDS, stop=Stop(never, first.runs + 10))

    assert (found.tally.runs, bool(found.stopped)) == (10, True)


def test_who_stops_a_search_that_would_be_made_again_keeps_what_it_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(probe, "FAR_US", SECOND_US)
    made: list[int] = []

    def count(progress: Progress) -> str:
        made.append(progress.done)
        return ""

    first = _Search(shipped("lost-ack"), BOUNDS, Stop(count), here).result().tally
    asked = iter(["" for _ in made[1:]])

    found = explore(shipped("lost-ack"), BOUNDS, stop=Stop(lambda _: next(asked, "enough")))

    assert (found.stopped, found.tally) == ("enough", first)


FAR_OFF = """
title: A retention that ends exactly half a day after a state
server:
  resources: {note: {version: 4, body: {text: old}}}
  retention: 2073599999976us
  tombstone: 60d
  mistakes: [retention-too-short]
  status: false
client:
  timeout: 12h
  recovery_window: 20d
  retry: {max_attempts: 2, delay: 1h}
network: {request: {latency: 0s}, ack: {latency: 0s}}
user:
  - {at: 0s, edit: note, body: {text: new}}
  - {at: 0s, save: note}
faults:
  - {drop: ack, attempt: 1}
"""


def test_what_happens_at_the_very_instant_up_to_which_states_go_on_alike_is_too_late() -> None:
    world, bounds = load(FAR_OFF), Bounds(kinds=(Kind.LATE,))

    exact = _Search(world, bounds, FREE, here, made=1).result().tally

    assert _Search(world, bounds, FREE, here).result().tally.overran
    assert found(explore(world, bounds).tally) == found(exact)


def _node(name: int, state: State, until_us: int | None = None) -> Node:
    return Node(
        (Choice(kind=Kind.LOST, place=1),),
        (Choice(kind=Kind.LATE, place=name),),
        state=state,
        until_us=until_us,
    )


def test_of_one_state_the_earliest_goes_on_and_then_the_shortest() -> None:
    [kept] = merged([_node(1, State(b"a", 5, 20)), _node(2, State(b"a", 9, 10))])

    assert kept.choices[0].place == 2


def test_it_goes_on_for_as_long_as_all_of_them_are_alike() -> None:
    """The second was merged before, and what it stands for parts 7 after its state."""
    [kept] = merged([_node(1, State(b"a", 5, 20, 100)), _node(2, State(b"a", 5, 30, 100), 37)])

    assert kept.until_us == 20 + 7


def test_what_is_merged_with_nothing_may_last_for_ever() -> None:
    [kept] = merged([_node(1, State(b"a", 5, 20, 100))])

    assert kept.until_us is None
