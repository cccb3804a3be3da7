"""Checks on answers: the judge applies rules 1 to 3 itself, whatever the client judged."""

from enum import StrEnum
from typing import Final

from sim.contract.body import Body
from sim.contract.client.rows import Row, Verdict
from sim.judge.book import CLEARED, OperationBook, Screen
from sim.judge.clients import ClientChecks
from sim.judge.ledger import Spot, name
from sim.trace.listener import Result
from sim.trace.records import Record, surrogate

_COMPLETED: Final = "completed"
_TURNED_AWAY: Final = frozenset({"throttled", "unauthenticated", "invalid", "conflict", "mismatch"})
_FINAL: Final = frozenset({"invalid", "conflict", "mismatch"})
"""Refusals that end an attempt. After an earlier attempt with an unknown outcome the client does
not believe them and a person decides; the attempt itself is refused all the same."""
_REFUSALS: Final = frozenset(
    {"invalid", "unauthenticated", "conflict", "in-flight", "mismatch", "expired", "throttled"}
)


class Own(StrEnum):
    """What §3 says of an answer."""

    STALE = "stale"
    INVALID = "invalid"
    ACCEPTED = "accepted"
    OTHER = "other"


# Named here because on Python 3.11 reading a member off its enum costs as much as a call.
_STALE: Final = Own.STALE
_INVALID: Final = Own.INVALID
_ACCEPTED: Final = Own.ACCEPTED
_OTHER: Final = Own.OTHER
_TAKEN: Final = Verdict.ACCEPTED
_REFUSAL: Final = Verdict.REFUSAL
_INERT: Final = (Own.STALE, Own.INVALID)


class AnswerChecks(ClientChecks):
    """The invariants that the judging of answers can break."""

    def answer(
        self,
        at_us: int,
        client: str,
        resource: str,
        number: int,
        attempt: int,
        rule: str,
        _msg: int,
        _copy: int,
        _sent_us: int,
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
        """The answer to a request reaches a client."""
        ledger = self._ledger
        ledger.seq += 1
        screen = self._screens[client, resource]
        pending = screen.pending
        own = _STALE
        if pending is not None and names == pending.number:
            any_attempt = result is not None and ledger.any_attempt[client]
            if names_attempt == pending.attempt or any_attempt:
                own = _own(pending, result)
        op = ledger.operation(client, number)
        tally = ledger.of_client[client]
        tally.answers += 1
        if answer == "ack":
            tally.acks[verdict] = tally.acks.get(verdict, 0) + 1
        elif answer in _REFUSALS:
            tally.refused[answer] = tally.refused.get(answer, 0) + 1
        if op is not None:
            op.under_way -= 1
            if answer == "ack":
                if op.acks is None:
                    op.acks = {}
                op.acks[verdict] = op.acks.get(verdict, 0) + 1
        if changed and own in _INERT:
            what = f"{_an(own)} answer changed what the client holds or shows"
            ledger.violated("stale-ack-inert", Spot(at_us, client, resource, number), what)
        accepted = verdict == _TAKEN
        if own is _ACCEPTED and pending is not None and result is not None:
            self._confirmed(at_us, screen, pending, result, accepted=accepted)
        elif own is _OTHER and pending is not None and verdict == _REFUSAL:
            self._refused(at_us, screen, pending, answer, ends=rule == Row.REFUSED)
        must, clean = reply_to in ledger.must_settle, reply_to in ledger.clean_answers
        if must:
            del ledger.must_settle[reply_to]
        if clean:
            del ledger.clean_answers[reply_to]
        if accepted or op is None or corrupted or attempt != op.attempt:
            return
        if op.is_settled or op.owner != screen.owner:
            return
        final = answer in _FINAL
        self._check_confirms(at_us, screen, op, must=must, clean=clean and not final)

    def told(self, record: Record) -> None:
        """A status answer or a read reaches a client."""
        data = record.data
        screen = self._screens[record.client, record.resource]
        if data["message"] == "read_answer":
            self._read(record, screen)
            return
        pending = screen.pending
        result = _result(record)
        own = Own.STALE
        if pending is not None and data["names"] == surrogate(pending.number):
            own = _own(pending, result)
        if data["changed"] and own in _INERT:
            what = f"{_an(own)} answer changed what the client holds or shows"
            self._ledger.violated("stale-ack-inert", record, what)
        if own is Own.ACCEPTED and pending is not None and result is not None:
            accepted = data["verdict"] == Verdict.ACCEPTED
            self._confirmed(record.at_us, screen, pending, result, accepted=accepted)

    def _confirmed(
        self, at_us: int, screen: Screen, op: OperationBook, result: Result, *, accepted: bool
    ) -> None:
        """What confirms the pending operation leaves a newer draft, and settles."""
        if screen.draft_version != op.draft_version and screen.dirty:
            screen.must_keep = (self._ledger.seq, screen.body)
        if accepted:
            stands_on = screen.incorporated.get(op.owner, 0)
            screen.incorporated[op.owner] = max(stands_on, result.version)
            self._ledger.settle(screen, op, at_us, acknowledged=True)

    def _refused(
        self, at_us: int, screen: Screen, op: OperationBook, answer: str, *, ends: bool
    ) -> None:
        """A refusal that the client took as one says that this attempt was not executed."""
        if answer not in _TURNED_AWAY:
            return
        op.fates[op.attempt] = CLEARED
        if ends:
            op.refused = answer
            if not op.may_have_effect:
                self._ledger.settle(screen, op, at_us)

    def _check_confirms(
        self, at_us: int, screen: Screen, op: OperationBook, *, must: bool, clean: bool
    ) -> None:
        """`answer-confirms` and `clean-attempt-settles`."""
        ledger = self._ledger
        if must:
            what = f"the answer to the last attempt of {name(op)}, which is stored, settled nothing"
            ledger.violated_on("answer-confirms", at_us, screen, what, op)
        calm = clean and ledger.trouble_seq < op.launch_seq and op.launched_clean
        if calm and at_us - op.launched_us <= ledger.policies[op.client].timeout_us:
            what = f"an undisturbed attempt of {name(op)} ended neither acknowledged nor refused"
            ledger.violated_on("clean-attempt-settles", at_us, screen, what, op)

    def _read(self, record: Record, screen: Screen) -> None:
        version = record.data["version"]
        assert isinstance(version, int)
        if record.rule == Row.READ_ADOPTED and not screen.dirty and screen.pending is None:
            stands_on = screen.incorporated.get(screen.owner, 0)
            screen.incorporated[screen.owner] = max(stands_on, version)
        elif record.rule == Row.READ_BESIDE:
            screen.read_version = version


def _an(own: Own) -> str:
    return "an invalid" if own is _INVALID else f"a {own.value}"


def _own(op: OperationBook, result: Result | None) -> Own:
    """Rule 3, for an answer that names the pending operation."""
    if result is None:
        return _OTHER
    fits = result.accepted_version == op.draft_version and result.body == op.body
    return _ACCEPTED if fits else _INVALID


def _result(record: Record) -> Result | None:
    """Return what a status answer says was stored, where it says ``completed``."""
    data = record.data
    if data["answer"] != _COMPLETED or "accepted_version" not in data:
        return None
    accepted, version = data["accepted_version"], data["version"]
    assert isinstance(accepted, int)
    assert isinstance(version, int)
    return Result(accepted, version, Body(str(data["body"])), bool(data["replayed"]))
