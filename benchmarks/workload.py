"""The retry workload that every program of the benchmark runs, and what each has to report.

In our scenario a person saves the same text each time, as a new intent; the hand-written programs
change the text in the same breath, which costs them two assignments.
"""

from typing import NamedTuple

CLIENTS = 20
EVERY_US = 30_000_000
LATENCY_US = 40_000
TIMEOUT_US = 2_000_000
DELAY_US = 500_000
ATTEMPTS_MAX = 5
LOSS = 0.1
STATUS_MAX = 10
STATUS_DELAY_US = 1_000_000
SEED = 3
"""Under this seed no operation of the first 20,000 ends with a person, in any of the programs."""


class Counts(NamedTuple):
    """What a run came to: enough to see that two programs did the same work."""

    operations: int
    effects: int
    attempts: int
    replays: int
    asked: int
    """Operations whose attempts were all spent, so that their status was asked for."""


def scenario(operations: int) -> str:
    """Return the workload as a scenario file."""
    saves = operations // CLIENTS
    return f"""
title: The retry workload
seed: {SEED}
server:
  resources: {{note: {{version: 1, body: {{text: start}}}}}}
client:
  count: {CLIENTS}
  resource: own
  timeout: {TIMEOUT_US}us
  status: {{max: {STATUS_MAX}, delay: {STATUS_DELAY_US}us}}
  retry: {{max_attempts: {ATTEMPTS_MAX}, delay: {DELAY_US}us}}
network:
  request: {{latency: {LATENCY_US}us, loss: {LOSS}}}
  ack: {{latency: {LATENCY_US}us, loss: {LOSS}}}
user:
  - {{every: {{fixed: {EVERY_US}us}}, until: {saves * EVERY_US}us, save: note, intent: new}}
"""
