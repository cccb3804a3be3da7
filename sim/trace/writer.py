"""Makes records of what is heard: how a trace looks, that of the link and the server here."""

from sim.contract.body import Body, Json
from sim.contract.messages import attempt_label
from sim.contract.server.state import Step
from sim.trace.client_writer import ClientWriter
from sim.trace.records import Rec, named


class Writer(ClientWriter):
    """Makes the records of a run, in order."""

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
        if self._also is not None:
            self._also.sent(at_us, client, resource, op, attempt, msg, message, copy)

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
        if self._also is not None:
            self._also.arrived(
                at_us,
                client,
                resource,
                op,
                attempt,
                msg,
                copy,
                sent_us,
                names,
                owner,
                body,
                draft_version,
                expected_version,
            )

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
        if self._also is not None:
            self._also.claimed(at_us, client, resource, op, attempt, msg, copy)

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
        if self._also is not None:
            self._also.decided(
                at_us,
                client,
                resource,
                op,
                attempt,
                rule,
                msg,
                copy,
                decision,
                names,
                addressed_to,
                version,
            )

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
        if self._also is not None:
            self._also.commit(
                at_us,
                client,
                resource,
                op,
                attempt,
                msg,
                copy,
                on,
                version,
                replaced,
                names,
                owner,
                kind,
                body,
                draft_version,
                expected_version,
            )

    def recorded(self, at_us: int, resource: str, op: int, state: str, owner: str, /) -> None:
        """Write a change of the registry."""
        data: dict[str, Json] = {"state": state, "owner": owner}
        self._write(at_us, Rec.RECORDED, "", resource, op, 0, "", data)
        if self._also is not None:
            self._also.recorded(at_us, resource, op, state, owner)
