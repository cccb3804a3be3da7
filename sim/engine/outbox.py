"""What a client sends: attempts, status queries, reads, and what no correct client would send."""

from typing import Final

from sim.contract.body import Json
from sim.contract.client.rows import VERDICTS, Row, Verdict
from sim.contract.client.state import (
    ClientConfig,
    ClientState,
    Operation,
    SendRead,
    SendStatus,
    SendWrite,
)
from sim.contract.messages import ReadQuery, Request, Snapshot, StatusQuery
from sim.contract.tuples import new
from sim.engine.link import Network
from sim.engine.mail import Exchange
from sim.engine.routes import Route
from sim.engine.surrogates import Surrogates
from sim.engine.truth import Intent, Intents
from sim.network.faults import HappeningKind, MessageKind
from sim.trace.listener import Listener, Sent, tell_record
from sim.trace.records import Rec

# Named here because on Python 3.11 reading a member off its enum costs as much as a call.
_REQUEST: Final = MessageKind.REQUEST
_ACCEPTED: Final = Verdict.ACCEPTED


class Form:
    """One form and the machine's configuration for it."""

    __slots__ = ("config", "resource", "state")

    def __init__(self, config: ClientConfig, state: ClientState) -> None:
        self.config = config
        self.state = state
        self.resource = config.resource


class Outbox:
    """Sends for one client, and keeps the ground truth of what its person wanted."""

    def __init__(
        self, name: str, route: Route, network: Network, surrogates: Surrogates, notes: Listener
    ) -> None:
        self.intents = Intents()
        self._name = name
        self._route = route
        self._network = network
        self._surrogates = surrogates
        self._notes = notes
        self._ordinals: dict[int, int] = {}

    def write(
        self,
        form: Form,
        effect: SendWrite,
        row: Row,
        page: int,
        session: str,
        now_us: int,
        *,
        forced_new: bool,
    ) -> None:
        """Send one attempt from a page, in a session."""
        sent, frozen, attempt = effect.snapshot, effect.frozen, effect.attempt
        op = wire = self._surrogates.number_of(frozen.operation_id)
        if attempt == 1:
            intent = self.intents.of_save(
                frozen.owner, form.resource, frozen.body, forced_new=forced_new
            )
            self.intents.launch(op, intent)
        else:
            intent = self.intents.of_operation(op)
        other = None
        if sent is not frozen:
            if sent.operation_id != frozen.operation_id:
                wire = self._surrogates.number_of(sent.operation_id)
            other = Sent(sent.body, sent.expected_version, wire)
        self._notes.launch(
            now_us,
            self._name,
            form.resource,
            op,
            attempt,
            row,
            intent.number,
            frozen.owner,
            frozen.body,
            frozen.draft_version,
            frozen.expected_version,
            form.config.irreversible,
            other,
        )
        nth = self._ordinals.get(op) or self.ordinal(op)
        exchange = Exchange(
            self._name,
            self._route,
            form.resource,
            op,
            nth,
            attempt,
            sent.operation_id,
            intent,
            page,
        )
        request = new(Request, (sent, attempt, session))
        network = self._network
        network.ask(_REQUEST, request, exchange, now_us)
        if not network.is_calm:
            network.happened(HappeningKind.SENT, self._name, nth, attempt, now_us)

    def status(self, form: Form, effect: SendStatus, page: int, session: str, now_us: int) -> None:
        """Ask what became of an operation."""
        op = self._surrogates.number_of(effect.operation_id)
        by = "person" if effect.by_person else "client"
        self._note(Rec.ASK, form, op, {"query": effect.query, "by": by}, now_us)
        number, operation_id = effect.query, effect.operation_id
        intent = self.intents.of_operation(op)
        exchange = self._exchange(form, op, number, operation_id, intent, page)
        query = StatusQuery(effect.owner, operation_id, number, session)
        self._network.ask(MessageKind.STATUS, query, exchange, now_us)

    def read(self, form: Form, effect: SendRead, page: int, now_us: int) -> None:
        """Read the form's resource."""
        exchange = self._exchange(form, 0, effect.number, "", self.intents.nobody, page)
        # Reads belong to a form, not to an operation: a clause tells them by their number alone.
        exchange.nth = 1
        query = ReadQuery(form.resource, effect.number)
        self._network.ask(MessageKind.READ, query, exchange, now_us)

    def raw(self, form: Form, snapshot: Snapshot, page: int, session: str, now_us: int) -> None:
        """Send what no correct client would: attempt 0, under any id and owner."""
        op = self._surrogates.number_of(snapshot.operation_id)
        nobody = self.intents.nobody
        exchange = self._exchange(form, op, 0, snapshot.operation_id, nobody, page)
        data: dict[str, Json] = {
            "raw": True,
            "body": snapshot.body,
            "expected_version": snapshot.expected_version,
            "owner": snapshot.owner,
        }
        self._note(Rec.RAW, form, op, data, now_us)
        request = Request(snapshot, 0, session)
        self._network.ask(MessageKind.REQUEST, request, exchange, now_us)

    def _exchange(
        self, form: Form, op: int, number: int, operation_id: str, intent: Intent, page: int
    ) -> Exchange:
        nth = self.ordinal(op) if op else 0
        return Exchange(
            self._name, self._route, form.resource, op, nth, number, operation_id, intent, page
        )

    def ordinal(self, op: int) -> int:
        """Return how many-th operation of this client an operation is."""
        ordinal = self._ordinals.get(op)
        if ordinal is None:
            ordinal = self._ordinals[op] = len(self._ordinals) + 1
        return ordinal

    def settled(self, op: Operation, row: Row, now_us: int) -> None:
        """Tell ground truth, and whoever holds a message for it, that an operation is settled."""
        if row not in _SETTLES:
            return
        number = self._surrogates[op.snapshot.operation_id]
        acknowledged = VERDICTS.get(row) is _ACCEPTED
        self.intents.settle(number, acknowledged=acknowledged)
        if not self._network.is_calm:
            nth = self.ordinal(number)
            self._network.happened(HappeningKind.SETTLED, self._name, nth, 0, now_us)

    def _note(self, kind: Rec, form: Form, op: int, data: dict[str, Json], now_us: int) -> None:
        tell_record(self._notes, now_us, kind, self._name, form.resource, op, 0, "", data)


_SETTLES: Final = frozenset(
    {
        Row.RULE_4_ACCEPTED,
        Row.RULE_5_ACCEPTED,
        Row.REFUSED,
        Row.NOT_SENT,
        Row.PERSON_DISCARDS,
    }
)
