"""Checks on what clients launch and what their screens show."""

from collections.abc import Mapping

from sim.contract.body import Json
from sim.contract.client.rows import Row
from sim.contract.messages import NEVER_SENT, attempt_label
from sim.contract.phases import Phase, Reason
from sim.judge.book import (
    CLEARED,
    OPEN,
    SHOWN_AS_FAILED,
    WAITING_PHASES,
    IntentBook,
    OperationBook,
    Screen,
)
from sim.judge.ledger import Ledger, name
from sim.trace.records import Record

_PHASES = {phase.value: phase for phase in Phase}
_REASONS = {reason.value: reason for reason in Reason}
_ACKNOWLEDGED = (Phase.ACKNOWLEDGED, Phase.ACKNOWLEDGED_NEWER)
_SETTLED_PHASES = (Phase.IDLE, *_ACKNOWLEDGED, Phase.REFUSED)
_NEVER_SENT = frozenset(error.value for error in NEVER_SENT)
_LAUNCHLESS = frozenset({Row.PAGE_CLOSED.value, Row.SAVE_NO_IDS.value})


class ClientChecks:
    """The invariants that launches and screens can break."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    # --- pages and people -----------------------------------------------------------------------

    def start(self, record: Record) -> None:
        """A page opens on a resource, clean."""
        data = record.data
        owner = str(data["owner"])
        version = _whole(data["version"])
        screen = Screen(record.client, record.resource, owner, str(data["body"]))
        screen.incorporated[owner] = version
        self._ledger.screens[record.client, record.resource] = screen
        self._ledger.resources[record.resource] = (version, str(data["holds"]))

    def edit(self, record: Record) -> None:
        """The person changed the draft: from now on that body must not get lost."""
        if record.rule == Row.EDIT_CHANGED:
            screen = self._screen(record)
            screen.edited[screen.owner] = str(record.data["body"])

    def merge(self, record: Record) -> None:
        """The person made one draft of two: the draft now stands on what was read."""
        if record.rule == Row.MERGED:
            screen = self._screen(record)
            owner = screen.owner
            screen.edited[owner] = str(record.data["body"])
            stands_on = screen.incorporated.get(owner, 0)
            screen.incorporated[owner] = max(stands_on, screen.read_version)

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

    def save(self, record: Record) -> None:
        """`can-save`: in a settled phase, something to save is launched."""
        screen = self._screen(record)
        wanted = screen.dirty or bool(record.data["new_intent"])
        if (
            screen.phase in _SETTLED_PHASES
            and wanted
            and not record.data["launches"]
            and record.rule not in _LAUNCHLESS
        ):
            self._ledger.violated(
                "can-save", record, f"a save in phase {screen.phase.value} launched nothing"
            )

    # --- launches -------------------------------------------------------------------------------

    def launch(self, record: Record) -> None:
        """An attempt is sent."""
        ledger, data = self._ledger, record.data
        screen = self._screen(record)
        op = ledger.operations.get((record.client, record.op))
        if op is None:
            op = self._new_operation(record)
        elif record.attempt in op.fates:
            label = attempt_label(record.attempt)
            ledger.violated("ids-unique", record, f"{label} of {name(op)} was launched twice", op)
        self._check_repetition(record, op)
        op.attempt = record.attempt
        op.launches += 1
        op.fates[record.attempt] = OPEN
        op.launch_seq, op.launched_us = record.seq, record.at_us
        op.launched_clean = op.under_way == 0 and op.executing == 0
        op.is_settled = False
        screen.pending = screen.last = op
        screen.unsettled[op.number] = op
        self._update_belief(screen)
        ledger.tally.attempts += 1
        ledger.tally_of(record.client).attempts += 1
        if op.launches > ledger.policies[op.client].retry.max_attempts:
            ledger.violated("bounded-attempts", record, f"{name(op)} is tried too often", op)
        self._check_owner(record, screen, op)
        if "sent_body" in data:
            self._check_sent(record, op, data)
        self._check_base(record, screen, op)
        if screen.phase in _ACKNOWLEDGED:
            self._check_success(record, screen)
        self._check_visible(record, screen)

    def _new_operation(self, record: Record) -> OperationBook:
        ledger, data = self._ledger, record.data
        number = _whole(data["intent"])
        intent = ledger.intents.get((record.client, number))
        if intent is None:
            intent = IntentBook(record.client, number)
            ledger.intents[record.client, number] = intent
        op = OperationBook(
            client=record.client,
            resource=record.resource,
            number=record.op,
            nth=ledger.next_ordinal(record.client),
            owner=str(data["owner"]),
            body=str(data["body"]),
            draft_version=_whole(data["draft_version"]),
            expected_version=_whole(data["expected_version"]),
            irreversible=bool(data["irreversible"]),
            intent=intent,
            first_sent_us=record.at_us,
        )
        others = [other for other in intent.operations if not other.is_settled]
        intent.operations.append(op)
        ledger.operations[record.client, record.op] = op
        first = ledger.by_number.setdefault(record.op, op)
        if first is not op:
            what = f"{name(op)} already names a snapshot of {first.client}"
            ledger.violated("ids-unique", record, what, op)
        if others:
            what = f"one intent is split over {name(others[0])} and {name(op)}, neither settled"
            ledger.violated("ids-unique", record, what, op)
            if op.irreversible and any(other.may_have_effect for other in others):
                what = f"{name(op)} repeats {name(others[0])}, whose outcome is unknown"
                ledger.violated("irreversible-not-repeated", record, what, op)
        return op

    def _check_repetition(self, record: Record, op: OperationBook) -> None:
        if op.irreversible and op.may_have_effect:
            what = f"{name(op)} is irreversible, its outcome unknown, and it is sent again"
            self._ledger.violated("irreversible-not-repeated", record, what, op)

    def _check_owner(self, record: Record, screen: Screen, op: OperationBook) -> None:
        owner = str(record.data["owner"])
        if owner != op.owner or owner != screen.owner:
            what = f"an operation of {op.owner} is sent as {owner}, signed in is {screen.owner}"
            self._ledger.violated("owner-isolation", record, what, op)
        if owner != op.owner:
            what = f"{name(op)} names a snapshot of {op.owner} and one of {owner}"
            self._ledger.violated("ids-unique", record, what, op)

    def _check_sent(self, record: Record, op: OperationBook, data: Mapping[str, Json]) -> None:
        if data["sent_body"] != op.body or data["sent_expected_version"] != op.expected_version:
            what = f"{name(op)} is sent with another snapshot than it was made for"
            self._ledger.violated("ids-unique", record, what, op)

    def _check_base(self, record: Record, screen: Screen, op: OperationBook) -> None:
        sent = record.data.get("sent_expected_version", record.data["expected_version"])
        op.is_blind = _whole(sent) > screen.incorporated.get(op.owner, 0)

    def ask(self, record: Record) -> None:
        """A status query is sent; only the client's own count towards its limit."""
        op = self._ledger.operations.get((record.client, record.op))
        if op is None or record.data["by"] == "person":
            return
        op.asked += 1
        if op.asked > self._ledger.policies[op.client].status_max:
            what = f"{name(op)} is asked for too often"
            self._ledger.violated("bounded-attempts", record, what, op)

    def broken(self, record: Record) -> None:
        """An exchange broke; some errors prove that the attempt never left."""
        self._ledger.trouble_seq = record.seq
        op = self._ledger.operations.get((record.client, record.op))
        if op is None or record.data["message"] != "request":
            return
        if record.data["error"] in _NEVER_SENT:
            op.fates[record.attempt] = CLEARED
        if record.rule == Row.NOT_SENT and not op.may_have_effect:
            self._ledger.settle(self._screen(record), op, record.at_us)

    # --- what is shown --------------------------------------------------------------------------

    def show(self, record: Record) -> None:
        """The screen changes: what it claims must be true at this very instant."""
        data = record.data
        screen = self._screen(record)
        owner, body = str(data["owner"]), str(data["body"])
        if owner != screen.owner:
            self._change_owner(record, screen, owner, body)
        screen.body = body
        screen.phase = _PHASES[str(data["phase"])]
        screen.reason = _REASONS[str(data["reason"])]
        screen.draft_version = _whole(data["draft_version"])
        screen.dirty = bool(data["dirty"])
        if screen.phase is not Phase.AWAITING_ACK:
            # That one is shown just before its launch, which says of which operation it speaks.
            self._update_belief(screen)
        if screen.phase in _ACKNOWLEDGED:
            self._check_success(record, screen)
        elif screen.phase is Phase.REFUSED or screen.reason in SHOWN_AS_FAILED:
            self._check_failure(record, screen)
        self._check_visible(record, screen)
        self._check_draft(record, screen)
        if screen.must_keep is not None:
            self._check_newer(record, screen, screen.must_keep)

    def _change_owner(self, record: Record, screen: Screen, owner: str, body: str) -> None:
        before = screen.owner
        screen.last_of[before], screen.pending_of[before] = screen.last, screen.pending
        mine = screen.edited.get(before)
        if mine is not None and body == mine and screen.edited.get(owner) != body:
            what = f"the draft of {before} is shown to {owner}"
            self._ledger.violated("owner-isolation", record, what)
        screen.owner = owner
        screen.last = screen.last_of.get(owner)
        screen.pending = screen.pending_of.get(owner)
        screen.settled_by = None

    def _update_belief(self, screen: Screen) -> None:
        op = screen.last
        if op is None or op.belief == "given up":
            return
        match screen.phase:
            case Phase.ACKNOWLEDGED | Phase.ACKNOWLEDGED_NEWER:
                op.belief = "acknowledged"
            case Phase.REFUSED:
                op.belief = "not saved"
            case Phase.UNKNOWN_OUTCOME:
                op.belief, op.ever_unknown = "unknown", True
            case Phase.RECOVERY_REQUIRED:
                op.belief, op.ever_recovery = "unknown", True
            case Phase.AWAITING_ACK:
                op.belief = "awaiting"
            case Phase.IDLE:
                if screen.reason in SHOWN_AS_FAILED:
                    op.belief = "not saved"
                elif op.belief in ("awaiting", "unknown"):
                    op.belief = "forgotten"

    def _check_success(self, record: Record, screen: Screen) -> None:
        op = screen.last
        if op is None:
            self._ledger.violated("no-false-success", record, "shown as saved: nothing was sent")
            return
        shown = screen.body if screen.phase is Phase.ACKNOWLEDGED else op.body
        if shown not in op.effect_bodies:
            what = f"shown as saved, but {name(op)} has " + (
                "stored another text" if op.effects else "not been committed"
            )
            self._ledger.violated("no-false-success", record, what, op)

    def _check_failure(self, record: Record, screen: Screen) -> None:
        op = screen.last
        if op is None or screen.reason is Reason.NO_SECURE_IDS:
            return
        op.shown_failed = True
        if op.intent.effects:
            what = f"{name(op)} is shown as not saved, and the change is stored"
            self._ledger.violated("no-false-failure", record, what, op)

    def _check_visible(self, record: Record, screen: Screen) -> None:
        if not screen.unsettled or screen.phase in WAITING_PHASES:
            return
        for op in screen.unsettled.values():
            if op.owner == screen.owner and op.may_have_effect:
                what = f"{name(op)} may have had an effect, and the screen does not say so"
                self._ledger.violated("unknown-is-visible", record, what, op)

    def _check_draft(self, record: Record, screen: Screen) -> None:
        edited = screen.edited.get(screen.owner)
        if edited is None or edited == screen.body or edited in screen.acknowledged_bodies:
            return
        self._ledger.violated(
            "draft-kept", record, "an edited text is neither in the draft nor acknowledged"
        )
        screen.edited[screen.owner] = screen.body

    def _check_newer(self, record: Record, screen: Screen, keep: tuple[int, str]) -> None:
        screen.must_keep = None
        seq, body = keep
        if record.seq == seq + 1 and (screen.body != body or not screen.dirty):
            self._ledger.violated(
                "newer-draft-kept", record, "confirming an older version cleared the newer draft"
            )

    def _screen(self, record: Record) -> Screen:
        return self._ledger.screens[record.client, record.resource]


def _whole(value: Json) -> int:
    assert isinstance(value, int)
    return value
