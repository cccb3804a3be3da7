"""The workload as a SimPy tutorial would write it: processes, stores, ``get | timeout``.

A process for each person, each operation, each message and the server. It counts what our engine
counts, but judges nothing and records nothing.
"""

import random
import uuid
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from typing import Any

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


@dataclass
class Request:
    operation_id: str
    attempt: int
    resource: int
    expected_version: int
    body: dict[str, int]
    draft_version: int
    inbox: simpy.Store


@dataclass
class Ack:
    operation_id: str
    attempt: int
    accepted_version: int
    resource_version: int
    body: dict[str, int]
    replayed: bool = False


@dataclass
class Query:
    operation_id: str
    inbox: simpy.Store


@dataclass
class Refusal:
    operation_id: str
    attempt: int


@dataclass
class Client:
    number: int
    inbox: simpy.Store
    draft_version: int = 1
    base_version: int = 1
    body: dict[str, int] = field(default_factory=dict)
    phase: str = "idle"


class World:
    def __init__(self) -> None:
        self.env = simpy.Environment()
        self.rng = random.Random(SEED)
        self.server_inbox = simpy.Store(self.env)
        self.versions = dict.fromkeys(range(CLIENTS), 1)
        self.bodies: dict[int, dict[str, int]] = {}
        self.registry: dict[str, tuple[Request, Ack]] = {}
        self.operations = self.effects = self.attempts = self.replays = self.asked = 0

    def carry(self, inbox: simpy.Store, message: Request | Query | Ack | Refusal) -> Process:
        """One message on its way: lost, or delivered after the latency."""
        if self.rng.random() < LOSS:
            return
        yield self.env.timeout(LATENCY_US)
        yield inbox.put(message)

    def serve(self) -> Process:
        while True:
            message = yield self.server_inbox.get()
            answer = self.tell(message) if isinstance(message, Query) else self.decide(message)
            self.env.process(self.carry(message.inbox, answer))

    def tell(self, query: Query) -> Ack | Refusal:
        """Answer a status query: attempt 0 stands for "whichever"."""
        known = self.registry.get(query.operation_id)
        return replace(known[1], attempt=0) if known else Refusal(query.operation_id, 0)

    def decide(self, request: Request) -> Ack | Refusal:
        known = self.registry.get(request.operation_id)
        if known is not None:
            first, ack = known
            if first.body != request.body or first.draft_version != request.draft_version:
                return Refusal(request.operation_id, request.attempt)
            self.replays += 1
            return Ack(
                ack.operation_id,
                request.attempt,
                ack.accepted_version,
                ack.resource_version,
                ack.body,
                replayed=True,
            )
        if request.expected_version != self.versions[request.resource]:
            return Refusal(request.operation_id, request.attempt)
        self.versions[request.resource] += 1
        self.bodies[request.resource] = request.body
        self.effects += 1
        ack = Ack(
            request.operation_id,
            request.attempt,
            request.draft_version,
            self.versions[request.resource],
            request.body,
        )
        self.registry[request.operation_id] = (request, ack)
        return ack

    def save(self, client: Client) -> Process:
        """One operation: attempts until an ack of the last one confirms it, or none is left."""
        self.operations += 1
        operation_id = str(uuid.UUID(int=self.rng.getrandbits(128), version=4))
        body, version = dict(client.body), client.draft_version
        expected = client.base_version
        for attempt in range(1, ATTEMPTS_MAX + 1):
            client.phase = "awaiting-ack"
            self.attempts += 1
            request = Request(
                operation_id, attempt, client.number, expected, body, version, client.inbox
            )
            self.env.process(self.carry(self.server_inbox, request))
            ack = yield from self.answer(client, operation_id, attempt)
            if isinstance(ack, Refusal):
                client.phase = "refused"
                return
            if ack is not None and ack.accepted_version == version and ack.body == body:
                client.base_version = ack.resource_version
                client.phase = "acknowledged"
                return
            client.phase = "unknown-outcome"
            yield self.env.timeout(DELAY_US)
        self.asked += 1
        for _ in range(STATUS_MAX):
            yield self.env.timeout(STATUS_DELAY_US)
            self.env.process(self.carry(self.server_inbox, Query(operation_id, client.inbox)))
            told = yield from self.answer(client, operation_id, 0)
            if isinstance(told, Ack):
                client.base_version = told.resource_version
                client.phase = "acknowledged"
                return
        client.phase = "recovery-required"

    def answer(
        self, client: Client, operation_id: str, attempt: int
    ) -> Generator[simpy.Event, Any, Ack | Refusal | None]:
        """Wait for the answer to this attempt; others are stale."""
        timeout = self.env.timeout(TIMEOUT_US)
        while True:
            get = client.inbox.get()
            yield get | timeout
            if not get.triggered:
                get.cancel()  # Or the ghost of this get would swallow the next answer.
                return None
            answer: Ack | Refusal = get.value
            if answer.operation_id == operation_id and answer.attempt == attempt:
                return answer

    def person(self, client: Client, saves: int) -> Process:
        for number in range(saves):
            client.body = {"edit": number}
            client.draft_version += 1
            if client.phase in ("idle", "acknowledged", "refused"):
                self.env.process(self.save(client))
            yield self.env.timeout(EVERY_US)


def run(operations: int) -> Counts:
    """Run the workload once."""
    world = World()
    world.env.process(world.serve())
    for number in range(CLIENTS):
        client = Client(number, simpy.Store(world.env))
        world.env.process(world.person(client, operations // CLIENTS))
    world.env.run()
    return Counts(world.operations, world.effects, world.attempts, world.replays, world.asked)
