"""The workload written for speed: one process for each client, all else callbacks on timeouts.

A message is one ``Timeout`` with a callback, a client waits for one wake event an attempt, the
server is a function. It counts what our engine counts, but judges nothing and records nothing.
"""

import random
import uuid
from collections.abc import Generator
from typing import Any, NamedTuple

import simpy
from workload import (
    ATTEMPTS_MAX,
    CLIENTS,
    DELAY_US,
    EVERY_US,
    LATENCY_US,
    LOSS,
    SEED,
    STATUS_DELAY_US,
    STATUS_MAX,
    TIMEOUT_US,
    Counts,
)

Process = Generator[simpy.Event, Any, None]


class Ack(NamedTuple):
    operation_id: str
    attempt: int
    accepted_version: int
    resource_version: int
    body: str
    replayed: bool


class Client:
    def __init__(self, number: int) -> None:
        self.number = number
        self.draft_version = 1
        self.base_version = 1
        self.body = ""
        self.operation_id = ""
        self.attempt = 0
        self.wake: simpy.Event | None = None


class Request(NamedTuple):
    operation_id: str
    attempt: int
    expected_version: int
    body: str
    draft_version: int
    client: Client


class World:
    def __init__(self) -> None:
        self.env = simpy.Environment()
        self.rng = random.Random(SEED)
        self.versions = [1] * CLIENTS
        self.bodies = [""] * CLIENTS
        self.registry: dict[str, tuple[Request, Ack]] = {}
        self.operations = self.effects = self.attempts = self.replays = self.asked = 0

    def send(self, request: Request) -> None:
        if self.rng.random() >= LOSS:
            self.env.timeout(LATENCY_US, request).callbacks.append(self.arrived)

    def arrived(self, event: simpy.Event) -> None:
        request: Request = event._value
        ack = self.decide(request)
        if ack is not None and self.rng.random() >= LOSS:
            self.env.timeout(LATENCY_US, (request.client, ack)).callbacks.append(self.answered)

    def decide(self, request: Request) -> Ack | None:
        known = self.registry.get(request.operation_id)
        if known is not None:
            first, ack = known
            if first.body != request.body or first.draft_version != request.draft_version:
                return None
            self.replays += 1
            return ack._replace(attempt=request.attempt, replayed=True)
        number = request.client.number
        if request.expected_version != self.versions[number]:
            return None
        version = self.versions[number] = self.versions[number] + 1
        self.bodies[number] = request.body
        self.effects += 1
        ack = Ack(
            request.operation_id,
            request.attempt,
            request.draft_version,
            version,
            request.body,
            replayed=False,
        )
        self.registry[request.operation_id] = (request, ack)
        return ack

    def answered(self, event: simpy.Event) -> None:
        client, ack = event._value
        wake = client.wake
        if wake is None or ack.operation_id != client.operation_id:
            return
        if ack.attempt == client.attempt:
            client.wake = None
            wake.succeed(ack)

    def ask(self, client: Client) -> None:
        if self.rng.random() >= LOSS:
            self.env.timeout(LATENCY_US, client).callbacks.append(self.asked_for)

    def asked_for(self, event: simpy.Event) -> None:
        client: Client = event._value
        known = self.registry.get(client.operation_id)
        if known is not None and self.rng.random() >= LOSS:
            told = known[1]._replace(attempt=client.attempt)
            self.env.timeout(LATENCY_US, (client, told)).callbacks.append(self.answered)

    def timed_out(self, event: simpy.Event) -> None:
        client, wake = event._value
        if client.wake is wake:
            client.wake = None
            wake.succeed(None)

    def save(self, client: Client) -> Process:
        env = self.env
        self.operations += 1
        client.operation_id = str(uuid.UUID(int=self.rng.getrandbits(128), version=4))
        body, version = client.body, client.draft_version
        expected = client.base_version
        for attempt in range(1, ATTEMPTS_MAX + 1):
            self.attempts += 1
            client.attempt = attempt
            wake = client.wake = env.event()
            self.send(Request(client.operation_id, attempt, expected, body, version, client))
            env.timeout(TIMEOUT_US, (client, wake)).callbacks.append(self.timed_out)
            ack = yield wake
            if ack is not None and ack.accepted_version == version and ack.body == body:
                client.base_version = ack.resource_version
                return
            yield env.timeout(DELAY_US)
        self.asked += 1
        for _ in range(STATUS_MAX):
            yield env.timeout(STATUS_DELAY_US)
            wake = client.wake = env.event()
            self.ask(client)
            env.timeout(TIMEOUT_US, (client, wake)).callbacks.append(self.timed_out)
            ack = yield wake
            if ack is not None:
                client.base_version = ack.resource_version
                return

    def live(self, client: Client, saves: int) -> Process:
        env = self.env
        for number in range(saves):
            if env.now < number * EVERY_US:
                yield env.timeout(number * EVERY_US - env.now)
            client.body = f'{{"edit":{number}}}'
            client.draft_version += 1
            yield from self.save(client)


def run(operations: int) -> Counts:
    """Run the workload once."""
    world = World()
    for number in range(CLIENTS):
        world.env.process(world.live(Client(number), operations // CLIENTS))
    world.env.run()
    return Counts(world.operations, world.effects, world.attempts, world.replays, world.asked)
