"""A client's driver: events in, effects out, one inbox.

Whatever reaches a client, at any time and in any phase, goes through one machine here: there is no
waiting for a particular answer that could swallow another one. The driver knows the page and the
worker (answers for a page that is gone are not heard) and the session token; what it sends, and
what the person wanted, is the outbox's.
"""

from typing import Final, assert_never

from sim.contract.body import Body, Json
from sim.contract.client.events import (
    Answered,
    Edit,
    Event,
    ExchangeBroken,
    ExchangeKind,
    Moment,
    ReadAnswered,
    Save,
    StatusAnswered,
    TimerFired,
    WorkerStarted,
)
from sim.contract.client.life import is_outlived
from sim.contract.client.machine import step
from sim.contract.client.rows import VERDICTS, Row, Verdict
from sim.contract.client.state import Arm, ClientState, SendRead, SendStatus, SendWrite, Step, Timer
from sim.contract.ids import named_id, weak_id
from sim.contract.messages import (
    Ack,
    ReadAnswer,
    Refusal,
    ServerError,
    Snapshot,
    StatusAnswer,
    TransportError,
    WriteAnswer,
)
from sim.engine.answers import answer_name
from sim.engine.clock import TIMER, Clock, Wake
from sim.engine.draws import Draws, Purpose, packed
from sim.engine.link import Network
from sim.engine.mail import Exchange, Message, facts_of
from sim.engine.outbox import Form, Outbox
from sim.engine.routes import Route
from sim.engine.surrogates import Surrogates
from sim.network.faults import HappeningKind, MessageKind
from sim.scenario.model import ClientSpec
from sim.trace.listener import Listener, Result, tell_record
from sim.trace.records import Rec, named

# Named here because on Python 3.11 reading a member off its enum costs as much as a call.
_IGNORED: Final = Verdict.IGNORED
_OLD_TIMER: Final = Row.OLD_TIMER
_TIMED_OUT: Final = Row.TIMED_OUT

_EXCHANGES: Final = {
    MessageKind.REQUEST: ExchangeKind.REQUEST,
    MessageKind.STATUS: ExchangeKind.STATUS,
    MessageKind.READ: ExchangeKind.READ,
}


