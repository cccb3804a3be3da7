"""The faults that strike a server while it works on a request."""

from typing import NamedTuple

from sim.contract.body import Json
from sim.engine.mail import Message
from sim.network.faults import AnswerError, Crash, CrashPoint, ServerAction, Slow
from sim.network.matching import Faults, Matched
from sim.trace.listener import Listener, tell_record
from sim.trace.records import Rec


class CrashHere(NamedTuple):
    """A crash that applies, and the place of its clause."""

    action: Crash
    place: int


class Strikes:
    """Asks the clauses about one request, and records the faults that strike."""

    def __init__(self, faults: Faults, notes: Listener) -> None:
        self.is_calm = faults.is_empty
        """Whether nothing can strike in this run."""
        self.waits_for_expiry = faults.waits_for_expiry
        self._may_strike = faults.may_strike
        self._faults = faults
        self._notes = notes

    def use(self, place: int) -> None:
        """Count one use of the clause at ``place``."""
        self._faults.use(place)

    def crash_at(self, point: CrashPoint, message: Message) -> CrashHere | None:
        """Return the crash that strikes at this point of this request; it is not used up yet."""
        matched = self._at(message, point)
        if matched is None or not isinstance(matched.action, Crash):
            return None
        return CrashHere(matched.action, matched.place)

    def error_at(self, message: Message, now_us: int, *, after_commit: bool) -> int | None:
        """Return the code that the request is answered with instead, if an error strikes."""
        matched = self._at(message, None)
        if matched is None or not isinstance(matched.action, AnswerError):
            return None
        if matched.action.after_commit != after_commit:
            return None
        self._strikes(matched.place, "error", message, now_us)
        return matched.action.code

    def slowness(self, message: Message, now_us: int) -> Slow | None:
        """Return how much longer the work on this request takes, if it is slow."""
        matched = self._at(message, None)
        if matched is None or not isinstance(matched.action, Slow):
            return None
        self._strikes(matched.place, "slow", message, now_us)
        return matched.action

    def _at(self, message: Message, point: CrashPoint | None) -> Matched[ServerAction] | None:
        return self._faults.on_server(message.address, point) if self._may_strike else None

    def _strikes(self, place: int, action: str, message: Message, now_us: int) -> None:
        self._faults.use(place)
        data: dict[str, Json] = {
            "clause": place + 1,
            "action": action,
            "message": message.kind.value,
            "msg": message.number,
            "copy": message.copy,
        }
        exchange = message.exchange
        client, resource = exchange.client, exchange.resource
        op, attempt = exchange.op, exchange.attempt
        tell_record(self._notes, now_us, Rec.FAULT, client, resource, op, attempt, "", data)
