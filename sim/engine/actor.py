"""A client's driver: events in, effects out, one inbox.

Whatever reaches a client, at any time and in any phase, comes through ``feed``: there is no
waiting for a particular answer that could swallow another one. The driver knows the page and the
worker (answers for a page that is gone are not heard), the session token, and the ground truth
of what the person wanted; the machine knows none of it.
"""

from collections.abc import Mapping

from simpy.events import Event as SimpyEvent

from sim.contract.body import Json
from sim.contract.client.machine import step
from sim.contract.client.rows import VERDICTS, Row, Verdict
from sim.contract.client.state import (
    Answered,
    Arm,
    ClientConfig,
    ClientState,
    Event,
    ExchangeBroken,
    ExchangeKind,
    Moment,
    ReadAnswered,
    Save,
    SendRead,
    SendStatus,
    SendWrite,
    StatusAnswered,
    Step,
    Timer,
    TimerFired,
    WorkerStarted,
)
from sim.contract.ids import named_id, weak_id
from sim.contract.messages import (
    Ack,
    ReadAnswer,
    ReadQuery,
    Refusal,
    Request,
    ServerError,
    Snapshot,
    StatusAnswer,
    StatusQuery,
    TransportError,
)
from sim.engine.clock import TIMER, Clock
from sim.engine.draws import Draws, Purpose, packed
from sim.engine.link import Network
from sim.engine.mail import Exchange, Message
from sim.engine.recorder import Recorder
from sim.engine.truth import Intents
from sim.network.faults import HappeningKind, MessageKind
from sim.scenario.model import ClientSpec
from sim.trace.records import Rec, surrogate

_EXCHANGES = {
    MessageKind.REQUEST: ExchangeKind.REQUEST,
    MessageKind.STATUS: ExchangeKind.STATUS,
    MessageKind.READ: ExchangeKind.READ,
}


class Form:
    """One form and the machine's configuration for it."""

    def __init__(self, config: ClientConfig, state: ClientState) -> None:
        self.config = config
        self.state = state


