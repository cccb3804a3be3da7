"""The phases of a client, as the screen shows them, and why an operation stopped."""

from enum import StrEnum
from typing import Final


class Phase(StrEnum):
    """What the screen shows."""

    IDLE = "idle"
    AWAITING_ACK = "awaiting-ack"
    UNKNOWN_OUTCOME = "unknown-outcome"
    ACKNOWLEDGED = "acknowledged"
    ACKNOWLEDGED_NEWER = "acknowledged-newer-draft-retained"
    REFUSED = "refused"
    RECOVERY_REQUIRED = "recovery-required"


class Reason(StrEnum):
    """Why an operation was not sent, was refused, or waits for a person."""

    NONE = ""
    NO_SECURE_IDS = "no-secure-ids"
    NOT_SENT = "not-sent"
    ASSUMED_FAILED = "assumed-failed"
    INVALID = "invalid"
    CONFLICT = "conflict"
    MISMATCH = "mismatch"
    SIGN_IN = "sign-in"
    CONTRADICTED = "contradicted"
    EXPIRED = "expired"
    OUT_OF_QUERIES = "out-of-queries"
    NO_STATUS = "no-status"
    PERSON_DECIDES = "person-decides"
    SET_ASIDE = "set-aside"


# Named here because on Python 3.11 reading a member off its enum costs as much as a call.
AWAITING_ACK: Final = Phase.AWAITING_ACK
UNKNOWN_OUTCOME: Final = Phase.UNKNOWN_OUTCOME
ACKNOWLEDGED: Final = Phase.ACKNOWLEDGED
NO_REASON: Final = Reason.NONE

_SENTENCES: Final = {
    Phase.IDLE: "Ready.",
    Phase.AWAITING_ACK: "Saving…",
    Phase.UNKNOWN_OUTCOME: "Not confirmed yet; your text is kept; being checked.",
    Phase.ACKNOWLEDGED: "Saved.",
    Phase.ACKNOWLEDGED_NEWER: (
        "An earlier version is saved. Your newer text is kept, not saved yet."
    ),
    Phase.REFUSED: "Not saved. Your text is kept.",
    Phase.RECOVERY_REQUIRED: "Not confirmed. Your text is kept. Please decide how to go on.",
}

_BECAUSE: Final = {
    Reason.NONE: "",
    Reason.NO_SECURE_IDS: "Not sent: this browser has no secure source of identifiers.",
    Reason.NOT_SENT: "Not sent: the server could not be reached. Your text is kept.",
    Reason.ASSUMED_FAILED: "Not saved. Please try again.",
    Reason.INVALID: "Not saved: the server does not accept this value. Your text is kept.",
    Reason.CONFLICT: "Not saved: somebody else changed it meanwhile. Your text is kept.",
    Reason.MISMATCH: "Not saved: this save was already used for another text. Your text is kept.",
    Reason.SIGN_IN: "Not confirmed; your text is kept. Please sign in again.",
    Reason.CONTRADICTED: "Not confirmed; your text is kept. Compare it with what is stored.",
    Reason.EXPIRED: "Not confirmed, and too late to ask. Your text is kept; compare it.",
    Reason.OUT_OF_QUERIES: "Still not confirmed. Your text is kept; check again or decide.",
    Reason.NO_STATUS: "Not confirmed, and it cannot be asked for. Your text is kept; compare it.",
    Reason.PERSON_DECIDES: "Not confirmed. Your text is kept. Try again, or check first.",
    Reason.SET_ASIDE: "An earlier save was interrupted. Your text is kept; check or decide.",
}


def sentence(phase: Phase, reason: Reason) -> str:
    """Return the plain sentence on the screen: what is known, and that the text is kept."""
    return _BECAUSE[reason] or _SENTENCES[phase]