class ClientActor:
    """Drives the forms of one client."""

    def __init__(
        self,
        spec: ClientSpec,
        route: Route,
        run_name: str,
        clock: Clock,
        draws: Draws,
        network: Network,
        surrogates: Surrogates,
        notes: Listener,
    ) -> None:
        self.name = spec.name
        self.spec = spec
        self.forms: dict[str, Form] = {}
        self.session = f"{spec.name}/1"
        self._route = route
        self._pages = 1
        self._sessions = 1
        self._index = route.index
        self._ids_prefix = f"{run_name}/{spec.name}"
        self._clock = clock
        self._draws = draws
        self._network = network
        self._surrogates = surrogates
        self._notes = notes
        self._outbox = Outbox(spec.name, route, network, surrogates, notes)
        self._ids_made = 0
        self._ids: tuple[str, str] | None = None
        self._jitters: dict[int, int] = {}

    # --- what a person does ---------------------------------------------------------------------

    def edit(self, form: Form, body: Body, now_us: int) -> None:
        """The person edits."""
        before = form.state
        done = self._step(form, Edit(body), now_us)
        self._notes.edit(now_us, self.name, form.resource, done.row, body)
        self._follow(form, before, done, now_us)

    def save(self, form: Form, event: Save, now_us: int) -> None:
        """The person saves."""
        if not form.state.has_worker:
            self.wake_worker(form, now_us)
        before = form.state
        number = self.pending(form)
        done = self._step(form, event, now_us)
        self._notes.save(
            now_us,
            self.name,
            form.resource,
            number,
            done.row,
            before.draft.body,
            before.draft.version,
            event.new_intent,
            bool(done.effects),
        )
        self._follow(form, before, done, now_us, forced_new=event.new_intent)

    def send_raw(self, form: Form, snapshot: Snapshot, session: str, now_us: int) -> None:
        """Send what no correct client would."""
        self._outbox.raw(form, snapshot, self._route.page or 0, session, now_us)

    def feed(
        self,
        form: Form,
        event: Event,
        kind: Rec,
        op: int,
        data: dict[str, Json],
        now_us: int,
        attempt: int = 0,
    ) -> None:
        """Give one event to a form's machine, record it, and carry the effects out."""
        before = form.state
        done = self._step(form, event, now_us)
        if kind is Rec.ANSWER:
            data["verdict"] = VERDICTS.get(done.row, Verdict.IGNORED)
            data["changed"] = done.state != before
        who, what = self.name, form.resource
        tell_record(self._notes, now_us, kind, who, what, op, attempt, done.row, data)
        self._follow(form, before, done, now_us)

    # --- one step of a machine ------------------------------------------------------------------

    def _step(self, form: Form, event: Event, now_us: int) -> Step:
        self._clock.last_us = now_us
        moment = Moment(now_us, self._ids or self._ids_at_hand(now_us))
        done = step(form.config, form.state, event, moment)
        form.state = done.state
        return done

    def _ids_at_hand(self, now_us: int) -> tuple[str, str] | None:
        """Return an id that was not used yet: the form's, and the one that another layer makes."""
        rules = self.spec.rules
        if not rules.secure_ids:
            weak = weak_id(now_us)
            return weak, weak
        if not self.spec.has_ids:
            return None
        self._ids_made += 1
        name = f"{self._ids_prefix}/{self._ids_made}"
        self._ids = (named_id(name), "" if rules.one_id_source else named_id(f"{name}/layer"))
        return self._ids

    def _follow(
        self,
        form: Form,
        before: ClientState,
        done: Step,
        now_us: int,
        *,
        forced_new: bool = False,
    ) -> None:
        """Show what changed and carry the effects out."""
        after = done.state
        if after is not before:
            if (
                before.phase is not after.phase
                or before.draft is not after.draft
                or before.reason is not after.reason
                or before.read is not after.read
                or before.owner is not after.owner
            ):
                self._show(form, now_us)
            op = before.operation
            if op is not None and after.operation is None:
                self._outbox.settled(op, done.row, now_us)
        for effect in done.effects:
            if isinstance(effect, SendWrite):
                if self._ids is not None and effect.frozen.operation_id == self._ids[0]:
                    self._ids = None
                page, session = self._route.page or 0, self.session
                self._outbox.write(
                    form, effect, done.row, page, session, now_us, forced_new=forced_new
                )
            elif isinstance(effect, Arm):
                self._arm(form, effect, now_us)
            elif isinstance(effect, SendStatus):
                self._outbox.status(form, effect, self._route.page or 0, self.session, now_us)
            elif isinstance(effect, SendRead):
                self._outbox.read(form, effect, self._route.page or 0, now_us)
            else:
                assert_never(effect)

    def _show(self, form: Form, now_us: int) -> None:
        state = form.state
        draft, read = state.draft, state.read
        self._notes.show(
            now_us,
            self.name,
            form.resource,
            state.owner,
            state.phase,
            state.reason,
            draft.body,
            draft.version,
            draft.version != draft.clean_version,
            draft.base_version,
            None if read is None else read.version,
        )

    def pending(self, form: Form) -> int:
        """Return the surrogate number of the form's pending operation, or 0."""
        op = form.state.operation
        return self._surrogates[op.snapshot.operation_id] if op else 0

    # --- timers ---------------------------------------------------------------------------------

    def _arm(self, form: Form, effect: Arm, now_us: int) -> None:
        timer, wait = effect.timer, effect.wait
        number = self.pending(form)
        drawn = wait.high_us > wait.low_us
        delay_us = wait.at(self._jitter_share(number) if drawn else 0.0)
        self._notes.arm(
            now_us, self.name, form.resource, number, timer.kind, timer.number, delay_us
        )
        what = (form, timer, delay_us, self._route.page)
        self._clock.at(now_us + delay_us, TIMER, self.name, self._rings, what)

    def _jitter_share(self, op: int) -> float:
        intent = self._outbox.intents.of_operation(op).number
        nth = self._jitters[intent] = self._jitters.get(intent, 0) + 1
        return self._draws.block(Purpose.JITTER, self._index, packed(intent, nth))[0]

    def _rings(self, wake: Wake) -> None:
        what: tuple[Form, Timer, int, int | None] = wake.what
        form, timer, delay_us, page = what
        if page != self._route.page:
            return  # The page or worker that armed it is gone, and its timers with it.
        now_us = wake.at_us
        before = form.state
        op = before.operation
        number = self.pending(form)
        attempt = op.attempt if op else 0
        live = op is not None and op.due == timer
        if not live and is_outlived(before, timer):
            # Most timers: their attempt was answered. The machine would only say the same.
            self._clock.last_us = now_us
            self._notes.timer(
                now_us,
                self.name,
                form.resource,
                number,
                attempt,
                _OLD_TIMER,
                timer.kind,
                timer.number,
                False,  # It is no longer live.
            )
            return
        done = self._step(form, TimerFired(timer, delay_us), now_us)
        self._notes.timer(
            now_us,
            self.name,
            form.resource,
            number,
            attempt,
            done.row,
            timer.kind,
            timer.number,
            live,
        )
        self._follow(form, before, done, now_us)
        if not self._network.is_calm and done.row in (_TIMED_OUT, Row.ASSUMED_FAILED):
            nth = self._outbox.ordinal(number)
            happened = (HappeningKind.TIMED_OUT, self.name, nth, attempt)
            self._network.happened(*happened, now_us)

    # --- what arrives ---------------------------------------------------------------------------

    def broken(
        self, exchange: Exchange, kind: MessageKind, error: TransportError, now_us: int
    ) -> None:
        """An exchange broke: an opaque client sees only that it did."""
        form = self.forms[exchange.resource]
        seen = error if self.spec.detailed else TransportError.NETWORK_ERROR
        event = ExchangeBroken(_EXCHANGES[kind], exchange.operation_id, exchange.attempt, seen)
        data: dict[str, Json] = {"message": kind.value, "error": seen.value, "cause": error.value}
        self.feed(form, event, Rec.BROKEN, exchange.op, data, now_us, exchange.attempt)

    def receive(self, message: Message, now_us: int) -> None:
        """An answer arrives at the page that asked."""
        form = self.forms[message.exchange.resource]
        payload = message.payload
        match payload:
            case Ack() | Refusal() | ServerError():
                self._answered(form, message, payload, now_us)
            case StatusAnswer():
                self._told(form, message, payload, now_us)
            case ReadAnswer():
                data = facts_of(message)
                data |= {"answer": "read", "version": payload.version, "body": payload.body}
                self._heard(form, message, ReadAnswered(payload), data, now_us)
            case _:
                raise AssertionError(f"a client was sent {payload!r}")

    def _answered(self, form: Form, message: Message, answer: WriteAnswer, now_us: int) -> None:
        exchange = message.exchange
        before = form.state
        done = self._step(form, Answered(answer), now_us)
        self._notes.answer(
            now_us,
            self.name,
            form.resource,
            exchange.op,
            exchange.attempt,
            done.row,
            message.number,
            message.copy,
            message.sent_us,
            message.reply_to,
            message.is_corrupted,
            answer_name(answer),
            VERDICTS.get(done.row, _IGNORED),
            done.state is not before and done.state != before,
            self._surrogates[answer.operation_id],
            answer.attempt,
            _result(answer) if isinstance(answer, Ack) else None,
        )
        self._follow(form, before, done, now_us)

    def _told(self, form: Form, message: Message, answer: StatusAnswer, now_us: int) -> None:
        data = facts_of(message)
        data["names"] = named(self._surrogates[answer.operation_id])
        data["answer"] = answer.status.value
        result = answer.result
        if result is not None:
            data["accepted_version"] = result.accepted_version
            data["version"] = result.resource_version
            data["body"] = result.body
            data["replayed"] = result.replayed
        self._heard(form, message, StatusAnswered(answer), data, now_us)

    def _heard(
        self, form: Form, message: Message, event: Event, data: dict[str, Json], now_us: int
    ) -> None:
        exchange = message.exchange
        self.feed(form, event, Rec.ANSWER, exchange.op, data, now_us, exchange.attempt)

    # --- the life around the forms --------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether a page is there at all."""
        return self._route.page is not None

    def new_page(self) -> None:
        """A page (or worker) starts: what was asked before is answered to nobody."""
        self._pages += 1
        self._route.page = self._pages

    def no_page(self) -> None:
        """The page is closed, or its worker stopped: nobody hears answers, no timer rings."""
        self._route.page = None

    def new_session(self) -> str:
        """Return the token of a new session."""
        self._sessions += 1
        self.session = f"{self.name}/{self._sessions}"
        return self.session

    def wake_worker(self, form: Form, now_us: int) -> None:
        """A stopped worker runs again before it is asked for anything."""
        if not form.state.has_worker and form.state.is_open:
            self.new_page()
            for each in self.forms.values():
                self.feed(each, WorkerStarted(), Rec.START_WORKER, 0, {}, now_us)


def _result(ack: Ack) -> Result:
    return Result(ack.accepted_version, ack.resource_version, ack.body, ack.replayed)
