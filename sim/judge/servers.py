"""Checks on what the link carries and what the server does."""

from typing import Final

from sim.contract.body import Body
from sim.contract.messages import Kind, attempt_label
from sim.contract.phases import Phase
from sim.contract.server.state import Step
from sim.judge.answers import AnswerChecks
from sim.judge.book import EffectBook, OperationBook, Screen, SentSnapshot
from sim.judge.ledger import BUSY, Ledger, Spot, name
from sim.trace.records import Record, named, surrogate
from sim.trace.telling import number_named

# Named here because on Python 3.11 reading a member off its enum costs as much as a call.
_GATEWAY: Final = Step.GATEWAY
_CAPACITY: Final = Step.CAPACITY
_PUT: Final = Kind.PUT

_UNDISTURBED: Final = frozenset(
    {
        Step.FORM.value,
        Step.REPLAY.value,
        Step.MISMATCH.value,
        Step.IN_FLIGHT.value,
        Step.EXPIRED.value,
        Step.VERSION.value,
        Step.COMMIT.value,
        Step.VERSION_AGAIN.value,
    }
)
_OF_A_WRITE: Final = ("request", "ack")
_ACK_DECISIONS: Final = frozenset({"committed", "replay"})


class ServerChecks(AnswerChecks):
    """The invariants that the server can break, and the bookkeeping of messages under way."""

    # --- the link -------------------------------------------------------------------------------

    def sent(
        self,
        _at_us: int,
        client: str,
        _resource: str,
        number: int,
        _attempt: int,
        _msg: int,
        message: str,
        copy: int,
        /,
    ) -> None:
        """A message of an operation is under way; a second copy is trouble."""
        ledger = self._ledger
        ledger.seq += 1
        if copy != 1:
            ledger.trouble_seq = ledger.seq
        op = ledger.operation(client, number)
        if op is not None and message in _OF_A_WRITE:
            op.under_way += 1

    def lost(self, record: Record) -> None:
        """A message is lost."""
        self._ledger.trouble_seq = record.seq
        if record.data["why"] == "gateway gave up":
            return  # It has arrived long since; only its answer is relayed to nobody.
        op = self._op(record)
        if op is not None and record.data["message"] in _OF_A_WRITE:
            op.under_way -= 1

    def trouble(self, record: Record) -> None:
        """Something went wrong: no attempt under way now is undisturbed."""
        self._ledger.trouble_seq = record.seq

    def arrived(
        self,
        _at_us: int,
        client: str,
        _resource: str,
        number: int,
        _attempt: int,
        msg: int,
        _copy: int,
        _sent_us: int,
        _names: int,
        owner: str,
        body: Body,
        draft_version: int,
        expected_version: int,
        /,
    ) -> None:
        """A request reaches the server."""
        ledger = self._ledger
        ledger.seq += 1
        op = ledger.operation(client, number)
        if op is not None:
            op.under_way -= 1
            op.deliveries += 1
        ledger.of_client[client].deliveries += 1
        ledger.arrived[msg] = (owner, body, draft_version, expected_version)

    # --- decisions ------------------------------------------------------------------------------

    def claimed(
        self,
        _at_us: int,
        client: str,
        _resource: str,
        number: int,
        _attempt: int,
        msg: int,
        _copy: int,
        /,
    ) -> None:
        """The server begins to execute a request."""
        self._ledger.seq += 1
        op = self._ledger.operation(client, number)
        if op is not None:
            op.executing += 1
            self._ledger.claimed[msg] = op

    def asked(self, record: Record) -> None:
        """The server answers a status query, or lets a request wait."""
        data = record.data
        if record.rule == Step.STATUS and data["decision"] == "completed":
            self._check_owner(record, str(data["owner"]), number_named(data["names"]))

    def decided(
        self,
        at_us: int,
        client: str,
        resource: str,
        number: int,
        attempt: int,
        rule: str,
        msg: int,
        _copy: int,
        decision: str,
        names: int,
        _addressed_to: int,
        _version: int | None,
        /,
    ) -> None:
        """The server decides how a request is answered."""
        ledger = self._ledger
        ledger.seq += 1
        if rule == _GATEWAY:
            if msg in ledger.arrived:
                ledger.given_up[msg] = True
            return
        # Compiled, ``pop`` is a call by name, and takes thrice the time of ``get`` and ``del``.
        claimed = ledger.claimed.get(msg)
        if claimed is not None:
            del ledger.claimed[msg]
            claimed.executing -= 1
        if rule == _CAPACITY:
            ledger.of_client[client].turned_away += 1
        snapshot = ledger.arrived.get(msg)
        if snapshot is None:
            return
        del ledger.arrived[msg]
        effect = ledger.effects.get((snapshot[0], names))
        if effect is not None:
            if decision == "conflict" or effect.snapshot != snapshot:
                at = Spot(at_us, client, resource, number)
                self._check_repeat(at, decision, effect, snapshot, names)
        elif decision in _ACK_DECISIONS:
            self._check_owner(Spot(at_us, client, resource, number), snapshot[0], names)
        heard = msg not in ledger.given_up
        if not heard:
            del ledger.given_up[msg]
        op = ledger.operation(client, number)
        if op is None or not heard or rule not in _UNDISTURBED:
            return
        ledger.clean_answers[msg] = True
        kept = op.effects > 0 and at_us - op.committed_us <= ledger.retention_us
        if kept and attempt == op.attempt:
            ledger.must_settle[msg] = True

    def _check_repeat(
        self, at: Spot, decision: str, effect: EffectBook, snapshot: SentSnapshot, names: int
    ) -> None:
        """What is said about an id that has an effect."""
        ledger = self._ledger
        same = effect.snapshot == snapshot
        if decision in _ACK_DECISIONS and not same:
            what = f"{named(names)} stands for another snapshot, and this one is acknowledged"
            ledger.violated("same-id-same-snapshot", at, what)
        if decision == "conflict" and same and at.at_us - effect.committed_us <= ledger.repeat_us:
            op = ledger.operation(at.client, at.op)
            if op is not None:
                op.false_conflict = True
            what = f"a repeat of {named(names)}, which is committed, is told conflict"
            ledger.violated("no-false-conflict", at, what)

    def _check_owner(self, at: Spot | Record, owner: str, names: int) -> None:
        owners = self._ledger.owners_of.get(names)
        if owners and owner not in owners:
            whose = owners[0]
            what = f"{owner} is shown the result of {named(names)}, which belongs to {whose}"
            self._ledger.violated("owner-isolation", at, what)

    def _belongs(self, names: int, owner: str) -> None:
        owners = self._ledger.owners_of.get(names)
        if owners is None:
            self._ledger.owners_of[names] = (owner,)
        elif owner not in owners:
            self._ledger.owners_of[names] = (*owners, owner)

    def commit(
        self,
        at_us: int,
        client: str,
        resource: str,
        number: int,
        attempt: int,
        _msg: int,
        _copy: int,
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
        """One effect."""
        ledger = self._ledger
        ledger.seq += 1
        ledger.resources[on] = (version, body)
        ledger.of_client[client].effects += 1
        snapshot = (owner, body, draft_version, expected_version)
        effect = ledger.effects.get((owner, names))
        if effect is None:
            ledger.effects[owner, names] = EffectBook(snapshot, at_us)
            self._belongs(names, owner)
        elif effect.snapshot != snapshot:
            what = f"{named(names)} stands for two snapshots, and both had an effect"
            at = Spot(at_us, client, resource, number)
            ledger.violated("same-id-same-snapshot", at, what)
        op = ledger.operation(client, number)
        if kind == _PUT:
            if expected_version != replaced:
                what = f"version {replaced} was replaced, {expected_version} expected"
                at = Spot(at_us, client, resource, number)
                ledger.violated("no-blind-overwrite", at, what)
            elif op is not None and attempt and op.is_blind:
                what = f"{name(op)} replaced version {replaced}, which its draft never took in"
                at = Spot(at_us, client, resource, number)
                ledger.violated("no-blind-overwrite", at, what, op)
        if op is None or not (attempt > 0 or op.body == body):
            return
        if not op.effects:
            op.committed_us = at_us
        op.effects += 1
        op.effect_bodies.append(body)
        op.intent.effects += 1
        if op.intent.effects > 1 or op.shown_failed:
            self._check_effect(Spot(at_us, client, resource, number), op, attempt)

    def _check_effect(self, at: Spot, op: OperationBook, attempt: int) -> None:
        """An effect that should not be there: the second one, or of what was shown as failed."""
        ledger = self._ledger
        if op.intent.effects > 1:
            label = attempt_label(attempt)
            what = f"what was wanted once is stored twice ({name(op)}, {label})"
            ledger.violated("one-effect-per-intent", at, what, op)
        if op.shown_failed:
            what = f"{name(op)} was shown as not saved, and is stored now"
            ledger.violated("no-false-failure", at, what, op)

    def recorded(self, at_us: int, resource: str, number: int, state: str, owner: str, /) -> None:
        """The registry's entry of an operation changes."""
        ledger = self._ledger
        ledger.seq += 1
        key = (owner, number)
        if state == "running":
            ledger.running[key] = True
            return
        if key in ledger.running:
            del ledger.running[key]
        if state == "completed":
            if key in ledger.effects:
                return
            what = f"the registry says completed of {named(number)}, and nothing is committed"
        elif state == "error":
            what = f"a transient error is stored as the result of {named(number)}"
        else:
            return
        # However wrong, it is this owner's own result: telling it to that owner discloses nothing.
        self._belongs(number, owner)
        at = Spot(at_us, "", resource, number)
        ledger.violated("completed-means-committed", at, what)

    def crash(self, record: Record) -> None:
        """The server dies: every execution ends."""
        self._ledger.trouble_seq = record.seq
        for op in self._ledger.claimed.values():
            op.executing = 0
        self._ledger.claimed.clear()

    def end(self, record: Record) -> None:
        """`settles`: when nothing is left to happen, nothing is left waiting."""
        ledger = self._ledger
        ledger.end_us, ledger.ended = record.at_us, str(record.data["why"])
        if ledger.ended != "quiet":
            return
        for screen in ledger.screens.values():
            if screen.is_open and screen.has_worker:
                self._check_screen(record, screen)
        for owner, number in ledger.running:
            what = f"the registry's entry of {surrogate(number)} ({owner}) stays running"
            ledger.violated("settles", record, what, ledger.by_number.get(number))

    def _check_screen(self, record: Record, screen: Screen) -> None:
        for op in screen.unsettled.values():
            kept = op is screen.pending and screen.phase is Phase.RECOVERY_REQUIRED
            if op.owner == screen.owner and not kept:
                what = f"{name(op)} is neither settled nor kept, and nothing will happen any more"
                self._ledger.violated("settles", record, what, op)

    def _op(self, record: Record) -> OperationBook | None:
        return self._ledger.operation(record.client, record.op)


def open_operations(ledger: Ledger) -> int:
    """Return how many operations were still busy when the run ended at its horizon."""
    if ledger.ended == "quiet":
        return 0
    return sum(screen.phase in BUSY for screen in ledger.screens.values())
