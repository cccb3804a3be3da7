"""Checks on answers: the judge applies rules 1 to 3 itself, whatever the client judged."""

from enum import StrEnum

from sim.contract.client.rows import Row, Verdict
from sim.judge.book import CLEARED, OperationBook, Screen, Tally
from sim.judge.ledger import Ledger, name
from sim.trace.records import Record, surrogate

_COMPLETED = "completed"
_TURNED_AWAY = frozenset({"throttled", "unauthenticated", "invalid", "conflict", "mismatch"})
_FINAL = frozenset({"invalid", "conflict", "mismatch"})
"""Refusals that end an attempt. After an earlier attempt with an unknown outcome the client does
not believe them and a person decides; the attempt itself is refused all the same."""
_REFUSALS = frozenset(
    {"invalid", "unauthenticated", "conflict", "in-flight", "mismatch", "expired", "throttled"}
)


class Own(StrEnum):
    """What §3 says of an answer."""

    STALE = "stale"
    INVALID = "invalid"
    ACCEPTED = "accepted"
    OTHER = "other"


class AnswerChecks:
    """The invariants that the judging of answers can break."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def answer(self, record: Record) -> None:
        """An answer reaches a client."""
        data = record.data
        screen = self._ledger.screens[record.client, record.resource]
        if data["message"] == "read_answer":
            self._read(record, screen)
            return
        is_write = data["message"] == "ack"
        is_ack = data["answer"] in ("ack", _COMPLETED) and "accepted_version" in data
        op = screen.pending
        own = self._own_verdict(record, screen, op, is_ack=is_ack)
        if is_write:
            self._count(record)
            self._arrived(record)
        if own in (Own.STALE, Own.INVALID) and data["changed"]:
            what = f"a {own.value} answer changed what the client holds or shows"
            self._ledger.violated("stale-ack-inert", record, what)
        accepted = data["verdict"] == Verdict.ACCEPTED
        if own is Own.ACCEPTED and op is not None:
            if screen.draft_version != op.draft_version and screen.dirty:
                screen.must_keep = (record.seq, screen.body)
            if accepted:
                self._settled(record, screen, op)
        elif own is Own.OTHER and is_write and op is not None:
            self._refused(record, screen, op)
        if is_write:
            self._check_confirms(record, screen, accepted=accepted)

    def _own_verdict(
        self, record: Record, screen: Screen, op: OperationBook | None, *, is_ack: bool
    ) -> Own:
        data = record.data
        if op is None or data["names"] != surrogate(op.number):
            return Own.STALE
        if data["message"] == "ack" and data["names_attempt"] != op.attempt:
            if not (is_ack and self._ledger.any_attempt[screen.client]):
                return Own.STALE
        if not is_ack:
            return Own.OTHER
        fits = data["accepted_version"] == op.draft_version and data["body"] == op.body
        return Own.ACCEPTED if fits else Own.INVALID

    def _settled(self, record: Record, screen: Screen, op: OperationBook) -> None:
        version = record.data["version"]
        assert isinstance(version, int)
        stands_on = screen.incorporated.get(op.owner, 0)
        screen.incorporated[op.owner] = max(stands_on, version)
        self._ledger.settle(screen, op, record.at_us, acknowledged=True)

    def _refused(self, record: Record, screen: Screen, op: OperationBook) -> None:
        """A refusal that the client took as one says that this attempt was not executed."""
        answer = str(record.data["answer"])
        if record.data["verdict"] != Verdict.REFUSAL or answer not in _TURNED_AWAY:
            return
        op.fates[op.attempt] = CLEARED
        if record.rule == Row.REFUSED:
            op.refused = answer
            if not op.may_have_effect:
                self._ledger.settle(screen, op, record.at_us)

    def _check_confirms(self, record: Record, screen: Screen, *, accepted: bool) -> None:
        """`answer-confirms` and `clean-attempt-settles`."""
        reply_to = record.data["reply_to"]
        assert isinstance(reply_to, int)
        must = self._ledger.must_settle.pop(reply_to, False)
        clean = self._ledger.clean_answers.pop(reply_to, False)
        op = self._ledger.operations.get((record.client, record.op))
        if op is None or "corrupted" in record.data or record.attempt != op.attempt:
            return
        if accepted or op.is_settled or op.owner != screen.owner:
            return
        if must:
            what = f"the answer to the last attempt of {name(op)}, which is stored, settled nothing"
            self._ledger.violated("answer-confirms", record, what, op)
        calm = self._ledger.trouble_seq < op.launch_seq and op.launched_clean and clean
        timeout_us = self._ledger.policies[op.client].timeout_us
        in_time = record.at_us - op.launched_us <= timeout_us
        if calm and in_time and record.data["answer"] not in _FINAL:
            what = f"an undisturbed attempt of {name(op)} ended neither acknowledged nor refused"
            self._ledger.violated("clean-attempt-settles", record, what, op)

    def _arrived(self, record: Record) -> None:
        op = self._ledger.operations.get((record.client, record.op))
        if op is None:
            return
        op.under_way -= 1
        if record.data["answer"] == "ack":
            verdict = str(record.data["verdict"])
            op.acks[verdict] = op.acks.get(verdict, 0) + 1

    def _read(self, record: Record, screen: Screen) -> None:
        version = record.data["version"]
        assert isinstance(version, int)
        if record.rule == Row.READ_ADOPTED and not screen.dirty and screen.pending is None:
            stands_on = screen.incorporated.get(screen.owner, 0)
            screen.incorporated[screen.owner] = max(stands_on, version)
        elif record.rule == Row.READ_BESIDE:
            screen.read_version = version

    def _count(self, record: Record) -> None:
        for tally in (self._ledger.tally, self._ledger.tally_of(record.client)):
            _count_in(tally, record)


def _count_in(tally: Tally, record: Record) -> None:
    answer = str(record.data["answer"])
    tally.answers += 1
    if answer == "ack":
        verdict = str(record.data["verdict"])
        tally.acks[verdict] = tally.acks.get(verdict, 0) + 1
    elif answer in _REFUSALS:
        tally.refused[answer] = tally.refused.get(answer, 0) + 1
