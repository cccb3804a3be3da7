"""The link: what becomes of each message, by clause and by weather.

A message is one wake with a callback. Clauses come before weather; what weather decides is drawn
by name, so that nothing else moves it.
"""

from collections.abc import Mapping
from typing import Final, assert_never

from sim.contract.body import Json
from sim.contract.messages import TransportError
from sim.engine.clock import DELIVERY, Clock, Wake
from sim.engine.draws import Block, Draws, Purpose
from sim.engine.mail import ANSWER_TO, Exchange, Message, Payload, copy_of, corrupted
from sim.engine.routes import Lane
from sim.network.faults import (
    Corrupt,
    CutWhat,
    DelayBy,
    Drop,
    Duplicate,
    Fail,
    Happening,
    HappeningKind,
    HoldUntil,
    MessageAction,
    MessageKind,
    Resend,
    Reset,
)
from sim.network.matching import Faults
from sim.trace.listener import Listener, tell_record
from sim.trace.records import Rec

_PURPOSE: Final = {
    MessageKind.REQUEST: (Purpose.WRITE, Purpose.WRITE_COPY),
    MessageKind.ACK: (Purpose.WRITE, Purpose.WRITE_COPY),
    MessageKind.STATUS: (Purpose.STATUS, Purpose.STATUS_COPY),
    MessageKind.STATUS_ANSWER: (Purpose.STATUS, Purpose.STATUS_COPY),
    MessageKind.READ: (Purpose.READ, Purpose.READ_COPY),
    MessageKind.READ_ANSWER: (Purpose.READ, Purpose.READ_COPY),
}
_WORDS: Final = {kind: kind.value for kind in MessageKind}
"""Looked up: asking a member for its value takes ten times as long."""
_ACTION_NAMES: dict[type, str] = {
    Drop: "drop",
    DelayBy: "delay",
    HoldUntil: "hold",
    Duplicate: "duplicate",
    Resend: "resend",
    Corrupt: "corrupt",
    Reset: "reset",
    Fail: "fail",
}
_COPY_SPREAD_US: Final = 10_000
"""By chance, a second copy leaves this long after the first."""

_CORRUPTIBLE: Final = ("operation_id", "accepted_version", "body")


class Ends:
    """Who hears what the network carries; of itself nobody, as before a run and after it."""

    def to_server(self, message: Message, now_us: int) -> None:
        """A message arrives at the server."""
        raise AssertionError((message, now_us))

    def to_client(self, message: Message, now_us: int) -> None:
        """An answer arrives at a client that still hears it."""
        raise AssertionError((message, now_us))

    def to_client_broken(
        self, exchange: Exchange, kind: MessageKind, error: TransportError, now_us: int
    ) -> None:
        """A client learns that an exchange broke."""
        raise AssertionError((exchange, kind, error, now_us))


class Held:
    """A message that waits for something to happen."""

    def __init__(self, message: Message, hold: HoldUntil, place: int) -> None:
        self.message = message
        self.hold = hold
        self.place = place

    def waits_for(self, kind: HappeningKind, client: str, nth: int, attempt: int) -> bool:
        """Whether this is what the message waits for."""
        until = self.hold.until
        return _fits(until, kind, client, nth, attempt)


def _fits(until: Happening, kind: HappeningKind, client: str, nth: int, attempt: int) -> bool:
    return (
        until.event is kind
        and until.client in (None, client)
        and until.operation in (None, nth)
        and (until.attempt in (None, attempt) or attempt == 0)
    )


