"""Checks on what the link carries and what the server does."""

from sim.contract.body import Json
from sim.contract.messages import attempt_label
from sim.contract.phases import Phase
from sim.contract.server.state import Step
from sim.judge.book import EffectBook, OperationBook, Screen, SentSnapshot
from sim.judge.ledger import BUSY, Ledger, name
from sim.trace.records import Record, surrogate

_UNDISTURBED = frozenset(
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
_NOT_YET = frozenset({Step.CLAIM.value, Step.WAITS.value})
_ACK_DECISIONS = frozenset({"committed", "replay"})


class ServerChecks:
    """The invariants that the server can break, and the bookkeeping of messages under way."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    # --- the link -------------------------------------------------------------------------------

    def sent(self, record: Record) -> None:
        """A message of an operation is under way; a second copy is trouble."""
        if record.data["copy"] != 1:
            self._ledger.trouble_seq = record.seq
        op = self._op(record)
        if op is not None and record.data["message"] in ("request", "ack"):
            op.under_way += 1

    def lost(self, record: Record) -> None:
        """A message is lost."""
        self._ledger.trouble_seq = record.seq
        if record.data["why"] == "gateway gave up":
            return  # It has arrived long since; only its answer is relayed to nobody.
        op = self._op(record)
        if op is not None and record.data["message"] in ("request", "ack"):
            op.under_way -= 1

    def trouble(self, record: Record) -> None:
        """Something went wrong: no attempt under way now is undisturbed."""
        self._ledger.trouble_seq = record.seq

    def arrived(self, record: Record) -> None:
        """A message reaches the server."""
        data = record.data
        if data["message"] != "request":
            return
        ledger = self._ledger
        op = self._op(record)
        if op is not None:
            op.under_way -= 1
            op.deliveries += 1
        ledger.tally.deliveries += 1
        ledger.tally_of(record.client).deliveries += 1
        ledger.arrived[_whole(data["msg"])] = SentSnapshot(
            str(data["owner"]),
            str(data["body"]),
            _whole(data["draft_version"]),
            _whole(data["expected_version"]),
        )

    # --- decisions ------------------------------------------------------------------------------

    def decided(self, record: Record) -> None:
        """The server decides about a request or a query."""
        ledger, data = self._ledger, record.data
        if record.rule == Step.STATUS:
            if data["decision"] == "completed":
                self._check_owner(record, str(data["owner"]), str(data["names"]))
            return
        op = self._op(record)
        if record.rule in _NOT_YET:
            if record.rule == Step.CLAIM and op is not None:
                op.executing += 1
                ledger.claimed[_whole(data["msg"])] = op
            return
        if data["decision"] == "queued":
            return
        number = _whole(data["msg"])
        if record.rule != Step.GATEWAY:
            claimed = ledger.claimed.pop(number, None)
            if claimed is not None:
                claimed.executing -= 1
        if record.rule == Step.CAPACITY:
            ledger.tally.turned_away += 1
        snapshot = ledger.arrived.get(number)
        if snapshot is None:
            return
        if record.rule == Step.GATEWAY:
            ledger.given_up[number] = True
            return
        del ledger.arrived[number]
        heard = not ledger.given_up.pop(number, False)
        self._judge_decision(record, op if heard else None, number, snapshot)

    def _judge_decision(
        self, record: Record, op: OperationBook | None, number: int, snapshot: SentSnapshot
    ) -> None:
        ledger, decision = self._ledger, record.data["decision"]
        names = str(record.data["names"])
        effect = ledger.effects.get((snapshot.owner, names))
        if decision in _ACK_DECISIONS:
            self._check_owner(record, snapshot.owner, names)
            if effect is not None and effect.snapshot != snapshot:
                what = f"{names} stands for another snapshot, and this one is acknowledged"
                ledger.violated("same-id-same-snapshot", record, what)
        if decision == "conflict" and effect is not None and effect.snapshot == snapshot:
            if record.at_us - effect.committed_us <= ledger.repeat_us:
                ledger.tally.false_conflicts += 1
                what = f"a repeat of {names}, which is committed, is told conflict"
                ledger.violated("no-false-conflict", record, what)
        if op is None or record.rule not in _UNDISTURBED:
            return
        ledger.clean_answers[number] = True
        kept = op.effects > 0 and record.at_us - op.committed_us <= ledger.retention_us
        if kept and record.attempt == op.attempt:
            ledger.must_settle[number] = True

    def _check_owner(self, record: Record, owner: str, names: str) -> None:
        owners = self._ledger.owners_of.get(names)
        if owners and owner not in owners:
            what = f"{owner} is shown the result of {names}, which belongs to {next(iter(owners))}"
            self._ledger.violated("owner-isolation", record, what)

    def commit(self, record: Record) -> None:
        """One effect."""
        ledger, data = self._ledger, record.data
        owner, names = str(data["owner"]), str(data["names"])
        body, version = str(data["body"]), _whole(data["version"])
        ledger.resources[str(data["on"])] = (version, body)
        ledger.tally.effects += 1
        ledger.tally_of(record.client).effects += 1
        snapshot = SentSnapshot(
            owner, body, _whole(data["draft_version"]), _whole(data["expected_version"])
        )
        self._check_same_snapshot(record, (owner, names), snapshot)
        op = self._op(record)
        is_own = op is not None and (record.attempt > 0 or op.body == body)
        if data["kind"] == "put":
            self._check_overwrite(record, op if is_own and record.attempt else None)
        if op is not None and is_own:
            self._count_effect(record, op, body)

    def _check_same_snapshot(
        self, record: Record, key: tuple[str, str], snapshot: SentSnapshot
    ) -> None:
        ledger = self._ledger
        effect = ledger.effects.get(key)
        if effect is None:
            ledger.effects[key] = EffectBook(snapshot, record.at_us)
            ledger.owners_of.setdefault(key[1], {})[key[0]] = True
        elif effect.snapshot != snapshot:
            what = f"{key[1]} stands for two snapshots, and both had an effect"
            ledger.violated("same-id-same-snapshot", record, what)

    def _check_overwrite(self, record: Record, op: OperationBook | None) -> None:
        data = record.data
        if data["expected_version"] != data["replaced"]:
            what = f"version {data['replaced']} was replaced, {data['expected_version']} expected"
            self._ledger.violated("no-blind-overwrite", record, what)
        elif op is not None and op.is_blind:
            what = f"{name(op)} replaced version {data['replaced']}, which its draft never took in"
            self._ledger.violated("no-blind-overwrite", record, what, op)

    def _count_effect(self, record: Record, op: OperationBook, body: str) -> None:
        ledger = self._ledger
        op.effects += 1
        op.effect_bodies.append(body)
        if op.effects == 1:
            op.committed_us = record.at_us
        op.intent.effects += 1
        if op.intent.effects > 1:
            label = attempt_label(record.attempt)
            what = f"what was wanted once is stored twice ({name(op)}, {label})"
            ledger.violated("one-effect-per-intent", record, what, op)
        if op.shown_failed:
            what = f"{name(op)} was shown as not saved, and is stored now"
            ledger.violated("no-false-failure", record, what, op)

    def recorded(self, record: Record) -> None:
        """The registry's entry of an operation changes."""
        state, owner = str(record.data["state"]), str(record.data["owner"])
        names = surrogate(record.op)
        key = (owner, record.op)
        if state == "running":
            self._ledger.running[key] = True
            return
        self._ledger.running.pop(key, None)
        if state == "error":
            what = f"a transient error is stored as the result of {names}"
            self._ledger.violated("completed-means-committed", record, what)
        elif state == "completed" and (owner, names) not in self._ledger.effects:
            what = f"the registry says completed of {names}, and nothing is committed"
            self._ledger.violated("completed-means-committed", record, what)

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
        return self._ledger.operations.get((record.client, record.op))


def open_operations(ledger: Ledger) -> int:
    """Return how many operations were still busy when the run ended at its horizon."""
    if ledger.ended == "quiet":
        return 0
    return sum(screen.phase in BUSY for screen in ledger.screens.values())


def _whole(value: Json) -> int:
    assert isinstance(value, int)
    return value

