"""Which clause applies: the first in the file that matches and is not used up."""

from collections.abc import Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from sim.network.faults import (
    Clause,
    Crash,
    CrashPoint,
    Cut,
    CutWhat,
    Duplicate,
    HappeningKind,
    HoldUntil,
    MessageAction,
    MessageClause,
    MessageKind,
    Order,
    Resend,
    ServerAction,
    ServerClause,
    Target,
)


class Address(NamedTuple):
    """What a clause can tell a message by. ``operation`` counts the client's operations from 1."""

    kind: MessageKind
    client: str
    operation: int
    attempt: int
    copy: int


Action_co = TypeVar("Action_co", covariant=True)


class Matched(Generic[Action_co]):
    """A clause that applies: its place in the file's list and what it does."""

    __slots__ = ("action", "place")

    def __init__(self, place: int, action: Action_co) -> None:
        self.place: Final = place
        self.action: Final = action


def _hits(target: Target, address: Address) -> bool:
    return (
        target.message is address.kind
        and target.client in (None, address.client)
        and target.operation in (None, address.operation)
        and target.attempt in (None, address.attempt)
        and target.copy in (None, address.copy)
    )


class Faults:
    """The clauses of one run and how often each was used.

    A clause that never matched makes the run inconclusive: a scenario must not pass because its
    fault missed.
    """

    def __init__(self, clauses: Sequence[Clause]) -> None:
        placed = list(enumerate(clauses))
        self._uses = [0] * len(placed)
        self._messages = [(n, c) for n, c in placed if isinstance(c, MessageClause)]
        self._server = [(n, c) for n, c in placed if isinstance(c, ServerClause)]
        self._cuts = [(n, c) for n, c in placed if isinstance(c, Cut)]
        self.orders = [(n, c) for n, c in placed if isinstance(c, Order)]
        self.is_empty = not placed
        self.waits_for_expiry = any(
            isinstance(clause.action, HoldUntil)
            and clause.action.until.event is HappeningKind.EXPIRED
            for _, clause in self._messages
        )

    def on_message(self, address: Address) -> "Matched[MessageAction] | None":
        """Return what happens to a message as it is sent, and use the clause up by one."""
        for place, clause in self._messages:
            if clause.times is not None and self._uses[place] >= clause.times:
                continue
            multiplies = isinstance(clause.action, Duplicate | Resend)
            if multiplies and clause.target.copy is None and address.copy > 1:
                continue  # A copy of a copy, for ever, is not what "any copy" means.
            if _hits(clause.target, address):
                self._uses[place] += 1
                return Matched(place, clause.action)
        return None

    def on_server(
        self, address: Address, point: CrashPoint | None
    ) -> "Matched[ServerAction] | None":
        """Return the server's fault at a request, without using it up.

        Args:
            address: The request that the server works on.
            point: The crash point that is reached; None asks for errors and slowness.
        """
        for place, clause in self._server:
            if clause.times is not None and self._uses[place] >= clause.times:
                continue
            if not _hits(clause.target, address):
                continue
            action = clause.action
            if isinstance(action, Crash) != (point is not None):
                continue
            if isinstance(action, Crash) and action.at is not point:
                continue
            return Matched(place, action)
        return None

    def cut(self, client: str, now_us: int, *, is_answer: bool) -> CutWhat | None:
        """Return what cuts a message that is sent now, and note that the cut was met."""
        for place, clause in self._cuts:
            if not clause.from_us <= now_us < clause.to_us or clause.client not in (None, client):
                continue
            affected = (
                clause.what in (CutWhat.ACK, CutWhat.BOTH)
                if is_answer
                else clause.what is not CutWhat.ACK
            )
            if affected:
                self._uses[place] += 1
                return clause.what
        return None

    @property
    def may_strike(self) -> bool:
        """Whether any clause is about the server."""
        return bool(self._server)

    def use(self, place: int) -> None:
        """Count one use of the clause at ``place``."""
        self._uses[place] += 1

    @property
    def unmatched(self) -> tuple[int, ...]:
        """The places of the clauses that never matched."""
        return tuple(place for place, uses in enumerate(self._uses) if not uses)
