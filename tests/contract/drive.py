"""A form and a server driven by hand: events in, effects out, no engine and no clock."""

from typing import Any

from sim.contract.body import Body, freeze
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
)
from sim.contract.client.machine import step
from sim.contract.client.state import (
    Arm,
    ClientConfig,
    ClientState,
    Operation,
    SendRead,
    SendStatus,
    SendWrite,
    Step,
    Timer,
    first_state,
)
from sim.contract.ids import named_id
from sim.contract.messages import (
    Ack,
    Kind,
    ReadAnswer,
    Refusal,
    RefusalKind,
    Resource,
    ServerError,
    Status,
    StatusAnswer,
    TransportError,
)
from sim.contract.mistakes import client_rules
from sim.contract.phases import Phase, Reason
from sim.contract.retry import OnUnknown, RetryPolicy

SECOND = 1_000_000
HOUR = 3_600 * SECOND
START = Resource(4, freeze("start"))


def config(**changes: Any) -> ClientConfig:
    """Return a configuration: three attempts, two seconds each, three status queries."""
    settings: dict[str, Any] = {
        "resource": "note",
        "kind": Kind.PUT,
        "irreversible": False,
        "timeout_us": 2 * SECOND,
        "retry": RetryPolicy(max_attempts=3),
        "on_unknown": OnUnknown.RETRY,
        "status_max": 3,
        "status_delay_us": SECOND,
        "has_status": True,
        "recovery_window_us": 23 * HOUR,
        "ack_of_any_attempt": False,
        "rules": client_rules(changes.pop("mistakes", ())),
    }
    settings |= changes
    settings["on_unknown"] = OnUnknown(settings["on_unknown"])
    return ClientConfig(**settings)


class Hand:
    """One form and whoever plays everything around it."""

    def __init__(self, *, ids: bool = True, **changes: Any) -> None:
        self.config = config(**changes)
        self.state: ClientState = first_state(self.config, "ann", START)
        self.now_us = 0
        self.last: Step
        self.steps: list[Step] = []
        self._has_ids = ids
        self._waits: dict[Timer, int] = {}

    def feed(self, event: Event) -> Step:
        """Give the form one event; its ids at hand change with every event."""
        name = f"hand {len(self.steps)}"
        ids = (named_id(name), named_id(f"{name} layer")) if self._has_ids else None
        self.last = step(self.config, self.state, event, Moment(self.now_us, ids))
        self.state = self.last.state
        self.steps.append(self.last)
        for effect in self.last.effects:
            if isinstance(effect, Arm):
                self._waits[effect.timer] = effect.wait.at(0.0)
        return self.last

    # --- what the person does -----------------------------------------------------------------

    def edit(self, text: str = "new") -> Step:
        return self.feed(Edit(freeze(text)))

    def save(self, *, new_intent: bool = False) -> Step:
        return self.feed(Save(new_intent))

    def launched(self, text: str = "new") -> "Hand":
        """Edit and save: attempt-01 is under way."""
        self.edit(text)
        self.save()
        return self

    # --- what arrives ---------------------------------------------------------------------------

    def ack_for(self, op: Operation | None = None, **changes: Any) -> Ack:
        """Return the ack that a right server gives to the attempt launched last."""
        op = op or self.op
        sent = op.snapshot
        version = sent.expected_version + 1
        ack = Ack(
            sent.operation_id, op.attempt, sent.draft_version, version, sent.body, replayed=False
        )
        return ack._replace(**changes)

    def ack(self, **changes: Any) -> Step:
        return self.feed(Answered(self.ack_for(**changes)))

    def refuse(self, kind: RefusalKind, **changes: Any) -> Step:
        refusal = Refusal(self.op.snapshot.operation_id, self.op.attempt, kind)
        return self.feed(Answered(refusal._replace(**changes)))

    def error(self, code: int = 500, **changes: Any) -> Step:
        error = ServerError(self.op.snapshot.operation_id, self.op.attempt, code)
        return self.feed(Answered(error._replace(**changes)))

    def told(self, status: Status, **changes: Any) -> Step:
        """A status answer to the query asked last."""
        result = self.ack_for() if status is Status.COMPLETED else None
        answer = StatusAnswer(self.op.snapshot.operation_id, self.op.queries, status, result)
        return self.feed(StatusAnswered(answer._replace(**changes)))

    def reads(self, version: int, text: str = "theirs") -> Step:
        assert self.state.reading is not None
        answer = ReadAnswer(self.state.reading.number, version, freeze(text))
        return self.feed(ReadAnswered(answer))

    def breaks(self, error: TransportError, attempt: int | None = None) -> Step:
        op = self.op
        number = op.attempt if attempt is None else attempt
        kind = ExchangeKind.REQUEST
        return self.feed(ExchangeBroken(kind, op.snapshot.operation_id, number, error))

    # --- time -----------------------------------------------------------------------------------

    def ring(self) -> Step:
        """Let the pending operation's timer ring when it is due."""
        due = self.op.due
        assert due is not None, "nothing is due"
        self.now_us += self._waits[due]
        return self.feed(TimerFired(due, self._waits[due]))

    def unknown(self) -> "Hand":
        """Let the attempt under way time out."""
        self.ring()
        assert self.phase is not Phase.AWAITING_ACK
        return self

    # --- what can be seen -----------------------------------------------------------------------

    @property
    def op(self) -> Operation:
        assert self.state.operation is not None, "no operation is pending"
        return self.state.operation

    @property
    def phase(self) -> Phase:
        return self.state.phase

    @property
    def reason(self) -> Reason:
        return self.state.reason

    @property
    def sent(self) -> list[SendWrite]:
        """Every attempt so far."""
        return [e for done in self.steps for e in done.effects if isinstance(e, SendWrite)]

    @property
    def queries(self) -> list[SendStatus]:
        return [e for done in self.steps for e in done.effects if isinstance(e, SendStatus)]

    @property
    def read_requests(self) -> list[SendRead]:
        return [e for done in self.steps for e in done.effects if isinstance(e, SendRead)]

    @property
    def body(self) -> Body:
        return self.state.draft.body

    @property
    def waits_us(self) -> int:
        """How long the timer that is due was armed for."""
        due = self.op.due
        assert due is not None
        return self._waits[due]
