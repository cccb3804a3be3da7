"""The link: what becomes of each message, by clause and by weather.

A message is one wake with a callback. Clauses come before weather; what weather decides is drawn
by name, so that nothing else moves it.
"""

from collections.abc import Callable, Mapping
from typing import assert_never

from simpy.events import Event

from sim.contract.body import Json
from sim.contract.messages import TransportError
from sim.engine.clock import DELIVERY, Clock
from sim.engine.draws import Block, Draws, Purpose, packed
from sim.engine.mail import ANSWER_TO, Exchange, Message, Payload, copy_of, corrupted
from sim.engine.recorder import Recorder
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
    Reset,
    Resend,
)
from sim.network.matching import Faults
from sim.network.weather import Burst, Direction, Link
from sim.trace.records import Rec

_PURPOSE = {
    MessageKind.REQUEST: (Purpose.WRITE, Purpose.WRITE_COPY),
    MessageKind.ACK: (Purpose.WRITE, Purpose.WRITE_COPY),
    MessageKind.STATUS: (Purpose.STATUS, Purpose.STATUS_COPY),
    MessageKind.STATUS_ANSWER: (Purpose.STATUS, Purpose.STATUS_COPY),
    MessageKind.READ: (Purpose.READ, Purpose.READ_COPY),
    MessageKind.READ_ANSWER: (Purpose.READ, Purpose.READ_COPY),
}
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
_COPY_SPREAD_US = 10_000
"""By chance, a second copy leaves this long after the first."""

_CORRUPTIBLE = ("operation_id", "accepted_version", "body")

