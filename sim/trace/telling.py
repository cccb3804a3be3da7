"""Tells records to a listener, each through the method that its kind has."""

from typing import Final

from sim.contract.body import Body
from sim.contract.phases import Phase, Reason
from sim.contract.server.state import Step
from sim.trace.listener import Listener, Result, Sent
from sim.trace.records import Rec, Record


def tell(record: Record, to: Listener) -> None:
    """Let ``to`` hear one record, as if it happened now."""
    teller = _TELLERS.get(record.kind)
    if teller is None or not teller(record, to):
        to.note(record)


def number_named(name: object) -> int:
    """Return the surrogate number behind ``op-1``; 0 for ``unknown``."""
    text = str(name)
    return int(text[3:]) if text.startswith("op-") else 0


def _edit(record: Record, to: Listener) -> bool:
    body = Body(_text(record, "body"))
    to.edit(record.at_us, record.client, record.resource, record.rule, body)
    return True


def _save(record: Record, to: Listener) -> bool:
    to.save(
        record.at_us,
        record.client,
        record.resource,
        record.op,
        record.rule,
        Body(_text(record, "body")),
        _whole(record, "draft_version"),
        bool(record.data["new_intent"]),
        bool(record.data["launches"]),
    )
    return True


def _launch(record: Record, to: Listener) -> bool:
    data = record.data
    sent = None
    if "sent_body" in data:
        body = Body(_text(record, "sent_body"))
        sent = Sent(body, _whole(record, "sent_expected_version"), number_named(data["wire"]))
    to.launch(
        record.at_us,
        record.client,
        record.resource,
        record.op,
        record.attempt,
        record.rule,
        _whole(record, "intent"),
        _text(record, "owner"),
        Body(_text(record, "body")),
        _whole(record, "draft_version"),
        _whole(record, "expected_version"),
        bool(data["irreversible"]),
        sent,
    )
    return True


def _arm(record: Record, to: Listener) -> bool:
    to.arm(
        record.at_us,
        record.client,
        record.resource,
        record.op,
        _text(record, "timer"),
        _whole(record, "number"),
        _whole(record, "delay_us"),
    )
    return True


def _timer(record: Record, to: Listener) -> bool:
    to.timer(
        record.at_us,
        record.client,
        record.resource,
        record.op,
        record.attempt,
        record.rule,
        _text(record, "timer"),
        _whole(record, "number"),
        bool(record.data["live"]),
    )
    return True


def _show(record: Record, to: Listener) -> bool:
    to.show(
        record.at_us,
        record.client,
        record.resource,
        _text(record, "owner"),
        Phase(_text(record, "phase")),
        Reason(_text(record, "reason")),
        Body(_text(record, "body")),
        _whole(record, "draft_version"),
        bool(record.data["dirty"]),
        _whole(record, "base_version"),
        _whole(record, "read_version") if "read_version" in record.data else None,
    )
    return True


def _answer(record: Record, to: Listener) -> bool:
    data = record.data
    if data["message"] != "ack":
        return False
    result = None
    if "accepted_version" in data:
        result = Result(
            _whole(record, "accepted_version"),
            _whole(record, "version"),
            Body(_text(record, "body")),
            bool(data["replayed"]),
        )
    to.answer(
        record.at_us,
        record.client,
        record.resource,
        record.op,
        record.attempt,
        record.rule,
        _whole(record, "msg"),
        _whole(record, "copy"),
        _whole(record, "sent_us"),
        _whole(record, "reply_to"),
        "corrupted" in data,
        _text(record, "answer"),
        _text(record, "verdict"),
        bool(data["changed"]),
        number_named(data["names"]),
        _whole(record, "names_attempt"),
        result,
    )
    return True


def _sent(record: Record, to: Listener) -> bool:
    to.sent(
        record.at_us,
        record.client,
        record.resource,
        record.op,
        record.attempt,
        _whole(record, "msg"),
        _text(record, "message"),
        _whole(record, "copy"),
    )
    return True


def _arrived(record: Record, to: Listener) -> bool:
    if record.data["message"] != "request":
        return False
    to.arrived(
        record.at_us,
        record.client,
        record.resource,
        record.op,
        record.attempt,
        _whole(record, "msg"),
        _whole(record, "copy"),
        _whole(record, "sent_us"),
        number_named(record.data["names"]),
        _text(record, "owner"),
        Body(_text(record, "body")),
        _whole(record, "draft_version"),
        _whole(record, "expected_version"),
    )
    return True


def _decided(record: Record, to: Listener) -> bool:
    data = record.data
    who = (record.at_us, record.client, record.resource, record.op, record.attempt)
    if record.rule == Step.CLAIM:
        to.claimed(*who, _whole(record, "msg"), _whole(record, "copy"))
        return True
    if "addressed_to" not in data:
        return False
    label = _text(record, "addressed_to").removeprefix("attempt-")
    to.decided(
        *who,
        record.rule,
        _whole(record, "msg"),
        _whole(record, "copy"),
        _text(record, "decision"),
        number_named(data["names"]),
        int(label) if label.isdigit() else 0,
        _whole(record, "version") if "version" in data else None,
    )
    return True


def _commit(record: Record, to: Listener) -> bool:
    to.commit(
        record.at_us,
        record.client,
        record.resource,
        record.op,
        record.attempt,
        _whole(record, "msg"),
        _whole(record, "copy"),
        _text(record, "on"),
        _whole(record, "version"),
        _whole(record, "replaced"),
        number_named(record.data["names"]),
        _text(record, "owner"),
        _text(record, "kind"),
        Body(_text(record, "body")),
        _whole(record, "draft_version"),
        _whole(record, "expected_version"),
    )
    return True


def _recorded(record: Record, to: Listener) -> bool:
    state, owner = _text(record, "state"), _text(record, "owner")
    to.recorded(record.at_us, record.resource, record.op, state, owner)
    return True


_TELLERS: Final = {
    Rec.EDIT: _edit,
    Rec.SAVE: _save,
    Rec.LAUNCH: _launch,
    Rec.ARM: _arm,
    Rec.TIMER: _timer,
    Rec.SHOW: _show,
    Rec.ANSWER: _answer,
    Rec.SENT: _sent,
    Rec.ARRIVED: _arrived,
    Rec.DECIDED: _decided,
    Rec.COMMIT: _commit,
    Rec.RECORDED: _recorded,
}


def _text(record: Record, key: str) -> str:
    value = record.data[key]
    assert isinstance(value, str), (record.kind, key)
    return value


def _whole(record: Record, key: str) -> int:
    value = record.data[key]
    assert isinstance(value, int), (record.kind, key)
    return value
