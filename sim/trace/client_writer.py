"""Makes records of what is heard of clients: how their half of a trace looks."""

from collections.abc import Callable

from sim.contract.body import Body, Json
from sim.contract.phases import Phase, Reason, sentence
from sim.contract.tuples import new
from sim.trace.listener import Listener, Result, Sent
from sim.trace.records import Rec, Record, named, surrogate


class ClientWriter(Listener):
    """Makes the records of a run, in order.

    Args:
        listen: Called with every record.
        also: Hears the same after each record is made; its records have the same numbers.
    """

    def __init__(self, listen: Callable[[Record], None], also: Listener | None = None) -> None:
        self._seq = 0
        self._listen = listen
        self._also = also

    @property
    def seq(self) -> int:
        """The number of the record made last."""
        return self._seq

    def note(self, record: Record, /) -> None:
        """Pass a record on."""
        self._seq += 1
        self._listen(record)
        if self._also is not None:
            self._also.note(record)

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
        self._seq += 1
        fields = (self._seq, at_us, kind, client, resource, op, attempt, rule, data)
        self._listen(new(Record, fields))

    # --- clients --------------------------------------------------------------------------------

    def edit(self, at_us: int, client: str, resource: str, rule: str, body: Body, /) -> None:
        """Write an edit."""
        self._write(at_us, Rec.EDIT, client, resource, 0, 0, rule, {"body": body})
        if self._also is not None:
            self._also.edit(at_us, client, resource, rule, body)

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
        if self._also is not None:
            self._also.save(
                at_us, client, resource, op, rule, body, draft_version, new_intent, launches
            )

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
        if self._also is not None:
            self._also.launch(
                at_us,
                client,
                resource,
                op,
                attempt,
                rule,
                intent,
                owner,
                body,
                draft_version,
                expected_version,
                irreversible,
                sent,
            )

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
        if self._also is not None:
            self._also.arm(at_us, client, resource, op, timer, number, delay_us)

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
        if self._also is not None:
            self._also.timer(at_us, client, resource, op, attempt, rule, timer, number, live)

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
        if self._also is not None:
            self._also.show(
                at_us,
                client,
                resource,
                owner,
                phase,
                reason,
                body,
                draft_version,
                dirty,
                base_version,
                read_version,
            )

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
        if self._also is not None:
            self._also.answer(
                at_us,
                client,
                resource,
                op,
                attempt,
                rule,
                msg,
                copy,
                sent_us,
                reply_to,
                corrupted,
                answer,
                verdict,
                changed,
                names,
                names_attempt,
                result,
            )