Arrival = Callable[[Message], None]
Breakage = Callable[[Exchange, MessageKind, TransportError], None]


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

    def __init__(  # noqa: PLR0913 - the parts of one run, wired once
        self,
        clock: Clock,
        draws: Draws,
        recorder: Recorder,
        faults: Faults,
        links: Mapping[str, Link],
        lifetime_us: int,
    ) -> None:
        self._clock = clock
        self._draws = draws
        self._recorder = recorder
        self._faults = faults
        self._links = links
        self._lifetime_us = lifetime_us
        self._messages = 0
        self._counts: dict[tuple[int, int, MessageKind], int] = {}
        self._held: list[Held] = []
        self._happened: list[tuple[HappeningKind, str, int, int]] = []
        self._bursts: dict[tuple[str, bool], BurstChain] = {}
        self.to_server: Arrival
        self.to_client: Arrival
        self.to_client_broken: Breakage
        self.page_of: Callable[[str], int | None]

    # --- sending --------------------------------------------------------------------------------

    def ask(self, kind: MessageKind, payload: Payload, exchange: Exchange) -> None:
        """Send a client's message to the server."""
        self._send(self._new(kind, payload, exchange, connection=1))

    def answer(self, asked: Message, payload: Payload) -> None:
        """Send the server's answer to the message that asked."""
        kind = ANSWER_TO[asked.kind]
        message = self._new(kind, payload, asked.exchange, connection=asked.connection)
        message.reply_to = asked.number
        self._send(message)

    def _new(
        self, kind: MessageKind, payload: Payload, exchange: Exchange, connection: int
    ) -> Message:
        self._messages += 1
        key = (exchange.client_index, exchange.intent, kind)
        nth = self._counts[key] = self._counts.get(key, 0) + 1
        return Message(self._messages, kind, payload, exchange, nth, connection=connection)

    def _send(self, message: Message) -> None:
        message.sent_us = self._clock.now_us
        if message.copy == 1:
            message.born_us = message.sent_us
        self._note(Rec.SENT, message, {})
        if self._faults.is_empty:
            self._by_weather(message, extra_us=0)
            return
        exchange = message.exchange
        cut = self._faults.cut(
            exchange.client, self._clock.now_us, is_answer=message.kind.is_answer
        )
        if cut is CutWhat.SERVER or cut is CutWhat.DNS:
            error = TransportError.REFUSED if cut is CutWhat.SERVER else TransportError.DNS
            self._never_left(message, error, f"cut {cut.value}")
        elif cut is not None:
            self._lose(message, f"cut {cut.value}")
        else:
            matched = self._faults.on_message(message.address)
            if matched is None:
                self._by_weather(message, extra_us=0)
            else:
                self._note_fault(matched.place, matched.action, message)
                self._by_clause(message, matched.action, matched.place)

    def _by_clause(self, message: Message, action: MessageAction, place: int) -> None:
        match action:
            case Drop():
                self._lose(message, f"fault {place + 1}")
            case DelayBy(by_us):
                self._by_weather(message, extra_us=by_us)
            case HoldUntil():
                self._hold(message, action, place)
            case Duplicate(after_us):
                self._copy_later(message, after_us, resends=False)
                self._by_weather(message, extra_us=0)
            case Resend(after_us):
                self._copy_later(message, after_us, resends=not message.kind.is_answer)
                self._by_weather(message, extra_us=0)
            case Corrupt(fields):
                message.payload = corrupted(message.payload, fields)
                message.is_corrupted = True
                self._by_weather(message, extra_us=0)
            case Reset():
                self._reset(message)
            case Fail(error):
                self._never_left(message, error, f"fault {place + 1}")
            case _:
                assert_never(action)

    # --- what happens to one message ------------------------------------------------------------

    def _by_weather(self, message: Message, extra_us: int) -> None:
        """Lose it, copy it, corrupt it, or deliver it after its latency: by chance."""
        exchange = message.exchange
        link = self._links[exchange.client]
        is_answer = message.kind.is_answer
        direction = link.ack if is_answer else link.request
        if direction.is_certain:
            self._deliver(message, direction.latency.values_us[0] + extra_us)
            return
        which = packed(exchange.intent, message.nth, message.copy)
        purpose, copy_purpose = _PURPOSE[message.kind]
        first = self._draws.block(purpose, exchange.client_index, which)
        loss, share = (first[2], first[3]) if is_answer else (first[0], first[1])
        if direction.duplicate or direction.corrupt:
            second = self._draws.block(copy_purpose, exchange.client_index, which)
            self._copied_or_corrupted(message, direction, second)
        if loss < self._loss_now(exchange, direction, is_answer=is_answer):
            self._lose(message, "loss")
            return
        self._deliver(message, direction.latency.at(share) + extra_us)

    def _copied_or_corrupted(self, message: Message, direction: Direction, second: Block) -> None:
        at = 2 if message.kind.is_answer else 0
        if second[at] < direction.duplicate and message.copy == 1:
            self._copy_later(message, _COPY_SPREAD_US, resends=False)
        corruptible = message.kind in (MessageKind.ACK, MessageKind.STATUS_ANSWER)
        if corruptible and second[at + 1] < direction.corrupt:
            share = second[at + 1] / direction.corrupt
            name = _CORRUPTIBLE[min(int(share * len(_CORRUPTIBLE)), len(_CORRUPTIBLE) - 1)]
            value: Json = 0 if name == "accepted_version" else f"corrupted {message.number}"
            message.payload = corrupted(message.payload, ((name, value),))
            message.is_corrupted = True

    def _loss_now(self, exchange: Exchange, direction: Direction, *, is_answer: bool) -> float:
        if direction.burst is None:
            return direction.loss
        key = (exchange.client, is_answer)
        chain = self._bursts.get(key)
        if chain is None:
            purpose = Purpose.BURST_ACK if is_answer else Purpose.BURST_REQUEST
            chain = BurstChain(direction.burst, self._draws, purpose, exchange.client_index)
            self._bursts[key] = chain
        burst_loss = chain.loss_at(self._clock.now_us)
        return 1.0 - (1.0 - direction.loss) * (1.0 - burst_loss)

    def _deliver(self, message: Message, after_us: int) -> None:
        self._clock.at(after_us, DELIVERY, message.exchange.client, self._arrive, message)

    def _arrive(self, event: Event) -> None:
        message: Message = event._value  # noqa: SLF001 - the public property costs a check
        if self._clock.now_us - message.born_us > self._lifetime_us:
            self._lose(message, "too old")
            return
        if not message.kind.is_answer:
            self.to_server(message)
            return
        exchange = message.exchange
        if exchange.page != self.page_of(exchange.client):
            self._lose(message, "page gone")
        elif exchange.is_broken or message.connection != exchange.connection:
            self._lose(message, "connection gone")
        else:
            self.to_client(message)

    def _lose(self, message: Message, why: str) -> None:
        self._note(Rec.LOST, message, {"why": why})

    def lose_at_server(self, message: Message, why: str) -> None:
        """A message reached a server that cannot take it, or an answer that nobody relays."""
        self._lose(message, why)

    def _copy_later(self, message: Message, after_us: int, *, resends: bool) -> None:
        def send_copy(_: Event) -> None:
            self._messages += 1
            copied = copy_of(message, self._messages)
            if resends:
                message.exchange.connection += 1
                copied.connection = message.exchange.connection
            self._send(copied)

        self._clock.at(after_us, DELIVERY, message.exchange.client, send_copy, None)

    def _reset(self, message: Message) -> None:
        exchange = message.exchange
        if not message.kind.is_answer:
            self._by_weather(message, extra_us=0)
            exchange.is_broken = True
            self._tell_broken(message, TransportError.RESET, 0)
            return
        latency = self._links[exchange.client].ack.latency
        self._lose(message, "reset")
        self._tell_broken(message, TransportError.RESET, latency.at(0.0))

    def _never_left(self, message: Message, error: TransportError, why: str) -> None:
        """The client learns at once; of a copy that was sent before, something may be out."""
        self._lose(message, why)
        if message.kind.is_answer:
            return
        seen = error if message.copy == 1 else TransportError.RESET
        self._tell_broken(message, seen, 0)

    def _tell_broken(self, message: Message, error: TransportError, after_us: int) -> None:
        exchange = message.exchange
        asked = _ASKED.get(message.kind, message.kind)

        def tell(_: Event) -> None:
            if exchange.page == self.page_of(exchange.client):
                exchange.is_broken = True
                self.to_client_broken(exchange, asked, error)

        self._clock.at(after_us, DELIVERY, exchange.client, tell, None)

    # --- holding --------------------------------------------------------------------------------

    def _hold(self, message: Message, hold: HoldUntil, place: int) -> None:
        held = Held(message, hold, place)
        if any(held.waits_for(*happened) for happened in self._happened):
            self._deliver(message, hold.then_us)
            return
        self._held.append(held)
        self._note(Rec.HELD, message, {"until": hold.until.event.value})

    def happened(self, kind: HappeningKind, client: str, nth: int, attempt: int) -> None:
        """Something happened to an operation: let go of what waited for it."""
        if self._faults.is_empty:
            return
        self._happened.append((kind, client, nth, attempt))
        for held in [item for item in self._held if item.waits_for(kind, client, nth, attempt)]:
            self._held.remove(held)
            self._deliver(held.message, held.hold.then_us)

    @property
    def still_held(self) -> tuple[int, ...]:
        """The places of the clauses whose message was never let go."""
        return tuple(held.place for held in self._held)

    # --- records --------------------------------------------------------------------------------

    def _note(self, kind: Rec, message: Message, more: Mapping[str, Json]) -> None:
        exchange = message.exchange
        data: dict[str, Json] = {
            "msg": message.number,
            "message": message.kind.value,
            "copy": message.copy,
            **more,
        }
        self._recorder.record(
            self._clock.now_us,
            kind,
            exchange.client,
            exchange.resource,
            exchange.op,
            exchange.attempt,
            "",
            data,
        )

    def _note_fault(self, place: int, action: MessageAction, message: Message) -> None:
        name = _ACTION_NAMES[type(action)]
        self._note(Rec.FAULT, message, {"clause": place + 1, "action": name})


_ASKED = {answer: asked for asked, answer in ANSWER_TO.items()}


class BurstChain:
    """Gilbert–Elliott: the state of one direction, slot by slot, each from its own named draw.

    Source:
        E. N. Gilbert (1960) and E. O. Elliott (1963), Bell System Technical Journal.
    """

    def __init__(self, burst: Burst, draws: Draws, purpose: Purpose, client: int) -> None:
        self._burst = burst
        self._draws = draws
        self._purpose = purpose
        self._client = client
        self._bad: list[bool] = []

    def loss_at(self, now_us: int) -> float:
        """Return the loss in the slot that ``now_us`` falls into."""
        slot = now_us // self._burst.slot_us
        while len(self._bad) <= slot:
            self._bad.append(self._next())
        return self._burst.loss_bad if self._bad[slot] else self._burst.loss_good

    def _next(self) -> bool:
        burst = self._burst
        share = self._draws.block(self._purpose, self._client, len(self._bad))[0]
        if not self._bad:
            return share < burst.mean_bad_us / (burst.mean_good_us + burst.mean_bad_us)
        if self._bad[-1]:
            return share >= burst.slot_us / burst.mean_bad_us
        return share < burst.slot_us / burst.mean_good_us
