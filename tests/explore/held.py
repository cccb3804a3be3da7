"""A world in the middle of everything: whatever can be held is held at one instant."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from sim.engine.probe import Parts, Span, seen
from sim.engine.world import simulate
from sim.explore import books
from sim.explore.states import HELD_FOR
from sim.judge.judge import Judge
from sim.judge.ledger import Ledger
from tests.explore.worlds import load

MUCH = """
title: Much at once
server:
  resources: {note: {kind: post, version: 1}}
  capacity: {workers: 1, queue: 3, time: 100ms}
  gateway: {timeout: 60ms}
  session_ttl: 1h
clients:
  done: {}
  works: {}
  queues: {}
  held: {}
  late: {network: {request: {latency: 1s}}}
user:
  - {at: 0ms, client: done, edit: note, body: 1}
  - {at: 0ms, client: done, save: note}
  - {at: 100ms, client: late, edit: note}
  - {at: 100ms, client: late, save: note}
  - {at: 100ms, client: held, edit: note, body: 4}
  - {at: 100ms, client: held, save: note}
  - {at: 120ms, client: works, edit: note, body: 2}
  - {at: 120ms, client: works, save: note}
  - {at: 150ms, client: queues, edit: note, body: 3}
  - {at: 150ms, client: queues, save: note}
  - {at: 10s, client: done, edit: note, body: 5}
faults:
  - {hold: request, client: held, until: {event: timed_out}}
  - {drop: ack, client: done, operation: any, attempt: any, times: 5}
  - {cut: request, client: works, from: 2s, to: 3s}
"""
AT_US = 250_000
HORIZON_US = 60_000_000
WORLD = replace(load(MUCH), horizon_us=AT_US)
Value = TypeVar("Value")


def look(see: Callable[[Parts, Ledger], Value]) -> Value:
    """What is seen of the parts and the judge's books at that instant."""
    found: list[Value] = []
    judge = Judge(WORLD)
    simulate(
        WORLD, keep=False, live=judge, probe=lambda parts: found.append(see(parts, judge.ledger))
    )
    return found[0]


def told(parts: Parts, ledger: Ledger) -> str:
    """The whole state, written out."""
    state, numbers, instants = seen(parts, len(WORLD.faults), HELD_FOR, Span(AT_US + 1, HORIZON_US))
    return repr((state, books.told(ledger, numbers, instants)))
