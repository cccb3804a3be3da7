"""Makes records of what is heard: the one place that says how a trace looks."""

from collections.abc import Callable

from sim.contract.body import Body, Json
from sim.contract.messages import attempt_label
from sim.contract.phases import Phase, Reason, sentence
from sim.contract.server.state import Step
from sim.contract.tuples import new
from sim.trace.listener import Result, Sent
from sim.trace.records import Rec, Record, surrogate


def named(number: int) -> str:
    """Return what is written instead of an id; one that nobody made is ``unknown``."""
    return surrogate(number) if number else "unknown"


class Writer:
    """Makes the records of a run, in order.

    Args:
        listen: Called with every record.
    """

    def __init__(self, listen: Callable[[Record], None]) -> None:
        self.seq = 0
        self._listen = listen

    def note(self, record: Record, /) -> None:
        """Pass a record on."""
        self.seq += 1
        self._listen(record)

    def _write(
        self,
        at_us: int,
        kind: Rec,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        rule: str,
        data: dict[str, Json],
    ) -> None:
        self.seq += 1
        fields = (self.seq, at_us, kind, client, resource, op, attempt, rule, data)
        self._listen(new(Record, fields))

    # --- clients --------------------------------------------------------------------------------

    def edit(self, at_us: int, client: str, resource: str, rule: str, body: Body, /) -> None:
        """Write an edit."""
        self._write(at_us, Rec.EDIT, client, resource, 0, 0, rule, {"body": body})

    def save(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        rule: str,
        body: Body,
        draft_version: int,
        new_intent: bool,
        launches: bool,
        /,
    ) -> None:
        """Write a save."""
        data: dict[str, Json] = {
            "body": body,
            "draft_version": draft_version,
            "new_intent": new_intent,
            "launches": launches,
        }
        self._write(at_us, Rec.SAVE, client, resource, op, 0, rule, data)

    def launch(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        rule: str,
        intent: int,
        owner: str,
        body: Body,
        draft_version: int,
        expected_version: int,
        irreversible: bool,
        sent: Sent | None,
        /,
    ) -> None:
        """Write a launch."""
        data: dict[str, Json] = {
            "intent": intent,
            "body": body,
            "draft_version": draft_version,
            "expected_version": expected_version,
            "owner": owner,
            "irreversible": irreversible,
        }
        if sent is not None:
            data["sent_body"] = sent.body
            data["sent_expected_version"] = sent.expected_version
            data["wire"] = surrogate(sent.wire)
        self._write(at_us, Rec.LAUNCH, client, resource, op, attempt, rule, data)

    def arm(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        timer: str,
        number: int,
        delay_us: int,
        /,
    ) -> None:
        """Write that a timer is armed."""
        data: dict[str, Json] = {"timer": timer, "number": number, "delay_us": delay_us}
        self._write(at_us, Rec.ARM, client, resource, op, 0, "", data)

    def timer(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        rule: str,
        timer: str,
        number: int,
        live: bool,
        /,
    ) -> None:
        """Write that a timer rings."""
        data: dict[str, Json] = {"timer": timer, "number": number, "live": live}
        self._write(at_us, Rec.TIMER, client, resource, op, attempt, rule, data)

    def show(
        self,
        at_us: int,
        client: str,
        resource: str,
        owner: str,
        phase: Phase,
        reason: Reason,
        body: Body,
        draft_version: int,
        dirty: bool,
        base_version: int,
        read_version: int | None,
        /,
    ) -> None:
        """Write what a screen shows."""
        data: dict[str, Json] = {
            "phase": phase,
            "reason": reason,
            "says": sentence(phase, reason),
            "body": body,
            "draft_version": draft_version,
            "dirty": dirty,
            "base_version": base_version,
            "owner": owner,
        }
        if read_version is not None:
            data["read_version"] = read_version
        self._write(at_us, Rec.SHOW, client, resource, 0, 0, "", data)

    def answer(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        rule: str,
        msg: int,
        copy: int,
        sent_us: int,
        reply_to: int,
        corrupted: bool,
        answer: str,
        verdict: str,
        changed: bool,
        names: int,
        names_attempt: int,
        result: Result | None,
        /,
    ) -> None:
        """Write that the answer to a request reaches a client."""
        data: dict[str, Json] = {
            "msg": msg,
            "message": "ack",
            "copy": copy,
            "sent_us": sent_us,
            "reply_to": reply_to,
            "names": named(names),
            "names_attempt": names_attempt,
            "answer": answer,
            "verdict": verdict,
            "changed": changed,
        }
        if corrupted:
            data["corrupted"] = True
        if result is not None:
            data["accepted_version"] = result.accepted_version
            data["version"] = result.version
            data["body"] = result.body
            data["replayed"] = result.replayed
        self._write(at_us, Rec.ANSWER, client, resource, op, attempt, rule, data)

    # --- the link and the server ----------------------------------------------------------------

    def sent(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        msg: int,
        message: str,
        copy: int,
        /,
    ) -> None:
        """Write that a message is sent."""
        data: dict[str, Json] = {"msg": msg, "message": message, "copy": copy}
        self._write(at_us, Rec.SENT, client, resource, op, attempt, "", data)

    def arrived(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        msg: int,
        copy: int,
        sent_us: int,
        names: int,
        owner: str,
        body: Body,
        draft_version: int,
        expected_version: int,
        /,
    ) -> None:
        """Write that a request reaches the server."""
        data: dict[str, Json] = {
            "message": "request",
            "sent_us": sent_us,
            "names": named(names),
            "owner": owner,
            "body": body,
            "draft_version": draft_version,
            "expected_version": expected_version,
            "msg": msg,
            "copy": copy,
        }
        self._write(at_us, Rec.ARRIVED, client, resource, op, attempt, "", data)

    def claimed(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        msg: int,
        copy: int,
        /,
    ) -> None:
        """Write that a request is being executed."""
        data: dict[str, Json] = {"decision": "claimed", "msg": msg, "copy": copy}
        self._write(at_us, Rec.DECIDED, client, resource, op, attempt, Step.CLAIM, data)

    def decided(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        rule: str,
        msg: int,
        copy: int,
        decision: str,
        names: int,
        addressed_to: int,
        version: int | None,
        /,
    ) -> None:
        """Write how a request is answered."""
        data: dict[str, Json] = {
            "decision": decision,
            "names": named(names),
            "addressed_to": attempt_label(addressed_to),
            "msg": msg,
            "copy": copy,
        }
        if version is not None:
            data["version"] = version
        self._write(at_us, Rec.DECIDED, client, resource, op, attempt, rule, data)

    def commit(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        attempt: int,
        msg: int,
        copy: int,
        on: str,
        version: int,
        replaced: int,
        names: int,
        owner: str,
        kind: str,
        body: Body,
        draft_version: int,
        expected_version: int,
        /,
    ) -> None:
        """Write one effect."""
        data: dict[str, Json] = {
            "version": version,
            "replaced": replaced,
            "expected_version": expected_version,
            "draft_version": draft_version,
            "body": body,
            "kind": kind,
            "owner": owner,
            "names": named(names),
            "on": on,
            "msg": msg,
            "copy": copy,
        }
        self._write(at_us, Rec.COMMIT, client, resource, op, attempt, Step.COMMIT, data)

    def recorded(self, at_us: int, resource: str, op: int, state: str, owner: str, /) -> None:
        """Write a change of the registry."""
        data: dict[str, Json] = {"state": state, "owner": owner}
        self._write(at_us, Rec.RECORDED, "", resource, op, 0, "", data)
