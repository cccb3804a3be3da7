"""The judge's books: what really happened, and what each screen shows, side by side.

Everything here is read off the trace. What a client *believes* is only ever taken from what it
shows; what is *true* comes from launches, deliveries and commits.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from sim.contract.phases import Phase, Reason

WAITING_PHASES: Final = frozenset(
    {Phase.AWAITING_ACK, Phase.UNKNOWN_OUTCOME, Phase.RECOVERY_REQUIRED}
)
SHOWN_AS_FAILED: Final = frozenset({Reason.NOT_SENT, Reason.ASSUMED_FAILED})
"""Reasons that say, in ``idle``, that the last operation was not saved."""

OPEN: Final = "open"
CLEARED: Final = "cleared"


SentSnapshot: TypeAlias = tuple[str, str, int, int]
"""What a request carried, as far as two requests are told apart by it: owner, body, draft version
and expected version. A plain tuple: three are made for every operation."""


class IntentBook:
    """One thing that a person wanted once."""

    __slots__ = ("client", "effects", "number", "operations")

    def __init__(self, client: str, number: int) -> None:
        self.client = client
        self.number = number
        self.effects = 0
        self.operations: list[OperationBook] = []


class OperationBook:
    """One operation of one client, with everything that became of it."""

    __slots__ = (
        "acks",
        "asked",
        "attempt",
        "belief",
        "body",
        "client",
        "committed_us",
        "deliveries",
        "draft_version",
        "effect_bodies",
        "effects",
        "ever_recovery",
        "ever_unknown",
        "executing",
        "expected_version",
        "false_conflict",
        "fates",
        "first_sent_us",
        "intent",
        "irreversible",
        "is_blind",
        "is_settled",
        "launch_seq",
        "launched_clean",
        "launched_us",
        "launches",
        "nth",
        "number",
        "owner",
        "refused",
        "resource",
        "settled_us",
        "shown_failed",
        "under_way",
    )

    def __init__(
        self,
        client: str,
        resource: str,
        number: int,
        nth: int,
        snapshot: SentSnapshot,
        intent: IntentBook,
        first_sent_us: int,
        *,
        irreversible: bool,
    ) -> None:
        self.client = client
        self.resource = resource
        self.number = number
        self.nth = nth
        self.owner, self.body, self.draft_version, self.expected_version = snapshot
        self.irreversible = irreversible
        self.intent = intent
        self.attempt = 0
        self.launches = 0
        self.fates: dict[int, str] = {}
        """Attempt -> ``open``, or ``cleared`` when it provably was not executed."""
        self.is_blind = False
        """Whether it was sent on a version that its draft had not incorporated."""
        self.effects = 0
        self.effect_bodies: list[str] = []
        self.committed_us = 0
        self.deliveries = 0
        self.asked = 0
        self.is_settled = False
        self.refused = ""
        self.shown_failed = False
        self.belief = "awaiting"
        self.ever_unknown = False
        self.ever_recovery = False
        self.false_conflict = False
        """Whether a repeat of it was told a conflict although it was committed."""
        self.first_sent_us = first_sent_us
        self.settled_us: int | None = None
        self.under_way = 0
        """Messages of this operation that are on their way."""
        self.executing = 0
        """Executions of it that have begun and not ended."""
        self.launch_seq = 0
        self.launched_us = 0
        self.launched_clean = False
        self.acks: dict[str, int] | None = None
        """Verdict -> how many acks its client judged so; None: none came."""

    @property
    def may_have_effect(self) -> bool:
        """Whether some attempt may have been executed without a proof that it was not."""
        return any(fate == OPEN for fate in self.fates.values())


class Screen:
    """What one client shows of one resource, and what its person made."""

    __slots__ = (
        "acknowledged_bodies",
        "body",
        "client",
        "dirty",
        "draft_version",
        "edited",
        "has_worker",
        "incorporated",
        "is_open",
        "last",
        "last_of",
        "must_keep",
        "owner",
        "pending",
        "pending_of",
        "phase",
        "read_version",
        "reason",
        "resource",
        "signed_in",
        "unsettled",
    )

    def __init__(self, client: str, resource: str, owner: str, body: str) -> None:
        self.client = client
        self.resource = resource
        self.owner = owner
        self.body = body
        self.phase = Phase.IDLE
        self.reason = Reason.NONE
        self.draft_version = 1
        self.dirty = False
        self.signed_in = owner
        """Whose session this client has by its sign-ins, whatever the form believes."""
        self.is_open = True
        self.has_worker = True
        self.last: OperationBook | None = None
        """The operation that the screen speaks of: the one launched last under this owner."""
        self.pending: OperationBook | None = None
        """The operation that is pending by the contract, whatever the client thinks."""
        self.unsettled: dict[int, OperationBook] = {}
        self.edited: dict[str, str] = {}
        """Owner -> the body that this person left in the form."""
        self.acknowledged_bodies: dict[str, bool] = {}
        self.incorporated: dict[str, int] = {}
        """Owner -> the highest version that this owner's draft lawfully stands on."""
        self.read_version = 0
        self.must_keep: tuple[int, str] | None = None
        """The record and the body that the next show has to keep, dirty."""
        self.last_of: dict[str, OperationBook | None] = {}
        self.pending_of: dict[str, OperationBook | None] = {}


class EffectBook:
    """The first effect under one (owner, operation id)."""

    __slots__ = ("committed_us", "snapshot")

    def __init__(self, snapshot: SentSnapshot, committed_us: int) -> None:
        self.snapshot: Final = snapshot
        self.committed_us: Final = committed_us


@dataclass(slots=True)
class Tally:
    """Counts that expectations and measures are made of."""

    effects: int = 0
    attempts: int = 0
    deliveries: int = 0
    acks: dict[str, int] = field(default_factory=dict)
    """Verdict -> how many acks clients judged so."""
    answers: int = 0
    turned_away: int = 0
    refused: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, parts: Iterable["Tally"]) -> "Tally":
        """Return the counts of several clients as one."""
        whole = cls()
        for part in parts:
            whole.effects += part.effects
            whole.attempts += part.attempts
            whole.deliveries += part.deliveries
            whole.answers += part.answers
            whole.turned_away += part.turned_away
            for counts, more in ((whole.acks, part.acks), (whole.refused, part.refused)):
                for name, count in more.items():
                    counts[name] = counts.get(name, 0) + count
        return whole
