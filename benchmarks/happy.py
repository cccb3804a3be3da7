"""The workload for happysim, written as its documentation has it: entities that answer events.

A message is an event whose target is the other side; a time-out is an event that names its
attempt. It counts what our engine counts, but judges nothing and records nothing.
"""

import random
import uuid
from dataclasses import dataclass, replace
from typing import Any

from happysimulator import Entity, Event, Simulation
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

MICRO = 1e-6


@dataclass
class Ack:
    operation_id: str
    attempt: int
    accepted_version: int
    resource_version: int
    body: str
    replayed: bool = False


@dataclass
class Request:
    operation_id: str
    attempt: int
    expected_version: int
    body: str
    draft_version: int
    client: "Client"


class Server(Entity):
    def __init__(self, rng: random.Random) -> None:
        super().__init__("server")
        self.rng = rng
        self.versions = [1] * CLIENTS
        self.bodies = [""] * CLIENTS
        self.registry: dict[str, tuple[Request, Ack]] = {}
        self.effects = self.replays = 0

    def handle_event(self, event: Event) -> Event | None:
        if event.event_type == "ask":
            client = event.context["client"]
            known = self.registry.get(client.operation_id)
            ack = replace(known[1], attempt=client.attempt) if known else None
        else:
            request = event.context["request"]
            client, ack = request.client, self.decide(request)
        if ack is None or self.rng.random() < LOSS:
            return None
        return at(self, LATENCY_US, "ack", client, ack=ack)

    def decide(self, request: Request) -> Ack | None:
        known = self.registry.get(request.operation_id)
        if known is not None:
            first, ack = known
            if first.body != request.body or first.draft_version != request.draft_version:
                return None
            self.replays += 1
            return replace(ack, attempt=request.attempt, replayed=True)
        number = request.client.number
        if request.expected_version != self.versions[number]:
            return None
        self.versions[number] += 1
        self.bodies[number] = request.body
        self.effects += 1
        ack = Ack(
            request.operation_id,
            request.attempt,
            request.draft_version,
            self.versions[number],
            request.body,
        )
        self.registry[request.operation_id] = (request, ack)
        return ack


class Client(Entity):
    def __init__(self, number: int, saves: int, server: Server, rng: random.Random) -> None:
        super().__init__(f"client-{number}")
        self.number, self.saves, self.server, self.rng = number, saves, server, rng
        self.draft_version = self.base_version = 1
        self.body = ""
        self.operation_id = ""
        self.attempt = self.turn = self.asked_times = self.saved = 0
        self.operations = self.attempts = self.asked = 0
        self.pending = False

    def handle_event(self, event: Event) -> list[Event] | Event | None:
        match event.event_type:
            case "save":
                return self.save()
            case "ack":
                return self.judge(event.context["ack"])
            case "timeout" if self.pending and event.context["turn"] == self.turn:
                return at(self, self.pause(), "again", self, turn=self.turn)
            case "again" if self.pending and event.context["turn"] == self.turn:
                return self.again()
        return None

    def save(self) -> list[Event]:
        self.saved += 1
        self.operations += 1
        self.body = f'{{"edit":{self.saved}}}'
        self.draft_version += 1
        self.operation_id = str(uuid.UUID(int=self.rng.getrandbits(128), version=4))
        self.attempt, self.asked_times, self.pending = 0, 0, True
        return self.send()

    def send(self) -> list[Event]:
        self.attempt += 1
        self.attempts += 1
        self.turn += 1
        request = Request(
            self.operation_id,
            self.attempt,
            self.base_version,
            self.body,
            self.draft_version,
            self,
        )
        return self.on_its_way("request", request=request)

    def again(self) -> list[Event]:
        if self.attempt < ATTEMPTS_MAX:
            return self.send()
        if self.asked_times == STATUS_MAX:
            self.pending = False
            return self.next_save()
        self.asked += self.asked_times == 0
        self.asked_times += 1
        self.turn += 1
        return self.on_its_way("ask", client=self)

    def pause(self) -> int:
        return DELAY_US if self.attempt < ATTEMPTS_MAX else STATUS_DELAY_US

    def on_its_way(self, kind: str, **context: Any) -> list[Event]:
        timer = at(self, TIMEOUT_US, "timeout", self, turn=self.turn)
        if self.rng.random() < LOSS:
            return [timer]
        return [at(self, LATENCY_US, kind, self.server, **context), timer]

    def judge(self, ack: Ack) -> list[Event] | None:
        if not self.pending or ack.operation_id != self.operation_id:
            return None
        if ack.attempt != self.attempt or ack.body != self.body:
            return None
        self.base_version, self.pending = ack.resource_version, False
        return self.next_save()

    def next_save(self) -> list[Event]:
        if self.saved == self.saves:
            return []
        due_s = self.saved * EVERY_US * MICRO
        wait_us = max(0, round((due_s - self.now.to_seconds()) / MICRO))
        return [at(self, wait_us, "save", self)]


def at(entity: Entity, after_us: int, kind: str, target: Entity, **context: Any) -> Event:
    return Event(
        time=entity.now + after_us * MICRO, event_type=kind, target=target, context=context
    )


def run(operations: int) -> Counts:
    """Run the workload once."""
    rng = random.Random(SEED)
    server = Server(rng)
    clients = [Client(n, operations // CLIENTS, server, rng) for n in range(CLIENTS)]
    simulation = Simulation(entities=[server, *clients])
    simulation.schedule([at(client, 0, "save", client) for client in clients])
    simulation.run()
    return Counts(
        sum(client.operations for client in clients),
        server.effects,
        sum(client.attempts for client in clients),
        server.replays,
        sum(client.asked for client in clients),
    )
