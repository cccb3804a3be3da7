"""The server's process: its life, its desk, its gateway, and what it answers.

Executing a request is a function call; the SimPy process only owns the server's life: it is up,
it dies, it is back.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple, assert_never

from sim.contract.body import Json
from sim.contract.messages import Ack, ReadQuery, Request, StatusQuery, WriteAnswer
from sim.contract.server.capacity import Admission, Desk
from sim.contract.server.server import Server, error_answer
from sim.contract.server.state import (
    Claim,
    Committed,
    Effect,
    Registered,
    Reply,
    Step,
    Waits,
    Work,
)
from sim.engine.answers import decision_of
from sim.engine.clock import DELIVERY, PERSON, Clock, Wake
from sim.engine.link import Network
from sim.engine.mail import Message
from sim.engine.strikes import Strikes
from sim.engine.surrogates import Surrogates
from sim.network.faults import Crash, CrashPoint, HappeningKind
from sim.scenario.model import ServerSpec
from sim.trace.listener import Listener, tell_record
from sim.trace.records import Rec, named

# Named here because on Python 3.11 reading a member off its enum costs as much as a call.
_COMMIT: Final = Step.COMMIT
_FAULT: Final = Step.FAULT

_GATEWAY_TIMEOUT: Final = 504
_UNAVAILABLE: Final = 503


class Execution(NamedTuple):
    """What is being executed, in which of the server's lives: a crash ends it."""

    claim: Claim
    message: Message
    life: int


