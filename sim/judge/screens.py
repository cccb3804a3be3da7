"""Checks on what screens show: it must be true at that very instant."""

from typing import Final

from sim.contract.body import Body
from sim.contract.phases import AWAITING_ACK, Phase, Reason
from sim.judge.book import SHOWN_AS_FAILED, WAITING_PHASES, Screen
from sim.judge.ledger import Ledger, name
from sim.scenario.model import World
from sim.trace.listener import Listener

ACKNOWLEDGED: Final = (Phase.ACKNOWLEDGED, Phase.ACKNOWLEDGED_NEWER)
_BELIEFS: Final = {
    Phase.ACKNOWLEDGED: "acknowledged",
    Phase.ACKNOWLEDGED_NEWER: "acknowledged",
    Phase.REFUSED: "not saved",
    Phase.UNKNOWN_OUTCOME: "unknown",
    Phase.RECOVERY_REQUIRED: "unknown",
    Phase.AWAITING_ACK: "awaiting",
}

_THROUGH_UNKNOWN: Final = (Reason.PERSON_DECIDES, Reason.NO_STATUS, Reason.OUT_OF_QUERIES)
"""Why recovery is required at the very instant at which an outcome became unknown: the client has
nothing left to do by itself, and no screen shows the phase between."""


class ScreenChecks(Listener):
    """The invariants that what is shown can break."""

    def __init__(self, world: World) -> None:
        self._ledger = Ledger(world)
        self._screens = self._ledger.screens

    def show(
        self,
        at_us: int,
        client: str,
        resource: str,
        owner: str,
        phase: Phase,
        reason: Reason,
        body: Body,
        draft_version: int,
        dirty: bool,
        _base_version: int,
        _read_version: int | None,
        /,
    ) -> None:
        """The screen changes: what it claims must be true at this very instant."""
        self._ledger.seq += 1
        screen = self._screens[client, resource]
        if owner != screen.owner:
            self._change_owner(at_us, screen, owner, body)
        if owner != screen.signed_in:
            what = f"what belongs to {owner} is shown while {screen.signed_in} is signed in"
            self._ledger.violated_on("owner-isolation", at_us, screen, what)
        screen.body = body
        screen.phase = phase
        screen.reason = reason
        screen.draft_version = draft_version
        screen.dirty = dirty
        if phase is not AWAITING_ACK:
            # That one is shown just before its launch, which says of which operation it speaks.
            update_belief(screen)
        if phase in ACKNOWLEDGED:
            self._success(at_us, screen)
        elif phase is Phase.REFUSED or reason in SHOWN_AS_FAILED:
            self._failure(at_us, screen)
        if screen.unsettled and phase not in WAITING_PHASES:
            self._visible(at_us, screen)
        edited = screen.edited.get(owner)
        if edited is not None and edited != body and edited not in screen.acknowledged_bodies:
            what = "an edited text is neither in the draft nor acknowledged"
            sent = screen.last
            whose = sent if sent is not None and sent.body == edited else None
            self._ledger.violated_on("draft-kept", at_us, screen, what, whose)
            screen.edited[owner] = body
        if screen.must_keep is not None:
            self._newer(at_us, screen, screen.must_keep)

    def _change_owner(self, at_us: int, screen: Screen, owner: str, body: str) -> None:
        before = screen.owner
        screen.last_of[before], screen.pending_of[before] = screen.last, screen.pending
        mine = screen.edited.get(before)
        if mine is not None and body == mine and screen.edited.get(owner) != body:
            what = f"the draft of {before} is shown to {owner}"
            self._ledger.violated_on("owner-isolation", at_us, screen, what)
        screen.owner = owner
        screen.last = screen.last_of.get(owner)
        screen.pending = screen.pending_of.get(owner)

    def _launched(self, at_us: int, screen: Screen) -> None:
        """A launch that the screen does not show as waiting: only a mistake does that."""
        if screen.phase in ACKNOWLEDGED:
            self._success(at_us, screen)
        if screen.phase not in WAITING_PHASES:
            self._visible(at_us, screen)

    def _success(self, at_us: int, screen: Screen) -> None:
        """`no-false-success`: what is shown as acknowledged is stored, by that very operation."""
        op = screen.last
        if op is None:
            self._ledger.violated_on(
                "no-false-success", at_us, screen, "shown as saved: nothing was sent"
            )
            return
        shown = screen.body if screen.phase is Phase.ACKNOWLEDGED else op.body
        if shown not in op.effect_bodies:
            what = f"shown as saved, but {name(op)} has " + (
                "stored another text" if op.effects else "not been committed"
            )
            self._ledger.violated_on("no-false-success", at_us, screen, what, op)

    def _failure(self, at_us: int, screen: Screen) -> None:
        op = screen.last
        if op is None or screen.reason is Reason.NO_SECURE_IDS:
            return
        op.shown_failed = True
        if op.intent.effects:
            what = f"{name(op)} is shown as not saved, and the change is stored"
            self._ledger.violated_on("no-false-failure", at_us, screen, what, op)

    def _visible(self, at_us: int, screen: Screen) -> None:
        """`unknown-is-visible`: while something may have had an effect, the screen says so."""
        for op in screen.unsettled.values():
            if op.owner == screen.owner and op.may_have_effect:
                what = f"{name(op)} may have had an effect, and the screen does not say so"
                self._ledger.violated_on("unknown-is-visible", at_us, screen, what, op)

    def _newer(self, at_us: int, screen: Screen, keep: tuple[int, str]) -> None:
        screen.must_keep = None
        seq, body = keep
        if self._ledger.seq == seq + 1 and (screen.body != body or not screen.dirty):
            what = "confirming an older version cleared the newer draft"
            self._ledger.violated_on("newer-draft-kept", at_us, screen, what)


def update_belief(screen: Screen) -> None:
    """Note what the screen now makes its person believe of the operation that it speaks of."""
    op, phase = screen.last, screen.phase
    if op is None or op.belief == "given up":
        return
    belief = _BELIEFS.get(phase)
    if belief is not None:
        op.belief = belief
        if phase is Phase.UNKNOWN_OUTCOME:
            op.ever_unknown = True
        elif phase is Phase.RECOVERY_REQUIRED:
            op.ever_recovery = True
            expired = screen.reason is Reason.EXPIRED and op.may_have_effect
            if expired or screen.reason in _THROUGH_UNKNOWN:
                op.ever_unknown = True
    elif screen.reason in SHOWN_AS_FAILED:
        op.belief = "not saved"
    elif op.belief in ("awaiting", "unknown"):
        op.belief = "forgotten"
