"""What there is to be reached: the contract's closed sets, and where a trace shows each of them.

A rule that no story ever comes to is a rule that nobody has seen work. So everything that the
contract tells apart (phases, reasons, judgements, rows, steps) and everything that the network
and the server can be made to do wrong is listed here, once, from the very enums that the machines
use: a member that is added without a scenario that comes to it is found at once.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple, TypeAlias, assert_never

from sim.contract.client.rows import Row, Verdict
from sim.contract.messages import RefusalKind, Status
from sim.contract.phases import Phase, Reason
from sim.contract.server.state import Step
from sim.network.faults import (
    AnswerError,
    Clause,
    Crash,
    CrashPoint,
    Cut,
    CutWhat,
    HappeningKind,
    HoldUntil,
    MessageClause,
    MessageKind,
    Order,
    ServerClause,
    Slow,
)
from sim.scenario.clause_text import clause_keys
from sim.trace.records import Rec, Record


class Set(StrEnum):
    """The closed sets, as reports call them."""

    PHASE = "phases on the screen"
    REASON = "reasons on the screen"
    JUDGEMENT = "judgements of an answer"
    ROW = "the client's table"
    STEP = "the server's table"
    DECISION = "what a write is answered"
    STATUS = "what a status query is answered"
    FAULT = "what can go wrong"


class Item(NamedTuple):
    """One member of a closed set."""

    of: Set
    name: str


class ByMistake(NamedTuple):
    """Why the contract itself never comes to an item, and which mistakes do."""

    mistakes: tuple[str, ...]
    why: str


_DECISIONS = (
    "claimed",
    "committed",
    "replay",
    *(kind.value for kind in RefusalKind),
    "waits",
    "queued",
    "500",
    "502",
    "503",
    "504",
)
_FAULTS = (
    "drop",
    "delay",
    *(f"hold until {event.value}" for event in HappeningKind),
    "duplicate",
    "resend",
    "corrupt",
    "reset",
    "fail",
    *(f"crash {point.value}" for point in CrashPoint),
    "error before_commit",
    "error after_commit",
    "slow",
    "slow behind a gateway",
    *(f"cut {what.value}" for what in CutWhat),
    "order",
    "order at an instant",
)

ITEMS: tuple[Item, ...] = (
    *(Item(Set.PHASE, phase.value) for phase in Phase),
    *(Item(Set.REASON, reason.value) for reason in Reason if reason is not Reason.NONE),
    *(Item(Set.JUDGEMENT, verdict.value) for verdict in Verdict),
    *(Item(Set.ROW, row.value) for row in Row),
    *(Item(Set.STEP, step.value) for step in Step),
    *(Item(Set.DECISION, name) for name in _DECISIONS),
    *(Item(Set.STATUS, status.value) for status in Status),
    *(Item(Set.FAULT, name) for name in _FAULTS),
)
"""Everything that has to be reached, in the order of the contract."""

_BELIEVES = ("timeout-means-failure", "server-error-means-failure", "not-found-means-never")

BY_MISTAKE: dict[Item, ByMistake] = {
    Item(Set.REASON, Reason.ASSUMED_FAILED.value): ByMistake(
        _BELIEVES, "the contract never says 'not saved' of an outcome that nobody knows"
    ),
    Item(Set.ROW, Row.ACK_THROWN_AWAY.value): ByMistake(
        ("ack-ignored-when-edited",), "rule 4 accepts a right ack, however far the draft is"
    ),
    Item(Set.ROW, Row.SAVE_BLOCKED_BY_HINT.value): ByMistake(
        ("offline-hint-blocks",), "the hint is only a hint and blocks nothing"
    ),
    Item(Set.ROW, Row.ASSUMED_FAILED.value): ByMistake(
        _BELIEVES, "the contract never takes an unknown outcome for a failure"
    ),
}
"""What a mistake alone comes to. The list is exact: tests compare it with what is reached."""


def shown_by(record: Record) -> Iterator[Item]:
    """Yield the items that one record of a trace shows."""
    data = record.data
    if record.rule and not _repeats(record):
        of = Set.STEP if record.rule.startswith("server.") else Set.ROW
        yield Item(of, record.rule)
    match record.kind:
        case Rec.SHOW:
            yield Item(Set.PHASE, str(data["phase"]))
            if data["reason"]:
                yield Item(Set.REASON, str(data["reason"]))
        case Rec.ANSWER:
            yield Item(Set.JUDGEMENT, str(data["verdict"]))
        case Rec.DECIDED:
            of = Set.STATUS if record.rule == Step.STATUS else Set.DECISION
            yield Item(of, str(data["decision"]))
        case Rec.SENT if data["message"] == MessageKind.READ_ANSWER:
            # A read decides nothing, so no record names its step: the answer that leaves shows it.
            yield Item(Set.STEP, Step.READ.value)
        case _:
            pass


def _repeats(record: Record) -> bool:
    """Whether the rule is that of another record: a launch's event, and a commit's answer."""
    of_the_commit = record.kind is Rec.DECIDED and record.rule == Step.COMMIT
    return record.kind is Rec.LAUNCH or of_the_commit


def fault_item(clause: Clause) -> Item:
    """Return the item that a fault shows once it has struck."""
    name = next(iter(clause_keys(clause, None)))
    match clause:
        case MessageClause():
            if isinstance(clause.action, HoldUntil):
                name = f"hold until {clause.action.until.event.value}"
        case ServerClause():
            name = _server_fault(clause.action)
        case Cut():
            name = f"cut {clause.what.value}"
        case Order():
            name = "order" if clause.at_us is None else "order at an instant"
        case _:
            assert_never(clause)
    return Item(Set.FAULT, name)


_AtServer: TypeAlias = Crash | AnswerError | Slow


def _server_fault(action: _AtServer) -> str:
    match action:
        case Crash():
            return f"crash {action.at.value}"
        case AnswerError():
            return f"error {'after' if action.after_commit else 'before'}_commit"
        case Slow():
            return "slow" if action.gateway_us is None else "slow behind a gateway"
        case _:
            assert_never(action)
