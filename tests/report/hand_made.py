"""Traces made by hand: the lost-ack story as the engine would tell it."""

from collections.abc import Sequence

from sim.contract.body import Json
from sim.contract.phases import Phase, Reason, sentence
from sim.judge.verdict import Verdict
from sim.scenario.model import ClientSpec, ResourceSpec, ServerSpec, World
from sim.trace.records import Rec, Record

MS = 1_000
BODY = '{"sessions_per_week":3}'

WORLD = World(
    scenario="lost-ack",
    clients=(ClientSpec(name="client", owner="client"),),
    server=ServerSpec(resources=(ResourceSpec(name="markdown", version=4),)),
    fault_lines=("drop: ack, attempt: 1",),
)


class Tape:
    """Collects records; the sequence number counts itself."""

    def __init__(self, client: str = "client") -> None:
        self.records: list[Record] = []
        self._client = client

    def add(
        self, at_ms: float, kind: Rec, attempt: int = 0, rule: str = "", /, **data: Json
    ) -> None:
        """Add one record of ``op-1`` at ``at_ms``."""
        seq = len(self.records) + 1
        at_us = round(at_ms * MS)
        record = Record(seq, at_us, kind, self._client, "markdown", 1, attempt, rule, data)
        self.records.append(record)

    def show(self, at_ms: float, phase: Phase, reason: Reason = Reason.NONE) -> None:
        """Add what the screen shows."""
        self.add(at_ms, Rec.SHOW, phase=phase.value, says=sentence(phase, reason))

    def verdict(self, world: World = WORLD) -> Verdict:
        """Return a verdict with these records and nothing found."""
        return Verdict(world=world, records=tuple(self.records))


def launch(tape: Tape, at_ms: float, attempt: int, msg: int) -> None:
    """Launch ``attempt``; its request leaves at once."""
    tape.add(at_ms, Rec.LAUNCH, attempt, body=BODY, draft_version=2, expected_version=4, kind="put")
    tape.add(at_ms, Rec.SENT, attempt, msg=msg, message="request", copy=1)


def lost_ack() -> Sequence[Record]:
    """Return: stored, the answer lost; asked again, replayed."""
    tape = Tape()
    tape.add(0, Rec.EDIT, body=BODY, draft_version=2, changed=True)
    tape.add(0, Rec.SAVE, launches=True)
    launch(tape, 0, 1, msg=1)
    tape.show(0, Phase.AWAITING_ACK)
    arrive(tape, 40, 1, msg=1, sent_ms=0, decision="claimed", rule="server.claim")
    tape.add(40, Rec.COMMIT, 1, "server.step-5", msg=1, version=5, body=BODY)
    tape.add(40, Rec.DECIDED, 1, "server.step-5", msg=1, decision="committed", version=5)
    tape.add(40, Rec.FAULT, 1, clause=1, action="drop", msg=2)
    tape.add(40, Rec.SENT, 1, msg=2, message="ack", copy=1)
    tape.add(40, Rec.LOST, 1, msg=2, message="ack", copy=1, why="drop")
    tape.add(2_000, Rec.TIMER, 1, timer="timeout", number=1, live=True)
    tape.show(2_000, Phase.UNKNOWN_OUTCOME)
    tape.add(2_000, Rec.ARM, 1, timer="retry", number=1, delay_us=500 * MS)
    launch(tape, 2_500, 2, msg=3)
    tape.show(2_500, Phase.AWAITING_ACK)
    arrive(tape, 2_540, 2, msg=3, sent_ms=2_500, decision="replay", rule="server.step-3")
    tape.add(2_540, Rec.SENT, 2, msg=4, message="ack", copy=1)
    answered(tape, 2_580, 2, msg=4, sent_ms=2_540, verdict="accepted", rule="client.rule-5")
    tape.show(2_580, Phase.ACKNOWLEDGED)
    tape.add(2_580, Rec.END, why="quiet")
    return tape.records


def arrive(
    tape: Tape, at_ms: float, attempt: int, *, msg: int, sent_ms: int, decision: str, rule: str
) -> None:
    """A request arrives at the server, which decides."""
    tape.add(at_ms, Rec.ARRIVED, attempt, msg=msg, message="request", copy=1, sent_us=sent_ms * MS)
    tape.add(at_ms, Rec.DECIDED, attempt, rule, msg=msg, decision=decision)


def answered(
    tape: Tape, at_ms: float, attempt: int, *, msg: int, sent_ms: int, verdict: str, rule: str
) -> None:
    """An answer arrives at the client, which judges it."""
    said: dict[str, Json] = {"names": "op-1", "names_attempt": attempt, "answer": "ack"}
    said |= {"msg": msg, "message": "ack", "copy": 1, "sent_us": sent_ms * MS}
    tape.add(at_ms, Rec.ANSWER, attempt, rule, verdict=verdict, **said)


def late_request() -> Sequence[Record]:
    """Return: the first request is overtaken by the second and arrives 3 s late."""
    tape = Tape()
    launch(tape, 0, 1, msg=1)
    launch(tape, 2_500, 2, msg=2)
    arrive(tape, 2_540, 2, msg=2, sent_ms=2_500, decision="claimed", rule="server.step-5")
    arrive(tape, 3_040, 1, msg=1, sent_ms=0, decision="replay", rule="server.step-3")
    return tape.records


def two_clients() -> Sequence[Record]:
    """Return: a phone and a desk save the same resource."""
    tape = Tape("phone")
    tape.add(0, Rec.SAVE, launches=True)
    launch(tape, 0, 1, msg=1)
    records = tape.records
    other = Tape("desk")
    other.add(0, Rec.SAVE, launches=True)
    launch(other, 0, 1, msg=2)
    return records + other.records