class Host:
    """Drives the server's contract: deliveries in, answers out."""

    def __init__(
        self,
        spec: ServerSpec,
        server: Server,
        clock: Clock,
        network: Network,
        surrogates: Surrogates,
        notes: Listener,
        strikes: Strikes,
    ) -> None:
        self.server = server
        self._spec = spec
        self._clock = clock
        self._network = network
        self._surrogates = surrogates
        self._notes = notes
        self._strikes = strikes
        self._is_calm = strikes.is_calm
        self._desk = Desk(spec.capacity.workers, spec.capacity.queue)
        self._has_desk = spec.capacity.workers is not None
        self._deliveries: dict[int, Message] = {}
        """Deliveries that are not answered yet."""
        self._given_up: set[int] = set()
        """Those of them whose client the gateway has told 504."""
        self._is_up = True
        self._lives = 1

    # --- life -----------------------------------------------------------------------------------

    def _comes_back(self, wake: Wake) -> None:
        self._is_up = True
        self._lives += 1
        kept = "kept" if self._spec.rules.registry_durable else "lost"
        data: dict[str, Json] = {"registry": kept}
        self._clock.last_us = wake.at_us
        tell_record(self._notes, wake.at_us, Rec.RESTART, "", "", 0, 0, "", data)

    def _die(self, crash: Crash, place: int, message: Message, now_us: int) -> None:
        self._strikes.use(place)
        data: dict[str, Json] = {"point": crash.at.value, "clause": place + 1}
        self._note(Rec.CRASH, message, "", data, now_us)
        self._is_up = False
        self._desk.clear()
        self._deliveries.clear()
        self._given_up.clear()
        self._carry_out(self.server.crash(), now_us)
        self._clock.at(now_us + crash.restart_us, PERSON, "", self._comes_back, None)

    def _dies_at(self, point: CrashPoint, message: Message, now_us: int) -> bool:
        crash = self._strikes.crash_at(point, message)
        if crash is None:
            return False
        self._die(crash.action, crash.place, message, now_us)
        return True

    # --- deliveries -----------------------------------------------------------------------------

    def receive(self, message: Message, now_us: int) -> None:
        """Take one message that arrived."""
        if not self._is_up:
            self._network.lose(message, "server down", now_us)
            return
        payload = message.payload
        match payload:
            case Request():
                self._receive_write(message, payload, now_us)
            case StatusQuery():
                self._arrived(message, now_us)
                told = self.server.status(payload, now_us)
                said: dict[str, Json] = {
                    "decision": told.status.value,
                    "owner": payload.owner,
                    "names": named(self._surrogates[payload.operation_id]),
                }
                self._note(Rec.DECIDED, message, Step.STATUS, said, now_us)
                self._network.answer(message, told, now_us)
            case ReadQuery():
                self._arrived(message, now_us)
                self._network.answer(message, self.server.read(payload), now_us)
            case _:
                raise AssertionError(f"the server was sent {payload!r}")

    def _arrived(self, message: Message, now_us: int) -> None:
        data: dict[str, Json] = {"message": message.kind.value, "sent_us": message.sent_us}
        self._note(Rec.ARRIVED, message, "", data, now_us)

    def _receive_write(self, message: Message, request: Request, now_us: int) -> None:
        exchange, snapshot = message.exchange, request.snapshot
        self._notes.arrived(
            now_us,
            exchange.client,
            exchange.resource,
            exchange.op,
            exchange.attempt,
            message.number,
            message.copy,
            message.sent_us,
            self._surrogates[snapshot.operation_id],
            snapshot.owner,
            snapshot.body,
            snapshot.draft_version,
            snapshot.expected_version,
        )
        if not self._is_calm:
            self._happened(HappeningKind.DELIVERED, message, now_us)
            if self._dies_at(CrashPoint.BEFORE_CLAIM, message, now_us):
                return
        self._deliveries[message.number] = message
        timeout_us = self._spec.gateway_timeout_us
        if timeout_us is not None:
            self._gateway_waits(timeout_us, message, now_us)
        if self._has_desk:
            self._queue(message, now_us)
        else:
            self._start(message, now_us)

    def _queue(self, message: Message, now_us: int) -> None:
        match self._desk.arrive(message.number):
            case Admission.STARTS:
                self._start(message, now_us)
            case Admission.QUEUES:
                queued: dict[str, Json] = {"decision": "queued"}
                self._note(Rec.DECIDED, message, Step.CAPACITY, queued, now_us)
            case Admission.TURNED_AWAY:
                retry_after_us = self._spec.capacity.retry_after_us
                answer = error_answer(_request(message), _UNAVAILABLE, retry_after_us)
                self._reply(message, answer, Step.CAPACITY, now_us)
            case _:
                raise AssertionError

    def _start(self, message: Message, now_us: int) -> None:
        """A worker takes the request: steps 1 to 4, and the work if they let it through."""
        effects = self.server.receive(_request(message), message.number, now_us)
        if not self._carry_out(effects, now_us):
            self._worker_is_free(now_us)

    def _worker_is_free(self, now_us: int) -> None:
        if not self._has_desk:
            return
        following = self._desk.leave()
        if following is not None:
            self._start(self._deliveries[following], now_us)

    def _gateway_waits(self, timeout_us: int, message: Message, now_us: int) -> None:
        """Let a gateway give up on a delivery after so long."""
        client = message.exchange.client
        self._clock.at(now_us + timeout_us, DELIVERY, client, self._gateway_gives_up, message)

    def _gateway_gives_up(self, wake: Wake) -> None:
        message: Message = wake.what
        if message.number not in self._deliveries or message.number in self._given_up:
            return
        answer = error_answer(_request(message), _GATEWAY_TIMEOUT)
        self._decided(message, answer, Step.GATEWAY, wake.at_us)
        self._network.answer(message, answer, wake.at_us)
        # The request goes on; what it is answered in the end, nobody relays.
        self._given_up.add(message.number)

    # --- the server's effects -------------------------------------------------------------------

    def _carry_out(self, effects: Iterable[Effect], now_us: int) -> bool:
        """Carry effects out in order; return whether work has been started.

        Compiled, ``isinstance`` of a compiled class compares two addresses, and ``match`` calls.
        """
        works = False
        for effect in effects:
            if isinstance(effect, Registered):
                op = self._surrogates[effect.operation_id]
                self._notes.recorded(now_us, effect.resource, op, effect.state, effect.owner)
            elif isinstance(effect, Reply):
                self._replied(effect, now_us)
            elif isinstance(effect, Work):
                works = self._work(effect.claim, now_us)
            elif isinstance(effect, Committed):
                self._committed(effect, now_us)
            elif isinstance(effect, Waits):
                message = self._deliveries[effect.delivery]
                waits: dict[str, Json] = {"decision": "waits"}
                self._note(Rec.DECIDED, message, Step.WAITS, waits, now_us)
            else:
                assert_never(effect)
        return works

    def _replied(self, reply: Reply, now_us: int) -> None:
        message = self._deliveries.get(reply.delivery)
        if message is None:
            return
        answer, step = reply.answer, reply.step
        if step is not _COMMIT and step is not _FAULT and not self._is_calm:
            code = self._strikes.error_at(message, now_us, after_commit=False)
            if code is not None:
                answer, step = error_answer(_request(message), code), _FAULT
        self._reply(message, answer, step, now_us)

    def _reply(self, message: Message, answer: WriteAnswer, step: Step, now_us: int) -> None:
        if message.number in self._deliveries:
            del self._deliveries[message.number]
        self._decided(message, answer, step, now_us)
        if message.number in self._given_up:
            self._given_up.remove(message.number)
            self._network.lose(message, "gateway gave up", now_us)
            return
        self._network.answer(message, answer, now_us)
        if not self._is_calm:
            self._happened(HappeningKind.ANSWERED, message, now_us)

    def _work(self, claim: Claim, now_us: int) -> bool:
        """Execute a claim: at once, or when its time is over. Return whether it takes time."""
        message = self._deliveries[claim.delivery]
        exchange = message.exchange
        self._notes.claimed(
            now_us,
            exchange.client,
            exchange.resource,
            exchange.op,
            exchange.attempt,
            message.number,
            message.copy,
        )
        work_us = self._spec.capacity.time_us
        if not self._is_calm:
            if self._dies_at(CrashPoint.AFTER_CLAIM, message, now_us):
                return True
            code = self._strikes.error_at(message, now_us, after_commit=False)
            if code is not None:
                self._carry_out(self.server.fail(claim, code, now_us), now_us)
                return False
            slow = self._strikes.slowness(message, now_us)
            if slow is not None:
                work_us += slow.by_us
                if slow.gateway_us is not None:
                    self._gateway_waits(slow.gateway_us, message, now_us)
        if work_us == 0:
            return self._finish(claim, message, now_us)
        running = Execution(claim, message, self._lives)
        self._clock.at(now_us + work_us, DELIVERY, exchange.client, self._work_is_done, running)
        return True

    def _work_is_done(self, wake: Wake) -> None:
        running: Execution = wake.what
        lives_on = self._is_up and running.life == self._lives
        if lives_on and not self._finish(running.claim, running.message, wake.at_us):
            self._worker_is_free(wake.at_us)

    def _finish(self, claim: Claim, message: Message, now_us: int) -> bool:
        """Commit; return whether the server died meanwhile, so that no worker comes free."""
        if self._is_calm:
            self._carry_out(self.server.finish(claim, now_us), now_us)
            return False
        between = self._strikes.crash_at(CrashPoint.BETWEEN, message)
        if between is not None:
            self._carry_out(self.server.finish(claim, now_us, dies_between=True), now_us)
            self._die(between.action, between.place, message, now_us)
            return True
        effects = self.server.finish(claim, now_us)
        if any(isinstance(effect, Committed) for effect in effects):
            after = self._strikes.crash_at(CrashPoint.AFTER_COMMIT, message)
            if after is not None:
                silent = [effect for effect in effects if not isinstance(effect, Reply)]
                self._carry_out(silent, now_us)
                self._die(after.action, after.place, message, now_us)
                return True
            code = self._strikes.error_at(message, now_us, after_commit=True)
            if code is not None:
                effects = self.server.error_instead(claim, effects, code, now_us)
        self._carry_out(effects, now_us)
        return False

    # --- records --------------------------------------------------------------------------------

    def _committed(self, effect: Committed, now_us: int) -> None:
        message = self._deliveries[effect.delivery]
        exchange, snapshot = message.exchange, effect.request.snapshot
        self._notes.commit(
            now_us,
            exchange.client,
            exchange.resource,
            exchange.op,
            exchange.attempt,
            message.number,
            message.copy,
            snapshot.resource,
            effect.version,
            effect.replaced_version,
            self._surrogates[snapshot.operation_id],
            snapshot.owner,
            snapshot.kind,
            snapshot.body,
            snapshot.draft_version,
            snapshot.expected_version,
        )
        if self._is_calm:
            return
        self._happened(HappeningKind.COMMITTED, message, now_us)
        if self._strikes.waits_for_expiry:
            at_us = now_us + self._spec.retention_us + 1
            self._clock.at(at_us, DELIVERY, exchange.client, self._expires, message)

    def _expires(self, wake: Wake) -> None:
        message: Message = wake.what
        self._happened(HappeningKind.EXPIRED, message, wake.at_us)

    def _decided(self, message: Message, answer: WriteAnswer, step: Step, now_us: int) -> None:
        exchange = message.exchange
        self._notes.decided(
            now_us,
            exchange.client,
            exchange.resource,
            exchange.op,
            exchange.attempt,
            step,
            message.number,
            message.copy,
            decision_of(answer),
            self._surrogates[answer.operation_id],
            answer.attempt,
            answer.resource_version if isinstance(answer, Ack) else None,
        )

    def _happened(self, kind: HappeningKind, message: Message, now_us: int) -> None:
        exchange = message.exchange
        about = (exchange.client, exchange.nth, exchange.attempt)
        self._network.happened(kind, *about, now_us)

    def _note(
        self, kind: Rec, message: Message, rule: str, data: dict[str, Json], now_us: int
    ) -> None:
        exchange = message.exchange
        data["msg"] = message.number
        data["copy"] = message.copy
        client, resource = exchange.client, exchange.resource
        op, attempt = exchange.op, exchange.attempt
        tell_record(self._notes, now_us, kind, client, resource, op, attempt, rule, data)


def _request(message: Message) -> Request:
    payload = message.payload
    assert isinstance(payload, Request)
    return payload
