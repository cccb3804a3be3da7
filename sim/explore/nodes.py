"""Schedules that can be gone on from, and those of them that need not be."""

from collections.abc import Sequence
from typing import NamedTuple

from sim.explore.choice import Choice, Schedule, acts_in, faults_in


class State(NamedTuple):
    """A state by its digest, and how many records the story has that led to it, and when.

    ``far_us``: of what is that far off or farther only that is told; None: everything is told.
    """

    digest: bytes
    records: int
    at_us: int
    far_us: int | None = None


class Node(NamedTuple):
    """A schedule and what can come after it.

    ``weight`` is how many schedules it stands for, itself included; ``state`` is what is there
    just before the first of its choices (None: it is not told). ``until_us`` is the instant before
    which whatever goes on from it has to end, so that it goes on alike for all of them (None: it
    may go on for ever).
    """

    schedule: Schedule
    choices: tuple[Choice, ...]
    weight: int = 1
    state: State | None = None
    until_us: int | None = None


def merged(nodes: Sequence[Node]) -> list[Node]:
    """Return the schedules to go on from: of those that have one state, one.

    It is the one that came to it first, of these the one with the shortest story, of equals the
    first, and it keeps its place. So no smallest counterexample is lost. Let E be the smallest
    that breaks an invariant, the first of equals, and suppose that it goes on from a schedule that
    was merged into another one. The same choices added to that other one break the same, for the
    two go on alike; by as many faults and acts, as only such are merged; and as much earlier as
    that one came to the state, so that, if it did, E is not the smallest. If it came to it at the
    same instant, they make no more records. If they make fewer, E is not the smallest. If they
    make as many, that other schedule comes first, and with it what goes on from it: E is not the
    first. (What was broken before a state is no example of what goes on from it: the schedule
    itself breaks it, too, and is smaller.)
    """
    alike: dict[tuple[bytes, int, int], list[int]] = {}
    for place, node in enumerate(nodes):
        if node.state is not None:
            key = (node.state.digest, faults_in(node.schedule), acts_in(node.schedule))
            alike.setdefault(key, []).append(place)
    kept: dict[int, Node] = {place: node for place, node in enumerate(nodes) if node.state is None}
    for places in alike.values():
        first = min(places, key=lambda place: _first_and_shortest(nodes[place]))
        kept[first] = _for_all(nodes[first], [nodes[place] for place in places])
    return [kept[place] for place in sorted(kept)]


def _for_all(first: Node, alike: Sequence[Node]) -> Node:
    """Return the first of some schedules that have one state, so that it stands for all."""
    state = _state(first)
    may_last = [node.until_us - _state(node).at_us for node in alike if node.until_us is not None]
    if len(alike) > 1 and state.far_us is not None:
        may_last.append(state.far_us)
    return first._replace(
        weight=sum([node.weight for node in alike]),
        state=None,
        until_us=state.at_us + min(may_last) if may_last else None,
    )


def _first_and_shortest(node: Node) -> tuple[int, int]:
    state = _state(node)
    return (state.at_us, state.records)


def _state(node: Node) -> State:
    assert node.state is not None
    return node.state
