"""The rows of the client's table: every decision of the machine names one.

A trace record carries the row, so that a story can be checked against the contract, and the
search can prove that every row is reached by some scenario.
"""

from enum import StrEnum
from typing import Final


class Row(StrEnum):
    """The row (or rule) of the client's contract that decided an event."""

    # Judging an answer.
    RULE_1_STALE = "client.rule-1"
    RULE_1_REPEATED = "client.rule-1-repeated"
    RULE_2_STALE = "client.rule-2"
    RULE_3_INVALID = "client.rule-3"
    RULE_4_ACCEPTED = "client.rule-4"
    RULE_5_ACCEPTED = "client.rule-5"
    ACK_THROWN_AWAY = "client.ack-thrown-away"
    # Edits and merges.
    EDIT_CHANGED = "client.edit"
    EDIT_SAME = "client.edit-same-body"
    MERGED = "client.merge"
    MERGE_NOTHING = "client.merge-nothing-read"
    # Saves.
    SAVE_LAUNCHED = "client.save-launches"
    SAVE_CLEAN = "client.save-nothing-to-save"
    SAVE_NO_IDS = "client.save-no-secure-ids"
    SAVE_BLOCKED_AWAITING = "client.save-blocked-awaiting"
    SAVE_RETRIES_NOW = "client.save-retries-now"
    SAVE_BLOCKED_UNSETTLED = "client.save-blocked-unsettled"
    SAVE_BLOCKED_BY_HINT = "client.save-blocked-by-hint"
    # What a person decides.
    PERSON_RETRIES = "client.person-retries"
    PERSON_MAY_NOT_RETRY = "client.person-may-not-retry"
    PERSON_CHECKS = "client.person-checks"
    PERSON_READS = "client.person-checks-by-reading"
    PERSON_MAY_NOT_CHECK = "client.person-may-not-check"
    PERSON_DISCARDS = "client.person-discards"
    PERSON_MAY_NOT_DISCARD = "client.person-may-not-discard"
    # An attempt ends without an answer.
    TIMED_OUT = "client.timeout"
    BROKEN = "client.transport-error"
    VOID = "client.void-attempt"
    NOT_SENT = "client.void-none-left"
    SERVER_ERROR = "client.server-error"
    ASSUMED_FAILED = "client.assumed-failed"
    # Refusals.
    IN_FLIGHT = "client.in-flight"
    THROTTLED = "client.throttled"
    REFUSED = "client.refused"
    CONTRADICTED = "client.refused-after-unknown"
    EXPIRED = "client.expired"
    UNAUTHENTICATED = "client.unauthenticated"
    LATE_REFUSAL = "client.refusal-counts-no-more"
    LATE_ERROR = "client.server-error-counts-no-more"
    # Unknown outcome.
    RETRY_DUE = "client.retry-due"
    RETRY_FORGONE = "client.retry-no-longer-allowed"
    RETRY_HELD_BACK = "client.retry-held-back-by-breaker"
    QUERY_DUE = "client.status-due"
    NO_STATUS_ANSWER = "client.status-no-answer"
    STATUS_PENDING = "client.status-pending"
    STATUS_NOT_FOUND = "client.status-not-found"
    STATUS_EXPIRED = "client.status-expired"
    STATUS_UNAUTHENTICATED = "client.status-unauthenticated"
    STATUS_SEEN = "client.status-seen-by-person"
    STATUS_OLD = "client.status-of-an-older-query"
    WINDOW_PASSED = "client.recovery-window-passed"
    # Reads.
    READ_ADOPTED = "client.read-under-clean-draft"
    READ_BESIDE = "client.read-beside-draft"
    READ_OLD = "client.read-older-than-base"
    READ_AGAIN = "client.read-again"
    READ_GIVEN_UP = "client.read-given-up"
    # The life of page, worker and session.
    OLD_TIMER = "client.timer-outlived-its-attempt"
    OLD_EXCHANGE = "client.exchange-of-an-older-attempt"
    RELOADED = "client.reload"
    CLOSED = "client.close"
    PAGE_CLOSED = "client.page-is-closed"
    WORKER_STOPPED = "client.worker-stopped"
    WORKER_STARTED = "client.worker-started"
    HINTED = "client.hint"
    SIGNED_IN = "client.sign-in"
    SIGNED_IN_RESUMES = "client.sign-in-resumes"
    SIGNED_IN_OTHER = "client.sign-in-other-owner"
    SIGNED_OUT = "client.sign-out"


class Verdict(StrEnum):
    """What the client made of an answer."""

    ACCEPTED = "accepted"
    STALE = "stale"
    REPEATED = "repeated"
    INVALID = "invalid"
    REFUSAL = "refusal"
    ERROR = "error"
    STATUS = "status"
    READ = "read"
    IGNORED = "ignored"


VERDICTS: Final[dict[Row, Verdict]] = {
    Row.RULE_1_STALE: Verdict.STALE,
    Row.RULE_1_REPEATED: Verdict.REPEATED,
    Row.RULE_2_STALE: Verdict.STALE,
    Row.RULE_3_INVALID: Verdict.INVALID,
    Row.RULE_4_ACCEPTED: Verdict.ACCEPTED,
    Row.RULE_5_ACCEPTED: Verdict.ACCEPTED,
    Row.IN_FLIGHT: Verdict.REFUSAL,
    Row.THROTTLED: Verdict.REFUSAL,
    Row.REFUSED: Verdict.REFUSAL,
    Row.CONTRADICTED: Verdict.REFUSAL,
    Row.EXPIRED: Verdict.REFUSAL,
    Row.UNAUTHENTICATED: Verdict.REFUSAL,
    Row.SERVER_ERROR: Verdict.ERROR,
    Row.STATUS_PENDING: Verdict.STATUS,
    Row.STATUS_NOT_FOUND: Verdict.STATUS,
    Row.STATUS_EXPIRED: Verdict.STATUS,
    Row.STATUS_UNAUTHENTICATED: Verdict.STATUS,
    Row.STATUS_SEEN: Verdict.STATUS,
    Row.READ_ADOPTED: Verdict.READ,
    Row.READ_BESIDE: Verdict.READ,
}
"""The verdict behind a row that judged an answer; every other row ignored it."""
