"""Checks on what clients launch, and the books of what their people do."""

from typing import Final

from sim.contract.body import Body, Json
from sim.contract.client.rows import Row
from sim.contract.messages import NEVER_SENT, attempt_label
from sim.contract.phases import AWAITING_ACK, Phase
from sim.judge.book import CLEARED, OPEN, IntentBook, OperationBook, Screen, SentSnapshot
from sim.judge.ledger import Spot, name
from sim.judge.screens import ACKNOWLEDGED, ScreenChecks, update_belief
from sim.trace.listener import Sent
from sim.trace.records import Record

_SETTLED_PHASES: Final = (Phase.IDLE, *ACKNOWLEDGED, Phase.REFUSED)
_NEVER_SENT: Final = frozenset(error.value for error in NEVER_SENT)
_LAUNCHLESS: Final = frozenset({Row.PAGE_CLOSED.value, Row.SAVE_NO_IDS.value})


class ClientChecks(ScreenChecks):
    """The invariants that launches can break."""

    # --- pages and people -----------------------------------------------------------------------

    def start(self, record: Record) -> None:
        """A page opens on a resource, clean."""
        data = record.data
        owner = str(data["owner"])
        version = _whole(data["version"])
        screen = Screen(record.client, record.resource, owner, str(data["body"]))
        screen.incorporated[owner] = version
        self._screens[record.client, record.resource] = screen
        self._ledger.resources[record.resource] = (version, str(data["holds"]))

    def edit(self, _at_us: int, client: str, resource: str, rule: str, body: Body, /) -> None:
        """The person changed the draft: from now on that body must not get lost."""
        self._ledger.seq += 1
        if rule == Row.EDIT_CHANGED:
            screen = self._screens[client, resource]
            screen.edited[screen.owner] = body

    def merge(self, record: Record) -> None:
        """The person made one draft of two: the draft now stands on what was read."""
        if record.rule == Row.MERGED:
            screen = self._screen(record)
            owner = screen.owner
            screen.edited[owner] = str(record.data["body"])
            stands_on = screen.incorporated.get(owner, 0)
            screen.incorporated[owner] = max(stands_on, screen.read_version)

    def sign_in(self, record: Record) -> None:
        """A session starts: from now on this client is that account's."""
        self._ledger.screens[record.client, record.resource].signed_in = str(record.data["owner"])

    def discard(self, record: Record) -> None:
        """A person who was told gives the operation up."""
        screen = self._screen(record)
        if record.rule == Row.PERSON_DISCARDS and screen.pending is not None:
            screen.pending.belief = "given up"
            self._ledger.settle(screen, screen.pending, record.at_us)

    def opened(self, record: Record) -> None:
        """A page or a worker is there again."""
        screen = self._screen(record)
        screen.has_worker = True
        screen.is_open = screen.is_open or record.rule == Row.RELOADED

    def closed(self, record: Record) -> None:
        """The page is gone."""
        self._screen(record).is_open = False

    def worker_stopped(self, record: Record) -> None:
        """The worker is gone, and its timers with it."""
        self._screen(record).has_worker = False

    def save(
        self,
        at_us: int,
        client: str,
        resource: str,
        op: int,
        rule: str,
        _body: Body,
        _draft_version: int,
        new_intent: bool,
        launches: bool,
        /,
    ) -> None:
        """`can-save`: in a settled phase, something to save is launched."""
        self._ledger.seq += 1
        if launches:
            return
        screen = self._screens[client, resource]
        wanted = screen.dirty or new_intent
        if screen.phase in _SETTLED_PHASES and wanted and rule not in _LAUNCHLESS:
            what = f"a save in phase {screen.phase.value} launched nothing"
            self._ledger.violated("can-save", Spot(at_us, client, resource, op), what)

    # --- launches -------------------------------------------------------------------------------

    def launch(
        self,
        at_us: int,
        client: str,
        resource: str,
        number: int,
        attempt: int,
        _rule: str,
        intent: int,
        owner: str,
        body: Body,
        draft_version: int,
        expected_version: int,
        irreversible: bool,
        sent: Sent | None,
        /,
    ) -> None:
        """An attempt is sent."""
        ledger = self._ledger
        ledger.seq += 1
        screen = self._screens[client, resource]
        op = ledger.operation(client, number)
        if op is None:
            snapshot = (owner, body, draft_version, expected_version)
            op = self._new_operation(
                at_us, screen, number, intent, snapshot, irreversible=irreversible
            )
        elif attempt in op.fates:
            what = f"{attempt_label(attempt)} of {name(op)} was launched twice"
            ledger.violated_on("ids-unique", at_us, screen, what, op)
        if op.irreversible and op.may_have_effect:
            what = f"{name(op)} is irreversible, its outcome unknown, and it is sent again"
            ledger.violated_on("irreversible-not-repeated", at_us, screen, what, op)
        op.attempt = attempt
        op.launches += 1
        op.fates[attempt] = OPEN
        op.launch_seq, op.launched_us = ledger.seq, at_us
        op.launched_clean = op.under_way == 0 and op.executing == 0
        op.is_settled = False
        screen.pending = screen.last = op
        screen.unsettled[number] = op
        if screen.phase is not AWAITING_ACK:
            update_belief(screen)
        elif op.belief != "given up":
            op.belief = "awaiting"
        ledger.of_client[client].attempts += 1
        if op.launches > ledger.policies[client].retry.max_attempts:
            ledger.violated_on(
                "bounded-attempts", at_us, screen, f"{name(op)} is tried too often", op
            )
        if sent is not None or owner != op.owner or owner != screen.signed_in:
            self._check_sent(at_us, screen, op, owner, sent)
        stands_on = expected_version if sent is None else sent.expected_version
        op.is_blind = stands_on > screen.incorporated.get(op.owner, 0)
        if screen.phase is not AWAITING_ACK:
            self._launched(at_us, screen)

    def _new_operation(
        self,
        at_us: int,
        screen: Screen,
        number: int,
        wanted: int,
        snapshot: SentSnapshot,
        *,
        irreversible: bool,
    ) -> OperationBook:
        ledger = self._ledger
        client = screen.client
        intent = ledger.intents.get((client, wanted))
        if intent is None:
            intent = ledger.intents[client, wanted] = IntentBook(client, wanted)
        op = OperationBook(
            client,
            screen.resource,
            number,
            ledger.next_ordinal(client),
            snapshot,
            intent,
            at_us,
            irreversible=irreversible,
        )
        others = [other for other in intent.operations if not other.is_settled]
        intent.operations.append(op)
        ledger.operations[client, number] = op
        first = ledger.by_number.setdefault(number, op)
        if first is not op:
            what = f"{name(op)} already names a snapshot of {first.client}"
            ledger.violated_on("ids-unique", at_us, screen, what, op)
        if others:
            what = f"one intent is split over {name(others[0])} and {name(op)}, neither settled"
            ledger.violated_on("ids-unique", at_us, screen, what, op)
            if irreversible and any(other.may_have_effect for other in others):
                what = f"{name(op)} repeats {name(others[0])}, whose outcome is unknown"
                ledger.violated_on("irreversible-not-repeated", at_us, screen, what, op)
        return op

    def _check_sent(
        self, at_us: int, screen: Screen, op: OperationBook, owner: str, sent: Sent | None
    ) -> None:
        """Whose operation is sent, and whether as the snapshot that it was made for."""
        if owner != op.owner or owner != screen.signed_in:
            signed_in = screen.signed_in
            what = f"an operation of {op.owner} is sent as {owner}, signed in is {signed_in}"
            self._ledger.violated_on("owner-isolation", at_us, screen, what, op)
        if owner != op.owner:
            what = f"{name(op)} names a snapshot of {op.owner} and one of {owner}"
            self._ledger.violated_on("ids-unique", at_us, screen, what, op)
        frozen = (op.body, op.expected_version)
        if sent is not None and (sent.body, sent.expected_version) != frozen:
            what = f"{name(op)} is sent with another snapshot than it was made for"
            self._ledger.violated_on("ids-unique", at_us, screen, what, op)

    def ask(self, record: Record) -> None:
        """A status query is sent; only the client's own count towards its limit."""
        op = self._ledger.operation(record.client, record.op)
        if op is None or record.data["by"] == "person":
            return
        op.asked += 1
        if op.asked > self._ledger.policies[op.client].status_max:
            what = f"{name(op)} is asked for too often"
            self._ledger.violated("bounded-attempts", record, what, op)

    def broken(self, record: Record) -> None:
        """An exchange broke; some errors prove that the attempt never left."""
        self._ledger.trouble_seq = record.seq
        op = self._ledger.operation(record.client, record.op)
        if op is None or record.data["message"] != "request":
            return
        if record.data["error"] in _NEVER_SENT:
            op.fates[record.attempt] = CLEARED
        if record.rule == Row.NOT_SENT and not op.may_have_effect:
            self._ledger.settle(self._screen(record), op, record.at_us)

    def _screen(self, record: Record) -> Screen:
        return self._screens[record.client, record.resource]


def _whole(value: Json) -> int:
    assert isinstance(value, int)
    return value
