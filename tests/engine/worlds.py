"""Small worlds, written as scenarios, and questions to ask of their traces."""

from textwrap import dedent, indent

from sim.engine.world import Simulated, simulate
from sim.scenario.load import load_text
from sim.scenario.model import World
from sim.trace.records import Rec, Record

BASE = """\
title: A world of the tests
server:
  resources: {note: {version: 4, body: {n: 1}}}
client:
  timeout: 2s
  retry: {max_attempts: 3, delay: 500ms}
user:
  - {at: 0s, edit: note, body: {n: 2}}
  - {at: 0s, save: note}
"""

CROWDED = """\
title: Ties, several operations, duplicates, weather
seed: 7
server:
  resources: {note: {version: 1, body: a}, till: {kind: post}}
clients:
  phone: {owner: ann}
  desk: {owner: ann, ack_rule: operation}
  kiosk:
    owner: bob
    resource: own
    retry: {max_attempts: 4, delay: {exponential: 100ms, jitter: full}}
network:
  request: {loss: 0.2, duplicate: 0.3, latency: {uniform: [10ms, 90ms]}}
  ack: {loss: 0.2, duplicate: 0.3, corrupt: 0.1, latency: {exponential: {mean: 40ms}}}
user:
  - {every: {fixed: 3s}, until: 60s, edit: note, client: phone}
  - {every: {fixed: 3s}, until: 60s, save: note, client: phone}
  - {every: {poisson: 4s}, until: 60s, edit: note, client: desk}
  - {every: {fixed: 3s}, until: 60s, save: note, client: desk}
  - {every: {poisson: 5s}, until: 60s, edit: till, client: kiosk}
  - {every: {poisson: 5s}, until: 60s, save: till, client: kiosk}
  - {every: {fixed: 7s}, until: 60s, discard: note, client: phone}
  - {every: {fixed: 7s}, until: 60s, merge: note, client: phone}
  - {every: {fixed: 8s}, until: 60s, discard: note, client: desk}
  - {every: {fixed: 8s}, until: 60s, merge: note, client: desk}
  - {every: {fixed: 12s}, from: 20ms, until: 60s, reload: true, client: desk}
faults:
  - {duplicate: request, client: phone, operation: 1, attempt: 1, after: 0s}
  - {delay: ack, client: phone, operation: 2, attempt: any, by: 3s}
"""


def world(text: str = "", base: str = BASE) -> World:
    """Return the world of ``base`` with more lines; a top key given twice replaces the base's."""
    more = dedent(text)
    given = {"client"} if "\nclients:" in f"\n{more}" else set()
    given |= {line.split(":")[0] for line in more.splitlines() if line[:1].isalpha()}
    kept, keeps = [], True
    for line in base.splitlines():
        if line[:1].isalpha():
            keeps = line.split(":")[0] not in given
        if keeps:
            kept.append(line)
    return load_text("\n".join([*kept, more]), "test", "test.yaml").worlds[0]


def run(text: str = "", base: str = BASE) -> Simulated:
    return simulate(world(text, base))


def faulty(*clauses: str, base: str = BASE, more: str = "") -> Simulated:
    """Return the run of a world with these fault clauses."""
    lines = indent("\n".join(f"- {{{clause}}}" for clause in clauses), "  ")
    return run(f"faults:\n{lines}\n{dedent(more)}", base)


def of(done: Simulated, kind: Rec) -> list[Record]:
    """Return the records of one kind."""
    return [record for record in done.records if record.kind is kind]


def verdicts(done: Simulated) -> list[tuple[int, str]]:
    """Return (attempt answered, verdict) of every ack that reached a client."""
    return [
        (int(str(record.data["names_attempt"])), str(record.data["verdict"]))
        for record in of(done, Rec.ANSWER)
        if record.data["answer"] == "ack"
    ]


def phases(done: Simulated) -> list[str]:
    """Return the phases that were shown, in order, each change once."""
    shown = [str(record.data["phase"]) for record in of(done, Rec.SHOW)]
    return [phase for n, phase in enumerate(shown) if n == 0 or shown[n - 1] != phase]


def deliveries(done: Simulated) -> int:
    return sum(record.data["message"] == "request" for record in of(done, Rec.ARRIVED))


def latencies(done: Simulated, message: str = "request") -> dict[tuple[int, int], int]:
    """Return (attempt, copy) -> how long a request was under way, in microseconds."""
    kind = Rec.ARRIVED if message in ("request", "status") else Rec.ANSWER
    return {
        (record.attempt, int(str(record.data["copy"]))): record.at_us
        - int(str(record.data["sent_us"]))
        for record in of(done, kind)
        if record.data["message"] == message
    }