class ClientActor:
    """Drives the forms of one client."""

    def __init__(  # noqa: PLR0913 - the parts of one run, wired once
        self,
        spec: ClientSpec,
        index: int,
        run_name: str,
        clock: Clock,
        draws: Draws,
        network: Network,
        recorder: Recorder,
    ) -> None:
        self.name = spec.name
        self.spec = spec
        self.forms: dict[str, Form] = {}
        self.session = f"{spec.name}/1"
        self.page: int | None = 1
        """Counts pages and worker lives; None while nobody is there to hear an answer."""
        self._pages = 1
        self._sessions = 1
        self._index = index
        self._run_name = run_name
        self._clock = clock
        self._draws = draws
        self._network = network
        self._recorder = recorder
        self._intents = Intents()
        self._ids_made = 0
        self._ids: tuple[str, str] | None = None
        self._ordinals: dict[int, int] = {}
        self._jitters: dict[int, int] = {}

    # --- the inbox ------------------------------------------------------------------------------

    def feed(  # noqa: PLR0913 - what a record needs to say about an event
        self,
        form: Form,
        event: Event,
        kind: Rec,
        op: int,
        attempt: int,
        data: dict[str, Json],
    ) -> Step:
        """Give one event to a form's machine, record it, and carry the effects out."""
        before = form.state
        done = step(form.config, before, event, Moment(self._clock.now_us, self._ids_at_hand()))
        after = form.state = done.state
        if kind is Rec.ANSWER:
            data["verdict"] = VERDICTS.get(done.row, Verdict.IGNORED).value
            data["changed"] = after != before
        elif kind is Rec.SAVE:
            data["launches"] = bool(done.effects)
        self._record(form, kind, op, attempt, done.row, data)
        if after is not before:
            self._show(form, before, after)
            if before.operation is not after.operation:
                self._note_settlement(form, before, after, done.row)
        for effect in done.effects:
            match effect:
                case SendWrite():
                    self._send_write(form, effect, event, done.row)
                case Arm():
                    self._arm(form, effect)
                case SendStatus():
                    self._send_status(form, effect)
                case SendRead():
                    self._send_read(form, effect)
        return done

    def _ids_at_hand(self) -> tuple[str, str] | None:
        if not self.spec.rules.secure_ids:
            weak = weak_id(self._clock.now_us)
            return weak, weak
        if not self.spec.has_ids:
            return None
        if self._ids is None:
            self._ids_made += 1
            name = f"{self._run_name}/{self.name}/{self._ids_made}"
            self._ids = (named_id(name), named_id(f"{name}/layer"))
        return self._ids

    def _show(self, form: Form, before: ClientState, after: ClientState) -> None:
        if (
            before.phase is after.phase
            and before.reason is after.reason
            and before.draft is after.draft
            and before.read is after.read
            and before.owner is after.owner
        ):
            return
        draft = after.draft
        data: dict[str, Json] = {
            "phase": after.phase.value,
            "reason": after.reason.value,
            "body": draft.body,
            "draft_version": draft.version,
            "dirty": draft.version != draft.clean_version,
            "base_version": draft.base_version,
            "owner": after.owner,
        }
        if self._recorder.full:
            data["says"] = after.says
        if after.read is not None:
            data["read_version"] = after.read.version
        self._record(form, Rec.SHOW, 0, 0, "", data)

    def _note_settlement(
        self, form: Form, before: ClientState, after: ClientState, row: Row
    ) -> None:
        """Tell ground truth, and whoever holds a message for it, that an operation is settled."""
        op = before.operation
        if op is None or row not in _SETTLES:
            return
        number = self._recorder.known_number(op.snapshot.operation_id)
        acknowledged = VERDICTS.get(row) is Verdict.ACCEPTED
        self._intents.settle(number, acknowledged=acknowledged)
        self._network.happened(HappeningKind.SETTLED, self.name, self._ordinal(number), 0)

    # --- effects --------------------------------------------------------------------------------

    def _send_write(self, form: Form, effect: SendWrite, event: Event, row: Row) -> None:
        sent, frozen = effect.snapshot, effect.frozen
        if self._ids is not None and frozen.operation_id == self._ids[0]:
            self._ids = None
        op = self._recorder.number_of(frozen.operation_id)
        if effect.attempt == 1:
            forced = isinstance(event, Save) and event.new_intent
            intent = self._intents.of_save(
                frozen.owner, form.config.resource, frozen.body, forced_new=forced
            )
            self._intents.launch(op, intent)
        wire = op
        if sent.operation_id != frozen.operation_id:
            wire = self._recorder.number_of(sent.operation_id)
        number = self._intents.of_operation(op)
        data: dict[str, Json] = {
            "intent": number,
            "body": frozen.body,
            "draft_version": frozen.draft_version,
            "expected_version": frozen.expected_version,
            "owner": frozen.owner,
            "irreversible": form.config.irreversible,
        }
        if sent is not frozen:
            data["sent_body"] = sent.body
            data["sent_expected_version"] = sent.expected_version
            data["wire"] = surrogate(wire)
        self._record(form, Rec.LAUNCH, op, effect.attempt, row, data)
        exchange = self._exchange(form, op, effect.attempt, sent.operation_id, number)
        request = Request(sent, effect.attempt, self.session)
        self._network.ask(MessageKind.REQUEST, request, exchange)
        nth = self._ordinal(op)
        self._network.happened(HappeningKind.SENT, self.name, nth, effect.attempt)

    def _send_status(self, form: Form, effect: SendStatus) -> None:
        op = self._recorder.number_of(effect.operation_id)
        by = "person" if effect.by_person else "client"
        self._record(form, Rec.ASK, op, 0, "", {"query": effect.query, "by": by})
        number = self._intents.of_operation(op)
        exchange = self._exchange(form, op, effect.query, effect.operation_id, number)
        query = StatusQuery(effect.owner, effect.operation_id, effect.query, self.session)
        self._network.ask(MessageKind.STATUS, query, exchange)

    def _send_read(self, form: Form, effect: SendRead) -> None:
        exchange = self._exchange(form, 0, effect.number, "", 0)
        # Reads belong to a form, not to an operation: a clause tells them by their number alone.
        exchange.nth = 1
        query = ReadQuery(form.config.resource, effect.number)
        self._network.ask(MessageKind.READ, query, exchange)

    def send_raw(self, form: Form, snapshot: Snapshot, session: str) -> None:
        """Send what no correct client would: attempt 0, under any id and owner."""
        op = self._recorder.number_of(snapshot.operation_id)
        exchange = self._exchange(form, op, 0, snapshot.operation_id, 0)
        request = Request(snapshot, 0, session)
        data: dict[str, Json] = {
            "raw": True,
            "body": snapshot.body,
            "expected_version": snapshot.expected_version,
            "owner": snapshot.owner,
        }
        self._record(form, Rec.RAW, op, 0, "", data)
        self._network.ask(MessageKind.REQUEST, request, exchange)

    def _exchange(
        self, form: Form, op: int, number: int, operation_id: str, intent: int
    ) -> Exchange:
        return Exchange(
            self.name,
            self._index,
            form.config.resource,
            op,
            self._ordinal(op) if op else 0,
            number,
            operation_id,
            intent,
            self.page or 0,
        )

    def _ordinal(self, op: int) -> int:
        """Return how many-th operation of this client an operation is."""
        ordinal = self._ordinals.get(op)
        if ordinal is None:
            ordinal = self._ordinals[op] = len(self._ordinals) + 1
        return ordinal

    def _arm(self, form: Form, effect: Arm) -> None:
        wait = effect.wait
        delay_us = wait.at(self._jitter_share(form)) if wait.is_drawn else wait.at(0.0)
        timer = effect.timer
        if self._recorder.full:
            data: dict[str, Json] = {
                "timer": timer.kind.value,
                "number": timer.number,
                "delay_us": delay_us,
            }
            self._record(form, Rec.ARM, self.pending(form), 0, "", data)
        value = (form, timer, delay_us, self.page)
        self._clock.at(delay_us, TIMER, self.name, self._rings, value)

    def _jitter_share(self, form: Form) -> float:
        intent = self._intents.of_operation(self.pending(form))
        nth = self._jitters[intent] = self._jitters.get(intent, 0) + 1
        return self._draws.block(Purpose.JITTER, self._index, packed(intent, nth))[0]

    def pending(self, form: Form) -> int:
        """Return the surrogate number of the form's pending operation, or 0."""
        op = form.state.operation
        return self._recorder.known_number(op.snapshot.operation_id) if op else 0

    # --- what arrives ---------------------------------------------------------------------------

    def _rings(self, event: SimpyEvent) -> None:
        value: tuple[Form, Timer, int, int | None] = event._value  # noqa: SLF001
        form, timer, delay_us, page = value
        if page != self.page:
            return  # The page or worker that armed it is gone, and its timers with it.
        op = form.state.operation
        live = op is not None and op.due == timer
        if not live and not self._recorder.full:
            reading = form.state.reading
            if reading is None or reading.due != timer:
                return
        number = self.pending(form)
        attempt = op.attempt if op else 0
        data: dict[str, Json] = {"timer": timer.kind.value, "number": timer.number, "live": live}
        done = self.feed(form, TimerFired(timer, delay_us), Rec.TIMER, number, attempt, data)
        if done.row in (Row.TIMED_OUT, Row.ASSUMED_FAILED):
            nth = self._ordinal(number)
            self._network.happened(HappeningKind.TIMED_OUT, self.name, nth, attempt)

    def broken(self, exchange: Exchange, kind: MessageKind, error: TransportError) -> None:
        """An exchange broke: an opaque client sees only that it did."""
        form = self.forms[exchange.resource]
        seen = error if self.spec.detailed else TransportError.NETWORK_ERROR
        event = ExchangeBroken(_EXCHANGES[kind], exchange.operation_id, exchange.attempt, seen)
        data: dict[str, Json] = {"message": kind.value, "error": seen.value, "cause": error.value}
        self.feed(form, event, Rec.BROKEN, exchange.op, exchange.attempt, data)

    def receive(self, message: Message) -> None:
        """An answer arrives at the page that asked."""
        exchange = message.exchange
        form = self.forms[exchange.resource]
        payload = message.payload
        data: dict[str, Json] = {
            "msg": message.number,
            "message": message.kind.value,
            "copy": message.copy,
            "sent_us": message.sent_us,
            "reply_to": message.reply_to,
        }
        if message.is_corrupted:
            data["corrupted"] = True
        event: Event
        match payload:
            case Ack() | Refusal() | ServerError():
                event = Answered(payload)
                data["names"] = self._recorder.name_of(payload.operation_id)
                data["names_attempt"] = payload.attempt
                _say_answer(data, payload)
            case StatusAnswer():
                event = StatusAnswered(payload)
                data["names"] = self._recorder.name_of(payload.operation_id)
                data["answer"] = payload.status.value
                if payload.result is not None:
                    _say_ack(data, payload.result)
            case ReadAnswer():
                event = ReadAnswered(payload)
                data |= {"answer": "read", "version": payload.version, "body": payload.body}
            case _:
                raise AssertionError(f"a client was sent {payload!r}")
        self.feed(form, event, Rec.ANSWER, exchange.op, exchange.attempt, data)

    # --- the life around the forms --------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether a page is there at all."""
        return self.page is not None

    def new_page(self) -> None:
        """A page (or worker) starts: what was asked before is answered to nobody."""
        self._pages += 1
        self.page = self._pages

    def no_page(self) -> None:
        """The page is closed, or its worker stopped: nobody hears answers, no timer rings."""
        self.page = None

    def new_session(self) -> str:
        """Return the token of a new session."""
        self._sessions += 1
        self.session = f"{self.name}/{self._sessions}"
        return self.session

    def wake_worker(self, form: Form) -> None:
        """A stopped worker runs again before it is asked for anything."""
        if not form.state.has_worker and form.state.is_open:
            self.new_page()
            for each in self.forms.values():
                self.feed(each, WorkerStarted(), Rec.START_WORKER, 0, 0, {})

    def _record(  # noqa: PLR0913 - one record
        self, form: Form, kind: Rec, op: int, attempt: int, rule: str, data: Mapping[str, Json]
    ) -> None:
        self._recorder.record(
            self._clock.now_us, kind, self.name, form.config.resource, op, attempt, rule, data
        )


_SETTLES = frozenset(
    {
        Row.RULE_4_ACCEPTED,
        Row.RULE_5_ACCEPTED,
        Row.REFUSED,
        Row.NOT_SENT,
        Row.PERSON_DISCARDS,
    }
)


def _say_answer(data: dict[str, Json], answer: Ack | Refusal | ServerError) -> None:
    match answer:
        case Ack():
            data["answer"] = "ack"
            _say_ack(data, answer)
        case Refusal():
            data["answer"] = answer.kind.value
        case ServerError():
            data["answer"] = str(answer.code)


def _say_ack(data: dict[str, Json], ack: Ack) -> None:
    data["accepted_version"] = ack.accepted_version
    data["version"] = ack.resource_version
    data["body"] = ack.body
    data["replayed"] = ack.replayed

