"""Schedules that can be gone on from, and those of them that need not be."""

from collections.abc import Sequence
from typing import NamedTuple

from sim.explore.choice import Choice, Schedule, acts_in, faults_in


class State(NamedTuple):
    """A state by its digest, and how many records the story has that led to it."""

    digest: bytes
    records: int


class Node(NamedTuple):
    """A schedule and what can come after it.

    ``weight`` is how many schedules it stands for, itself included; ``state`` is what is there
    just before the first of its choices (None: it is not told).
    """

    schedule: Schedule
    choices: tuple[Choice, ...]
    weight: int = 1
    state: State | None = None


def merged(nodes: Sequence[Node]) -> list[Node]:
    """Return the schedules to go on from: of those that have one state, one.

    It is the one with the shortest story so far, the first of equals, and it keeps its place. So
    no smallest counterexample is lost. Let E be the smallest that breaks an invariant, the first
    of equals, and suppose that it goes on from a schedule that was merged into another one. The
    same choices added to that other one break the same at the same instant, for the two go on
    alike and from the same instant; by as many faults and acts, as only such are merged; and with
    no more records. If they make fewer, E is not the smallest. If they make as many, that other
    schedule comes first, and with it what goes on from it: E is not the first. (What was broken
    before a state is no example of what goes on from it: the schedule itself breaks it, too, and
    is smaller.)
    """
    alike: dict[tuple[bytes, int, int], list[int]] = {}
    for place, node in enumerate(nodes):
        if node.state is not None:
            key = (node.state.digest, faults_in(node.schedule), acts_in(node.schedule))
            alike.setdefault(key, []).append(place)
    kept: dict[int, Node] = {place: node for place, node in enumerate(nodes) if node.state is None}
    for places in alike.values():
        first = min(places, key=lambda place: _length(nodes[place]))
        weight = sum([nodes[place].weight for place in places])
        kept[first] = nodes[first]._replace(weight=weight, state=None)
    return [kept[place] for place in sorted(kept)]


def _length(node: Node) -> int:
    assert node.state is not None
    return node.state.records
