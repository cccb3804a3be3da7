"""The server's process: its life, its desk, its gateway, and the faults that strike while it works.

Executing a request is a function call; the SimPy process only owns the server's life: it is up,
it dies, it is back.
"""

from collections.abc import Generator, Iterator
from typing import assert_never

from simpy.events import Event

from sim.contract.body import Json
from sim.contract.messages import (
    Ack,
    ReadQuery,
    Refusal,
    Request,
    ServerError,
    StatusQuery,
    WriteAnswer,
    attempt_label,
)
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
from sim.engine.clock import DELIVERY, Clock
from sim.engine.link import Network
from sim.engine.mail import Message
from sim.engine.recorder import Recorder
from sim.network.faults import AnswerError, Crash, CrashPoint, HappeningKind, MessageKind, Slow
from sim.network.matching import Faults
from sim.scenario.model import ServerSpec
from sim.trace.records import Rec

_GATEWAY_TIMEOUT = 504
_UNAVAILABLE = 503


class Host:
    """Drives the server's contract: deliveries in, answers out."""

    def __init__(  # noqa: PLR0913 - the parts of one run, wired once
        self,
        spec: ServerSpec,
        server: Server,
        clock: Clock,
        network: Network,
        recorder: Recorder,
        faults: Faults,
    ) -> None:
        self.server = server
        self._spec = spec
        self._clock = clock
        self._network = network
        self._recorder = recorder
        self._faults = faults
        self._desk = Desk(spec.capacity.workers, spec.capacity.queue)
        self._has_desk = spec.capacity.workers is not None
        self._deliveries: dict[int, Message] = {}
        """Deliveries that are not answered yet."""
        self._given_up: set[int] = set()
        """Those of them whose client the gateway has told 504."""
        self._is_up = True
        self._lives = 1
        self._crashed = clock.env.event()
        self._restart_us = 0
        clock.env.process(self._life())

    # --- life -----------------------------------------------------------------------------------

    def _life(self) -> Generator[Event, None, None]:
        """Be up until a fault strikes, stay down, come back: as long as the run lasts."""
        while True:
            yield self._crashed
            yield self._clock.person(self._restart_us, "")
            self._is_up = True
            self._lives += 1
            kept = self._spec.rules.registry_durable
            self._note(Rec.RESTART, None, "", {"registry": "kept" if kept else "lost"})

    def _die(self, crash: Crash, place: int, message: Message) -> None:
        self._faults.use(place)
        self._note(Rec.CRASH, message, "", {"point": crash.at.value, "clause": place + 1})
        self._is_up = False
        self._desk.clear()
        self._deliveries.clear()
        self._given_up.clear()
        self._carry_out(self.server.crash())
        self._restart_us = crash.restart_us
        crashed, self._crashed = self._crashed, self._clock.env.event()
        crashed.succeed()

    def _dies_at(self, point: CrashPoint, message: Message) -> bool:
        if self._faults.is_empty:
            return False
        matched = self._faults.on_server(message.address, point)
        if matched is None or not isinstance(matched.action, Crash):
            return False
        self._die(matched.action, matched.place, message)
        return True

    # --- deliveries -----------------------------------------------------------------------------

    def receive(self, message: Message) -> None:
        """Take one message that arrived."""
        if not self._is_up:
            self._network.lose_at_server(message, "server down")
            return
        payload = message.payload
        match payload:
            case Request():
                self._arrived(message)
                self._receive_write(message)
            case StatusQuery():
                self._arrived(message)
                told = self.server.status(payload, self._clock.now_us)
                said: dict[str, Json] = {
                    "decision": told.status.value,
                    "owner": payload.owner,
                    "names": self._recorder.name_of(payload.operation_id),
                }
                self._note(Rec.DECIDED, message, Step.STATUS, said)
                self._network.answer(message, told)
            case ReadQuery():
                self._arrived(message)
                self._network.answer(message, self.server.read(payload))
            case _:
                raise AssertionError(f"the server was sent {payload!r}")

    def _arrived(self, message: Message) -> None:
        data: dict[str, Json] = {"message": message.kind.value, "sent_us": message.sent_us}
        payload = message.payload
        if isinstance(payload, Request):
            snapshot = payload.snapshot
            data["names"] = self._recorder.name_of(snapshot.operation_id)
            data["owner"] = snapshot.owner
            data["body"] = snapshot.body
            data["draft_version"] = snapshot.draft_version
            data["expected_version"] = snapshot.expected_version
        self._note(Rec.ARRIVED, message, "", data)
        if message.kind is MessageKind.REQUEST:
            self._happened(HappeningKind.DELIVERED, message)

    def _receive_write(self, message: Message) -> None:
        if self._dies_at(CrashPoint.BEFORE_CLAIM, message):
            return
        self._deliveries[message.number] = message
        timeout_us = self._spec.gateway_timeout_us
        if timeout_us is not None:
            owner = message.exchange.client
            self._clock.at(timeout_us, DELIVERY, owner, self._gateway_gives_up, message)
        if not self._has_desk:
            self._start(message)
            return
        match self._desk.arrive(message.number):
            case Admission.STARTS:
                self._start(message)
            case Admission.QUEUES:
                self._note(Rec.DECIDED, message, Step.CAPACITY, {"decision": "queued"})
            case Admission.TURNED_AWAY:
                retry_after_us = self._spec.capacity.retry_after_us
                answer = error_answer(_request(message), _UNAVAILABLE, retry_after_us)
                self._reply(message, answer, Step.CAPACITY)
            case _:
                raise AssertionError

    def _start(self, message: Message) -> None:
        """A worker takes the request: steps 1 to 4, and the work if they let it through."""
        request = _request(message)
        works = self._carry_out(self.server.receive(request, message.number, self._clock.now_us))
        if not works:
            self._worker_is_free()

    def _worker_is_free(self) -> None:
        if not self._has_desk:
            return
        following = self._desk.leave()
        if following is not None:
            self._start(self._deliveries[following])

    def _gateway_gives_up(self, event: Event) -> None:
        message: Message = event._value  # noqa: SLF001 - the public property costs a check
        if message.number not in self._deliveries:
            return
        answer = error_answer(_request(message), _GATEWAY_TIMEOUT)
        self._decided(message, answer, Step.GATEWAY)
        self._network.answer(message, answer)
        # The request goes on; what it is answered in the end, nobody relays.
        self._given_up.add(message.number)

    # --- the server's effects -------------------------------------------------------------------

    def _carry_out(self, effects: Iterator[Effect]) -> bool:
        """Carry effects out in order; return whether work has been started."""
        works = False
        for effect in effects:
            match effect:
                case Reply():
                    self._replied(effect)
                case Work():
                    works = self._work(effect.claim)
                case Committed():
                    self._committed(effect)
                case Registered():
                    self._registered(effect)
                case Waits():
                    message = self._deliveries[effect.delivery]
                    self._note(Rec.DECIDED, message, Step.WAITS, {"decision": "waits"})
                case _:
                    assert_never(effect)
        return works

    def _replied(self, reply: Reply) -> None:
        message = self._deliveries.get(reply.delivery)
        if message is None:
            return
        answer, step = reply.answer, reply.step
        if step is not Step.COMMIT and step is not Step.FAULT:
            matched = self._error_at(message, after_commit=False)
            if matched is not None:
                answer, step = error_answer(_request(message), matched), Step.FAULT
        self._reply(message, answer, step)

    def _reply(self, message: Message, answer: WriteAnswer, step: Step) -> None:
        self._deliveries.pop(message.number, None)
        self._decided(message, answer, step)
        if message.number in self._given_up:
            self._given_up.remove(message.number)
            self._network.lose_at_server(message, "gateway gave up")
            return
        self._network.answer(message, answer)
        self._happened(HappeningKind.ANSWERED, message)

    def _work(self, claim: Claim) -> bool:
        """Execute a claim: at once, or when its time is over. Return whether it takes time."""
        message = self._deliveries[claim.delivery]
        self._note(Rec.DECIDED, message, Step.CLAIM, {"decision": "claimed"})
        if self._dies_at(CrashPoint.AFTER_CLAIM, message):
            return True
        code = self._error_at(message, after_commit=False)
        if code is not None:
            self._carry_out(self.server.fail(claim, code, self._clock.now_us))
            return False
        work_us = self._spec.capacity.time_us + self._slowness(message)
        if work_us == 0:
            return self._finish(claim, message)
        lives = self._lives

        def finished(_: Event) -> None:
            if self._is_up and lives == self._lives and not self._finish(claim, message):
                self._worker_is_free()

        self._clock.at(work_us, DELIVERY, message.exchange.client, finished, None)
        return True

    def _finish(self, claim: Claim, message: Message) -> bool:
        """Commit; return whether the server died meanwhile, so that no worker comes free."""
        now_us = self._clock.now_us
        if not self._faults.is_empty:
            between = self._faults.on_server(message.address, CrashPoint.BETWEEN)
            if between is not None and isinstance(between.action, Crash):
                self._carry_out(self.server.finish(claim, now_us, dies_between=True))
                self._die(between.action, between.place, message)
                return True
        effects = list(self.server.finish(claim, now_us))
        commits = any(isinstance(effect, Committed) for effect in effects)
        if commits:
            if self._crashes_after_commit(effects, message):
                return True
            code = self._error_at(message, after_commit=True)
            if code is not None:
                error = self.server.error_instead(claim.request, code, now_us)
                if not self._spec.rules.errors_not_recorded:
                    request = claim.request.snapshot
                    stored = Registered(
                        request.owner, request.operation_id, request.resource, "error"
                    )
                    effects.insert(-1, stored)
                effects = [
                    effect._replace(answer=error, step=Step.FAULT)
                    if isinstance(effect, Reply) and effect.delivery == claim.delivery
                    else effect
                    for effect in effects
                ]
        self._carry_out(iter(effects))
        return False

    def _crashes_after_commit(self, effects: list[Effect], message: Message) -> bool:
        if self._faults.is_empty:
            return False
        matched = self._faults.on_server(message.address, CrashPoint.AFTER_COMMIT)
        if matched is None or not isinstance(matched.action, Crash):
            return False
        self._carry_out(effect for effect in effects if not isinstance(effect, Reply))
        self._die(matched.action, matched.place, message)
        return True

    def _error_at(self, message: Message, *, after_commit: bool) -> int | None:
        if self._faults.is_empty:
            return None
        matched = self._faults.on_server(message.address, None)
        if matched is None or not isinstance(matched.action, AnswerError):
            return None
        if matched.action.after_commit != after_commit:
            return None
        self._strikes(matched.place, "error", message)
        return matched.action.code

    def _slowness(self, message: Message) -> int:
        if self._faults.is_empty:
            return 0
        matched = self._faults.on_server(message.address, None)
        if matched is None or not isinstance(matched.action, Slow):
            return 0
        self._strikes(matched.place, "slow", message)
        return matched.action.by_us

    def _strikes(self, place: int, action: str, message: Message) -> None:
        self._faults.use(place)
        data: dict[str, Json] = {
            "clause": place + 1,
            "action": action,
            "message": message.kind.value,
        }
        self._note(Rec.FAULT, message, "", data)

    # --- records --------------------------------------------------------------------------------

    def _committed(self, effect: Committed) -> None:
        message = self._deliveries[effect.delivery]
        snapshot = effect.request.snapshot
        data: dict[str, Json] = {
            "version": effect.version,
            "replaced": effect.replaced_version,
            "expected_version": snapshot.expected_version,
            "draft_version": snapshot.draft_version,
            "body": snapshot.body,
            "kind": snapshot.kind.value,
            "owner": snapshot.owner,
            "names": self._recorder.name_of(snapshot.operation_id),
            "on": snapshot.resource,
            "msg": message.number,
        }
        self._note(Rec.COMMIT, message, Step.COMMIT, data)
        self._happened(HappeningKind.COMMITTED, message)
        if self._faults.waits_for_expiry:

            def expired(_: Event) -> None:
                self._happened(HappeningKind.EXPIRED, message)

            after_us = self._spec.retention_us + 1
            self._clock.at(after_us, DELIVERY, message.exchange.client, expired, None)

    def _registered(self, effect: Registered) -> None:
        op = self._recorder.known_number(effect.operation_id)
        self._recorder.record(
            self._clock.now_us,
            Rec.RECORDED,
            "",
            effect.resource,
            op,
            0,
            "",
            {"state": effect.state, "owner": effect.owner},
        )

    def _decided(self, message: Message, answer: WriteAnswer, step: Step) -> None:
        data: dict[str, Json] = {
            "decision": decision_of(answer),
            "names": self._recorder.name_of(answer.operation_id),
            "addressed_to": attempt_label(answer.attempt),
            "msg": message.number,
        }
        if isinstance(answer, Ack):
            data["version"] = answer.resource_version
        self._note(Rec.DECIDED, message, step, data)

    def _happened(self, kind: HappeningKind, message: Message) -> None:
        if not self._faults.is_empty:
            exchange = message.exchange
            self._network.happened(kind, exchange.client, exchange.nth, exchange.attempt)

    def _note(self, kind: Rec, message: Message | None, rule: str, data: dict[str, Json]) -> None:
        if message is None:
            self._recorder.record(self._clock.now_us, kind, "", "", 0, 0, rule, data)
            return
        exchange = message.exchange
        data["msg"] = message.number
        data["copy"] = message.copy
        self._recorder.record(
            self._clock.now_us,
            kind,
            exchange.client,
            exchange.resource,
            exchange.op,
            exchange.attempt,
            rule,
            data,
        )


def _request(message: Message) -> Request:
    payload = message.payload
    assert isinstance(payload, Request)
    return payload


def decision_of(answer: WriteAnswer) -> str:
    """Return one word for an answer: committed, replay, a refusal's kind, or an error's code."""
    match answer:
        case Ack():
            return "replay" if answer.replayed else "committed"
        case Refusal():
            return answer.kind.value
        case ServerError():
            return str(answer.code)
        case _:
            assert_never(answer)
