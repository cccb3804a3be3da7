"""Local minimality: with any single part removed or weakened the counterexample passes."""

from dataclasses import replace

import pytest

from sim.contract.mistakes import MISTAKES, Side
from sim.explore.bounds import Bounds
from sim.explore.choice import applied
from sim.explore.counterexample import Counterexample, counterexamples
from sim.explore.run import run_schedule
from sim.explore.search import explore
from sim.explore.shrink import Shrunk, shrink
from sim.explore.simpler import candidates
from sim.network.faults import (
    DelayBy,
    Drop,
    Happening,
    HappeningKind,
    HoldUntil,
    MessageClause,
    MessageKind,
    Target,
)
from sim.scenario.load import load_text
from sim.scenario.model import World
from tests.explore.worlds import load, one_save, with_mistakes

BUSY = """
title: Much that does not matter
server:
  resources: {note: {kind: post, version: 7, body: {text: old}}, other: {version: 2}}
  mistakes: [no-registry, first-attempt-echoed]
  retention: 12h
clients:
  phone: {timeout: 3s, retry: {max_attempts: 3, delay: {exponential: 700ms, cap: 5s}}}
  desk: {sees: detailed}
user:
  - {at: 0s, client: desk, edit: other}
  - {at: 0s, client: phone, edit: note, body: {text: new}}
  - {at: 1s, client: phone, save: note}
  - {at: 1s, client: desk, save: other}
  - {at: 20s, client: phone, edit: note}
  - {at: 30s, client: phone, save: note}
faults:
  - {drop: ack, client: phone, operation: 2, attempt: 1}
  - {delay: ack, client: desk, by: 1s}
"""


def _breaks(world: World, invariant: str) -> bool:
    ran = run_schedule(world)
    return not ran.unmatched and not ran.still_held and invariant in ran.broken


def _shrunk(world: World, invariant: str) -> Shrunk:
    found = shrink(world, invariant)
    assert found is not None
    return found


def test_what_does_not_matter_is_gone() -> None:
    world = _shrunk(load(BUSY), "one-effect-per-intent").world

    assert [client.name for client in world.clients] == ["phone"]
    assert [resource.name for resource in world.server.resources] == ["note"]
    assert world.server.mistakes == ("no-registry",)
    assert len(world.user) == 2
    target = Target(message=MessageKind.ACK, client="phone")
    assert world.faults == (MessageClause(target=target, action=Drop()),)


def test_every_setting_that_does_not_matter_is_at_its_default() -> None:
    world = _shrunk(load(BUSY), "one-effect-per-intent").world

    expected = load(
        "title: x\nserver: {resources: {note: {kind: post}}, mistakes: [no-registry]}\n"
        "clients: {phone: {}}\n"
        "user: [{at: 0s, client: phone, edit: note}, {at: 1s, client: phone, save: note}]\n"
    )
    assert world.clients == expected.clients
    assert world.server == expected.server


@pytest.mark.parametrize("name", ["no-registry", "first-attempt-echoed"])
def test_nothing_more_can_be_left_out(name: str) -> None:
    world = with_mistakes(load(BUSY), server=[name])
    for invariant in run_schedule(world).broken:
        smallest = _shrunk(world, invariant).world

        still = [one.what for one in candidates(smallest) if _breaks(one.world, invariant)]

        assert [what for what in still if "weaker" in what or "without" in what] == []


def test_no_single_fault_or_line_can_be_taken_out_by_hand() -> None:
    world = _shrunk(load(BUSY), "one-effect-per-intent").world
    fewer = [
        replace(world, faults=(*world.faults[:place], *world.faults[place + 1 :]))
        for place in range(len(world.faults))
    ]
    fewer += [
        replace(world, user=(*world.user[:line], *world.user[line + 1 :]))
        for line in range(len(world.user))
    ]

    assert [one for one in fewer if _breaks(one, "one-effect-per-intent")] == []


def test_a_delay_becomes_what_the_message_has_to_wait_for() -> None:
    world = with_mistakes(one_save(), client=["stale-ack-becomes-phase"])
    late = MessageClause(
        target=Target(message=MessageKind.ACK, client="client"), action=DelayBy(2_450_000)
    )

    smallest = _shrunk(replace(world, faults=(late,)), "stale-ack-inert").world

    (clause,) = smallest.faults
    until = Happening(event=HappeningKind.SENT, client="client", attempt=2)
    assert clause == replace(late, action=HoldUntil(until))


def test_a_fault_that_strikes_nobody_any_more_is_dropped_first() -> None:
    idle = load(BUSY.replace("operation: 2, attempt: 1", "operation: 2, attempt: 3"))
    world = with_mistakes(idle, server=["no-registry"])
    lost = MessageClause(target=Target(message=MessageKind.ACK, client="phone"), action=Drop())

    smallest = _shrunk(replace(world, faults=(*world.faults, lost)), "one-effect-per-intent").world

    assert smallest.faults == (lost,)


def test_what_does_not_break_is_not_shrunk() -> None:
    assert shrink(one_save(), "settles") is None


def _counterexamples(mistake: str) -> tuple[Counterexample, ...]:
    side = {row.name: row.side for row in MISTAKES}[mistake]
    is_client = side is Side.CLIENT
    world = with_mistakes(
        one_save(), client=[mistake] if is_client else [], server=[] if is_client else [mistake]
    )
    found = explore(world, Bounds(faults=2)).tally.broken
    smallest = [_shrunk(applied(world, one.example.schedule), name) for name, one in found.items()]
    return counterexamples(smallest, world, "lostack explore it")


@pytest.mark.parametrize("mistake", ["version-before-registry", "timeout-means-failure"])
def test_a_counterexample_is_a_scenario_that_replays_to_the_same_violation(mistake: str) -> None:
    for example in _counterexamples(mistake):
        world = load_text(example.text, "again", "again.yaml").worlds[0]

        again = run_schedule(world)

        assert sorted(again.broken) == sorted(world.expect.violates)
        assert set(example.invariants) <= set(again.broken)
        assert again.violations == example.verdict.violations


def test_invariants_that_break_in_one_story_share_it() -> None:
    (example,) = _counterexamples("first-attempt-echoed")

    assert example.invariants == ("answer-confirms", "clean-attempt-settles")


def test_its_file_says_in_comments_what_breaks_why_and_what_to_do() -> None:
    (example,) = _counterexamples("unbounded-retry")

    comments = [line for line in example.text.splitlines() if line.startswith("# ")]
    said = " ".join(line.removeprefix("# ") for line in comments)
    assert "bounded-attempts breaks at" in said
    assert "The mistake: unbounded-retry." in said
    assert "remedy: Set a limit" in said