class Network:
    """Carries messages between the clients and the server of one run."""

    def __init__(
        self, clock: Clock, draws: Draws, notes: Listener, faults: Faults, lifetime_us: int
    ) -> None:
        self._clock = clock
        self._draws = draws
        self._notes = notes
        self._faults = faults
        self.is_calm = faults.is_empty
        self._lifetime_us = lifetime_us
        self._messages = 0
        self._held: list[Held] = []
        self._happened: list[tuple[HappeningKind, str, int, int]] = []
        self.ends = Ends()

    # --- sending --------------------------------------------------------------------------------

    def ask(self, kind: MessageKind, payload: Payload, exchange: Exchange, now_us: int) -> None:
        """Send a client's message to the server."""
        self._messages += 1
        lane, number, nth = exchange.route.request, self._messages, exchange.intent.sends(kind)
        self._send(Message(number, kind, payload, exchange, lane, nth, now_us), now_us)

    def answer(self, asked: Message, payload: Payload, now_us: int) -> None:
        """Send the server's answer to the message that asked."""
        self._messages += 1
        exchange, kind = asked.exchange, ANSWER_TO[asked.kind]
        nth = exchange.intent.sends(kind)
        message = Message(
            self._messages,
            kind,
            payload,
            exchange,
            exchange.route.ack,
            nth,
            now_us,
            asked.connection,
            asked.number,
        )
        self._send(message, now_us)

    def _send(self, message: Message, now_us: int) -> None:
        self._clock.last_us = now_us
        exchange = message.exchange
        self._notes.sent(
            now_us,
            exchange.client,
            exchange.resource,
            exchange.op,
            exchange.attempt,
            message.number,
            message.kind,
            message.copy,
        )
        if self.is_calm:
            self._by_weather(message, 0, now_us)
        else:
            self._by_fault(message, now_us)

    def _by_fault(self, message: Message, now_us: int) -> None:
        """Let a cut or the first clause that matches decide; else the weather does."""
        client, is_answer = message.exchange.client, message.lane.is_answer
        cut = self._faults.cut(client, now_us, is_answer=is_answer)
        if cut is CutWhat.SERVER or cut is CutWhat.DNS:
            error = TransportError.REFUSED if cut is CutWhat.SERVER else TransportError.DNS
            self._never_left(message, error, f"cut {cut.value}", now_us)
        elif cut is not None:
            self.lose(message, f"cut {cut.value}", now_us)
        else:
            matched = self._faults.on_message(message.address)
            if matched is None:
                self._by_weather(message, 0, now_us)
            else:
                what: dict[str, Json] = {
                    "clause": matched.place + 1,
                    "action": _ACTION_NAMES[type(matched.action)],
                }
                self._note(Rec.FAULT, message, what, now_us)
                self._by_clause(message, matched.action, matched.place, now_us)

    def _by_clause(self, message: Message, action: MessageAction, place: int, now_us: int) -> None:
        match action:
            case Drop():
                self.lose(message, f"fault {place + 1}", now_us)
            case DelayBy(by_us):
                self._by_weather(message, by_us, now_us)
            case HoldUntil():
                self._hold(message, action, place, now_us)
            case Duplicate(after_us):
                self._copy_later(message, now_us + after_us, resends=False)
                self._by_weather(message, 0, now_us)
            case Resend(after_us):
                resends = not message.lane.is_answer
                self._copy_later(message, now_us + after_us, resends=resends)
                self._by_weather(message, 0, now_us)
            case Corrupt(fields):
                message.payload = corrupted(message.payload, fields)
                message.is_corrupted = True
                self._by_weather(message, 0, now_us)
            case Reset():
                self._reset(message, now_us)
            case Fail(error):
                self._never_left(message, error, f"fault {place + 1}", now_us)
            case _:
                assert_never(action)

    # --- what happens to one message ------------------------------------------------------------

    def _by_weather(self, message: Message, extra_us: int, now_us: int) -> None:
        """Lose it, copy it, corrupt it, or deliver it after its latency: by chance."""
        lane, exchange = message.lane, message.exchange
        after_us = lane.certain_us
        if after_us is None:
            which = exchange.intent.number << 32 | message.nth << 8 | message.copy  # As packed().
            purpose, copy_purpose = _PURPOSE[message.kind]
            first = self._draws.block(purpose, exchange.route.index, which)
            odds = lane.loss
            if lane.second:
                second = self._draws.block(copy_purpose, exchange.route.index, which)
                self._copied_or_corrupted(message, lane, second, now_us)
            if lane.burst is not None:
                odds = 1.0 - (1.0 - odds) * (1.0 - lane.burst.loss_at(now_us))
            lost, late = (first[2], first[3]) if lane.is_answer else (first[0], first[1])
            if lost < odds:
                self.lose(message, "loss", now_us)
                return
            after_us = lane.latency_us
            if after_us is None:
                after_us = lane.weather.latency.at(late)
        at_us = now_us + after_us + extra_us
        self._clock.at(at_us, DELIVERY, exchange.client, self._arrive, message)

    def _copied_or_corrupted(
        self, message: Message, lane: Lane, second: Block, now_us: int
    ) -> None:
        copied, spoilt = (second[2], second[3]) if lane.is_answer else (second[0], second[1])
        if copied < lane.weather.duplicate and message.copy == 1:
            self._copy_later(message, now_us + _COPY_SPREAD_US, resends=False)
        corruptible = message.kind in (MessageKind.ACK, MessageKind.STATUS_ANSWER)
        if corruptible and spoilt < lane.weather.corrupt:
            share = spoilt / lane.weather.corrupt
            name = _CORRUPTIBLE[min(int(share * len(_CORRUPTIBLE)), len(_CORRUPTIBLE) - 1)]
            value: Json = 0 if name == "accepted_version" else f"corrupted {message.number}"
            message.payload = corrupted(message.payload, ((name, value),))
            message.is_corrupted = True

    def _deliver(self, message: Message, at_us: int) -> None:
        self._clock.at(at_us, DELIVERY, message.exchange.client, self._arrive, message)

    def _arrive(self, wake: Wake) -> None:
        message: Message = wake.what
        now_us = wake.at_us
        exchange = message.exchange
        if now_us - message.born_us > self._lifetime_us:
            self.lose(message, "too old", now_us)
        elif not message.lane.is_answer:
            self.ends.to_server(message, now_us)
        elif exchange.page != exchange.route.page:
            self.lose(message, "page gone", now_us)
        elif exchange.is_broken or message.connection != exchange.connection:
            self.lose(message, "connection gone", now_us)
        else:
            self.ends.to_client(message, now_us)

    def lose(self, message: Message, why: str, now_us: int) -> None:
        """Lose a message: under way, at a server that cannot take it, or at a page that is gone."""
        self._note(Rec.LOST, message, {"why": why}, now_us)

    def _copy_later(self, message: Message, at_us: int, *, resends: bool) -> None:
        act = self._resend if resends else self._send_copy
        self._clock.at(at_us, DELIVERY, message.exchange.client, act, message)

    def _send_copy(self, wake: Wake) -> None:
        message: Message = wake.what
        self._messages += 1
        self._send(copy_of(message, self._messages, wake.at_us), wake.at_us)

    def _resend(self, wake: Wake) -> None:
        """Send a copy over a connection of its own."""
        message: Message = wake.what
        self._messages += 1
        copied = copy_of(message, self._messages, wake.at_us)
        message.exchange.connection += 1
        copied.connection = message.exchange.connection
        self._send(copied, wake.at_us)

    def _reset(self, message: Message, now_us: int) -> None:
        exchange = message.exchange
        if not message.lane.is_answer:
            self._by_weather(message, 0, now_us)
            exchange.is_broken = True
            self._tell_broken(message, TransportError.RESET, now_us)
            return
        latency = exchange.route.ack.weather.latency
        self.lose(message, "reset", now_us)
        self._tell_broken(message, TransportError.RESET, now_us + latency.at(0.0))

    def _never_left(self, message: Message, error: TransportError, why: str, now_us: int) -> None:
        """The client learns at once; of a copy that was sent before, something may be out."""
        self.lose(message, why, now_us)
        if message.lane.is_answer:
            return
        seen = error if message.copy == 1 else TransportError.RESET
        self._tell_broken(message, seen, now_us)

    def _tell_broken(self, message: Message, error: TransportError, at_us: int) -> None:
        exchange = message.exchange
        asked = _ASKED.get(message.kind, message.kind)
        self._clock.at(at_us, DELIVERY, exchange.client, self._breaks, (exchange, asked, error))

    def _breaks(self, wake: Wake) -> None:
        what: tuple[Exchange, MessageKind, TransportError] = wake.what
        exchange, asked, error = what
        if exchange.page == exchange.route.page:
            exchange.is_broken = True
            self.ends.to_client_broken(exchange, asked, error, wake.at_us)

    # --- holding --------------------------------------------------------------------------------

    def _hold(self, message: Message, hold: HoldUntil, place: int, now_us: int) -> None:
        held = Held(message, hold, place)
        if any(held.waits_for(*happened) for happened in self._happened):
            self._deliver(message, now_us + hold.then_us)
            return
        self._held.append(held)
        self._note(Rec.HELD, message, {"until": hold.until.event.value}, now_us)

    def happened(
        self, kind: HappeningKind, client: str, nth: int, attempt: int, now_us: int
    ) -> None:
        """Something happened to an operation: let go of what waited for it."""
        self._happened.append((kind, client, nth, attempt))
        for held in [item for item in self._held if item.waits_for(kind, client, nth, attempt)]:
            self._held.remove(held)
            self._deliver(held.message, now_us + held.hold.then_us)

    @property
    def still_held(self) -> tuple[int, ...]:
        """The places of the clauses whose message was never let go."""
        return tuple(held.place for held in self._held)

    def _note(self, kind: Rec, message: Message, more: Mapping[str, Json], now_us: int) -> None:
        exchange = message.exchange
        data: dict[str, Json] = {
            "msg": message.number,
            "message": _WORDS[message.kind],
            "copy": message.copy,
        }
        data.update(more)
        self._clock.last_us = now_us
        client, resource = exchange.client, exchange.resource
        op, attempt = exchange.op, exchange.attempt
        tell_record(self._notes, now_us, kind, client, resource, op, attempt, "", data)


_ASKED: Final = {answer: asked for asked, answer in ANSWER_TO.items()}
